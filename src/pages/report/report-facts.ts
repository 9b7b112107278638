/** What a report knows beside its tables: the result without its rows, as plain data that a page and a run directory hold. */

import type { Grade } from '../../core/market.ts';
import type { StrategySums } from '../../result/by-strategy.ts';
import type { Column } from '../../result/columns/column.ts';
import type { ByBound } from '../../result/figures/bounds.ts';
import type { RefusalRow, RefusedIntents } from '../../result/figures/refusal-rows.ts';
import type { BacktestResult } from '../../result/result.ts';
import type { RunStatistics } from '../../result/statistics.ts';
import type { SideWords } from '../../words/side-words.ts';
import type { OrderTables } from './order-tables.ts';
import type { DrawnLine } from './plot-table.ts';
import type { QueueBand } from './queue-bands.ts';

export interface ReportFacts {
  /** The kind of the run. A live or paper run has one result: its bounds are one. */
  readonly kind: 'backtest' | 'live' | 'paper';
  /** What a report of this kind of run cannot say, as sentences. */
  readonly missing: readonly string[];
  readonly result: ReportedResult;
  /** How many orders and fills the run has, and of how many markets the tables hold none since a page could not. */
  readonly counted: OrderTables['counted'];
  /** How orders fared in their queues; empty where these are not known. */
  readonly queues: readonly QueueBand[];
  /** Headings of the tables of orders and fills. */
  readonly columns: {
    readonly orders: readonly ShownColumn[];
    readonly fills: readonly ShownColumn[];
    readonly refusals: readonly ShownColumn[];
  };
  /** The first refused intents of each code; those of each market are a table. */
  readonly refusedFirst: readonly RefusalRow[];
  /** How many intents were refused in each market, by its id. */
  readonly refusedIn: RefusedIntents['byMarket'];
  /** How many markets the result has; of many, `result.byMarket` holds those with the largest results. */
  readonly markets: number;
  /** How many markets have each grade, best grade first. */
  readonly grades: readonly (readonly [Grade, number])[];
  /** Backer's stake matched in markets that were settled: what the profit was made with. */
  readonly settledStake: ByBound<number>;
  /** What each strategy brought. */
  readonly strategies: readonly StrategySums[];
  /** First and last settlement, ms UTC. */
  readonly settled: { readonly first: number; readonly last: number } | undefined;
  /** The words that its configuration chose. */
  readonly sides?: SideWords;
}

/** A column as the page shows it. */
export type ShownColumn = Pick<Column<never>, 'name' | 'label' | 'about' | 'kind' | 'inReport'>;

/** A run whose luck was not judged has no statistics. */
export type ReportableResult = Omit<BacktestResult, 'statistics' | 'plots'> & {
  readonly statistics: RunStatistics | undefined;
  /** What its strategies plotted. */
  readonly plots?: readonly DrawnLine[];
};

/** Rows and curve are tables; markets are without their positions by outcome. */
export type ReportedResult = Omit<
  ReportableResult,
  'orderRows' | 'fillRows' | 'refused' | 'prices' | 'plots' | 'curve'
>;

/** The bounds of a curve, from the fewest fills to the most. */
export const CURVE_BOUNDS = [
  'lowest',
  'pessimistic',
  'central',
  'optimistic',
  'highest',
] as const satisfies readonly (keyof ByBound<number>)[];
