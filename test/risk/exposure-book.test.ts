/** What the exposure book says of positions: known answers, life of a market, and its arithmetic at the edges. */

import { describe, expect, it } from 'vitest';
import { AssertionFailure } from '../../src/core/checks/assert.ts';
import { money } from '../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../src/core/side.ts';
import { ExposureBook, NO_STAKES, type Stakes } from '../../src/risk/exposure/exposure-book.ts';
import { lossInEventOf, lossInMarket } from '../support/risk/held-losses.ts';
import { lossesOf, type OrderSketch, order, units } from './desk.ts';

const ONE_WINNER = { min: 1, max: 1 };

function bookOf(outcomes = 3): ExposureBook {
  const book = new ExposureBook();
  book.openMarket({ market: 0, event: 'e0', outcomes, winners: ONE_WINNER });
  return book;
}

function stakes(unmatched: number, matched = 0, winnings = 0): Stakes {
  return { stakeUnmatched: units(unmatched), stakeMatched: units(matched), winningsMatched: units(winnings) };
}

/** Reserves the sketched orders one after another; the market's R after each. */
function requiredAfterEach(book: ExposureBook, sketches: readonly OrderSketch[]): number[] {
  return sketches.map((sketch) => {
    book.reserve(order(sketch), order(sketch).stake);
    return lossInMarket(book, 0);
  });
}

describe("the profile's known answers", () => {
  const forEach = (sketch: OrderSketch): OrderSketch[] => [0, 1, 2].map((outcome) => ({ ...sketch, outcome }));

  it('takes 10, 10 and nothing for three bets For, and gives 20 back when all have matched', () => {
    const book = bookOf();
    const sketches = forEach({ price: 3 });
    expect(requiredAfterEach(book, sketches)).toEqual([units(10), units(20), units(20)]);
    const required = sketches.map((sketch) => {
      book.change(order(sketch), stakes(10), stakes(0, 10, 20));
      return lossInMarket(book, 0);
    });
    expect(required).toEqual([units(20), units(20), 0]);
    expect([0, 1, 2].map((outcome) => book.profitIfWins({ market: 0, strategy: 0, outcome }))).toEqual([0, 0, 0]);
  });

  it('takes the largest of three bets Against, and no more', () => {
    expect(requiredAfterEach(bookOf(), forEach({ side: 'Against', price: 2 }))).toEqual(Array(3).fill(units(10)));
    expect(requiredAfterEach(bookOf(), forEach({ side: 'Against', price: 3 }))).toEqual(Array(3).fill(units(20)));
  });
});

describe('an order that matches piece by piece', () => {
  it('never raises what is required, and leaves no dust of truncated pieces', () => {
    const book = bookOf();
    const lay = order({ side: 'Against', price: 1.37, stake: 0.007 });
    book.reserve(lay, lay.stake);
    let held: Stakes = { ...NO_STAKES, stakeUnmatched: lay.stake };
    let required = lossInMarket(book, 0);
    expect(required).toBe(2_590);
    for (const piece of [1, 3, 17, 1_000, 979, 2_001, 2, 2_997]) {
      const next: Stakes = {
        stakeUnmatched: money(held.stakeUnmatched - piece),
        stakeMatched: money(held.stakeMatched + piece),
        winningsMatched: money(held.winningsMatched + Math.floor((piece * 37) / 100)),
      };
      book.change(lay, held, next);
      held = next;
      expect(lossInMarket(book, 0)).toBeLessThanOrEqual(required);
      required = lossInMarket(book, 0);
    }
    expect(held.stakeUnmatched).toBe(0);
    expect(required).toBe(held.winningsMatched);
    book.change(lay, held, NO_STAKES);
    expect(book.isZero()).toBe(true);
  });

  it('is changed by a report heard once and not by the same heard again', () => {
    const book = bookOf();
    book.reserve(order(), units(10));
    book.change(order(), stakes(10), stakes(4, 6, 7));
    const before = lossesOf(book, order(), 'before');
    book.change(order(), stakes(4, 6, 7), stakes(4, 6, 7));
    expect(lossesOf(book, order(), 'before')).toEqual(before);
  });

  it('keeps matched stake and winnings of each side, for the average price got', () => {
    const book = bookOf();
    book.change(order({ side: 'For' }), NO_STAKES, stakes(0, 10, 11));
    book.change(order({ side: 'For' }), NO_STAKES, stakes(0, 5, 10));
    book.change(order({ side: 'Against' }), NO_STAKES, stakes(0, 3, 2));
    const position = book.position(0, 0);
    expect(position?.matchedStake(0, FOR)).toBe(units(15));
    expect(position?.matchedWinnings(0, FOR)).toBe(units(21));
    expect(position?.matchedStake(0, AGAINST)).toBe(units(3));
    expect(position?.matchedWinnings(0, AGAINST)).toBe(units(2));
    expect(position?.matchedStake(1, FOR)).toBe(0);
  });

  it('follows a repriced match and a voided one', () => {
    const book = bookOf();
    const lay = order({ side: 'Against', price: 3 });
    book.change(lay, NO_STAKES, stakes(0, 10, 20));
    book.change(lay, stakes(0, 10, 20), stakes(0, 10, 15));
    expect(lossInMarket(book, 0)).toBe(units(15));
    book.change(lay, stakes(0, 10, 15), NO_STAKES);
    expect(book.isZero()).toBe(true);
  });
});

describe('a position', () => {
  it('is flat only without any stake, not when bets cancel each other out', () => {
    const book = bookOf();
    expect(book.isFlat(0, 0)).toBe(true);
    book.change(order({ side: 'For' }), NO_STAKES, stakes(0, 10, 10));
    book.change(order({ side: 'Against' }), NO_STAKES, stakes(0, 10, 10));
    expect(book.worstLoss(0, 0)).toBe(0);
    expect(book.isFlat(0, 0)).toBe(false);
    expect(book.isFlat(0, 1)).toBe(true);
  });

  it('is not flat while dust too small to lose anything may still match', () => {
    const book = bookOf();
    book.reserve(order({ side: 'Against', price: 1.01 }), money(50));
    expect(book.worstLoss(0, 0)).toBe(0);
    expect(book.isFlat(0, 0)).toBe(false);
  });

  it('loses the help of an outcome that is removed', () => {
    const book = bookOf();
    for (const outcome of [0, 1]) book.reserve(order({ outcome }), units(10));
    expect(lossInMarket(book, 0)).toBe(units(20));
    book.removeOutcome(0, 2);
    expect(lossInMarket(book, 0)).toBe(units(10));
    expect(book.lossOfStrategy(0)).toBe(units(10));
    expect(book.requiredOfWallet(0)).toBe(units(10));
    expect(lossInEventOf(book, 0)).toBe(units(10));
    book.reserve(order({ strategy: 1, outcome: 0 }), units(1));
    expect(book.worstLoss(0, 1)).toBe(units(1));
    book.reserve(order({ strategy: 1, outcome: 1 }), units(1));
    expect(book.worstLoss(0, 1)).toBe(units(1));
  });

  it('follows the number of winners when it becomes known', () => {
    const book = bookOf();
    for (const outcome of [0, 1]) book.reserve(order({ outcome, side: 'Against' }), units(10));
    expect(lossInMarket(book, 0)).toBe(units(10));
    book.setWinners(0, { min: 2, max: 2 });
    expect(lossInMarket(book, 0)).toBe(units(20));
    expect(book.requiredOfWallet(0)).toBe(units(20));
  });
});

describe('what if', () => {
  it('tells the same as sending the order does, and changes nothing', () => {
    const book = bookOf();
    book.change(order({ side: 'For', price: 4 }), NO_STAKES, stakes(0, 10, 30));
    for (const sketch of [{ side: 'Against', price: 2.5 }, { outcome: 1 }, { strategy: 1, wallet: 2 }] as const) {
      const what = order(sketch);
      const before = lossesOf(book, what, 'before');
      const predicted = lossesOf(book, what, 'after');
      expect(lossesOf(book, what, 'before')).toEqual(before);
      book.reserve(what, what.stake);
      expect(lossesOf(book, what, 'before')).toEqual(predicted);
    }
  });
});

describe('the life of a market', () => {
  it('forgets all that a closed market held, settled or not, and uses its slots again', () => {
    const book = bookOf(5);
    book.change(order({ outcome: 4 }), NO_STAKES, stakes(3, 7, 9));
    book.removeOutcome(0, 3);
    const slots = book.slotsInUse;
    book.closeMarket(0);
    expect(book.isOpen(0)).toBe(false);
    expect(book.isZero()).toBe(true);
    expect(book.slotsInUse).toBe(0);
    book.openMarket({ market: 1, event: 'e0', outcomes: 7, winners: ONE_WINNER });
    book.reserve(order({ market: 1, outcome: 3 }), units(10));
    expect(book.slotsInUse).toBe(slots);
    expect(lossInMarket(book, 1)).toBe(units(10));
    expect(book.lossOfStrategy(0)).toBe(units(10));
  });

  it('asserts on a market that is not open, opened twice or without outcomes', () => {
    const book = bookOf();
    expect(() => book.reserve(order({ market: 9 }), units(1))).toThrow(AssertionFailure);
    expect(() => book.openMarket({ market: 0, event: 'e0', outcomes: 3, winners: ONE_WINNER })).toThrow(
      AssertionFailure,
    );
    expect(() => book.openMarket({ market: 1, event: 'e0', outcomes: 0, winners: ONE_WINNER })).toThrow(
      AssertionFailure,
    );
  });

  it('asserts on an outcome that the market does not have', () => {
    expect(() => bookOf(3).reserve(order({ outcome: 3 }), units(1))).toThrow(AssertionFailure);
  });
});
