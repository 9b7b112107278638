/** The market-implied settlement test beside every possible end of small searches, and its speed on large ones. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { type MarketOfTrials, settlementTest } from '../../../src/research/chance/settlement-test.ts';
import { winnerDraw } from '../../../src/research/chance/winners.ts';
import { budget } from '../../support/budget.ts';
import { known } from '../../support/research/known.ts';
import { exactSettlement } from '../../support/research/naive-settlement.ts';
import { settledAtOnce } from '../../support/research/settled-at-once.ts';

/** Flat bets of random trials on random outcomes, at prices some per cent off the fair ones. */
function randomSearch(seed: number, markets: number, trials: number, outcomes: number): readonly MarketOfTrials[] {
  const random = Random.fromSeed(seed);
  return Array.from({ length: markets }, () => {
    const weights = Array.from({ length: outcomes }, () => 0.2 + random.uniform());
    const all = weights.reduce((sum, each) => sum + each, 0);
    const closing = weights.map((each) => each / all);
    const into = new Uint32Array(1);
    winnerDraw(closing).draw(random, into);
    const profits = closing.map(() => new Float64Array(trials));
    for (let trial = 0; trial < trials; trial += 1) {
      const on = random.below(outcomes + 1);
      if (on === outcomes) continue;
      const price = (0.96 + random.uniform() / 10) / (closing[on] ?? 1);
      profits.forEach((row, outcome) => {
        row[trial] = outcome === on ? price - 1 : -1;
      });
    }
    return { closing, winners: [into[0] ?? 0], profits };
  });
}

test('the p-value is that of all possible ends, to the error of its redraws', () => {
  const redraws = 4_000;
  let moved = 0;
  for (let seed = 0; seed < 12; seed += 1) {
    const markets = randomSearch(seed, 6, 5, 3);
    const exact = exactSettlement(markets, 5);
    const { pValue } = known(settledAtOnce({ markets, trials: 5, seed, redraws }));
    expect(Math.abs(pValue - exact), `seed ${seed}`).toBeLessThan(4.5 * Math.sqrt(0.25 / redraws));
    if (exact < 0.9) moved += 1;
  }
  expect(moved).toBeGreaterThan(4);
});

test('settled, expected and deviation are those of each trial by hand', () => {
  const markets: readonly MarketOfTrials[] = [
    {
      closing: [0.5, 0.5],
      winners: [0],
      profits: [
        [2, -1, 0, 5],
        [-1, 1, 0, 5],
      ],
    },
    {
      closing: [0.25, 0.75],
      winners: [1],
      profits: [
        [3, 0, 0, 0],
        [-1, 0, 0, 0],
      ],
    },
  ];
  const found = known(settledAtOnce({ markets, trials: 4, seed: 1, redraws: 99 }));
  expect([...found.settled]).toEqual([1, -1, 0, 5]);
  expect([...found.expected]).toEqual([0.5, 0, 0, 5]);
  expect(found.deviation[0]).toBeCloseTo(Math.sqrt(2.25 + 3), 12);
  expect(found.deviation[1]).toBeCloseTo(1, 12);
  // The trials without risk are left out, however sure their profit is.
  expect([...found.deviation.subarray(2)]).toEqual([0, 0]);
  expect(found.best).toBe(0);
  expect(found.statistic).toBeCloseTo(1 / Math.sqrt(5.25), 6);
});

test('a profit that was made before the winners were known hides no other trial, and is no luck', () => {
  const random = Random.fromSeed(4);
  const markets = Array.from({ length: 100 }, () => {
    const winner = random.below(2);
    // Trial 0 trades out: 1 whoever wins, but for a tenth. Trial 1 knows the winner three times in four.
    const knows = random.chance(0.75) ? winner : 1 - winner;
    const profits = [0, 1].map((outcome) => [1 + (outcome === 0 ? 0.1 : -0.1), outcome === knows ? 1 : -1]);
    return { closing: [0.5, 0.5], winners: [winner], profits };
  });
  const found = known(settledAtOnce({ markets, trials: 2, seed: 2, redraws: 999 }));
  expect(found).toMatchObject({ best: 1, pValue: 0.001 });
  expect(found.expected[0]).toBeCloseTo(100, 9);
  const alone = markets.map((market) => ({ ...market, profits: market.profits.map(([first = 0]) => [first]) }));
  expect(settledAtOnce({ markets: alone, trials: 1, seed: 2, redraws: 999 })).toMatchObject({
    kind: 'notKnown',
    reason: expect.stringContaining('before the winners were known'),
  });
});

test('a trial that knows the winners is found among 200 that do not', () => {
  const random = Random.fromSeed(3);
  const markets = randomSearch(3, 60, 200, 4).map((market) => {
    const knows = random.chance(0.7) ? (market.winners[0] ?? 0) : random.below(4);
    const price = 1 / (market.closing[knows] ?? 1);
    const profits = market.profits.map((row, outcome) => {
      return Float64Array.from(row, (profit, trial) => (trial !== 77 ? profit : outcome === knows ? price - 1 : -1));
    });
    return { ...market, profits };
  });
  const found = known(settledAtOnce({ markets, trials: 200, seed: 5, redraws: 999 }));
  expect(found).toMatchObject({ best: 77, pValue: 0.001 });
  expect(found.statistic).toBeGreaterThan(found.chanceHigh);
  expect(found.chanceHigh).toBeGreaterThan(found.chanceMedian);
});

test('another trial than the best is asked about, and of one without risk there is nothing to tell', () => {
  const redraws = 4_000;
  const markets = randomSearch(6, 6, 5, 3).map((market) => {
    return { ...market, profits: market.profits.map((row) => Float64Array.from([...Array.from(row), 0])) };
  });
  const of = (asked: number) => known(settledAtOnce({ markets, trials: 6, seed: 1, redraws, asked }));
  const first = of(0);
  expect(of(first.best).asked).toEqual({ at: first.best, statistic: first.statistic, pValue: first.pValue });
  for (const at of [0, 1, 2, 3, 4]) {
    const { settled, deviation, asked, pValue } = of(at);
    expect(asked?.statistic).toBeCloseTo((settled[at] ?? 0) / (deviation[at] ?? 1), 5);
    expect(asked?.pValue).toBeGreaterThanOrEqual(pValue);
    const exact = exactSettlement(markets, 5, at);
    expect(Math.abs((asked?.pValue ?? 0) - exact)).toBeLessThan(4.5 * Math.sqrt(0.25 / redraws));
  }
  expect(of(5).asked).toBeUndefined();
});

test('better prices than at closing are no luck: expected, and the p-value stays large', () => {
  const random = Random.fromSeed(8);
  const markets = Array.from({ length: 400 }, () => {
    const profits = [Float64Array.of(1.2), Float64Array.of(-1)];
    return { closing: [0.5, 0.5], winners: [random.below(2)], profits };
  });
  const found = known(settledAtOnce({ markets, trials: 1, seed: 2, redraws: 999 }));
  expect(found.expected[0]).toBeCloseTo(40, 9);
  expect(found.pValue).toBeGreaterThan(0.05);
});

test('place markets: several winners at once, each paid', () => {
  // A stake of 1 at 2 on the place of outcome 0: +1 if it is placed, −1 if not; shared out over two places as −½ each.
  const profits = [[1.5], [-0.5], [-0.5], [-0.5]];
  const markets = Array.from({ length: 30 }, () => ({ closing: [0.5, 0.5, 0.5, 0.5], winners: [0, 2], profits }));
  const found = known(settledAtOnce({ markets, trials: 1, seed: 2, redraws: 999 }));
  expect(found.settled[0]).toBe(30);
  expect(found.expected[0]).toBeCloseTo(0, 10);
  expect(found.deviation[0]).toBeCloseTo(Math.sqrt(30), 8);
  expect(found.pValue).toBe(0.001);
});

test('the same seed gives the same p-value, from a generator too', () => {
  const markets = randomSearch(4, 20, 6, 4);
  const all = settledAtOnce({ markets, trials: 6, seed: 7, redraws: 499 });
  expect(settledAtOnce({ markets: markets.values(), trials: 6, seed: 7, redraws: 499 })).toEqual(all);
});

test('trials in pieces, each with the markets that it bets in, are judged as all of them together', () => {
  const markets = randomSearch(9, 30, 7, 4).map((market, place) => ({ ...market, place }));
  // In every third market the first four trials bet nothing.
  const all = markets.map((market) => ({
    ...market,
    profits: market.profits.map((row) => {
      return Float64Array.from(row, (profit, trial) => (market.place % 3 === 0 && trial < 4 ? 0 : profit));
    }),
  }));
  const part = (from: number, to: number) => ({
    trials: to - from,
    markets: all
      .filter(({ place }) => from >= 4 || place % 3 !== 0)
      .map((market) => ({ ...market, profits: market.profits.map((row) => row.slice(from, to)) })),
  });
  const pieces = [part(0, 4), part(4, 6), part(6, 7)];
  for (const asked of [0, 5, 6]) {
    const whole = settledAtOnce({ markets: all, trials: 7, seed: 3, redraws: 499, asked });
    expect(settlementTest({ pieces, seed: 3, redraws: 499, asked })).toEqual(whole);
  }
});

test('no market, and no risk, are not known', () => {
  const of = (markets: readonly MarketOfTrials[]) => settledAtOnce({ markets, trials: 2, seed: 1, redraws: 99 });
  expect(of([])).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/depended on who wins/) });
  const flat = [
    {
      closing: [0.1, 0.9],
      winners: [1],
      profits: [
        [0.1, 0],
        [0.1, 0],
      ],
    },
  ];
  expect(of(flat)).toMatchObject({ kind: 'notKnown' });
});

test('1,000 trials over 1,000 markets take seconds', () => {
  const size = budget({ each: 300, deep: 1_000 });
  const markets = randomSearch(11, size, size, 6);
  const before = process.cpuUsage().user;
  known(settledAtOnce({ markets, trials: size, seed: 1, redraws: 999 }));
  // Ten times what it takes on one quiet processor, of which size² is the measure.
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan((30 * size * size) / 1e6 + 1);
});
