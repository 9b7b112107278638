/** A result as the bytes that its page and its run directory hold: facts and tables of columns. */

import { decimalOfTick, NO_TICK, type Tick } from '../../core/number/ladder.ts';
import { byStrategy } from '../../result/by-strategy.ts';
import { FILL_COLUMNS } from '../../result/columns/fill-columns.ts';
import { ORDER_COLUMNS } from '../../result/columns/order-columns.ts';
import { REFUSAL_COLUMNS } from '../../result/columns/refusal-columns.ts';
import { REFUSALS_OF_CODE, type RefusalRow } from '../../result/figures/refusal-rows.ts';
import { gradesOf } from '../../result/grades.ts';
import type { MarketPrices, MarketStateChange } from '../../result/market-prices.ts';
import type { BacktestResult, ProfitPoint } from '../../result/result.ts';
import { settledStake } from '../../result/settled-stake.ts';
import { keptSideWords } from '../../words/side-words.ts';
import type { ColumnPlan } from './columns.ts';
import { type ExposurePoint, exposureCurve } from './exposure-curve.ts';
import { orderTables, planOf } from './order-tables.ts';
import { plotTable } from './plot-table.ts';
import { queueBands } from './queue-bands.ts';
import { CURVE_BOUNDS, type ReportableResult, type ReportFacts, type ShownColumn } from './report-facts.ts';
import { type PackedTable, packTable, writeColumns } from './write-columns.ts';

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
    ...keptSideWords(),
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

interface DrawnPoint {
  /** How many markets were settled before. */
  readonly index: number;
  readonly point: ProfitPoint;
}

const POINTS_MAX = 4000;

/**
 * The points of the profit curve that are drawn, so that a page stays light however long the run: the first and the last point and, of each
 * stretch, the lowest and highest central point, so that no peak is lost.
 */
export function drawnPoints(curve: readonly ProfitPoint[]): readonly DrawnPoint[] {
  const all = curve.map((point, index) => ({ index, point }));
  if (all.length <= POINTS_MAX) return all;
  const kept = new Set([0, all.length - 1]);
  const stretches = POINTS_MAX / 2;
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const from = Math.floor((stretch * all.length) / stretches);
    const to = Math.floor(((stretch + 1) * all.length) / stretches);
    const byProfit = all.slice(from, to).sort((a, b) => a.point.central - b.point.central);
    for (const extreme of [byProfit[0], byProfit.at(-1)]) if (extreme !== undefined) kept.add(extreme.index);
  }
  return all.filter((each) => kept.has(each.index));
}

/** One stretch of one outcome. */
interface StretchRow {
  readonly market: string;
  readonly outcome: string;
  readonly at: number;
  readonly ticks: readonly number[];
}

/** Prices and states of markets with orders as tables of columns. */
function priceTables(prices: readonly MarketPrices[]): readonly PackedTable[] {
  return [
    packTable({ name: 'prices', columns: STRETCH_PLAN, rows: stretches(prices) }),
    packTable({ name: 'states', columns: STATE_PLAN, rows: states(prices) }),
  ];
}

/** Stretches in which nothing was read are left out. */
function* stretches(prices: readonly MarketPrices[]): Generator<StretchRow> {
  for (const { marketId: market, startAt, stretchMs, outcomes } of prices) {
    for (const { outcomeId: outcome, backLow, backHigh, layLow, layHigh } of outcomes) {
      for (let stretch = 0; stretch < backLow.length; stretch += 1) {
        const ticks = [backLow, backHigh, layLow, layHigh].map((column) => column[stretch] ?? NO_TICK);
        if (ticks.some((tick) => tick !== NO_TICK)) yield { market, outcome, at: startAt + stretch * stretchMs, ticks };
      }
    }
  }
}

function* states(prices: readonly MarketPrices[]): Generator<MarketStateChange & { readonly market: string }> {
  for (const { marketId: market, states } of prices) for (const state of states) yield { market, ...state };
}

const STRETCH_PLAN: readonly ColumnPlan<StretchRow>[] = [
  { name: 'market', of: ({ market }) => market },
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'at', of: ({ at }) => at },
  { name: 'backLow', decimals: 3, of: priceAt(0) },
  { name: 'backHigh', decimals: 3, near: 'backLow', of: priceAt(1) },
  { name: 'layLow', decimals: 3, near: 'backHigh', of: priceAt(2) },
  { name: 'layHigh', decimals: 3, near: 'layLow', of: priceAt(3) },
];

function priceAt(place: number): (row: StretchRow) => number | undefined {
  return ({ ticks }) => {
    const tick = ticks[place] ?? NO_TICK;
    return tick === NO_TICK ? undefined : decimalOfTick(tick as Tick);
  };
}

const STATE_PLAN: readonly ColumnPlan<MarketStateChange & { readonly market: string }>[] = [
  { name: 'market', of: ({ market }) => market },
  { name: 'at', of: ({ at }) => at },
  { name: 'suspended', of: ({ suspended }) => (suspended ? 1 : 0) },
  { name: 'inPlay', of: ({ inPlay }) => (inPlay ? 1 : 0) },
  { name: 'delayMs', of: ({ inPlayDelayMs }) => inPlayDelayMs },
];
