/** Many processes behind one Redis: each unit once, whatever is killed. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type FakeCoordinatorTerms, startFakeCoordinator } from '../../support/queue/fake-coordinator.ts';
import { fakeKey, fakeRow } from '../../support/queue/fake-job.ts';
import { type FakeWorkerTerms, startFakeWorker } from '../../support/queue/fake-worker.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../support/queue/redis-server.ts';
import type { RunningCommand } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const running: RunningCommand[] = [];
const servers: RedisServer[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.kill();
    await each.ended;
  }
  for (const server of servers.splice(0)) await server.end();
});

interface Stage {
  readonly redis: RedisServer;
  readonly log: string;
  readonly store: string;
  coordinator(change?: Partial<FakeCoordinatorTerms>): RunningCommand;
  worker(change?: Partial<FakeWorkerTerms>): RunningCommand;
}

async function stage(args: readonly string[] = []): Promise<Stage> {
  const redis = await startRedis(args);
  servers.push(redis);
  const directory = temporaryDirectory('queue');
  const [log, store] = [join(directory, 'log'), join(directory, 'store')];
  const started = (process: RunningCommand): RunningCommand => {
    running.push(process);
    return process;
  };
  const address = { redis: redis.address };
  return {
    ...{ redis, log, store },
    coordinator: (change) =>
      started(startFakeCoordinator({ ...address, sweep: 'one', store, units: 60, unitsOfJob: 5, ...change })),
    worker: (change) => started(startFakeWorker({ ...address, log, unitMs: 30, ...change })),
  };
}

function linesOf(path: string): readonly string[] {
  return existsSync(path)
    ? readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

/** The rows of these units, as one process would compute them. */
function expectedRows(units: number, without: readonly string[] = []): readonly string[] {
  return Array.from({ length: units }, (_, number) => fakeKey(number))
    .filter((key) => !without.includes(key))
    .map((key) => `${key} ${Buffer.from(fakeRow(key)).toString('hex')}`)
    .sort();
}

const sha256Of = (lines: readonly string[]): string =>
  createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex');

async function until(what: () => boolean, timeoutMs = 60_000): Promise<void> {
  for (let waited = 0; !what(); waited += 20) {
    if (waited > timeoutMs) throw new Error('it did not happen in time');
    await pause(20);
  }
}

describeWithRedis('a sweep over many processes', () => {
  test('plays each unit once on three workers, and leaves nothing in Redis', async () => {
    const { coordinator, worker, redis, log, store } = await stage();
    const workers = [worker({ once: true }), worker({ once: true }), worker({ once: true })];
    const sweep = coordinator();
    expect((await sweep.ended).code, sweep.said.note).toBe(0);
    expect([...linesOf(store)].sort()).toEqual(expectedRows(60));
    expect(linesOf(log).length).toBe(60);
    for (const each of workers)
      expect(await each.ended).toMatchObject({ code: 0, out: expect.stringContaining('served') });
    expect(workers.filter(({ said }) => said.out.includes('served {"units":0')).length).toBeLessThan(3);
    expect(await redis.client.keys('*')).toEqual([]);
  });

  test('gives the same rows where a worker is killed three times', async () => {
    const { coordinator, worker, store, log } = await stage();
    const unitMs = 60;
    for (let index = 0; index < 2; index += 1) worker({ unitMs });
    let victim = worker({ unitMs });
    const sweep = coordinator({ units: 500 });
    for (let kills = 0; kills < 3; kills += 1) {
      await victim.until(/taking its jobs/);
      const before = linesOf(log).length;
      await until(() => linesOf(log).length > before + 5);
      victim.kill('SIGKILL');
      await victim.ended;
      victim = worker({ unitMs });
    }
    expect((await sweep.ended).code, sweep.said.note).toBe(0);
    expect(sha256Of(linesOf(store))).toBe(sha256Of(expectedRows(500)));
    expect(linesOf(store).length).toBe(500);
    // What a killed worker had given back is not computed again: at most the unit at play, each time.
    expect(linesOf(log).length).toBeLessThanOrEqual(503);
  });

  test('goes on where its coordinator was killed, and computes nothing twice', async () => {
    const { coordinator, worker, store, log, redis } = await stage();
    for (let index = 0; index < 3; index += 1) worker();
    for (let kills = 0; kills < 3; kills += 1) {
      const sweep = coordinator({ units: 150 });
      const before = linesOf(store).length;
      await until(() => linesOf(store).length > before + 20);
      sweep.kill('SIGKILL');
      await sweep.ended;
    }
    const last = coordinator({ units: 150 });
    expect((await last.ended).code, last.said.note).toBe(0);
    expect([...new Set(linesOf(store))].sort()).toEqual(expectedRows(150));
    expect(linesOf(store).length).toBe(150);
    expect(linesOf(log).length).toBe(150);
    expect(await redis.client.keys('*one*')).toEqual([]);
  });

  test('sets a unit aside at which three workers died, and goes on', async () => {
    const { coordinator, worker, store } = await stage();
    const poison = fakeKey(7);
    const started = [worker({ poison }), worker({ poison })];
    const sweep = coordinator({ units: 30 });
    const ended = sweep.ended.then(() => true);
    // As a service that starts a worker again when it ends.
    const again = (async () => {
      while (!(await Promise.race([ended, ...started.map((each) => each.ended.then(() => false))]))) {
        const dead = await Promise.race(started.map((each, index) => each.ended.then(() => index)));
        started[dead] = worker({ poison });
      }
    })();
    expect((await sweep.ended).code, sweep.said.note).toBe(0);
    await again;
    expect(sweep.said.out).toMatch(new RegExp(`died 3 ${poison} WORKER_DIED`));
    expect(sweep.said.out.match(/^died /gm)?.length).toBe(3);
    expect([...linesOf(store)].sort()).toEqual(expectedRows(30, [poison]));
  });
});
