/** What a sweep is to do: the search, and how each of its trials is played and judged. */

import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import type { ScoredObjective } from '../result/score-trial.ts';
import type { Search } from '../search/search.ts';
import type { Assignment } from '../space/assignment.ts';

export interface SweepPlan {
  /** All that the search and its trials rest on, but the contents of files: the same description is the same configuration. */
  readonly description: unknown;
  readonly tapes: readonly string[];
  readonly objective: ScoredObjective;
  /** Whether the trials are known before any of them is played. */
  readonly isForeseeable: boolean;
  /** A search from its start. */
  search(): Search;
  /** @throws OddsmithError CONFIG_… or USAGE */
  optionsOf(assignment: Assignment): BacktestOptions;
}
