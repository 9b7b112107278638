/** Many processes behind one Redis: each unit once, whatever is killed. */

import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { fakeKey } from '../../support/queue/fake-job.ts';
import { expectedRows, linesOf, type QueueStage, QueueStages, until } from '../../support/queue/queue-stage.ts';
import { describeWithRedis } from '../../support/queue/redis-server.ts';

const stages = new QueueStages(60);
afterEach(() => stages.end());
const stage = (args?: readonly string[]): Promise<QueueStage> => stages.start(args);

const sha256Of = (lines: readonly string[]): string =>
  createHash('sha256')
    .update([...lines].sort().join('\n'))
    .digest('hex');

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
    // Workers notice the end of a sweep soon after its coordinator.
    await expect.poll(() => redis.client.keys('*')).toEqual([]);
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
    // Workers notice the end of a sweep soon after its coordinator.
    await expect.poll(() => redis.client.keys('*one*')).toEqual([]);
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
