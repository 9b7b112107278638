/** Functions with known optima that searches are measured on, and a search played over one of them. */

import type { Score, Search, Trial } from '../../../src/sweep/search/search.ts';
import type { Assignment, Dimension, RangeDimension } from '../../../src/sweep/space/dimension.ts';
import type { Space } from '../../../src/sweep/space/space.ts';

export interface Landscape {
  readonly space: Space;
  /** Lower is better. */
  readonly valueAt: (x: readonly number[]) => number;
  readonly least: number;
}

export function range(key: string, from: number, to: number): RangeDimension {
  return { kind: 'range', key, path: [key], written: key, unit: 'number', from, to, isLog: false };
}

/** The function of Branin in two dimensions (Dixon and Szegö 1978). */
export const BRANIN: Landscape = {
  space: { dimensions: [range('x', -5, 10), range('y', 0, 15)] },
  valueAt: ([x = 0, y = 0]) => {
    const bend = y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6;
    return bend ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
  },
  least: 0.397887,
};

const ALPHA = [1, 1.2, 3, 3.2];
const A = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const P = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
];

/** The function of Hartmann in six dimensions (Dixon and Szegö 1978). */
export const HARTMANN_6: Landscape = {
  space: { dimensions: ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => range(key, 0, 1)) },
  valueAt: (x) =>
    -ALPHA.reduce((sum, alpha, row) => {
      const distance = x.reduce(
        (all, each, axis) => all + (A[row]?.[axis] ?? 0) * (each - (P[row]?.[axis] ?? 0) / 10_000) ** 2,
        0,
      );
      return sum + alpha * Math.exp(-distance);
    }, 0),
  least: -3.32237,
};

export function numbersOf(assignment: Assignment, dimensions: readonly Dimension[]): readonly number[] {
  return dimensions.map(({ key }) => Number(assignment[key]));
}

/** Plays the search to its end. `arrive` says in which order the scores of a generation come in. */
export function played(
  search: Search,
  worth: (trial: Trial) => number | undefined,
  arrive: (trials: readonly Trial[]) => readonly Trial[] = (trials) => trials,
): { readonly trials: readonly Trial[]; readonly scores: ReadonlyMap<number, Score> } {
  const scores = new Map<number, Score>();
  const trials: Trial[] = [];
  for (let next = search.next(scores); next !== undefined; next = search.next(scores)) {
    trials.push(...next.trials);
    for (const trial of arrive(next.trials))
      scores.set(trial.number, { trial: trial.number, value: worth(trial), byEvent: new Map() });
  }
  return { trials, scores };
}
