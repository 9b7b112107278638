/** What the threads of a sweep are given, and the memory in which each shows what it is doing. */

import type { MessagePort } from 'node:worker_threads';
import { MARK_WORDS } from '../../engine/guest/decision-mark.ts';
import type { SweepJob } from './engine.ts';

/** Given once, to each thread. */
export interface ThreadStage {
  /** Paths of the tapes, which each thread opens once, unless a job has tapes of its own. */
  readonly tapes: readonly string[];
}

/** Name under which the module of a thread exports the function that plays a job. */
export const THREAD_TASK = 'playTask';

export interface ThreadTask {
  readonly job: SweepJob;
  /** The job's tapes, where they are not those of the stage. */
  readonly tapes: readonly string[] | undefined;
  /** Receives each result as soon as it is there. */
  readonly port: MessagePort;
  /** Shared memory of `WORDS_COUNT` integers. */
  readonly words: Int32Array;
}

/** Integers after those of the decision mark. */
export const WORDS = {
  /** Index of the unit that is being played, plus one. */
  unit: MARK_WORDS,
  /** Grows with each slice of updates and each unit. */
  steps: MARK_WORDS + 1,
} as const;

export const WORDS_COUNT = MARK_WORDS + 2;
