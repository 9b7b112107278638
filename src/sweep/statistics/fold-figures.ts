/** Finds the trial that is best in sample for each fold, and what it does out of sample. */

import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import { FIGURES } from '../result/figures.ts';
import { rowsOf } from '../result/top-trials.ts';
import { figureOfRows, valueOfRows } from '../result/trial-value.ts';
import type { Objective } from '../space/read/objective.ts';
import type { FoldChoice } from '../space/read/read-folds.ts';
import type { TrialStore } from '../store/trial-store.ts';
import type { UnitRow } from '../unit/unit-row.ts';
import { type Fold, foldsOf } from './folds.ts';
import type { EventTime, ProfitsOfTrial } from './trial-profits.ts';

/** Figures of one side of a fold, at the bound of the objective; undefined where there is nothing to make them of. */
export interface FoldSide {
  readonly events: number;
  readonly objective: number | undefined;
  readonly profitNet: number | undefined;
  readonly profitPerEvent: number | undefined;
  readonly yield: number | undefined;
}

export interface FoldResult {
  /** The span of the events that it is judged on, ms UTC. */
  readonly from: number;
  readonly to: number;
  /** Events that are neither in nor out of sample: purged, under embargo, or not reached. */
  readonly leftOut: number;
  /** The number of the trial; undefined where no trial has a value in sample. */
  readonly trial: number | undefined;
  readonly inSample: FoldSide;
  readonly outOfSample: FoldSide;
}

export interface FoldFigures {
  readonly kind: 'folds';
  /** Each fold has searched by itself; else all of them chose among the same trials. */
  readonly hasSearches: boolean;
  readonly folds: readonly FoldResult[];
  /** All folds together, each with the trial that it chose. */
  readonly inSample: FoldSide;
  readonly outOfSample: FoldSide;
  readonly says: string;
  readonly doesNotSay: string;
}

const FOLDS_MEANING = {
  says:
    'Each fold chooses its best trial on the events in sample and is judged on others: the figures out of sample are ' +
    'those of choosing, and not of one set of values.',
  doesNotSay:
    'The space and the strategy were made by someone who may have seen all of these events: then none of them is out of ' +
    'sample. Folds of k-fold also train on events that came later. What was never looked at is the hold-out alone.',
};

export interface FoldParts {
  readonly store: TrialStore;
  readonly objective: Objective;
  readonly choice: FoldChoice;
  /** The events in the order of time. */
  readonly events: readonly EventTime[];
  /** Those that were played whole. */
  readonly trials: readonly ProfitsOfTrial[];
}

export function foldFigures(parts: FoldParts): FoldFigures | NotKnown {
  const { events, choice, trials } = parts;
  if (trials.length === 0) return notKnown('No trial was played whole.');
  const folds = foldsOf(events, choice);
  const bare = folds.findIndex(({ inSample, outOfSample }) => inSample.length === 0 || outOfSample.length === 0);
  if (bare >= 0) {
    const side = folds[bare]?.outOfSample.length === 0 ? 'judged on' : 'chosen on';
    return notKnown(
      `Fold ${bare + 1} has no event that a trial is ${side}: there are ${events.length} events, and the purge takes some of them.`,
    );
  }
  const chosen = chooseTrials(parts, folds);
  const inRows = folds.flatMap(({ inSample }, index) => rowsIn(parts, chosen[index], inSample));
  const outRows = folds.flatMap(({ outOfSample }, index) => rowsIn(parts, chosen[index], outOfSample));
  const sum = (pick: (fold: Fold) => number): number => folds.reduce((total, fold) => total + pick(fold), 0);
  return {
    kind: 'folds',
    hasSearches: false,
    folds: folds.map((fold, index) => resultOf(parts, fold, chosen[index])),
    inSample: sideOf(
      parts.objective,
      inRows,
      sum(({ inSample }) => inSample.length),
    ),
    outOfSample: sideOf(
      parts.objective,
      outRows,
      sum(({ outOfSample }) => outOfSample.length),
    ),
    ...FOLDS_MEANING,
  };
}

/** The first trial with the best value in sample, by fold. Each row is read once. */
function chooseTrials(parts: FoldParts, folds: readonly Fold[]): readonly (ProfitsOfTrial | undefined)[] {
  const sign = parts.objective.goal === 'maximize' ? 1 : -1;
  const inside = folds.map(({ inSample }) => namesOf(parts, inSample));
  const best = folds.map((): { trial: ProfitsOfTrial | undefined; score: number } => ({
    trial: undefined,
    score: Number.NEGATIVE_INFINITY,
  }));
  for (const trial of parts.trials) {
    const rows = trial.units.flatMap(({ key, event }) =>
      rowsOf(parts.store, [key]).map((row) => ({ row, event: event ?? '' })),
    );
    for (const [index, names] of inside.entries()) {
      const chosen = rows.filter(({ event }) => names.has(event)).map(({ row }) => row);
      const value = valueOfRows(chosen, parts.objective);
      const score = value === undefined ? Number.NEGATIVE_INFINITY : sign * value;
      const known = best[index];
      if (known !== undefined && score > known.score) best[index] = { trial, score };
    }
  }
  return best.map(({ trial }) => trial);
}

function namesOf({ events }: FoldParts, indices: readonly number[]): ReadonlySet<string> {
  return new Set(indices.map((index) => events[index]?.name ?? ''));
}

function rowsIn(parts: FoldParts, trial: ProfitsOfTrial | undefined, indices: readonly number[]): readonly UnitRow[] {
  const names = namesOf(parts, indices);
  const keys = trial?.units.flatMap(({ key, event }) => (names.has(event ?? '') ? [key] : [])) ?? [];
  return rowsOf(parts.store, keys);
}

function resultOf(parts: FoldParts, fold: Fold, trial: ProfitsOfTrial | undefined): FoldResult {
  const { inSample, outOfSample } = fold;
  const tested = outOfSample.flatMap((index) => parts.events[index] ?? []);
  return {
    from: Math.min(...tested.map(({ startsAt }) => startsAt)),
    to: Math.max(...tested.map(({ endsAt }) => endsAt)),
    leftOut: parts.events.length - inSample.length - outOfSample.length,
    trial: trial?.number,
    inSample: sideOf(parts.objective, rowsIn(parts, trial, inSample), inSample.length),
    outOfSample: sideOf(parts.objective, rowsIn(parts, trial, outOfSample), outOfSample.length),
  };
}

/** `rows`: those of the trial that the fold chose. */
export function sideOf(objective: Objective, rows: readonly UnitRow[], events: number): FoldSide {
  const trial = { rows, bound: objective.bound };
  const profitNet = rows.length === 0 ? undefined : FIGURES.profitNet.of(trial);
  return {
    events,
    objective: figureOfRows(rows, objective),
    profitNet,
    profitPerEvent: FIGURES.profitPerEvent.of(trial),
    yield: FIGURES.yield.of(trial),
  };
}
