/** One of the searches of a sweep: the one over all events, or that of a fold, which is told what its events in sample brought and nothing else. */

import { signedRanksOf } from '../../research/paired/wilcoxon.ts';
import type { PairedTest } from '../search/race-search.ts';
import type { Asks, Generation, Score, Search } from '../search/search.ts';
import type { Assignment } from '../space/dimension.ts';
import type { SweepPlan } from '../sweep-plan.ts';
import type { TrialInputs } from '../unit/trial-inputs.ts';
import type { FoldParts } from './fold-parts.ts';

/** A trial as the sweep has it. */
export interface SweepTrial {
  /** Over all searches of the sweep. */
  readonly number: number;
  /** The trial's number in its search, which expects it back. */
  readonly own: number;
  readonly assignment: Assignment;
}

export interface SweepGeneration extends Pick<Generation, 'events'> {
  readonly trials: readonly SweepTrial[];
}

/** A search from its beginning. @throws OddsmithError NO_MARKETS where there is nothing to search on */
export function newSweepSearch(plan: SweepPlan, inputs: TrialInputs, fold: FoldParts | undefined): SweepSearch {
  const { config } = plan;
  const events = fold === undefined ? inputs.countGroups(config) : inputs.countGroupsIn(fold.inSample, config);
  return new SweepSearch(plan.search({ events, test: signedRanks }), fold);
}

export class SweepSearch {
  /** Undefined: it searches over all events. */
  readonly fold: FoldParts | undefined;
  readonly #search: Search;
  /** What the search asks for, by its own number of the trial; of a search that asks for nothing, nothing is kept. */
  readonly #scores = new Map<number, Score>();
  /** The trials of a race, which proposes them again: by its own number. */
  readonly #raced = new Map<number, SweepTrial>();
  #best: { readonly trial: SweepTrial; readonly value: number } | undefined;

  constructor(search: Search, fold: FoldParts | undefined) {
    this.#search = search;
    this.fold = fold;
  }

  get asks(): Asks {
    return this.#search.asks;
  }

  /** `numberOf`: numbers a trial that is new. Undefined: the search is over. */
  next(numberOf: () => number): SweepGeneration | undefined {
    const generation = this.#search.next(this.#scores);
    if (generation === undefined) return undefined;
    const trials = generation.trials.map(({ number: own, assignment }): SweepTrial => {
      const known = this.#raced.get(own);
      if (known !== undefined) return known;
      const trial = { number: numberOf(), own, assignment };
      if (this.asks === 'events') this.#raced.set(own, trial);
      return trial;
    });
    return { trials, events: generation.events };
  }

  /** `isWhole`: it was played on all events of the search. */
  tell(trial: SweepTrial, score: Score, isWhole: boolean): void {
    if (this.asks !== 'nothing') this.#scores.set(trial.own, score);
    const { value } = score;
    if (!isWhole || value === undefined || !this.#isBetter(trial, value)) return;
    this.#best = { trial, value };
  }

  /** The best of the trials that were played whole; the first one where several are equal, in whatever order their results arrived. */
  get best(): SweepTrial | undefined {
    return this.#best?.trial;
  }

  #isBetter({ number }: SweepTrial, value: number): boolean {
    if (this.#best === undefined) return true;
    return value > this.#best.value || (value === this.#best.value && number < this.#best.trial.number);
  }
}

/**
 * The test by which a race drops a trial: signed ranks of the differences, event group by event group. Pairs that are all equal speak for
 * no difference.
 */
export const signedRanks: PairedTest = (pairs) => {
  const test = signedRanksOf(pairs.map(([a, b]) => a - b));
  return test.kind === 'signedRanks' ? test.pValue : 1;
};
