/** Orders and fills of a run as tables of columns: those that its strategies saw, as many as a page can hold. */

import type { Column } from '../../result/columns/column.ts';
import { FILL_COLUMNS } from '../../result/columns/fill-columns.ts';
import { ORDER_COLUMNS } from '../../result/columns/order-columns.ts';
import type { BacktestResult, FillRow, OrderRow } from '../../result/result.ts';
import type { ColumnPlan } from './columns.ts';
import { type PackedTable, packTable } from './write-columns.ts';

/** Rows that a page holds, of orders and of fills: with so many it stays below 5 MB. */
const ROWS_MAX = 100_000;

export interface OrderTables {
  readonly tables: readonly PackedTable[];
  /** How many rows the run has; more than the tables have where these are cut. */
  readonly counted: { readonly orders: number; readonly fills: number; readonly marketsLeftOut: number };
}

interface NumberedFill {
  readonly fill: FillRow;
  /** Row of its order in the table of orders. */
  readonly row: number;
}

/**
 * The orders of the central world. Of a run with more rows than a page holds, whole markets are left out, those with the
 * smallest results first.
 */
export function orderTables(
  result: Pick<BacktestResult, 'byMarket' | 'orders' | 'orderRows' | 'fillRows'>,
): OrderTables {
  const kept = keptMarkets(result);
  const counts = { orders: 0, fills: 0 };
  const rowByOrder = new Map<string, number>();
  function* orders(): Generator<OrderRow> {
    for (const order of result.orderRows) {
      if (order.flow !== 'central') continue;
      counts.orders += 1;
      if (kept !== undefined && !kept.has(order.marketId)) continue;
      if (rowByOrder.size === ROWS_MAX) continue;
      rowByOrder.set(`${order.run} ${order.id}`, rowByOrder.size);
      yield order;
    }
  }
  function* fills(): Generator<NumberedFill> {
    let yielded = 0;
    for (const fill of result.fillRows) {
      if (fill.flow !== 'central') continue;
      counts.fills += 1;
      const row = rowByOrder.get(`${fill.run} ${fill.order}`);
      if (row === undefined || yielded === ROWS_MAX) continue;
      yielded += 1;
      yield { fill, row };
    }
  }
  const tables = [
    packTable({ name: 'orders', columns: ORDER_PLAN, rows: orders() }),
    packTable({ name: 'fills', columns: FILL_PLAN, rows: fills() }),
  ];
  const marketsLeftOut = kept === undefined ? 0 : result.byMarket.length - kept.size;
  return { tables, counted: { ...counts, marketsLeftOut } };
}

/** Undefined where all are kept. */
function keptMarkets({
  byMarket,
  orders,
}: Pick<BacktestResult, 'byMarket' | 'orders'>): ReadonlySet<string> | undefined {
  if (orders.sent <= ROWS_MAX) return undefined;
  const kept = new Set<string>();
  let rows = 0;
  const size = ({ profit }: BacktestResult['byMarket'][number]): number => Math.abs(profit.central.profitNet);
  for (const market of byMarket.toSorted((a, b) => size(b) - size(a))) {
    if (kept.size > 0 && rows + market.orders > ROWS_MAX) break;
    rows += market.orders;
    kept.add(market.id);
  }
  return kept;
}

/** Digits that are kept, by kind of column. */
const DECIMALS = { text: 0, count: 0, number: 4, price: 4, money: 6, profit: 6, time: 0 } as const;

/** Columns whose cells are near those of another one, by its name. */
const NEAR: Readonly<Record<string, string>> = {
  arrivedAt: 'decidedAt',
  endedAt: 'arrivedAt',
  averagePrice: 'price',
  bestFor: 'price',
  bestAgainst: 'price',
  lastPriceAfter10s: 'price',
  lastPriceAfter60s: 'price',
  stakeMatched: 'stake',
};

export function planOf<Row>({ name, kind, of }: Column<Row>): ColumnPlan<Row> {
  const near = NEAR[name];
  return { name, of, decimals: DECIMALS[kind], ...(near === undefined ? {} : { near }) };
}

const ORDER_PLAN = ORDER_COLUMNS.map((column) => planOf<OrderRow>(column));

const FILL_PLAN: readonly ColumnPlan<NumberedFill>[] = [
  { name: 'row', of: ({ row }) => row },
  ...FILL_COLUMNS.map((column) => {
    const plan = planOf<FillRow>(column);
    return { ...plan, of: ({ fill }: NumberedFill) => plan.of(fill) };
  }),
];
