/** What is no message of oddsmith in a sweep's Redis: it is set aside, and the sweep goes on. */

import { Queue, Worker } from 'bullmq';
import { afterEach, expect, test } from 'vitest';
import { isCliErrorCode } from '../../../src/app/cli/cli-error.ts';
import { assert } from '../../../src/core/checks/assert.ts';
import type { JobEnd } from '../../../src/sweep/engine/engine.ts';
import { packJob, packOutcome } from '../../../src/sweep/queue/job-message.ts';
import { QueueEngine } from '../../../src/sweep/queue/queue-engine.ts';
import { keysOf, PREFIX, SWEEPS } from '../../../src/sweep/queue/queue-keys.ts';
import { serveSweeps } from '../../../src/sweep/queue/queue-worker.ts';
import { openRedis, type RedisAccess } from '../../../src/sweep/queue/redis-access.ts';
import { fakeJob, fakeKey, fakeRow } from '../../support/queue/fake-job.ts';
import { QueueStages } from '../../support/queue/queue-stage.ts';
import { describeWithRedis, type RedisServer } from '../../support/queue/redis-server.ts';

const stages = new QueueStages(0);
afterEach(() => stages.end());

const KEYS = keysOf('one');
const UNITS = [0, 1, 2].map(fakeKey);
const RECORD = { sweep: 'one', label: 'fake', build: 'build', node: 24 };
const JOB = fakeJob(9, UNITS);
const QUEUED = { ...JOB, bundles: [] };
const DONE = packOutcome({ end: { kind: 'done' }, results: [] });
const packed = (value: unknown): string => packJob(value as typeof QUEUED);

/** Data of a job: no text, no text of ours, and jobs as another version might write them. */
const STRANGE_JOBS: readonly unknown[] = [
  ...[
    'dear worker',
    7,
    null,
    [],
    {},
    { text: 7 },
    { text: 'dear worker' },
    { text: Buffer.from('{').toString('base64') },
  ],
  ...[null, 7, 'job', [], {}, { ...QUEUED, units: undefined }, { ...QUEUED, units: { 0: 'a' } }].map(inText),
  ...[
    { ...QUEUED, units: [{ key: 1 }] },
    { ...QUEUED, bundles: [1] },
    { ...QUEUED, trials: [{}] },
  ].map(inText),
  ...[
    { ...QUEUED, groups: [{ name: 'a' }] },
    { version: 2, batch: [] },
    { ...QUEUED, number: 'one' },
  ].map(inText),
];

/** What stands in a job's own field where BullMQ keeps its data as JSON. */
const STRANGE_DATA: readonly (string | Buffer)[] = [
  'dear worker',
  '{',
  '{"text":"',
  '\0',
  Buffer.from([0xff, 0xfe, 0x7b]),
];

/** What a worker may give back that is no outcome. */
const STRANGE_OUTCOMES: readonly unknown[] = [
  ...[undefined, null, 7, {}, [], 'played', DONE.slice(0, 4)],
  ...[null, 7, {}, { end: { kind: 'done' } }, { end: { kind: 'over' }, results: [] }].map(packed),
  ...[
    { end: { kind: 'died' }, results: [] },
    { end: { kind: 'done' }, results: [{ kind: 'played' }] },
  ].map(packed),
  packed({ end: { kind: 'done' }, results: [{ kind: 'failed', key: UNITS[0], error: 'no' }] }),
];

const STRANGE = STRANGE_JOBS.length + STRANGE_DATA.length;

interface Scene {
  readonly redis: RedisServer;
  readonly access: RedisAccess;
  readonly queue: Queue;
  readonly said: string[];
  open(): Promise<QueueEngine>;
}

async function scene(work: (scene: Scene) => Promise<void>): Promise<void> {
  const redis = await stages.server();
  const access = await openRedis(redis.address);
  const queue = new Queue('one', { connection: redis.client, prefix: PREFIX });
  const said: string[] = [];
  const open = () =>
    QueueEngine.open({
      ...{ access, record: RECORD, say: (line) => said.push(line), isAlive: () => undefined },
      coordinator: { coordinator: 'c', host: 'here', pid: 1 },
    });
  try {
    await work({ redis, access, queue, said, open });
  } finally {
    await queue.close();
  }
}

describeWithRedis('messages that are none', () => {
  test('keep neither coordinator nor worker from their jobs', () =>
    scene(async ({ redis, access, queue, said, open }) => {
      const addStrange = async () => {
        for (const data of STRANGE_JOBS) await queue.add('units', data);
        for (const data of STRANGE_DATA) {
          const { id } = await queue.add('units', {});
          await redis.client.hset(queue.toKey(`${id}`), 'data', data);
        }
      };
      await addStrange();
      await redis.client.mset(KEYS.coordinator, 'dear coordinator', KEYS.worker('w'), '{', keysOf('odd').record, '7');
      await redis.client.sadd(KEYS.workers, 'w');
      await redis.client.sadd(SWEEPS, 'odd');
      for (const entry of ['{', 'null', '{"kind":"taken"}', '{"kind":"result","text":"{}"}'])
        await redis.client.rpush(KEYS.part('c-9'), entry);
      const engine = await open();
      expect(said.filter((line) => line.includes('is removed'))).toHaveLength(STRANGE);
      await addStrange();
      const ending = new AbortController();
      const heard: string[] = [];
      const serving = serveSweeps({
        ...{ access, once: false, signal: ending.signal, say: (line) => heard.push(line) },
        worker: { worker: 'w1', host: 'here', pid: 2, jobs: 1, build: 'build', node: 24 },
        player: {
          play: async ({ units }, onResult): Promise<JobEnd> => {
            for (const { key } of units) await onResult({ kind: 'played', key, row: fakeRow(key), elapsedMs: 1 });
            return { kind: 'done' };
          },
          close: async () => undefined,
        },
      });
      const played: string[] = [];
      const end = await engine.play(JOB, async ({ key }) => void played.push(key));
      expect({ end, played }).toEqual({ end: { kind: 'done' }, played: UNITS });
      expect(heard.filter((line) => line.includes('is set aside'))).toHaveLength(STRANGE);
      expect(heard).toContainEqual(expect.stringMatching(/^sweep odd: none of its jobs is taken/));
      ending.abort();
      expect(await serving).toEqual({ units: UNITS.length, sweeps: 1 });
      await engine.close();
    }));

  test('as what became of a job are its failure, with server and job', () =>
    scene(async ({ redis, access, open }) => {
      const engine = await open();
      const given = [...STRANGE_OUTCOMES];
      const worker = new Worker('one', async () => given.shift(), { connection: { port: redis.port }, prefix: PREFIX });
      for (const [number, outcome] of STRANGE_OUTCOMES.entries()) {
        const end = await engine.play({ ...JOB, number }, () => expect.fail('it has no results'));
        assert(end.kind === 'died', 'it failed');
        expect(isCliErrorCode(end.error.code), 'a command may end with it').toBe(true);
        expect(end, `${outcome}`).toMatchObject({
          kind: 'died',
          error: {
            ...{ code: 'JOB_FAILED', where: `${access.name}, job c-${number}` },
            ...{ why: expect.stringContaining('cannot be read'), next: expect.any(String) },
          },
        });
      }
      await worker.close();
      await engine.close();
    }));
});

function inText(value: unknown): { readonly text: string } {
  return { text: packed(value) };
}
