/** Money and price arithmetic against exact integers of any size. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Money,
  money,
  moneyFromDecimal,
  moneyToDecimal,
  mulDiv,
  mulDivCeil,
  mulDivFloor,
  price,
  profitAt,
} from '../../src/core/number/units.ts';

const stakes = fc.integer({ min: 0, max: 9_000_000_000_000 });
const prices = fc.integer({ min: 1001, max: 1_000_000 });
const safe = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

describe('profit at a price', () => {
  it('is stake × (price − 1) truncated, without leaving 2⁵³', () => {
    fc.assert(
      fc.property(stakes, prices, (stake, at) => {
        const exact = BigInt(stake) * BigInt(at - 1000);
        fc.pre(exact / 1000n < BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(profitAt(stake as Money, price(at)))).toBe(exact / 1000n);
      }),
      { numRuns: 5000 },
    );
  });

  it('truncates toward zero for what is taken back', () => {
    expect(profitAt(-1_001 as Money, price(1_500))).toBe(-500);
    expect(profitAt(1_001 as Money, price(1_500))).toBe(500);
  });
});

describe('a × b ÷ c', () => {
  it('equals exact integers, truncated, floored and ceiled', () => {
    const divisors = fc.integer({ min: 1, max: 1_000_000_007 });
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 1_000_000 }), divisors, (a, b, c) => {
        const exact = BigInt(a) * BigInt(b);
        const truncated = exact / BigInt(c);
        fc.pre(truncated > -(2n ** 53n) && truncated < 2n ** 53n);
        const floor = exact % BigInt(c) !== 0n && exact < 0n ? truncated - 1n : truncated;
        expect(BigInt(mulDiv(a, b, c))).toBe(truncated);
        expect(BigInt(mulDivFloor(a, b, c))).toBe(floor);
        if (a >= 0) expect(BigInt(mulDivCeil(a, b, c))).toBe((exact + BigInt(c) - 1n) / BigInt(c));
      }),
      { numRuns: 5000 },
    );
  });

  it('is rounded up exactly where the product is beyond 2⁵³, of whole hundredths and of others', () => {
    const stake = fc.integer({ min: 1, max: 10 ** 12 });
    const off = fc.constantFrom(0, 0, 1, 9_999);
    fc.assert(
      fc.property(
        stake,
        fc.integer({ min: 0, max: 10 ** 8 }),
        fc.integer({ min: 1, max: 10 ** 8 }),
        off,
        (a, b, c, by) => {
          const [times, over] = [b * 10_000, c * 10_000 + by];
          const exact = (BigInt(a) * BigInt(times) + BigInt(over) - 1n) / BigInt(over);
          fc.pre(exact < 2n ** 53n);
          expect(BigInt(mulDivCeil(a, times, over))).toBe(exact);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

describe('decimals', () => {
  it('come back as the same money, up to 2³³ units', () => {
    const amounts = fc.integer({ min: -(2 ** 33) * 1_000_000, max: 2 ** 33 * 1_000_000 });
    fc.assert(
      fc.property(amounts, (micros) => {
        expect(moneyFromDecimal(moneyToDecimal(money(micros)))).toBe(micros === 0 ? 0 : micros);
      }),
      { numRuns: 5000 },
    );
    expect(moneyFromDecimal(4383318860.542027)).toBe(4383318860542027);
  });

  it('that are no money are undefined', () => {
    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, 1e308, 1e10]) {
      expect(moneyFromDecimal(amount)).toBeUndefined();
    }
  });
});
