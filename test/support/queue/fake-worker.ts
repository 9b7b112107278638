/** A worker process with the real queue, whose units are hashes: `node fake-worker.ts '{"redis":…}'`. */

import { appendFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { JobEnd } from '../../../src/sweep/engine/engine.ts';
import type { LocalPlayer } from '../../../src/sweep/queue/local-player.ts';
import { serveSweeps } from '../../../src/sweep/queue/queue-worker.ts';
import { openRedis } from '../../../src/sweep/queue/redis-access.ts';
import { type RunningCommand, startProcess } from '../running-command.ts';
import { fakeRow } from './fake-job.ts';

export interface FakeWorkerTerms {
  readonly redis: string;
  /** Where a line is written for each unit that was computed. */
  readonly log: string;
  readonly unitMs: number;
  readonly jobs?: number;
  readonly build?: string;
  readonly once?: boolean;
  /** The key of a unit at which the process dies. */
  readonly poison?: string;
  readonly patienceMs?: number;
}

/** `script`: this file as one of JavaScript. */
export function startFakeWorker(script: string, terms: FakeWorkerTerms): RunningCommand {
  return startProcess([process.execPath, script, JSON.stringify(terms)]);
}

function player({ log, unitMs, poison }: FakeWorkerTerms): LocalPlayer {
  const closing = new AbortController();
  return {
    play: async ({ units }, onResult): Promise<JobEnd> => {
      for (const { key } of units) {
        if (key === poison) process.kill(process.pid, 'SIGKILL');
        await pause(unitMs, undefined, { signal: closing.signal }).catch(() => undefined);
        if (closing.signal.aborted) return { kind: 'aborted' };
        appendFileSync(log, `${key}\n`);
        await onResult({ kind: 'played', key, row: fakeRow(key), elapsedMs: unitMs });
      }
      return { kind: 'done' };
    },
    close: async () => closing.abort(),
  };
}

async function main(terms: FakeWorkerTerms): Promise<void> {
  const access = await openRedis(terms.redis);
  const ending = new AbortController();
  process.once('SIGTERM', () => ending.abort());
  const { jobs = 1, build = 'build', once = false, patienceMs } = terms;
  const { pid } = process;
  const worker = { worker: `w${pid}`, host: hostname(), pid, jobs, build, node: 24 };
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const served = await serveSweeps({
    ...{ access, worker, once, say, patienceMs },
    player: player(terms),
    signal: ending.signal,
  });
  say(`served ${JSON.stringify(served)}`);
}

const [, script, text] = process.argv;
if (script === fileURLToPath(import.meta.url) && text !== undefined) {
  await main(JSON.parse(text)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error && 'code' in error ? error.code : ''} ${String(error)}\n`);
    process.exitCode = 3;
  });
}
