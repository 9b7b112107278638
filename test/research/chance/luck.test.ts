/** The luck of one run beside every possible end of it. */

import { expect, test } from 'vitest';
import { luckOf, type MarketOfRun } from '../../../src/research/chance/luck.ts';
import { known } from '../../support/research/known.ts';
import { everyEnd } from '../../support/research/naive-winners.ts';

const RUN: readonly MarketOfRun[] = [
  { closing: [0.5, 0.3, 0.2], winners: [2], profit: [-1, -1, 4.2] },
  { closing: [0.05, 0.95], winners: [1], profit: [-19, 1] },
  { closing: [0.25, 0.25, 0.5], winners: [0], profit: [2, -2, 0.5] },
  { closing: [0.6, 0.4], winners: [0], profit: [0.5, 0.5] },
];

test('settled, expected, deviation and z are those by hand; the chances those of all ends', () => {
  const luck = known(luckOf({ markets: RUN, seed: 1, redraws: 20_000 }));
  const ends = everyEnd(RUN.map(({ closing }) => Array.from(closing))).map(({ winners, chance }) => ({
    chance,
    profit: RUN.reduce((sum, { profit }, at) => sum + (profit[winners[at] ?? 0] ?? 0), 0),
  }));
  const mean = ends.reduce((sum, { chance, profit }) => sum + chance * profit, 0);
  const variance = ends.reduce((sum, { chance, profit }) => sum + chance * (profit - mean) ** 2, 0);
  expect(luck.settled).toBeCloseTo(7.7, 12);
  expect(luck.expected).toBeCloseTo(mean, 12);
  expect(luck.luck).toBeCloseTo(7.7 - mean, 12);
  expect(luck.deviation).toBeCloseTo(Math.sqrt(variance), 12);
  expect(luck.z).toBeCloseTo((7.7 - mean) / Math.sqrt(variance), 12);
  const above = ends.reduce((sum, { chance, profit }) => (profit >= 7.7 - 1e-9 ? sum + chance : sum), 0);
  const below = ends.reduce((sum, { chance, profit }) => (profit <= 7.7 + 1e-9 ? sum + chance : sum), 0);
  expect(Math.abs(luck.chanceAbove - above)).toBeLessThan(0.015);
  expect(Math.abs(luck.chanceBelow - below)).toBeLessThan(0.015);
  expect(luck.pValue).toBe(Math.min(1, 2 * Math.min(luck.chanceAbove, luck.chanceBelow)));
});

test('thirty won lays at 20 are no news, which the chance knows and the normal tail of z does not ask for', () => {
  const lay = { closing: [0.05, 0.95], winners: [1], profit: [-19, 1] };
  const luck = known(luckOf({ markets: Array.from({ length: 30 }, () => lay), seed: 1, redraws: 9_999 }));
  expect(luck.chanceAbove).toBeCloseTo(0.95 ** 30, 1);
  expect(luck.luck).toBeCloseTo(30, 9);
});

test('no market, and a profit whoever wins, are not known', () => {
  expect(luckOf({ markets: [], seed: 1, redraws: 99 })).toMatchObject({ kind: 'notKnown' });
  const sure = [{ closing: [0.6, 0.4], winners: [0], profit: [0.1, 0.1] }];
  expect(luckOf({ markets: sure, seed: 1, redraws: 99 })).toMatchObject({
    kind: 'notKnown',
    reason: expect.stringMatching(/no luck in it/),
  });
});
