/** Closing value, fill bias and cost split of bets that are worked out by hand. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { closingValueOf, type PricedBet } from '../../../src/research/run/closing-value.ts';
import { costSplitOf } from '../../../src/research/run/cost-split.ts';
import { middlePrice, valuePerStake } from '../../../src/research/run/expected-value.ts';
import { fillBiasOf } from '../../../src/research/run/fill-bias.ts';
import { known } from '../../support/research/known.ts';

const OPTIONS = { seed: 1, resamples: 1_000, level: 0.95 };
const bet = (parts: Partial<PricedBet>): PricedBet => ({
  eventGroup: 'a',
  side: 'For',
  price: 2,
  stake: 10,
  closing: 2,
  ...parts,
});

test.each([
  ['For', 2.1, 2, 0.05],
  ['For', 1.9, 2, -0.05],
  ['Against', 1.9, 2, 0.05],
  ['Against', 2.1, 2, -0.05],
  ['For', 30, 20, 0.5],
] as const)('%s at %d where %d is fair is worth %d a unit of stake', (side, price, fairPrice, value) => {
  expect(valuePerStake({ side, price, fairPrice })).toBeCloseTo(value, 12);
  // By the expectation itself: the outcome wins once in `fairPrice` times.
  const chance = 1 / fairPrice;
  const backs = chance * (price - 1) - (1 - chance);
  expect(valuePerStake({ side, price, fairPrice })).toBeCloseTo(side === 'For' ? backs : -backs, 12);
});

test('closing value: money, per cent of stake, and an interval by event group', () => {
  const bets = [
    bet({ price: 2.2 }),
    bet({ eventGroup: 'b', side: 'Against', price: 1.8, stake: 20 }),
    bet({ eventGroup: 'c', price: 5, closing: 5.5, stake: 11 }),
  ];
  const found = known(closingValueOf(bets, OPTIONS));
  expect(found.money).toBeCloseTo(1 + 2 - 1, 12);
  expect(found.percent).toBeCloseTo((2 / 41) * 100, 12);
  expect(found).toMatchObject({ stake: 41, bets: 3 });
  expect(found.interval).toMatchObject({ kind: 'notKnown', reason: expect.stringMatching(/^3 event groups/) });
});

test('a hundred bets of one event are one observation, and not a hundred', () => {
  const random = Random.fromSeed(1);
  const apart = Array.from({ length: 200 }, (_, at) => bet({ eventGroup: `${at}`, price: 2 + random.normal() / 10 }));
  const together = apart.map((each, at) => ({
    ...each,
    price: apart[at - (at % 20)]?.price ?? 2,
    eventGroup: `${at - (at % 20)}`,
  }));
  const widthOf = (bets: readonly PricedBet[]) => {
    const { interval } = known(closingValueOf(bets, OPTIONS));
    return known(interval).high - known(interval).low;
  };
  expect(widthOf(together)).toBeGreaterThan(2.5 * widthOf(apart));
});

test('no bet, and no stake, are not known', () => {
  expect(closingValueOf([], OPTIONS)).toMatchObject({ kind: 'notKnown', reason: 'No bet has a closing price.' });
  expect(closingValueOf([bet({ stake: 0 })], OPTIONS)).toMatchObject({ kind: 'notKnown' });
});

test('fill bias: orders that are filled when they are wrong', () => {
  const random = Random.fromSeed(2);
  const filled: PricedBet[] = [];
  const unfilled: PricedBet[] = [];
  for (let at = 0; at < 60; at += 1) {
    // The price falls after half of the intents; those that it rises through are matched.
    const closing = 2 + (random.uniform() - 0.5) / 5;
    (closing > 2 ? filled : unfilled).push(bet({ eventGroup: `${at % 25}`, closing }));
  }
  const { filledPercent, unfilledPercent, difference } = known(fillBiasOf({ filled, unfilled, ...OPTIONS }));
  expect(filledPercent).toBeLessThan(0);
  expect(unfilledPercent).toBeGreaterThan(0);
  expect(known(difference).estimate).toBeCloseTo(filledPercent - unfilledPercent, 12);
  expect(known(difference).high).toBeLessThan(0);
  // Taken by chance, there is none.
  const all = [...filled, ...unfilled];
  const even = known(
    fillBiasOf({
      filled: all.filter((_, at) => at % 2 === 0),
      unfilled: all.filter((_, at) => at % 2 === 1),
      ...OPTIONS,
    }),
  );
  expect(known(even.difference).low).toBeLessThan(0);
  expect(known(even.difference).high).toBeGreaterThan(0);
  expect(fillBiasOf({ filled, unfilled: [], ...OPTIONS })).toMatchObject({
    reason: 'Nothing that arrived before the off was left unfilled.',
  });
  expect(fillBiasOf({ filled: [], unfilled, ...OPTIONS })).toMatchObject({
    reason: 'Nothing was filled before an off whose prices the recording shows.',
  });
});

test('cost split: spread, delay and commission add up to what was given up against the middle', () => {
  const book = { bestFor: 2, bestAgainst: 2.04 };
  const middle = middlePrice(book);
  expect(1 / middle).toBeCloseTo((1 / 2 + 1 / 2.04) / 2, 12);
  // Taken as seen: no delay.
  const taken = known(costSplitOf([{ side: 'For', price: 2, stake: 100, ...book }], 0.5));
  expect(taken.spread).toBeCloseTo(100 * (1 - 2 / middle), 12);
  expect(taken).toMatchObject({ delay: 0, commission: 0.5 });
  expect(taken.total).toBeCloseTo(taken.spread + 0.5, 12);
  expect(taken.percent).toBeCloseTo(taken.total, 12);
  // The price went away by one tick until the order arrived.
  const late = known(costSplitOf([{ side: 'For', price: 1.98, stake: 100, ...book }], 0));
  expect(late.spread).toBeCloseTo(taken.spread, 12);
  expect(late.delay).toBeCloseTo((100 * 0.02) / middle, 12);
  // An order that waited on the other side earned the spread.
  const maker = known(costSplitOf([{ side: 'For', price: 2.04, stake: 100, ...book }], 0));
  expect(maker.total).toBeLessThan(0);
  // Laying is the mirror image.
  const lay = known(costSplitOf([{ side: 'Against', price: 2.04, stake: 100, ...book }], 0));
  expect(lay.spread).toBeCloseTo(100 * (2.04 / middle - 1), 12);
  expect(costSplitOf([], 0)).toMatchObject({ kind: 'notKnown', reason: 'Nothing was matched.' });
});
