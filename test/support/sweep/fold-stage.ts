/** A small sweep whose folds search by themselves: nine races, each on a tape of its own with prices of its own. */

import { existsSync } from 'node:fs';
import type { SweepConfig } from '../../../src/sweep/space/read/sweep-schema.ts';
import { raceTape, SweepStage } from './sweep-stage.ts';

export interface FoldScenario {
  readonly search: unknown;
  readonly isolate: string;
  readonly folds: NonNullable<SweepConfig['sweep']['folds']>;
  readonly objective?: unknown;
}

export const TPE = { method: 'tpe', trials: 6, generation: 2, startup: 2 };
export const RACE = { method: 'race', trials: 5, start: 'random', events: 5, alpha: 0.5 };
export const WALK: FoldScenario['folds'] = { method: 'walk-forward', count: 2, purge: '1m' };
/** A minute after their start races end, and four minutes later the next one starts: it is left out. */
export const CROSS: FoldScenario['folds'] = { method: 'k-fold', count: 3, purge: '4m' };

/** Six events in sample of each fold: a race has two rounds. */
export const THIRDS: FoldScenario['folds'] = { method: 'k-fold', count: 3 };
/** What each event adds makes it worse. */
export const LEAST = { figure: 'profitNet', goal: 'minimize' };

const RACES = 9;
let tapes: readonly string[] | undefined;

/** By the number of the race; made once for each file of tests, with which they go (clean-up.ts), while this module may stay. */
export function foldTapes(): readonly string[] {
  if (tapes === undefined || !tapes.every((path) => existsSync(path)))
    tapes = Array.from({ length: RACES }, (_, race) => raceTape(race, race + 1, race + 1));
  return tapes;
}

/** Which races it bets in hangs on a param, so that each set of races has a best value of its own. */
const CHOOSY = 'if ((Math.floor(params.ticks * 5) + market.id.charCodeAt(4) * 3) % 7 < 3) return [];';

export function foldStage({ search, isolate, folds, objective = 'profitNet' }: FoldScenario): SweepStage {
  const stage = new SweepStage({ trials: 4, races: 1 });
  stage.tapes = [...foldTapes()];
  stage.writeStrategy(CHOOSY);
  stage.sweep = { search, folds, objective };
  stage.set({ isolate });
  const isLarge = search !== 'grid';
  if (isLarge)
    stage.space = { 'params.stake': { from: 2, to: 20, step: 0.5 }, 'params.ticks': { from: 0, to: 9, step: 1 } };
  return stage;
}
