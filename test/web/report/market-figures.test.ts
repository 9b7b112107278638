import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import {
  deepestFalls,
  distribution,
  judgedMarkets,
  sumsBy,
  winFigures,
} from '../../../src/web/report/glance/market-figures.ts';
import { sampleResult } from '../../report/sample-result.ts';

/** Settled markets with these net profits; a stake of 10 each. */
function marketsOf(nets: readonly number[]) {
  return judgedMarkets(
    sampleResult(nets.length).byMarket.map((market, at) => {
      const profit = { ...market.profit.central, profitNet: nets[at] ?? 0, stakeMatched: 10 };
      return {
        ...market,
        status: 'Settled',
        settledAt: at,
        profit: { pessimistic: profit, central: profit, optimistic: profit },
      };
    }),
  );
}

test('voided, unsettled and unmatched markets are no won or lost ones', () => {
  const [market] = sampleResult(1).byMarket;
  if (market === undefined) expect.fail();
  const { settledAt: _, ...open } = market;
  const none = { ...market.profit.central, stakeMatched: 0 };
  const unmatched = { ...market, profit: { ...market.profit, central: none } };
  expect(judgedMarkets([open, { ...market, status: 'Voided' }, unmatched])).toEqual([]);
});

test('gains per unit lost, and what rounds to nothing on neither side', () => {
  expect(winFigures(marketsOf([3, 5, -2, 0.004, -0.004]))).toEqual({
    won: 2,
    lost: 1,
    gains: 8,
    losses: -2,
    profitFactor: 4,
  });
  expect(winFigures(marketsOf([3])).profitFactor).toBeUndefined();
});

test('each market is in the bin that its profit lies in, and zero is an edge', () => {
  const random = Random.fromSeed(3);
  for (let trial = 0; trial < 200; trial += 1) {
    const scale = 10 ** (4 * random.uniform() - 2);
    const markets = marketsOf(Array.from({ length: 1 + random.below(60) }, () => scale * (random.uniform() - 0.6)));
    const bins = distribution(markets);
    expect(bins.length).toBeLessThanOrEqual(27);
    expect(bins.flatMap((bin) => bin.markets)).toHaveLength(markets.length);
    for (const { from, to, markets: inBin } of bins) {
      expect(Math.sign(Math.round(from * 1e6)) * Math.sign(Math.round(to * 1e6))).toBeGreaterThanOrEqual(0);
      for (const { net } of inBin) {
        expect(net).toBeGreaterThanOrEqual(from - 1e-9);
        expect(net).toBeLessThan(to + 1e-9);
      }
    }
  }
});

test('sums by a name add up to the whole', () => {
  const markets = marketsOf([3, -1, 4, -1, -5]);
  const sums = sumsBy(markets, ({ settledAt }) => (settledAt < 2 ? 'first' : 'second'));
  expect(sums).toEqual([
    { name: 'first', markets: 2, stake: 20, net: 2 },
    { name: 'second', markets: 3, stake: 30, net: -2 },
  ]);
});

test('falls go from a high to the lowest point before the next high, deepest first', () => {
  const at = [1, 2, 3, 4, 5, 6, 7, 8];
  const profit = [-2, 1, 5, 3, 4, 6, -1, 2];
  expect(deepestFalls(at, profit, 5)).toEqual([
    { depth: 7, from: 6, to: 7, recoveredAt: undefined },
    { depth: 2, from: undefined, to: 1, recoveredAt: 2 },
    { depth: 2, from: 3, to: 4, recoveredAt: 6 },
  ]);
  expect(deepestFalls(at, profit, 1)).toHaveLength(1);
  expect(deepestFalls([1, 2], [1, 2], 5)).toEqual([]);
});
