/** What a report's data holds of a result: its rows, cut where a page could not hold them, and what could have been lost. */

import { expect, test } from 'vitest';
import { winnersOfCount } from '../../src/core/market.ts';
import { exposureCurve } from '../../src/pages/report/exposure-curve.ts';
import { readColumns } from '../../src/pages/report/read-columns.ts';
import { reportData } from '../../src/pages/report/report-data.ts';
import type { ReportableResult } from '../../src/pages/report/report-facts.ts';
import type { BacktestResult, FillRow } from '../../src/result/result.ts';
import { sampleResult } from './sample-result.ts';
import { fill, order } from './sample-rows.ts';

const result = sampleResult(3);
const [first = '', second = '', third = ''] = result.byMarket.map(({ id }) => id);

test('orders and the fills that their strategy saw are there, each fill with the row of its order', () => {
  const { tables } = dataOf({
    ...result,
    orderRows: [
      order(7, second, { note: 'n', profit: -1.5 }),
      order(8, first),
      order(8, first, { run: 2, flow: 'pessimistic' }),
    ],
    fillRows: [
      fill(8, first),
      fill(7, second, { price: 3.1, lastPriceAfter10s: 3.2 }),
      fill(8, first, { run: 2, flow: 'pessimistic' }),
    ],
  });
  const [orders, fills] = [tables.get('orders'), tables.get('fills')];
  expect([...(orders?.numbers.get('order') ?? [])]).toEqual([7, 8]);
  expect(orders?.texts.get('note')?.texts).toEqual(['n']);
  expect([...(orders?.numbers.get('decidedAt') ?? [])]).toEqual(Array(2).fill(Date.UTC(2026, 7, 1, 12, 0, 0, 250)));
  expect([...(fills?.numbers.get('row') ?? [])]).toEqual([1, 0]);
  expect([...(fills?.numbers.get('lastPriceAfter10s') ?? [])]).toEqual([Number.NaN, 3.2]);
});

test('of more orders than a page holds, whole markets are left out, those with the smallest results', () => {
  const byMarket = result.byMarket.map((market, index) => ({
    ...market,
    orders: 60_000,
    profit: { ...market.profit, central: { ...market.profit.central, profitNet: [1, -300, 20][index] ?? 0 } },
  }));
  function* rows() {
    for (const id of [first, second, third]) for (let number = 0; number < 60_000; number += 1) yield order(number, id);
  }
  const orders = { ...result.orders, sent: 180_000 };
  const { tables, facts } = dataOf({ ...result, byMarket, orders, orderRows: { [Symbol.iterator]: rows } });
  expect(tables.get('orders')?.texts.get('marketId')?.texts).toEqual([second]);
  expect(tables.get('orders')?.rows).toBe(60_000);
  expect(facts).toMatchObject({ counted: { orders: 180_000, marketsLeftOut: 2 } });
});

test('what could have been lost is the worst set of winners of each open market, added up', () => {
  const outcomes = ['1', '2', '3'].map((id) => ({ id, title: id }));
  const byMarket = result.byMarket.map((market, index) => ({
    ...market,
    outcomes,
    winnerCount: index + 1,
    settledAt: 100 + index,
  }));
  const fills: readonly FillRow[] = [
    fill(1, first, { outcomeId: '1', side: 'For', price: 3, stake: 10, at: 1 }),
    fill(2, first, { outcomeId: '1', side: 'Against', price: 2, stake: 10, at: 2 }),
    fill(3, first, { outcomeId: '2', side: 'Against', price: 5, stake: 2, at: 3 }),
    fill(4, second, { outcomeId: '1', side: 'Against', price: 4, stake: 1, at: 4 }),
    fill(5, second, { outcomeId: '2', side: 'Against', price: 6, stake: 1, at: 5 }),
  ];
  const points = exposureCurve({ ...result, byMarket, fillRows: fills });
  // 3 and 5 are lost if both win; of the first market only one of the outcomes can.
  expect(points).toEqual([
    { at: 1, exposure: 10 },
    { at: 2, exposure: 0 },
    { at: 3, exposure: 8 },
    { at: 4, exposure: 11 },
    { at: 5, exposure: 16 },
    { at: 100, exposure: 8 },
    { at: 101, exposure: 0 },
  ]);
  expect(points.map(({ at }) => at).filter((at) => at < 100)).toEqual(fills.map(({ at }) => at));
  for (const { at, exposure } of points) expect(exposure).toBeCloseTo(slowExposure(byMarket, fills, at));
});

test('what strategies plotted is kept to the digits that a number holds, with its gaps, of the central flow', () => {
  const line = (name: string, value: readonly number[], flow = 'central') => ({
    ...{ flow, strategy: 's', marketId: first, name, value },
    at: value.map((_, place) => 1000 + place),
  });
  const plots = [
    line('fair', [2.345678, Number.NaN, 2.5]),
    line('other', [1], 'pessimistic'),
    line('large', [1e12, -1e12, 1e300]),
  ];
  const table = dataOf({ ...result, plots }).tables.get('plots');
  expect(table?.texts.get('name')?.texts).toEqual(['fair', 'large']);
  expect([...(table?.numbers.get('at') ?? [])]).toEqual([1000, 1001, 1002, 1000, 1001, 1002]);
  expect([...(table?.numbers.get('value') ?? [])]).toEqual([2.346, Number.NaN, 2.5, 1e12, -1e12, Number.NaN]);
});

/** All sets of winners of each market that is open, one by one. */
function slowExposure(markets: BacktestResult['byMarket'], fills: readonly FillRow[], at: number): number {
  return markets.reduce((total, { id, outcomes, winnerCount, settledAt = 0 }) => {
    if (settledAt <= at) return total;
    const own = fills.filter((each) => each.marketId === id && each.at <= at);
    const ids = outcomes.map((outcome) => outcome.id);
    const { min, max } = winnersOfCount(winnerCount, ids.length);
    const sizes = Array.from({ length: max - min + 1 }, (_, index) => min + index);
    const losses = sizes
      .flatMap((size) => setsOf(ids, size))
      .map(
        (winners) =>
          -own.reduce((sum, { outcomeId, side, price, stake }) => {
            const profit = winners.includes(outcomeId) ? stake * (price - 1) : -stake;
            return sum + (side === 'For' ? profit : -profit);
          }, 0),
      );
    return total + Math.max(0, ...losses);
  }, 0);
}

function setsOf(ids: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  return ids.flatMap((id, index) => setsOf(ids.slice(index + 1), size - 1).map((rest) => [id, ...rest]));
}

function dataOf(changed: ReportableResult) {
  return readColumns(reportData(changed, { kind: 'backtest', missing: [] }).bytes);
}
