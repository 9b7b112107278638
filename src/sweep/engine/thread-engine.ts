/** The engine of one machine: a pool of threads, each with the tapes open, and a watch over units that do not end. */

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import { MARK } from '../../engine/guest/decision-mark.ts';
import { LOOK_MS, StuckWatch } from '../../engine/guest/stuck-watch.ts';
import { stuckParts } from '../../loader/stuck-error.ts';
import { steadyClock } from '../../time/steady-clock.ts';
import type { JobEnd, SweepEngine, SweepJob, UnitOrder, UnitResult } from './engine.ts';
import { THREAD_TASK, type ThreadStage, type ThreadTask, WORDS, WORDS_COUNT } from './thread-messages.ts';

export interface ThreadEngineParts extends ThreadStage {
  /** How many threads. */
  readonly jobs: number;
  /** What the heap of each thread may take, in megabytes: a strategy that wants more ends its thread, and not the process. */
  readonly heapMb: number;
  /** The module that a thread runs: it exports a `taskPlayer` by the name of THREAD_TASK. */
  readonly worker: URL;
}

/**
 * A thread at its limit gets 16 MB more to come to its end in; where more young objects than that survive at once, V8 ends the process instead.
 * By default up to 32 MB may.
 */
const YOUNG_MB = 24;

export class ThreadEngine implements SweepEngine {
  readonly slots: number;
  readonly #pool: Piscina<ThreadTask, void>;
  readonly #closing = new AbortController();

  constructor({ jobs, heapMb, worker, tapes }: ThreadEngineParts) {
    this.slots = jobs;
    const stage: ThreadStage = { tapes };
    this.#pool = new Piscina({
      filename: fileURLToPath(worker),
      name: THREAD_TASK,
      minThreads: jobs,
      maxThreads: jobs,
      workerData: stage,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_MB },
      // A thread that sleeps on shared memory between jobs could not be asked to end.
      atomics: 'disabled',
    });
  }

  /** `tapes`: those of this job, where they are not those that all jobs have. */
  async play(
    job: SweepJob,
    onResult: (result: UnitResult) => Promise<void>,
    tapes?: readonly string[],
  ): Promise<JobEnd> {
    const words = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * WORDS_COUNT));
    const { port1, port2 } = new MessageChannel();
    const kept: Promise<void>[] = [];
    port1.on('message', (result: UnitResult) => {
      const committed = onResult(result);
      kept.push(committed);
      // What cannot be kept is thrown below; units that are still at play would be lost, so that the job ends now.
      committed.catch(() => unkept.abort());
    });
    // A port is closed after all that was sent through it has arrived, also where the thread ended without a word.
    const drained = new Promise<void>((resolve) => {
      port1.once('close', () => resolve());
    });
    const stuck = new AbortController();
    const unkept = new AbortController();
    const watch = watchTask(job, words, () => stuck.abort());
    const signal = AbortSignal.any([stuck.signal, unkept.signal, this.#closing.signal]);
    try {
      await this.#pool.run({ job, tapes, port: port2, words }, { signal, transferList: [port2] });
      await drained;
      await Promise.all(kept);
      return { kind: 'done' };
    } catch (error) {
      if (unkept.signal.aborted) await Promise.all(kept);
      if (this.#closing.signal.aborted) return { kind: 'aborted' };
      const end = endOf({ job, words, error, isStuck: stuck.signal.aborted });
      if (end === undefined) throw error;
      await drained;
      await Promise.all(kept);
      return end;
    } finally {
      clearInterval(watch);
      port1.close();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.destroy();
  }
}

/** Calls `onStuck` where for as long as a strategy may take nothing has moved: no call began, no slice and no unit ended. */
function watchTask(job: SweepJob, words: Int32Array, onStuck: () => void): NodeJS.Timeout {
  const clock = steadyClock();
  const watch = new StuckWatch(words, WORDS.steps, clock.now());
  const look = (): void => {
    const limitMs = limitOf(job, words);
    if (watch.look(clock.now(), limitMs ?? Number.POSITIVE_INFINITY)) onStuck();
  };
  return setInterval(look, LOOK_MS); // edge: a thread that hangs is noticed by time alone
}

/** How long a strategy of the unit at play may take; undefined before the first unit. */
function limitOf({ units, trials }: SweepJob, words: Int32Array): number | undefined {
  const unit = unitAt(units, words);
  return unit === undefined ? undefined : trials[unit.trial]?.options.strategyTimeoutMs;
}

function unitAt(units: readonly UnitOrder[], words: Int32Array): UnitOrder | undefined {
  return units[Atomics.load(words, WORDS.unit) - 1];
}

interface Ended {
  readonly job: SweepJob;
  readonly words: Int32Array;
  readonly error: unknown;
  readonly isStuck: boolean;
}

/** Undefined where the error is a fault of our own. */
function endOf({ job, words, error, isStuck }: Ended): JobEnd | undefined {
  const unit = unitAt(job.units, words);
  const key = unit?.key;
  if (isStuck) return { kind: 'died', key, isStuck, error: stuckError(job, words) };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isExit = error instanceof Error && /^worker exited with code/.test(error.message);
  if (code !== 'ERR_WORKER_OUT_OF_MEMORY' && !isExit) return undefined;
  return { kind: 'died', key, isStuck, error: deathError(error, job, unit) };
}

function stuckError(job: SweepJob, words: Int32Array): ErrorParts {
  const unit = unitAt(job.units, words);
  const strategies = trialOf(job, unit)?.options.strategies ?? [];
  const { file = '' } = strategies[Atomics.load(words, MARK.instance) - 1] ?? strategies[0] ?? {};
  return stuckParts({
    name: basename(file),
    place: file,
    limitMs: limitOf(job, words) ?? 0,
    consequence: `Its thread was ended, and the unit is set aside.${whereOf(job, unit)}`,
    unknown: 'where in it is not known: a backtest with one job shows the line',
  });
}

function deathError(error: unknown, job: SweepJob, unit: UnitOrder | undefined): ErrorParts {
  return {
    code: 'UNIT_DIED',
    what: `The thread of a unit ended before the unit did.${whereOf(job, unit)}`,
    where: trialOf(job, unit)?.options.strategies[0]?.file ?? '',
    why: error instanceof Error ? error.message : String(error),
    next: 'Look at what the strategy keeps in memory; fewer jobs leave more memory to each, up to NODE_OPTIONS=--max-old-space-size (megabytes).',
  };
}

function trialOf({ trials }: SweepJob, unit: UnitOrder | undefined): SweepJob['trials'][number] | undefined {
  return unit === undefined ? undefined : trials[unit.trial];
}

function whereOf({ groups }: SweepJob, unit: UnitOrder | undefined): string {
  const name = unit === undefined ? '' : (groups[unit.group]?.name ?? '');
  return name === '' ? '' : ` It was playing ${name}.`;
}
