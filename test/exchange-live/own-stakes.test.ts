/** What of a live book is taken for our own, by the times of prices and of orders. */

import { describe, expect, test } from 'vitest';
import { type Instant, instant } from '../../src/core/number/units.ts';
import { FOR } from '../../src/core/side.ts';
import { MarketPrices } from '../../src/exchange-live/markets/market-prices.ts';
import { OwnStakes } from '../../src/exchange-live/markets/own-stakes.ts';
import { at, units } from '../risk/desk.ts';

const TICK = at(3);
const LEVEL = { outcome: 0, side: FOR, tick: TICK } as const;
const PLACE = { marketId: 'm', outcomeId: 'a', side: 'For', tick: TICK } as const;

/** The exchange's clock is so far ahead of ours. */
const AHEAD = 50_000;
const exchange = (ms: number): Instant => instant(AHEAD + ms);

function stage() {
  const prices = new MarketPrices(['a', 'b']);
  const own = new OwnStakes();
  return {
    own,
    /** An order of strategy 1: what of it rests since `atMs`, and when its document came. */
    order: (id: number, stake: number, atMs: number, knownAt: number) =>
      own.note({ id, strategy: 1, place: PLACE }, { stake: units(stake), at: exchange(atMs), knownAt }),
    /** A whole book that was asked for; nothing is known of the exchange's clock unless it says so. */
    read: (since: number, earliest = Number.NEGATIVE_INFINITY) =>
      prices.read([{ ...LEVEL, amount: units(20) }], { since, earliest }),
    told: (atMs: number, receivedAt: number) =>
      prices.tell({ ...LEVEL, amount: units(20) }, { at: exchange(atMs), receivedAt }),
    stakes: () => own.at(PLACE, (state) => prices.shows(LEVEL, state)).map(({ stake }) => stake / 1e6),
  };
}

describe('a book that was read', () => {
  test('holds an order from the first reading on that was asked for after its answer', () => {
    const { order, read, stakes } = stage();
    read(1_000);
    order(7, 5, 1_040, 1_100);
    expect(stakes()).toEqual([]);
    read(1_090);
    expect(stakes()).toEqual([]);
    read(1_100);
    expect(stakes()).toEqual([5]);
  });

  test('goes on holding what was matched or cancelled since it was asked for', () => {
    const { order, read, stakes } = stage();
    order(7, 5, 0, 10);
    order(8, 4, 0, 10);
    read(1_000);
    order(7, 2, 1_200, 1_300);
    order(8, 0, 1_200, 1_300);
    order(7, 1, 1_400, 1_500);
    expect(stakes()).toEqual([5, 4]);
    read(1_350);
    expect(stakes()).toEqual([2]);
    read(2_000);
    expect(stakes()).toEqual([1]);
  });

  test('shows what was so before it was asked for, as far as the exchange’s clock is known, however late the document came', () => {
    const { order, read, stakes } = stage();
    read(1_000, AHEAD + 900);
    order(7, 5, 899, 1_500);
    order(8, 4, 901, 1_500);
    expect(stakes()).toEqual([5]);
  });
});

describe('a streamed level', () => {
  test('shows an order by the times of the exchange alone, whichever came first', () => {
    const { order, read, told, stakes } = stage();
    read(0);
    told(2_000, 2_100);
    order(7, 5, 2_000, 2_300);
    order(8, 4, 2_001, 2_050);
    expect(stakes()).toEqual([5]);
    told(2_001, 2_400);
    expect(stakes()).toEqual([5, 4]);
    order(7, 0, 2_500, 2_600);
    expect(stakes()).toEqual([5, 4]);
    told(2_500, 2_700);
    expect(stakes()).toEqual([4]);
  });

  test('counts until a reading that was asked for later', () => {
    const { order, read, told, stakes } = stage();
    read(0);
    order(7, 5, 100, 200);
    told(50, 150);
    read(140);
    expect(stakes()).toEqual([]);
    read(200);
    expect(stakes()).toEqual([5]);
  });
});

test('an order that never rested, and one that is forgotten, are in no book', () => {
  const { own, order, read, stakes } = stage();
  order(7, 0, 0, 10);
  order(8, 4, 0, 10);
  read(1_000);
  expect(stakes()).toEqual([4]);
  own.forget(8);
  own.forget(7);
  expect(stakes()).toEqual([]);
});
