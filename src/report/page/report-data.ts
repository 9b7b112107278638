/** A result as the bytes that its page and its run directory hold: facts and tables of columns. */

import { gradesOf } from '../grades.ts';
import type { BacktestResult } from '../result.ts';
import type { ColumnPlan } from './columns.ts';
import { type DrawnPoint, drawnPoints } from './drawn-points.ts';
import { CURVE_BOUNDS, type ReportFacts } from './report-facts.ts';
import { packTable, writeColumns } from './write-columns.ts';

export interface ReportData {
  readonly facts: ReportFacts;
  /** Facts and tables, not compressed. */
  readonly bytes: Uint8Array;
}

export function reportData(result: BacktestResult): ReportData {
  const { orderRows: _orders, fillRows: _fills, curve, byMarket, ...others } = result;
  const first = curve[0];
  const last = curve.at(-1);
  const facts: ReportFacts = {
    result: { ...others, byMarket: largest(byMarket).map(reported) },
    markets: byMarket.length,
    grades: [...gradesOf({ byMarket })],
    settled: first === undefined || last === undefined ? undefined : { first: first.at, last: last.at },
  };
  const tables = [packTable({ name: 'curve', columns: CURVE_COLUMNS, rows: drawnPoints(curve) })];
  return { facts, bytes: writeColumns(facts, tables) };
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
