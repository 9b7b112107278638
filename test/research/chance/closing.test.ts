/** Closing probabilities of prices: win and place markets, and books that are none. */

import { expect, test } from 'vitest';
import { closingOf } from '../../../src/research/chance/closing.ts';
import { known } from '../../support/research/known.ts';

test('closing probabilities: the margin is taken off in proportion, and place chances stay at 1 at most', () => {
  const win = known(closingOf([2, undefined, 4, 3.8], 1));
  expect(win.book).toBeCloseTo(0.5 + 0.25 + 1 / 3.8, 12);
  expect(win.probabilities[1]).toBe(0);
  expect(win.probabilities[0]).toBeCloseTo(0.5 / win.book, 12);
  const place = known(closingOf([1.01, 1.5, 4, 6], 2));
  expect(place.probabilities.reduce((sum, each) => sum + each, 0)).toBeCloseTo(2, 12);
  expect(Math.max(...place.probabilities)).toBeLessThanOrEqual(1);
  const sure = known(closingOf([1.001, 2.4, 3, 10, 12], 2));
  expect(sure.probabilities[0]).toBe(1);
  expect(sure.probabilities.reduce((sum, each) => sum + each, 0)).toBeCloseTo(2, 12);
});

test.each([
  ['too few prices', [2, undefined], 2, /fewer closing prices/],
  ['an impossible price', [0.5, 2], 1, /below 1/],
  ['half a book', [4, 5], 1, /sum to 45 %/],
] as const)('closing probabilities of %s are not known', (_, prices, winners, reason) => {
  expect(closingOf(prices, winners)).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(reason) });
});
