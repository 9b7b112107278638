/** A backtest's result as tables: columns by name and flat rows, beside the summary. */

import { type FlatRow, flatRow } from '../../result/columns/column.ts';
import { FILL_COLUMNS } from '../../result/columns/fill-columns.ts';
import { FIGURES, MARKET_COLUMNS } from '../../result/columns/market-columns.ts';
import { ORDER_COLUMNS } from '../../result/columns/order-columns.ts';
import { OUTCOME_COLUMNS, outcomeRows } from '../../result/columns/outcome-columns.ts';
import { PLOT_COLUMNS, plotRows } from '../../result/columns/plot-columns.ts';
import { BOUNDS, type Bound, type ByBound } from '../../result/figures/bounds.ts';
import type { Notice } from '../../result/notices.ts';
import type { BacktestResult, MarketResult, Profit } from '../../result/result.ts';

/** What a backtest gives: the summary, and tables of flat rows for a notebook or a file. */
export interface BacktestRun {
  /** All figures of the run, as `result.json` has them: totals by bound, markets, counts, notices, halts, the transcript's hash. */
  readonly summary: BacktestSummary;
  /** One row for each order sent, as in orders.csv. */
  readonly orders: Table<OrderTableRow>;
  /** One row for each match under each bound, as in fills.csv. */
  readonly fills: Table<FillTableRow>;
  /** One row for each market replayed. */
  readonly markets: Table<MarketTableRow>;
  /** One row for each outcome of each market replayed. */
  readonly outcomes: Table<OutcomeTableRow>;
  /** One row for each bound of the fills: the totals of the run under it. */
  readonly bounds: Table<BoundTableRow>;
  /** One row for each point that strategies plotted, as in plots.csv, one line after the other. */
  readonly plots: Table<PlotTableRow>;
  /** One row for each notice: what explains the figures. */
  readonly notices: Table<Notice>;
}

/** All figures of a run but its rows: the object that `oddsmith backtest --json` prints. */
export type BacktestSummary = Omit<BacktestResult, 'orderRows' | 'fillRows' | 'plots' | 'prices'>;

/** Times are ms UTC, money and prices plain decimals. A cell that is not known is undefined. */
export interface Table<Row> {
  /** Names of all columns, in order: every key that a row can have. */
  readonly columns: readonly (keyof Row & string)[];
  /** Made one by one whenever they are read: a long run has millions. `[...table.rows]` holds them all. */
  readonly rows: Iterable<Row>;
}

/** A cell for each column of orders.csv. */
export type OrderTableRow = FlatRow<typeof ORDER_COLUMNS>;

/** A cell for each column of fills.csv. */
export type FillTableRow = FlatRow<typeof FILL_COLUMNS>;

/** What a market was and brought: each figure under each bound, such as `profitNet.central`. */
export type MarketTableRow = FlatRow<typeof MARKET_COLUMNS>;

/** One outcome of a market: its result, the close, and what the bets are worth if it wins, such as `profitIfWins.central`. */
export type OutcomeTableRow = FlatRow<typeof OUTCOME_COLUMNS>;

/** A cell for each column of plots.csv. */
export type PlotTableRow = FlatRow<typeof PLOT_COLUMNS>;

/** The run's totals under one bound. */
export interface BoundTableRow extends Profit {
  /** The fill model that the figures are of. */
  readonly bound: Bound;
}

const NOTICE_COLUMNS: Table<Notice>['columns'] = ['code', 'what', 'next', 'strategy', 'where', 'markets'];

export function backtestRun(result: BacktestResult): BacktestRun {
  const { orderRows, fillRows, plots, prices: _prices, ...summary } = result;
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
    markets: {
      columns: MARKET_COLUMNS.map(({ name }) => name),
      rows: mapped(summary.byMarket, (market) => flatRow(MARKET_COLUMNS, market)),
    },
    outcomes: {
      columns: OUTCOME_COLUMNS.map(({ name }) => name),
      rows: outcomeTableRows(summary.byMarket),
    },
    bounds: { columns: ['bound', ...FIGURES], rows: boundRows(summary.total) },
    plots: {
      columns: PLOT_COLUMNS.map(({ name }) => name),
      rows: mapped(plotRows(plots), (row) => flatRow(PLOT_COLUMNS, row)),
    },
    notices: { columns: NOTICE_COLUMNS, rows: summary.notices },
  };
}

function outcomeTableRows(markets: readonly MarketResult[]): Iterable<OutcomeTableRow> {
  return {
    *[Symbol.iterator]() {
      for (const row of outcomeRows(markets)) yield flatRow(OUTCOME_COLUMNS, row);
    },
  };
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
