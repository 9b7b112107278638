/** The best trial of a sweep by its objective: its value, its settings as the user wrote their keys, and which of them end where the space does. */

import { type AssignedValue, countOf, type Dimension, isOrdered, labelAt, numberOf } from '../space/dimension.ts';
import type { Objective } from '../space/read/objective.ts';
import type { ProfitsOfTrial } from './trial-profits.ts';

export interface BestTrial {
  readonly trial: number;
  readonly value: number;
  readonly settings: readonly { readonly key: string; readonly value: AssignedValue }[];
  /** Keys of params whose value is the first or the last one of the space: beyond it may be a better one. */
  readonly atEdge: readonly string[];
}

/** The first one where several are equal; undefined where no trial has a value. */
export function bestTrialOf(
  trials: readonly ProfitsOfTrial[],
  goal: Objective['goal'],
  dimensions: readonly Dimension[],
): BestTrial | undefined {
  const sign = goal === 'maximize' ? 1 : -1;
  let best: { readonly of: ProfitsOfTrial; readonly value: number } | undefined;
  for (const of of trials) {
    const { value } = of;
    if (value !== undefined && sign * value > (best === undefined ? Number.NEGATIVE_INFINITY : sign * best.value))
      best = { of, value };
  }
  if (best === undefined) return undefined;
  const { number: trial, assignment } = best.of;
  const settings = dimensions.flatMap((dimension) => {
    const value = assignment[dimension.key];
    return value === undefined ? [] : [{ dimension, key: dimension.written, value }];
  });
  return {
    trial,
    value: best.value,
    settings: settings.map(({ key, value }) => ({ key, value })),
    atEdge: settings.filter(({ dimension, value }) => isAtEdge(dimension, value)).map(({ key }) => key),
  };
}

/** The part of a range at each of its ends that is its edge: of its scale, which may be that of ratios. */
const EDGE = 0.05;
/** Of two values each is an edge, which says nothing. */
const VALUES_MIN = 3;

/** Only a param can be widened: a latency or a commission is what it is. */
function isAtEdge(dimension: Dimension, value: AssignedValue): boolean {
  if (!isOrdered(dimension) || dimension.path[0] !== 'strategies') return false;
  const count = countOf(dimension);
  if (count !== undefined) return count >= VALUES_MIN && [0, count - 1].some((at) => labelAt(dimension, at) === value);
  const [low, high] = [EDGE, 1 - EDGE].map((place) => numberOf(labelAt(dimension, place)) ?? 0);
  const number = numberOf(value) ?? 0;
  return number <= (low ?? 0) || number >= (high ?? 0);
}
