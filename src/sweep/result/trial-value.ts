/** The value of a trial by the objective of its search, and what it lacks to have one. */

import type { Objective, Range } from '../space/read/objective.ts';
import type { UnitRow } from '../unit/unit-row.ts';
import { eventsOf, FIGURES, figureNamed } from './figures.ts';

/** The objective as it is, not turned round; undefined where there is nothing to make it of. */
export function figureOfRows(rows: readonly UnitRow[], { figure, bound, per }: Objective): number | undefined {
  const value = rows.length === 0 ? undefined : figureNamed(figure).of({ rows, bound });
  return value === undefined || per === 'run' ? value : value / eventsOf({ rows, bound });
}

/** The same of a trial that may be chosen; undefined too where it lacks something. */
export function valueOfRows(rows: readonly UnitRow[], objective: Objective): number | undefined {
  return unmetOf(rows, objective).length > 0 ? undefined : figureOfRows(rows, objective);
}

/**
 * The constraints that a trial does not meet, in words such as `ordersMatched >= 30`: a trial that never bets cannot be the best, and a few
 * bets show nothing.
 */
export function unmetOf(rows: readonly UnitRow[], { bound, constraints }: Objective): readonly string[] {
  if (!hasBet(rows, bound)) return ['a bet'];
  return Object.entries(constraints).flatMap(([figure, range]) => {
    const value = figureNamed(figure).of({ rows, bound });
    return value !== undefined && value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity)
      ? []
      : rangeWords(figure, range);
  });
}

export function hasBet(rows: readonly UnitRow[], bound: Objective['bound']): boolean {
  return FIGURES.stakeMatched.of({ rows, bound }) !== 0;
}

/** Empty where nothing is asked. */
export function constraintWords({ constraints }: Pick<Objective, 'constraints'>): readonly string[] {
  return Object.entries(constraints).flatMap(([figure, range]) => rangeWords(figure, range));
}

function rangeWords(figure: string, { min, max }: Range): readonly string[] {
  return [
    ...(min === undefined || min === 0 ? [] : [`${figure} >= ${min}`]),
    ...(max === undefined ? [] : [`${figure} <= ${max}`]),
  ];
}
