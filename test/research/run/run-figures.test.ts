/** Calibration, growth of the bank, drawdown and tables of cells, by hand and by simulation. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { calibrationOf, type Forecast, skillOf } from '../../../src/research/run/calibration.ts';
import { type CellBets, cellTableOf } from '../../../src/research/run/cells.ts';
import { drawdownOf } from '../../../src/research/run/drawdown.ts';
import { kellyGrowthOf } from '../../../src/research/run/kelly-growth.ts';
import { known } from '../../support/research/known.ts';

const TENTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

const OPTIONS = { seed: 1, resamples: 500, level: 0.95 };

test('calibration: bands, Brier score and log loss by hand', () => {
  const forecasts: readonly Forecast[] = [
    { eventGroup: 'a', chance: 0.05, won: false },
    { eventGroup: 'b', chance: 0.6, won: true },
    { eventGroup: 'c', chance: 0.65, won: false },
    { eventGroup: 'd', chance: 1, won: true },
  ];
  const { bands, brier, logLoss } = known(calibrationOf(forecasts, TENTHS));
  expect(bands.map(({ from, to, count, shareWon }) => [from, to, count, shareWon])).toEqual([
    [0, 0.1, 1, 0],
    [0.6, 0.7, 2, 0.5],
    [0.9, 1, 1, 1],
  ]);
  expect(bands[1]?.meanChance).toBeCloseTo(0.625, 12);
  expect(brier).toBeCloseTo((0.05 ** 2 + 0.4 ** 2 + 0.65 ** 2) / 4, 12);
  expect(logLoss).toBeCloseTo(-(Math.log(0.95) + Math.log(0.6) + Math.log(0.35) + Math.log(1 - 1e-6)) / 4, 12);
  // R 4.2.2: prop.test(1, 2, correct = FALSE)$conf.int
  expect(bands[1]?.low).toBeCloseTo(0.0945312057342307, 12);
  expect(bands[1]?.high).toBeCloseTo(0.905468794265769, 12);
  expect(calibrationOf([], TENTHS)).toMatchObject({ kind: 'notKnown' });
  // A certainty that turns out wrong has a large loss, and not an infinite one.
  const wrong = known(calibrationOf([{ eventGroup: 'a', chance: 1, won: false }], TENTHS));
  expect(wrong.logLoss).toBeCloseTo(-Math.log(1e-6), 6);
});

test('a model that knows the true chances beats a market that knows half of them, and not the other way round', () => {
  const random = Random.fromSeed(1);
  const truth = Array.from({ length: 800 }, () => 0.1 + 0.8 * random.uniform());
  const won = truth.map((chance) => random.chance(chance));
  const forecast = (chanceOf: (chance: number) => number) =>
    truth.map((chance, at) => ({ eventGroup: `${at}`, chance: chanceOf(chance), won: won[at] === true }));
  const [market, model] = [forecast((chance) => (chance + 0.5) / 2), forecast((chance) => chance)];
  for (const score of ['brier', 'logLoss'] as const) {
    expect(known(skillOf({ market, model, score, ...OPTIONS })).low, score).toBeGreaterThan(0);
    expect(known(skillOf({ market: model, model: market, score, ...OPTIONS })).high, score).toBeLessThan(0);
  }
  expect(skillOf({ market, model: market, score: 'brier', ...OPTIONS })).toMatchObject({ kind: 'notKnown' });
});

test('growth of the bank: by hand, and the best multiple where the slope is 0', () => {
  // Half the bank at evens, won twice and lost once: 100, 150, 225, 112.5.
  const found = known(kellyGrowthOf({ profits: [50, 75, -112.5], bank: 100, ...OPTIONS }));
  expect(found.growth).toBeCloseTo(Math.log(1.125) / 3, 12);
  expect(found.bank).toBe(112.5);
  expect(found.groupsToDouble).toBeCloseTo((3 * Math.LN2) / Math.log(1.125), 9);
  // Of evens that win two of three times, a third of the bank is best: two thirds of the half.
  expect(found.bestMultiple).toBeCloseTo(2 / 3, 9);
});

test('growth: losses on the whole ask for no stake, wins alone for more than can be told, a spent bank has none', () => {
  expect(kellyGrowthOf({ profits: [-1, 1, -1], bank: 100, ...OPTIONS })).toMatchObject({ bestMultiple: 0 });
  expect(kellyGrowthOf({ profits: [1, 0, 2], bank: 100, ...OPTIONS })).toMatchObject({ bestMultiple: 'beyond' });
  expect(kellyGrowthOf({ profits: [-1, 1, -1], bank: 100, ...OPTIONS })).toMatchObject({ groupsToDouble: undefined });
  const spent = kellyGrowthOf({ profits: [50, -150, 20], bank: 100, ...OPTIONS });
  expect(spent).toMatchObject({ reason: 'The bank of 100 was used up by event group 2 of 3.' });
  expect(kellyGrowthOf({ profits: [], bank: 100, ...OPTIONS })).toMatchObject({ kind: 'notKnown' });
  expect(kellyGrowthOf({ profits: [1], bank: 0, ...OPTIONS })).toMatchObject({ kind: 'notKnown' });
});

test('growth has an interval by event group', () => {
  const random = Random.fromSeed(5);
  const profits = Array.from({ length: 120 }, () => (random.chance(0.55) ? 1 : -1));
  const { growth, interval } = known(kellyGrowthOf({ profits, bank: 100, ...OPTIONS }));
  expect(known(interval).estimate).toBeCloseTo(growth, 12);
  expect(known(interval).low).toBeLessThan(growth);
});

test.each([
  ['nothing', [], { depth: 0, peak: 0, trough: 0, recovered: undefined, longest: 0, isOpen: false }],
  ['wins alone', [1, 2, 0, 3], { depth: 0, peak: 0, trough: 0, recovered: undefined, longest: 0, isOpen: false }],
  ['one fall, made up for', [5, -2, -1, 4], { depth: 3, peak: 1, trough: 3, recovered: 4, longest: 2, isOpen: false }],
  ['from the start', [-1, -1], { depth: 2, peak: 0, trough: 2, recovered: undefined, longest: 2, isOpen: true }],
  [
    'a long shallow one and a short deep one',
    [5, -1, 0, 0, 0, 1, -3, 3, 1],
    { depth: 3, peak: 6, trough: 7, recovered: 8, longest: 4, isOpen: false },
  ],
  [
    'a deeper one after it',
    [2, -1, 1, -4, 1],
    { depth: 4, peak: 3, trough: 4, recovered: undefined, longest: 2, isOpen: true },
  ],
])('drawdown of %s', (_, profits, expected) => {
  expect(drawdownOf(profits)).toMatchObject(expected);
});

test('drawdown over seeds is the largest fall between any two places', () => {
  const random = Random.fromSeed(6);
  for (let each = 0; each < 100; each += 1) {
    const profits = Array.from({ length: 1 + random.below(30) }, () => random.below(11) - 5);
    const totals = [0];
    for (const profit of profits) totals.push((totals.at(-1) ?? 0) + profit);
    const falls = totals.flatMap((high, from) => totals.slice(from).map((low) => high - low));
    expect(drawdownOf(profits).depth).toBe(Math.max(...falls));
  }
});

test('cells of fair bets: at most one table in twenty has a cell below 5 %, and a cell that knows stands out', () => {
  const random = Random.fromSeed(7);
  const fair = (cell: string, knows = false): CellBets => {
    const markets = Array.from({ length: 40 }, () => {
      const price = 3 + 15 * random.uniform();
      const wins = random.chance(1 / price) || (knows && random.chance(0.25));
      return { closing: [1 / price, 1 - 1 / price], winners: [wins ? 0 : 1], profit: [price - 1, -1] };
    });
    const profit = markets.reduce((sum, each) => sum + (each.profit[each.winners[0] ?? 0] ?? 0), 0);
    return { cell, bets: 40, stake: 40, profit, markets };
  };
  const names = ['to 5', '5 to 10', '10 to 20', 'above 20', 'in play', 'win', 'place', 'For'];
  let tables = 0;
  const repeats = 80;
  for (let seed = 0; seed < repeats; seed += 1) {
    const { cells } = known(cellTableOf({ cells: names.map((name) => fair(name)), seed, redraws: 399 }));
    if (cells.some(({ adjusted = 1 }) => adjusted <= 0.05)) tables += 1;
  }
  // The standard error of a share of 80 tables is 0.024.
  expect(tables / repeats).toBeLessThan(0.05 + 4 * 0.024);
  const table = known(cellTableOf({ cells: names.map((name, at) => fair(name, at === 3)), seed: 1, redraws: 1_999 }));
  expect(table.judged).toBe(8);
  expect(table.cells.flatMap(({ cell, adjusted = 1 }) => (adjusted <= 0.05 ? [cell] : []))).toEqual(['above 20']);
  expect(table.cells[0]?.yieldGrossPercent).toBeCloseTo(((table.cells[0]?.profit ?? 0) / 40) * 100, 12);
});

test('a cell without closing prices is not judged, and does not count among those that are', () => {
  const market = { closing: [0.5, 0.5], winners: [0], profit: [1, -1] };
  const none = { cell: 'b', bets: 2, stake: 0, profit: 0, markets: [] };
  const table = known(
    cellTableOf({
      cells: [none, { cell: 'a', bets: 1, stake: 1, profit: 1, markets: [market] }],
      seed: 1,
      redraws: 99,
    }),
  );
  expect(table.judged).toBe(1);
  expect(table.cells[0]).toMatchObject({
    adjusted: undefined,
    yieldGrossPercent: undefined,
    luck: { kind: 'notKnown' },
  });
  // One cell is judged by itself: nothing is added to its p-value.
  const { luck, adjusted } = table.cells[1] ?? {};
  expect(luck?.kind === 'luck' && luck.pValue).toBe(adjusted);
  expect(cellTableOf({ cells: [], seed: 1, redraws: 99 })).toMatchObject({ kind: 'notKnown' });
});
