/** The trials of a sweep by their value, the best one first. */

import type { Assignment } from '../space/dimension.ts';
import type { Objective } from '../space/read/objective.ts';
import type { TrialState, TrialStore } from '../store/trial-store.ts';
import { type UnitRow, unpackRow } from '../unit/unit-row.ts';
import { eventsOf, FIGURES, type Figure, type FigureName } from './figures.ts';
import { figureOfRows, unmetOf } from './trial-value.ts';

export interface RankedTrial {
  readonly trial: number;
  readonly state: TrialState;
  readonly assignment: Assignment;
  readonly events: number;
  /** The figure of the objective, as it is and not turned round; undefined where there is none. */
  readonly value: number | undefined;
  /** What it lacks to have a value, in words; empty where it was not played whole. */
  readonly unmet: readonly string[];
  /** The figures at the bound of the objective. */
  readonly figures: Readonly<Partial<Record<FigureName, number>>>;
}

export interface TopChoice {
  readonly configuration: number;
  readonly objective: Objective;
  /** How many; absent: all. */
  readonly count?: number;
  /** Those of the own search of this fold, on its events in sample; absent: those of the search over all events. */
  readonly fold?: number | undefined;
}

/** Trials that were not played whole, and those without a value, come last, in order of number; equal ones stand in order of number as well. */
export function topTrials(
  store: TrialStore,
  { configuration, objective, count, fold }: TopChoice,
): readonly RankedTrial[] {
  const ranked = new Ranking(count);
  for (const { number, assignment, state, keys, fold: searched } of store.trials(configuration)) {
    if (searched !== fold) continue;
    const rows = rowsOf(store, keys);
    // One that was pruned after some of the events is not comparable with those that were played on all.
    const isWhole = state === 'played' && rows.length === keys.length && keys.length > 0;
    const unmet = isWhole ? unmetOf(rows, objective) : [];
    const value = unmet.length > 0 ? undefined : figureOfRows(rows, objective);
    const score = objective.goal === 'maximize' ? value : value && -value;
    ranked.add(isWhole ? (score ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY, () => {
      const events = eventsOf({ rows, bound: objective.bound });
      return { trial: number, state, assignment, events, value, unmet, figures: figuresOf(rows, objective) };
    });
  }
  return ranked.best();
}

/** The best so many of trials that come in order of number, and a few more: the others are forgotten. */
class Ranking {
  readonly #count: number;
  #placed: { readonly score: number; readonly trial: RankedTrial }[] = [];
  /** The value of the last one that is surely among the best so far. */
  #least = Number.NEGATIVE_INFINITY;

  constructor(count = Number.POSITIVE_INFINITY) {
    this.#count = count;
  }

  /** `made` is called where it may be one of the best. */
  add(score: number, made: () => RankedTrial): void {
    // Of equal ones the earlier one is better.
    if (this.#placed.length >= this.#count && score <= this.#least) return;
    this.#placed.push({ score, trial: made() });
    if (this.#placed.length >= 2 * this.#count) this.#cut();
  }

  best(): readonly RankedTrial[] {
    this.#cut();
    return this.#placed.map(({ trial }) => trial);
  }

  #cut(): void {
    this.#placed.sort((a, b) => (a.score === b.score ? a.trial.trial - b.trial.trial : b.score - a.score));
    this.#placed.splice(this.#count);
    if (this.#placed.length === this.#count) this.#least = this.#placed.at(-1)?.score ?? Number.NEGATIVE_INFINITY;
  }
}

/** Those that are there. */
export function rowsOf(store: TrialStore, keys: readonly string[]): readonly UnitRow[] {
  return keys.flatMap((key) => {
    const packed = store.row(key);
    const row = packed === undefined ? undefined : unpackRow(packed);
    return row === undefined ? [] : [row];
  });
}

function figuresOf(rows: readonly UnitRow[], { bound }: Objective): RankedTrial['figures'] {
  const figures: Partial<Record<FigureName, number>> = {};
  for (const name of Object.keys(FIGURES) as FigureName[]) {
    const figure: Figure = FIGURES[name];
    const value = figure.of({ rows, bound });
    if (value !== undefined) figures[name] = value;
  }
  return figures;
}
