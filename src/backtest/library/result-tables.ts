/** A backtest's result as tables: columns by name and flat rows, beside the summary. */

import { type FlatRow, flatRow } from '../../report/data/column.ts';
import { FILL_COLUMNS } from '../../report/data/fill-columns.ts';
import { ORDER_COLUMNS } from '../../report/data/order-columns.ts';
import type { Notice } from '../../report/notices.ts';
import {
  type BacktestResult,
  BOUNDS,
  type Bound,
  type ByBound,
  type MarketResult,
  type Profit,
} from '../../report/result.ts';

export interface BacktestRun {
  /** All figures of the run, as `result.json` has them: totals by bound, markets, counts, notices, halts, the transcript's hash. */
  readonly summary: BacktestSummary;
  /** One row for each order sent, as in orders.csv. */
  readonly orders: Table<OrderTableRow>;
  /** One row for each match under each bound, as in fills.csv. */
  readonly fills: Table<FillTableRow>;
  /** One row for each market replayed. */
  readonly markets: Table<MarketTableRow>;
  /** One row for each bound of the fills: the totals of the run under it. */
  readonly bounds: Table<BoundTableRow>;
  /** One row for each notice: what explains the figures. */
  readonly notices: Table<Notice>;
}

export type BacktestSummary = Omit<BacktestResult, 'orderRows' | 'fillRows'>;

/** Times are ms UTC, money and prices plain decimals. A cell that is not known is undefined. */
export interface Table<Row> {
  /** Names of all columns, in order: every key that a row can have. */
  readonly columns: readonly (keyof Row & string)[];
  /** Made one by one whenever they are read: a long run has millions. `[...table.rows]` holds them all. */
  readonly rows: Iterable<Row>;
}

/** One column for each bound, such as `profitNet.central`; the figure is undefined under a bound that was not computed. */
type PerBound<Name extends string> = { readonly [Key in `${Name}.${Bound}`]?: number };

/** A cell for each column of orders.csv. */
export type OrderTableRow = FlatRow<typeof ORDER_COLUMNS>;

/** A cell for each column of fills.csv. */
export type FillTableRow = FlatRow<typeof FILL_COLUMNS>;

export type MarketTableRow = Omit<MarketResult, 'profit'> & PerBound<keyof Profit & string>;

export interface BoundTableRow extends Profit {
  readonly bound: Bound;
}

const FIGURES = ['stakeMatched', 'profitGross', 'commission', 'profitNet', 'markToMarket'] as const;

const MARKET_COLUMNS: Table<MarketTableRow>['columns'] = [
  ...(['id', 'name', 'eventName', 'grade', 'updates', 'orders', 'status', 'settledAt', 'cutOffAt'] as const),
  ...(['ordersSuspended', 'stakeOutOfSight'] as const),
  ...FIGURES.flatMap((figure) => BOUNDS.map((bound) => `${figure}.${bound}` as const)),
];
const NOTICE_COLUMNS: Table<Notice>['columns'] = ['code', 'what', 'next', 'strategy', 'where', 'markets'];

export function backtestRun(result: BacktestResult): BacktestRun {
  const { orderRows, fillRows, ...summary } = result;
  return {
    summary,
    orders: {
      columns: ORDER_COLUMNS.map(({ name }) => name),
      rows: mapped(orderRows, (row) => flatRow(ORDER_COLUMNS, row)),
    },
    fills: {
      columns: FILL_COLUMNS.map(({ name }) => name),
      rows: mapped(fillRows, (row) => flatRow(FILL_COLUMNS, row)),
    },
    markets: { columns: MARKET_COLUMNS, rows: mapped(summary.byMarket, marketRow) },
    bounds: { columns: ['bound', ...FIGURES], rows: boundRows(summary.total) },
    notices: { columns: NOTICE_COLUMNS, rows: summary.notices },
  };
}

function marketRow({ profit, ...row }: MarketResult): MarketTableRow {
  const figures: { -readonly [Key in keyof PerBound<keyof Profit & string>]: number } = {};
  for (const bound of BOUNDS) {
    for (const figure of FIGURES) {
      const value = profit[bound]?.[figure];
      if (value !== undefined) figures[`${figure}.${bound}`] = value;
    }
  }
  return { ...row, ...figures };
}

function boundRows(total: ByBound<Profit>): readonly BoundTableRow[] {
  return BOUNDS.flatMap((bound) => {
    const profit = total[bound];
    return profit === undefined ? [] : [{ bound, ...profit }];
  });
}

/** Rows as often as they are asked for. */
function mapped<From, To>(rows: Iterable<From>, to: (row: From) => To): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield to(row);
    },
  };
}
