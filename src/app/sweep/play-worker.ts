/** `oddsmith worker`: plays jobs of sweeps that other machines began. */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { packageVersion } from '../../package/running-package.ts';
import type { JobEnd, SweepJob, UnitResult } from '../../sweep/engine/engine.ts';
import type { ThreadEngine } from '../../sweep/engine/thread-engine.ts';
import { PieceCache } from '../../sweep/pieces/piece-cache.ts';
import { TapeSources } from '../../sweep/pieces/tape-sources.ts';
import type { LocalPlayer } from '../../sweep/queue/local-player.ts';
import { serveSweeps } from '../../sweep/queue/queue-worker.ts';
import { openRedis } from '../../sweep/queue/redis-access.ts';
import { buildSha256 } from '../../sweep/unit/build-sha256.ts';
import { MACHINE_CODES } from '../../sweep/unit/unit-check.ts';
import { count, plural } from '../../words/numbers.ts';
import { EXIT } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { isAlive, nodeMajor, ownName, ownProcess, processOf } from './machine.ts';
import { workerThreads } from './open-sweep.ts';

export interface WorkerChoices {
  readonly redis: string;
  readonly jobs: number;
  readonly tapes: readonly string[];
  readonly cache: string | undefined;
  readonly cacheBytesMax: number;
  readonly once: boolean;
  readonly json: boolean;
}

export async function playWorker(context: CommandContext, choices: WorkerChoices): Promise<void> {
  const { terminal } = context;
  const { jobs, tapes, once, json } = choices;
  const say = (line: string): void => terminal.note(`${line}\n`);
  const own = ownProcess();
  const cache = tapes.some(isServed) ? openCache(choices) : undefined;
  try {
    const sources = await TapeSources.open(tapes, cache);
    const access = await openRedis(choices.redis);
    const worker = { worker: ownName(own), ...own, jobs, build: buildSha256(), node: nodeMajor() };
    const player = new WorkerPlayer(workerThreads(jobs), sources);
    say(
      `worker ${own.host}, process ${own.pid}: build ${worker.build.slice(0, 12)} on Node ${worker.node}, ${plural(jobs, 'job')} at once, ` +
        `${plural(sources.count, 'tape')}; waiting for sweeps at ${access.name}`,
    );
    const served = await serveSweeps({ access, worker, player, once, signal: terminal.signal, say });
    if (json) terminal.out(`${JSON.stringify({ command: 'worker', version: packageVersion(), ...served })}\n`);
    else terminal.out(`${count(served.units)} units of ${plural(served.sweeps, 'sweep')} played\n`);
  } finally {
    cache?.close();
  }
  if (terminal.signal.aborted && terminal.signal.reason !== 'SIGTERM') context.exitCode = EXIT.interrupted;
}

function isServed(place: string): boolean {
  return /^https?:\/\//.test(place);
}

function openCache({ cache, cacheBytesMax }: WorkerChoices): PieceCache {
  const home = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return new PieceCache({
    directory: cache ?? join(home, 'oddsmith', 'pieces'),
    bytesMax: cacheBytesMax,
    owner: ownName(ownProcess()),
    isAlive: (owner) => {
      const named = processOf(owner);
      // Of another machine that shares the directory nothing is known.
      return named === undefined ? false : isAlive(named) !== false;
    },
  });
}

/** Plays the jobs of a worker in threads, over the tapes of this machine that hold their markets. */
class WorkerPlayer implements LocalPlayer {
  readonly #engine: ThreadEngine;
  readonly #sources: TapeSources;

  constructor(engine: ThreadEngine, sources: TapeSources) {
    this.#engine = engine;
    this.#sources = sources;
  }

  async play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd> {
    const held = await this.#sources.hold([...new Set(job.groups.flatMap(({ markets }) => markets))]);
    let lacking: OddsmithError | undefined;
    const pass = async (result: UnitResult): Promise<void> => {
      // What this machine lacks says nothing of the unit.
      if (result.kind === 'failed' && MACHINE_CODES.has(result.error.code)) lacking ??= new OddsmithError(result.error);
      else await onResult(result);
    };
    try {
      const end = await this.#engine.play(job, pass, held.paths);
      if (lacking !== undefined) throw lacking;
      return end;
    } finally {
      held.release();
    }
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
