/** An instant in words, in the address, and in the time line. */

import { expect, test } from 'vitest';
import { addressText, readAddress } from '../../../src/web/view/play/address.ts';
import { offText, stateAt, stateWords } from '../../../src/web/view/play/moment.ts';
import { axisPrices, ladderPrices } from '../../../src/web/view/play/price-places.ts';
import { shortStakeText, stakeText } from '../../../src/web/view/play/stake-text.ts';
import { following, moved, timePlaces, valuePlaces, within } from '../../../src/web/view/time-line/span.ts';
import { usualSpans } from '../../../src/web/view/time-line/usual-spans.ts';
import { madeMarket, madeOrder, madeState } from '../../support/view/made-view.ts';

const OFF = 10_000_000;
const STATES = [
  madeState({ at: 0 }),
  madeState({ at: OFF + 1_000, suspended: true }),
  madeState({ at: OFF + 5_000, inPlay: 'InPlay', inPlayDelayMs: 5_000 }),
  madeState({ at: OFF + 900_000, inPlay: 'InPlay', inPlayDelayMs: 5_000, suspended: true }),
  madeState({ at: OFF + 950_000, inPlay: 'InPlay', status: 'Settled' }),
];

test.each([
  [OFF - 3_600_000, '−1:00:00 to the off', ['open']],
  [OFF - 96_001, '−01:37 to the off', ['open']],
  [OFF, '−00:00 to the off', ['open']],
  [OFF + 3_500, '+00:03 after the planned off', ['suspended']],
  [OFF + 195_000, 'in play +03:10', ['open', 'in play', 'bet delay 5 s']],
  [OFF + 905_000, 'in play +15:00', ['suspended', 'in play', 'bet delay 5 s']],
  [OFF + 950_000, '+15:45 after the off', ['settled']],
])('at %i it is said how far it is from the off, and what can be done', (at, off, words) => {
  const market = madeMarket({ startsAt: OFF, states: STATES });
  expect(offText(market, at)).toBe(off);
  expect(stateWords(stateAt(STATES, at)).map(({ text }) => text)).toEqual(words);
});

test('a market without a start says none, and its removed outcomes are counted', () => {
  expect(offText({ startsAt: undefined, states: [] }, 5)).toBeUndefined();
  expect(stateWords(undefined).map(({ text }) => text)).toEqual(['not known yet']);
  const removed = madeState({ outcomes: ['Removed', 'Active', 'Removed'] });
  expect(stateWords(removed).map(({ text }) => text)).toEqual(['open', '2 outcomes removed']);
});

test('an address comes back as it was written, and what it does not know is left out', () => {
  const address = { market: 'a&b=#1', at: 1_700_000_000_123, outcomes: ['x,y', '<z>'], speed: 'each' } as const;
  expect(readAddress(addressText(address))).toEqual(address);
  expect(readAddress('#m=1&t=soon&s=7')).toEqual({ market: '1', at: undefined, outcomes: [], speed: undefined });
  expect(readAddress('#market=5')).toMatchObject({ market: '5' });
  expect(readAddress('#/')).toMatchObject({ market: undefined });
});

test('a ladder has every price of the exchange, the highest first, and others between them', () => {
  const prices = ladderPrices([2_345, 2_500, 2_345]);
  expect(prices).toHaveLength(351);
  expect([prices[0], prices.at(-1)]).toEqual([1_000_000, 1_010]);
  expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  expect(prices.filter((price) => price === 2_345)).toHaveLength(1);
});

test('a market with prices of its own has these rows and no others', () => {
  expect(ladderPrices([], [500, 1_500, 240_500])).toEqual([240_500, 1_500, 500]);
});

test.each([
  [1.5, 3.2],
  [1.01, 1000],
  [2.02, 2.3],
  [4.9, 5.1],
])('the prices of an axis from %f to %f are round, rising, inside and few', (from, to) => {
  const prices = axisPrices(from, to, 6);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
  expect(prices.length).toBeGreaterThan(1);
  expect(prices.length).toBeLessThanOrEqual(9);
  for (const price of prices) {
    expect(price).toBeGreaterThanOrEqual(from);
    expect(price).toBeLessThanOrEqual(to);
    expect(Number(price.toPrecision(3))).toBe(price);
  }
});

test('a zoomed time line stays inside of the market and follows what is played', () => {
  const whole = { from: 0, to: 1_000 };
  expect(within({ from: 700, to: -50 }, whole)).toEqual({ from: 0, to: 700 });
  expect(within({ from: 500, to: 501 }, whole)).toEqual({ from: 490.5, to: 510.5 });
  expect(moved({ from: 800, to: 1_000 }, whole, [0.5, 0.5])).toEqual({ from: 800, to: 1_000 });
  expect(moved({ from: 400, to: 600 }, whole, [0.25, -0.25])).toEqual({ from: 450, to: 550 });
  expect(following({ from: 100, to: 200 }, whole, 150)).toEqual({ from: 100, to: 200 });
  expect(following({ from: 100, to: 200 }, whole, 208)).toEqual({ from: 200, to: 300 });
  expect(following({ from: 100, to: 200 }, whole, 92)).toEqual({ from: 0, to: 100 });
});

test.each([
  [0.000_053, '<0.01', '<0.01'],
  [0.28, '0.28', '0.28'],
  [12.345_678, '12.35', '12'],
  [999.5, '999.5', '1,000'],
  [2_457.59, '2,458', '2,458'],
  [123_456.7, '123k', '123k'],
])('a stake of %f is written as %s, and shorter as %s', (stake, text, short) => {
  expect([stakeText(stake), shortStakeText(stake)]).toEqual([text, short]);
});

test('a market is looked at whole, up to the off, or where own orders were', () => {
  const orders = [madeOrder({ decidedAt: 200, arrivedAt: 210, endedAt: 300 })];
  const states = [madeState({}), madeState({ at: 600, inPlay: 'InPlay' })];
  expect(usualSpans(madeMarket({ orders, states }))).toEqual([
    { label: 'Own orders', span: { from: 195, to: 305 } },
    { label: 'To the off', span: { from: 0, to: 600 } },
  ]);
  expect(usualSpans(madeMarket({ startsAt: 400 }))).toEqual([{ label: 'To the off', span: { from: 0, to: 400 } }]);
  expect(usualSpans(madeMarket({ startsAt: undefined }))).toEqual([]);
});

test('places of axes are round', () => {
  expect(timePlaces({ from: 61_000, to: 300_000 }, 5)).toEqual({ places: [120, 180, 240, 300], step: 60 });
  expect(timePlaces({ from: 0, to: 100 }, 5)).toMatchObject({ step: 0.05 });
  expect(valuePlaces(-0.13, 0.31, 4)).toEqual([0, 0.2]);
  expect(valuePlaces(3, 3, 4)).toEqual([3]);
});
