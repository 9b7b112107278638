/** What every method of search is: it proposes trials, and is told their scores. */

import type { Assignment } from '../space/dimension.ts';

export interface Trial {
  /** Counts up from 0 in the order of the search. */
  readonly number: number;
  readonly assignment: Assignment;
}

/** Trials that may be played at once, in any order; the next generation waits for all of them. */
export interface Generation {
  readonly trials: readonly Trial[];
  /** How many event groups to play, from the front of the search's own order of them; absent: all. */
  readonly events?: number | undefined;
}

/** What is known of a trial: its objective over all event groups that it was played on (higher is better; undefined: no value, as where nothing was matched), and the contribution of each group. */
export interface Score {
  readonly trial: number;
  readonly value: number | undefined;
  /** Undefined where the search does not ask for it. */
  readonly byEvent: ReadonlyMap<string, number> | undefined;
}

/** What of the scores a search asks for, so that nothing else is kept of each trial: none of them, their values, or the contributions of the event groups as well. */
export type Asks = 'nothing' | 'values' | 'events';

export interface Search {
  readonly asks: Asks;
  /** undefined: the search is over. Deterministic: depends on the space, seed and scores alone, never on the number of jobs. */
  next(scores: ReadonlyMap<number, Score>): Generation | undefined;
}
