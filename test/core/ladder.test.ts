/** The price ladder equals a second, independent spelling of profile section 3. */

import { describe, expect, it } from 'vitest';
import {
  decimalOfTick,
  priceOfTick,
  TICK_COUNT,
  tick,
  tickAtOrAbove,
  tickAtOrBelow,
  tickOfDecimal,
  tickOfPrice,
} from '../../src/core/number/ladder.ts';
import { price } from '../../src/core/number/units.ts';
import { AGAINST, betterTick, crosses, FOR, isBetter, worseStep } from '../../src/core/side.ts';

const BANDS = [
  [1.01, 2, 0.01, 100],
  [2.02, 3, 0.02, 50],
  [3.05, 4, 0.05, 20],
  [4.1, 6, 0.1, 20],
  [6.2, 10, 0.2, 20],
  [10.5, 20, 0.5, 20],
  [21, 30, 1, 10],
  [32, 50, 2, 10],
  [55, 100, 5, 10],
  [110, 1000, 10, 90],
] as const;
const LADDER = BANDS.flatMap(([first, , step, count]) =>
  Array.from({ length: count }, (_, i) => Math.round((first + i * step) * 1000) / 1000),
);

describe('the ladder', () => {
  it('has the 350 prices of the profile, in order, ending each band where the profile does', () => {
    expect(TICK_COUNT).toBe(350);
    expect(Array.from({ length: TICK_COUNT }, (_, index) => decimalOfTick(tick(index)))).toEqual(LADDER);
    let end = -1;
    for (const [, last, , count] of BANDS) {
      end += count;
      expect(LADDER[end]).toBe(last);
    }
  });

  it('finds the tick of a price, of a decimal, and of what lies between', () => {
    LADDER.forEach((decimal, index) => {
      expect(tickOfDecimal(decimal)).toBe(index);
      expect(tickOfPrice(priceOfTick(tick(index)))).toBe(index);
      expect([tickAtOrBelow(priceOfTick(tick(index))), tickAtOrAbove(priceOfTick(tick(index)))]).toEqual([
        index,
        index,
      ]);
      expect(tickAtOrBelow(priceOfTick(tick(index)) + 1)).toBe(index);
      expect(tickAtOrAbove(priceOfTick(tick(index)) + 1)).toBe(index + 1);
    });
    expect(tickAtOrBelow(1009)).toBe(-1);
  });

  it('has no tick for what is no price on it', () => {
    for (const decimal of [1, 1.005, 2.01, 2.0200001, 3.01, 1010, 0, -2, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(tickOfDecimal(decimal)).toBeUndefined();
    }
    expect(tickOfPrice(price(2010))).toBeUndefined();
  });
});

describe('sides', () => {
  it('put the best For taker’s price highest and the best Against taker’s price lowest', () => {
    expect([isBetter(AGAINST, 5, 4), isBetter(FOR, 5, 4)]).toEqual([true, false]);
    expect([betterTick(AGAINST, 5, 4), betterTick(FOR, 5, 4), betterTick(FOR, -1, 4)]).toEqual([5, 4, 4]);
    expect([worseStep(AGAINST), worseStep(FOR)]).toEqual([-1, 1]);
    expect([crosses(FOR, 10, 10), crosses(FOR, 10, 9), crosses(AGAINST, 10, 10), crosses(AGAINST, 10, 11)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});
