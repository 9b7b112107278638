/** The trials of a sweep by their value, the best one first. */

import type { Assignment } from '../space/assignment.ts';
import type { Objective } from '../space/read/objective.ts';
import type { TrialState, TrialStore } from '../store/trial-store.ts';
import { type UnitRow, unpackRow } from '../unit/unit-row.ts';
import { FIGURES, type Figure, type FigureName, figureNamed } from './figures.ts';
import { scoreTrial } from './score-trial.ts';

export interface RankedTrial {
  readonly trial: number;
  readonly state: TrialState;
  readonly assignment: Assignment;
  readonly events: number;
  /** The figure of the objective, as it is and not turned round; undefined where there is none. */
  readonly value: number | undefined;
  /** At the bound of the objective. */
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
  const ranked: (RankedTrial & { readonly score: number })[] = [];
  for (const { number, assignment, state, keys, fold: searched } of store.trials(configuration)) {
    if (searched !== fold) continue;
    const rows = rowsOf(store, keys);
    // One that was pruned after some of the events is not comparable with those that were played on all.
    const isWhole = state === 'played' && rows.length === keys.length && keys.length > 0;
    const played = rows.map((row, index) => ({ group: String(index), row }));
    const { value } = scoreTrial(number, played, objective);
    const shown = value === undefined || objective.goal === 'maximize' ? value : -value;
    const score = isWhole && value !== undefined ? value : Number.NEGATIVE_INFINITY;
    const figures = figuresOf(rows, objective);
    ranked.push({ trial: number, state, assignment, events: rows.length, value: shown, figures, score });
  }
  ranked.sort((a, b) => (a.score === b.score ? a.trial - b.trial : b.score - a.score));
  return ranked.slice(0, count).map(({ score: _score, ...trial }) => trial);
}

/** Those that are there. */
export function rowsOf(store: TrialStore, keys: readonly string[]): readonly UnitRow[] {
  return keys.flatMap((key) => {
    const packed = store.row(key);
    const row = packed === undefined ? undefined : unpackRow(packed);
    return row === undefined ? [] : [row];
  });
}

/** The objective as it is, not turned round. */
export function valueOfRows(rows: readonly UnitRow[], { figure, bound, per }: Objective): number | undefined {
  const value = rows.length === 0 ? undefined : figureNamed(figure).of({ rows, bound });
  return value === undefined || per === 'run' ? value : value / rows.length;
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
