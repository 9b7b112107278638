/** Positions as amounts over winners: beside the bets themselves, for every set of winners. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { positionProfits } from '../../../src/research/chance/position-profits.ts';
import { winnerSets } from '../../support/research/naive-winners.ts';

test('the amounts of the winners sum to the profit of all bets, whichever outcomes win', () => {
  const random = Random.fromSeed(1);
  for (const winners of [1, 2, 3]) {
    const ifWins = Array.from({ length: 5 }, () => random.below(41) - 20);
    const ifLoses = Array.from({ length: 5 }, () => random.below(41) - 20);
    const amounts = positionProfits({ winners, ifWins, ifLoses });
    for (const set of winnerSets(5, winners)) {
      const profit = ifWins.reduce((sum, wins, at) => sum + (set.includes(at) ? wins : (ifLoses[at] ?? 0)), 0);
      expect(set.reduce((sum, at) => sum + (amounts[at] ?? 0), 0)).toBeCloseTo(profit, 10);
    }
  }
});

test('with one winner they are the profit if that outcome wins', () => {
  // A back of 10 at 3 on the first outcome, a lay of 5 at 4 of the second.
  const amounts = positionProfits({ winners: 1, ifWins: [20, -15, 0], ifLoses: [-10, 5, 0] });
  expect([...amounts]).toEqual([25, -25, -5]);
});

test('more winners than outcomes are a bug of the caller', () => {
  expect(() => positionProfits({ winners: 3, ifWins: [1, 1], ifLoses: [0, 0] })).toThrow(/1 to 2 winners/);
});
