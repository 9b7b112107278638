/** Every Redis that is not as it should be: a clear error before anything is begun, and afterwards recovery or a clear error. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import { openRedis } from '../../../src/sweep/queue/redis-access.ts';
import { expectedRows, linesOf, type QueueStage, QueueStages, until } from '../../support/queue/queue-stage.ts';
import { describeWithRedis } from '../../support/queue/redis-server.ts';

const stages = new QueueStages(100);
const listening: Server[] = [];
afterEach(async () => {
  await stages.end();
  for (const each of listening.splice(0)) each.close();
});
const stage = (args?: readonly string[]): Promise<QueueStage> => stages.start(args);

function refusal(address: string): Promise<OddsmithError> {
  return openRedis(address).then(
    () => expect.fail('it was let in'),
    (error: OddsmithError) => error,
  );
}

/** Answers as an old Redis: it knows INFO and PING, and no HELLO. */
async function oldRedis(): Promise<string> {
  const answer = (socket: Socket, words: string): void => {
    const command = /\r\n(\w+)\r\n/.exec(words)?.[1]?.toUpperCase();
    const info = 'redis_version:3.2.12\r\nmaxmemory_policy:noeviction\r\nloading:0\r\n';
    if (command === 'INFO') socket.write(`$${info.length}\r\n${info}\r\n`);
    else if (command === 'PING') socket.write('+PONG\r\n');
    else socket.write(`-ERR unknown command '${command}'\r\n`);
  };
  const old = createServer((socket) => {
    socket.on('data', (data) => {
      for (const words of data.toString().split(/(?=\*\d+\r\n\$)/)) answer(socket, words);
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    old.listen(0, '127.0.0.1', resolve);
  });
  listening.push(old);
  return `redis://127.0.0.1:${(old.address() as AddressInfo).port}`;
}

const SECRET = 'sesam-oeffne-dich';

describe('an address', () => {
  test.each([
    `http://user:${SECRET}@127.0.0.1:1`,
    `redis//:${SECRET}@`,
    `redis://:${SECRET}@127.0.0.1:1/first`,
    SECRET,
    '',
  ])('that is none is refused, and not shown', async (address) => {
    const error = await refusal(address);
    expect(error.code).toBe('REDIS_ADDRESS');
    expect(JSON.stringify(error.parts)).not.toContain(SECRET);
  });

  test('where nothing listens is named without its password', async () => {
    const error = await refusal(`redis://user:${SECRET}@127.0.0.1:1/3`);
    expect(error.parts).toMatchObject({
      code: 'REDIS_UNREACHABLE',
      where: '127.0.0.1:1/3',
      why: expect.stringContaining('ECONNREFUSED'),
    });
    expect(JSON.stringify(error.parts)).not.toContain(SECRET);
    expect((await refusal('redis://no-such-host.invalid')).code).toBe('REDIS_UNREACHABLE');
  });

  test('of a server that is too old is refused with both versions', async () => {
    const error = await refusal(await oldRedis());
    expect(error.parts).toMatchObject({ code: 'REDIS_UNFIT', what: expect.stringMatching(/3\.2\.12.*needs 5\.0\.0/) });
  });
});

describeWithRedis('a server', () => {
  test('that wants another password lets nobody in, and the one that was tried is not shown', async () => {
    const redis = await stages.server(['--requirepass', 'right'], 'right');
    for (const address of [redis.address.replace('right', SECRET), redis.address.replace(':right@', '')]) {
      const error = await refusal(address);
      expect(error.code).toBe('REDIS_NOT_AUTHORISED');
      expect(JSON.stringify(error.parts)).not.toContain(SECRET);
    }
    expect((await openRedis(redis.address)).name).toBe(`127.0.0.1:${redis.port}`);
  });

  test('that has no such database is not used with another one', async () => {
    const redis = await stages.server();
    expect((await refusal(`${redis.address}/99`)).code).toBe('REDIS_UNFIT');
  });

  test('that may remove jobs is refused with the line that mends it', async () => {
    const redis = await stages.server(['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru']);
    const error = await refusal(redis.address);
    expect(error.parts).toMatchObject({
      code: 'REDIS_UNFIT',
      what: expect.stringContaining('allkeys-lru'),
      next: expect.stringContaining('CONFIG SET maxmemory-policy noeviction'),
    });
  });
});

function expectRows(store: string, units: number): void {
  expect([...linesOf(store)].sort()).toEqual(expectedRows(units));
}

describeWithRedis('in the middle of a sweep, Redis', () => {
  test.each([
    ['without what it held', []],
    ['with what it had written down', ['--appendonly', 'yes', '--appendfsync', 'always']],
  ])('is killed and comes back %s: the sweep goes on', async (_, args) => {
    const { redis, coordinator, worker, store } = await stage(args);
    worker();
    worker();
    const sweep = coordinator();
    await until(() => linesOf(store).length > 20);
    await redis.restart();
    expect((await sweep.ended).code, sweep.said.note + sweep.said.out).toBe(0);
    expectRows(store, 100);
  });

  test('stays away: both end with a clear error, and a later sweep goes on', async () => {
    const { redis, coordinator, worker, store } = await stage();
    const served = worker({ patienceMs: 2_000 });
    const sweep = coordinator({ patienceMs: 2_000 });
    await until(() => linesOf(store).length > 20);
    await redis.kill();
    const [one, other] = [await sweep.ended, await served.ended];
    expect([one.code, other.code]).toEqual([3, 3]);
    expect(one.note).toMatch(/^REDIS_UNREACHABLE/m);
    expect(other.note).toMatch(/^REDIS_UNREACHABLE/m);
    expect(one.out).toContain('does not answer: waiting for it');
    await redis.restart();
    worker();
    const again = coordinator();
    expect((await again.ended).code, again.said.note).toBe(0);
    expectRows(store, 100);
  });

  test('is full: a clear error, and with more memory a later sweep goes on', async () => {
    const { redis, coordinator, worker, store } = await stage(['--maxmemory', '100mb']);
    const sweep = coordinator({ units: 4_000, unitsOfJob: 20 });
    await sweep.until('open');
    worker();
    await until(() => linesOf(store).length > 20);
    await redis.client.config('SET', 'maxmemory', '1mb');
    const ended = await sweep.ended;
    expect([ended.code, ended.note], ended.out).toEqual([3, expect.stringMatching(/^REDIS_FULL/)]);
    await redis.client.config('SET', 'maxmemory', '100mb');
    worker({ unitMs: 1, jobs: 4 });
    const again = coordinator({ units: 400, unitsOfJob: 20 });
    expect((await again.ended).code, again.said.note).toBe(0);
    expect(new Set(linesOf(store)).size).toBeGreaterThanOrEqual(400);
  });
});

describeWithRedis('when a sweep begins, Redis', () => {
  test('is full: a clear error', async () => {
    const { coordinator } = await stage(['--maxmemory', '1mb']);
    const ended = await coordinator().ended;
    expect([ended.code, ended.note], ended.out).toEqual([3, expect.stringMatching(/^REDIS_FULL/)]);
  });
});

describeWithRedis('who may take part', () => {
  test('a worker of another build takes nothing, and both sides name both builds', async () => {
    const { coordinator, worker, store, log } = await stage();
    const sweep = coordinator({ build: 'a'.repeat(64), units: 20 });
    const other = worker({ build: 'b'.repeat(64) });
    const once = worker({ build: 'b'.repeat(64), once: true });
    const both = /the sweep is of build aaaaaaaaaaaa on Node 24, and the worker of build bbbbbbbbbbbb on Node 24/;
    await other.until(both);
    await sweep.until(both);
    expect(await once.ended).toMatchObject({ code: 3, note: expect.stringMatching(/^BUILD_REFUSED/) });
    expect([linesOf(store), linesOf(log)]).toEqual([[], []]);
    worker({ build: 'a'.repeat(64) });
    expect((await sweep.ended).code).toBe(0);
    expectRows(store, 20);
  });

  test('a second coordinator of the same sweep is refused', async () => {
    const { coordinator, worker, store } = await stage();
    const first = coordinator({ units: 40 });
    await first.until('open');
    const second = coordinator({ units: 40 });
    expect(await second.ended).toMatchObject({ code: 3, note: expect.stringMatching(/^SWEEP_BUSY/) });
    worker();
    expect((await first.ended).code).toBe(0);
    expectRows(store, 40);
  });

  test('two sweeps at once on the same workers do not disturb each other', async () => {
    const { coordinator, worker, store, redis } = await stage();
    const stores = [`${store}-1`, `${store}-2`];
    worker({ jobs: 2 });
    worker({ jobs: 2 });
    const sweeps = stores.map((path, index) => coordinator({ sweep: `sweep-${index}`, store: path }));
    for (const sweep of sweeps) expect((await sweep.ended).code, sweep.said.note).toBe(0);
    for (const path of stores) expectRows(path, 100);
    // Workers notice the end of a sweep soon after its coordinator.
    await expect.poll(() => redis.client.keys('*sweep-*')).toEqual([]);
  });

  test('a worker that is told to end gives back what it has, and nothing is computed twice', async () => {
    const { coordinator, worker, store, log } = await stage();
    const leaving = worker({ unitMs: 200 });
    const sweep = coordinator({ units: 20, unitsOfJob: 10 });
    await until(() => linesOf(log).length >= 3);
    leaving.kill('SIGTERM');
    expect((await leaving.ended).code).toBe(0);
    worker();
    expect((await sweep.ended).code, sweep.said.note).toBe(0);
    expect(sweep.said.out).not.toContain('died');
    expectRows(store, 20);
    expect(linesOf(log).length).toBe(20);
  });

  test('a coordinator that is told to end leaves what others are playing for the next one', async () => {
    const { coordinator, worker, store, log } = await stage();
    worker({ unitMs: 100 });
    const first = coordinator({ units: 40, unitsOfJob: 10 });
    await until(() => linesOf(log).length >= 3);
    first.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = coordinator({ units: 40, unitsOfJob: 10 });
    expect((await second.ended).code, second.said.note).toBe(0);
    expectRows(store, 40);
    expect(linesOf(log).length).toBe(40);
  });
});
