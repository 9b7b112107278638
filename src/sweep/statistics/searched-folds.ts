/**
 * Finds the trial that was best in sample for each fold with a search of its own, and what it did on the events that the search has not
 * seen.
 */

import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import { rowsOf } from '../result/top-trials.ts';
import type { Objective } from '../space/read/objective.ts';
import type { StoredFold, TrialStore } from '../store/trial-store.ts';
import type { UnitRow } from '../unit/unit-row.ts';
import { type FoldFigures, type FoldResult, sideOf } from './fold-figures.ts';

const SEARCHED_FOLDS_MEANING = {
  says:
    'Each fold has a search of its own, which has seen the events in sample alone, and its best trial is judged on others: the ' +
    'figures out of sample are those of searching, and not of one set of values.',
  doesNotSay:
    'The space and the strategy were made by someone who may have seen all of these events: then none of them is out of ' +
    'sample. Folds of k-fold also train on events that came later. The trials of the search over all events, which are ' +
    'listed first, have no event out of sample. What was never looked at is the hold-out alone.',
};

export interface SearchedFolds {
  readonly store: TrialStore;
  readonly configuration: number;
  /** What is shown; trials were chosen by the objective that the sweep was searched with. */
  readonly objective: Objective;
}

interface Sides {
  readonly fold: StoredFold;
  readonly inside: readonly UnitRow[];
  readonly outside: readonly UnitRow[];
}

export function searchedFoldFigures({ store, configuration, objective }: SearchedFolds): FoldFigures | NotKnown {
  const folds = store.folds(configuration);
  const [first] = folds;
  const open = first === undefined ? 1 : folds.find(({ isSearched }) => !isSearched)?.fold;
  if (open !== undefined) return notKnown(`The search of fold ${open} has not come to its end.`);
  const sides = folds.map((fold): Sides => {
    const chosen = fold.trial === undefined ? undefined : store.trial(configuration, fold.trial);
    return { fold, inside: rowsOf(store, chosen?.keys ?? []), outside: rowsOf(store, fold.keys) };
  });
  const holed = sides.find(({ fold, outside }) => outside.length < fold.keys.length)?.fold;
  if (holed !== undefined) {
    return notKnown(
      `Trial ${holed.trial}, the best of fold ${holed.fold}, was not played on all its events out of sample.`,
    );
  }
  const sum = (pick: (fold: StoredFold) => number): number => folds.reduce((total, fold) => total + pick(fold), 0);
  const inRows = sides.flatMap(({ inside }) => inside);
  const outRows = sides.flatMap(({ outside }) => outside);
  return {
    kind: 'folds',
    hasSearches: true,
    folds: sides.map((each) => resultOf(each, objective)),
    inSample: sideOf(
      objective,
      inRows,
      sum(({ inSample }) => inSample),
    ),
    outOfSample: sideOf(
      objective,
      outRows,
      sum(({ outOfSample }) => outOfSample),
    ),
    ...SEARCHED_FOLDS_MEANING,
  };
}

function resultOf({ fold, inside, outside }: Sides, objective: Objective): FoldResult {
  const { from, to, leftOut, trial, inSample, outOfSample } = fold;
  return {
    ...{ from, to, leftOut, trial },
    inSample: sideOf(objective, inside, inSample),
    outOfSample: sideOf(objective, outside, outOfSample),
  };
}
