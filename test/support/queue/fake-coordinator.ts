/** A coordinator process with the real queue engine, which keeps rows in a text file: `node fake-coordinator.ts '{"redis":…}'`. */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SweepEngine } from '../../../src/sweep/engine/engine.ts';
import { QueueEngine } from '../../../src/sweep/queue/queue-engine.ts';
import { openRedis } from '../../../src/sweep/queue/redis-access.ts';
import { type RunningCommand, startProcess } from '../running-command.ts';
import { fakeJob, fakeKey } from './fake-job.ts';

export interface FakeCoordinatorTerms {
  readonly redis: string;
  readonly sweep: string;
  /** Where a line is written for each row that is committed. */
  readonly store: string;
  readonly units: number;
  readonly unitsOfJob: number;
  readonly build?: string;
  readonly patienceMs?: number;
}

/** `script`: this file as one of JavaScript. */
export function startFakeCoordinator(script: string, terms: FakeCoordinatorTerms): RunningCommand {
  return startProcess([process.execPath, script, JSON.stringify(terms)]);
}

const DEATHS_MAX = 3;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** As the coordinator of a sweep: units without a row are given out, until each has one or is set aside. */
async function play(engine: SweepEngine, { store, units, unitsOfJob }: FakeCoordinatorTerms): Promise<void> {
  const known = new Set(
    existsSync(store)
      ? readFileSync(store, 'utf8')
          .split('\n')
          .map((line) => line.slice(0, 64))
      : [],
  );
  const all = Array.from({ length: units }, (_, number) => fakeKey(number)).filter((key) => !known.has(key));
  const queue = Array.from({ length: Math.ceil(all.length / unitsOfJob) }, (_, at) =>
    all.slice(at * unitsOfJob, (at + 1) * unitsOfJob),
  );
  const deaths = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let number = 0;
  const begin = (keys: readonly string[]): void => {
    number += 1;
    const left = new Set(keys);
    const playing = engine
      .play(fakeJob(number, keys), async (result) => {
        if (result.kind !== 'played' || !left.delete(result.key)) throw new Error(`strange result ${result.key}`);
        appendFileSync(store, `${result.key} ${Buffer.from(result.row).toString('hex')}\n`);
      })
      .then((end) => {
        if (end.kind === 'aborted') return;
        if (end.kind === 'died' && end.key !== undefined) {
          const count = (deaths.get(end.key) ?? 0) + 1;
          deaths.set(end.key, count);
          say(`died ${count} ${end.key} ${end.error.code}`);
          if (count >= DEATHS_MAX) left.delete(end.key);
        }
        for (const key of left) queue.push([key]);
      })
      .finally(() => running.delete(playing));
    running.add(playing);
  };
  for (;;) {
    while (queue.length > 0 && running.size < 2 * engine.slots) begin(queue.shift() ?? []);
    if (running.size === 0) return;
    await Promise.race(running);
  }
}

async function main(terms: FakeCoordinatorTerms): Promise<void> {
  const { redis, sweep, build = 'build', patienceMs } = terms;
  const access = await openRedis(redis);
  const { pid } = process;
  const engine = await QueueEngine.open({
    ...{ access, say, patienceMs },
    record: { sweep, label: 'fake', build, node: 24 },
    coordinator: { coordinator: `c${pid}`, host: hostname(), pid },
    isAlive: (other) => (other.host === hostname() ? existsSync(`/proc/${other.pid}`) : undefined),
  });
  process.once('SIGTERM', () => void engine.close());
  say('open');
  try {
    await play(engine, terms);
  } finally {
    await engine.close();
  }
  say('over');
}

const [, script, text] = process.argv;
if (script === fileURLToPath(import.meta.url) && text !== undefined) {
  await main(JSON.parse(text)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error && 'code' in error ? error.code : ''} ${String(error)}\n`);
    process.exitCode = 3;
  });
}
