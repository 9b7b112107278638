/** What plays the jobs of a sweep: threads of this machine, or machines behind a queue. Jobs go in, rows of units come out. */

import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import type { StrategyBundle } from '../../loader/strategy-loader-bundle.ts';
import type { Bound } from '../../result/figures/bounds.ts';

/**
 * A shard of event groups × some trials: seconds of work, so that what a job costs besides is little. Plain data, which JSON keeps as it
 * is. It holds all that decides the rows of its units but the contents of tapes, signals and granted files, which the keys of the units
 * name by their hashes.
 */
export interface SweepJob {
  /** Counts up from 0 in one process of the coordinator. */
  readonly number: number;
  readonly trials: readonly TrialOrder[];
  readonly groups: readonly GroupOrder[];
  /** Each bundle that the trials name, once. */
  readonly bundles: readonly StrategyBundle[];
  /** The units in the order in which they are to be played: those of one event group follow each other. */
  readonly units: readonly UnitOrder[];
}

export interface TrialOrder {
  /** Strategies come from `bundles` and not from the files that these name; tapes and `out` are not used. */
  readonly options: BacktestOptions;
  /** The worlds in which it is played. */
  readonly bounds: readonly Bound[];
  /** The SHA-256 of each strategy's bundle, by its index. */
  readonly bundles: readonly string[];
  readonly basis: KeyBasis;
}

/** What the keys of a trial's units rest on beside their markets. Who plays a unit finds its key again before, or does not play it. */
export interface KeyBasis {
  /** The SHA-256 of our own code. */
  readonly build: string;
  /** The SHA-256 of the options, with the code and the parameters of the strategies. */
  readonly trial: string;
  /** The files of all signals. */
  readonly signals: readonly string[];
  /** The SHA-256 of the contents of the files that are granted to each strategy, by its index; empty where none are. */
  readonly granted: readonly string[];
}

/** Markets that are played together. */
export interface GroupOrder {
  /** The group's name as `eventGroupOf` makes it, a market's id under `isolate: market`, and empty where a trial is one unit. */
  readonly name: string;
  /** Their ids, in the order in which they are on the tapes. */
  readonly markets: readonly string[];
  /** SHA-256 over what is recorded of them, in order; other markets of the tapes change nothing of it. */
  readonly sha256: string;
}

/** One trial over one event group: what is computed once, and kept under its key. */
export interface UnitOrder {
  /** SHA-256 in hexadecimal digits of all that decides the row. */
  readonly key: string;
  /** Index in `trials` of the job. */
  readonly trial: number;
  /** Index in `groups` of the job. */
  readonly group: number;
}

/** `failed`: the strategy cannot be loaded, or a file cannot be read. A strategy that is halted is no failure: its row counts the halt. */
export type UnitResult =
  | { readonly kind: 'played'; readonly key: string; readonly row: Uint8Array<ArrayBuffer>; readonly elapsedMs: number }
  | { readonly kind: 'failed'; readonly key: string; readonly error: ErrorParts };

/**
 * `died`: what played the job ended without a word (killed, out of memory), or was ended because a unit did not (`stuck`). `key` names
 * the unit that was at play, as far as known. Units of the job without a result are given out again, in a job of their own.
 */
export type JobEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'aborted' }
  | {
      readonly kind: 'died';
      readonly key: string | undefined;
      readonly isStuck: boolean;
      readonly error: ErrorParts;
    };

export interface SweepEngine {
  /** How many jobs can be at play at once now; it may change while machines come and go. The coordinator keeps up to twice as many given out. */
  readonly slots: number;
  /**
   * Plays a job. `onResult` is called for each unit as soon as its row is there; a result counts once its promise is resolved, which is
   * when it is committed. @throws what is a fault of our own, or OddsmithError where the engine itself cannot go on
   */
  play(job: SweepJob, onResult: (result: UnitResult) => Promise<void>): Promise<JobEnd>;
  /** Ends all that is at play: their jobs end as `aborted`. */
  close(): Promise<void>;
}
