/** Closing probabilities of prices: win and place markets, and books that are none. */

import { expect, test } from 'vitest';
import { bookPriceOf, closingOf, closingOfRunners } from '../../../src/research/chance/closing.ts';
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

test.each([
  ['the middle, in chances', { bestFor: 4, bestAgainst: 3.9, lastPrice: 3.95 }, 2 / (1 / 4 + 1 / 3.9)],
  [
    'the last traded price between best prices that are far apart',
    { bestFor: 10, bestAgainst: 3.4, lastPrice: 3.45 },
    3.45,
  ],
  ['held between them', { bestFor: 10, bestAgainst: 3.4, lastPrice: 2.5 }, 3.4],
  ['held between them from above', { bestFor: 10, bestAgainst: 3.4, lastPrice: 12 }, 10],
  ['the middle where nothing was traded', { bestFor: 10, bestAgainst: 2.5 }, 4],
  ['the last traded price where a side is empty', { bestFor: 10, lastPrice: 7 }, 7],
  ['nothing where there is neither', { bestFor: 10 }, undefined],
])('the price of a runner in the book is %s', (_, preOff, price) => {
  expect(bookPriceOf({ preOff })).toEqual(price === undefined ? undefined : expect.closeTo(price, 12));
});

test('runners are judged by starting prices where each has one that makes a market, else by the book', () => {
  const book = [{ preOff: { lastPrice: 4 } }, { preOff: { lastPrice: 4 / 3 } }] as const;
  const chances = (first: number | undefined, second: number | undefined) => {
    const closing = closingOfRunners(
      [
        { ...book[0], startingPrice: first },
        { ...book[1], startingPrice: second },
      ],
      { places: 1, winners: 1 },
    );
    return closing.kind === 'closing' ? closing.probabilities[0] : closing.reason;
  };
  expect(chances(2, 2)).toBeCloseTo(0.5, 12);
  expect(chances(2, undefined)).toBeCloseTo(0.25, 12);
  expect(chances(20, 20)).toBeCloseTo(0.25, 12);
  expect(closingOfRunners([{ startingPrice: 2 }, {}], { places: 1, winners: 1 })).toEqual({
    kind: 'notKnown',
    reason: 'A runner had neither a starting price nor a price before the off.',
  });
});
