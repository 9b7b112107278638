/** A result as the bytes that its page and its run directory hold: facts and tables of columns. */

import { byStrategy } from '../../result/by-strategy.ts';
import { FILL_COLUMNS } from '../../result/columns/fill-columns.ts';
import { ORDER_COLUMNS } from '../../result/columns/order-columns.ts';
import { REFUSAL_COLUMNS } from '../../result/columns/refusal-columns.ts';
import { REFUSALS_OF_CODE, type RefusalRow } from '../../result/figures/refusal-rows.ts';
import { gradesOf } from '../../result/grades.ts';
import type { BacktestResult } from '../../result/result.ts';
import { settledStake } from '../../result/settled-stake.ts';
import type { ColumnPlan } from './columns.ts';
import { type DrawnPoint, drawnPoints } from './drawn-points.ts';
import { type ExposurePoint, exposureCurve } from './exposure-curve.ts';
import { orderTables, planOf } from './order-tables.ts';
import { plotTable } from './plot-table.ts';
import { priceTables } from './price-tables.ts';
import { queueBands } from './queue-bands.ts';
import { CURVE_BOUNDS, type ReportableResult, type ReportFacts, type ShownColumn } from './report-facts.ts';
import { packTable, writeColumns } from './write-columns.ts';

export interface ReportData {
  readonly facts: ReportFacts;
  /** Facts and tables, not compressed. */
  readonly bytes: Uint8Array;
}

/** What is said of a run beside its result. */
export type AboutRun = Pick<ReportFacts, 'kind' | 'missing'>;

export function reportData(result: ReportableResult, about: AboutRun): ReportData {
  const { orderRows: _orders, fillRows: _fills, prices, plots = [], curve, byMarket, refused, ...others } = result;
  const orders = orderTables(result);
  const first = curve[0];
  const last = curve.at(-1);
  const facts: ReportFacts = {
    ...about,
    counted: orders.counted,
    queues: result.statistics === undefined ? [] : queueBands(result.orderRows),
    columns: {
      orders: ORDER_COLUMNS.map(shownColumn),
      fills: FILL_COLUMNS.map(shownColumn),
      refusals: REFUSAL_COLUMNS.map(shownColumn),
    },
    refusedFirst: firstOfCodes(refused.rows),
    refusedIn: refused.byMarket,
    result: { ...others, byMarket: largest(byMarket).map(reported) },
    markets: byMarket.length,
    grades: [...gradesOf({ byMarket })],
    settledStake: settledStake(result),
    strategies: byStrategy(result),
    settled: first === undefined || last === undefined ? undefined : { first: first.at, last: last.at },
  };
  const tables = [
    packTable({
      name: 'curve',
      columns: about.kind === 'backtest' ? CURVE_COLUMNS : ONE_CURVE,
      rows: drawnPoints(curve),
    }),
    packTable({ name: 'exposure', columns: EXPOSURE_COLUMNS, rows: exposureCurve(result) }),
    ...orders.tables,
    ...priceTables(prices),
    plotTable(plots),
    packTable({ name: 'refusals', columns: REFUSAL_PLAN, rows: refused.rows }),
  ];
  return { facts, bytes: writeColumns(facts, tables) };
}

function firstOfCodes(rows: readonly RefusalRow[]): readonly RefusalRow[] {
  const byCode = new Map<string, number>();
  return rows.filter(({ code }) => {
    const before = byCode.get(code) ?? 0;
    byCode.set(code, before + 1);
    return before < REFUSALS_OF_CODE;
  });
}

const REFUSAL_PLAN = REFUSAL_COLUMNS.map((column) => planOf<RefusalRow>(column));

function shownColumn({ name, label, about, kind, inReport }: ShownColumn): ShownColumn {
  return {
    name,
    about,
    kind,
    ...(label === undefined ? {} : { label }),
    ...(inReport === undefined ? {} : { inReport }),
  };
}

const CURVE_COLUMNS: readonly ColumnPlan<DrawnPoint>[] = [
  { name: 'at', of: ({ point }) => point.at },
  { name: 'market', of: ({ index }) => index },
  ...CURVE_BOUNDS.map((bound) => ({
    name: bound,
    decimals: 6,
    of: ({ point }: DrawnPoint) => point[bound],
  })),
];

/** The columns of a run with one result. */
const ONE_CURVE = CURVE_COLUMNS.filter(({ name }) => ['at', 'market', 'central'].includes(name));

const EXPOSURE_COLUMNS: readonly ColumnPlan<ExposurePoint>[] = [
  { name: 'at', of: ({ at }) => at },
  { name: 'exposure', decimals: 2, of: ({ exposure }) => exposure },
];

const MARKETS_MAX = 5000;

function largest(all: BacktestResult['byMarket']): BacktestResult['byMarket'] {
  if (all.length <= MARKETS_MAX) return all;
  const size = ({ profit, orders }: BacktestResult['byMarket'][number]): number =>
    Math.abs(profit.central.profitNet) + (orders > 0 ? 1e-6 : 0);
  const kept = new Set(all.toSorted((a, b) => size(b) - size(a)).slice(0, MARKETS_MAX));
  return all.filter((market) => kept.has(market));
}

function reported({ outcomes, ...market }: BacktestResult['byMarket'][number]): BacktestResult['byMarket'][number] {
  return { ...market, outcomes: outcomes.map(({ position: _position, ...outcome }) => outcome) };
}
