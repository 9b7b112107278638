/** What a report knows beside its tables: the result without its rows, as plain data that a page and a run directory hold. */

import type { Grade } from '../../core/market.ts';
import type { BacktestResult, ByBound } from '../result.ts';

export interface ReportFacts {
  readonly result: ReportedResult;
  /** How many markets the result has; of many, `result.byMarket` holds those with the largest results. */
  readonly markets: number;
  /** How many markets have each grade, best grade first. */
  readonly grades: readonly (readonly [Grade, number])[];
  /** First and last settlement, ms UTC. */
  readonly settled: { readonly first: number; readonly last: number } | undefined;
}

/** Rows and curve are tables; markets are without their positions by outcome. */
export type ReportedResult = Omit<BacktestResult, 'orderRows' | 'fillRows' | 'curve'>;

/** The bounds of a curve, from the fewest fills to the most. */
export const CURVE_BOUNDS = [
  'lowest',
  'pessimistic',
  'central',
  'optimistic',
  'highest',
] as const satisfies readonly (keyof ByBound<number>)[];
