import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOfTick, type Tick } from '../../src/core/number/ladder.ts';
import { kelly } from '../../src/index.ts';

describe('kelly', () => {
  const situation = fc.record({
    probability: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
    price: fc.integer({ min: 0, max: 300 }).map((tick) => decimalOfTick(tick as Tick)),
    commissionPercent: fc.constantFrom(0, 1, 2, 5),
    side: fc.constantFrom('For' as const, 'Against' as const),
  });

  it('grows the bankroll faster than any other stake on a grid', () => {
    fc.assert(
      fc.property(situation, (bet) => {
        const bankroll = 1000;
        const best = growth(bet, kelly({ ...bet, bankroll }) / bankroll);
        const liability = bet.side === 'For' ? 1 : bet.price - 1;
        for (let step = 0; step < 200; step += 1) {
          expect(best + 1e-7).toBeGreaterThanOrEqual(growth(bet, step / 200 / liability));
        }
      }),
    );
  });

  it('is nothing without an edge, and a part of the whole with a fraction', () => {
    expect(kelly({ probability: 0.5, price: 2, bankroll: 1000 })).toBe(0);
    expect(kelly({ probability: 0.45, price: 2, bankroll: 1000 })).toBe(0);
    expect(kelly({ probability: 0.55, price: 2, bankroll: 1000 })).toBe(100);
    expect(kelly({ probability: 0.55, price: 2, bankroll: 1000, fraction: 0.25 })).toBe(25);
    expect(kelly({ probability: 0.505, price: 2, bankroll: 1000, commissionPercent: 2 })).toBe(0);
    expect(kelly({ probability: 0.45, price: 2, bankroll: 1000, side: 'Against' })).toBe(100);
    expect(kelly({ probability: 0.55, price: 2, bankroll: -10 })).toBe(0);
  });

  it('refuses what is no probability, fraction, commission or price', () => {
    const fine = { probability: 0.5, price: 2, bankroll: 100 };
    for (const wrong of [
      { probability: 1.2 },
      { probability: Number.NaN },
      { fraction: 2 },
      { commissionPercent: -1 },
      { price: 1 },
    ]) {
      expect(() => kelly({ ...fine, ...wrong })).toThrow(RangeError);
    }
  });
});

/** Expected log growth of betting `stake`, a part of the bankroll. */
function growth(
  bet: { probability: number; price: number; commissionPercent: number; side: 'For' | 'Against' },
  stake: number,
): number {
  const kept = 1 - bet.commissionPercent / 100;
  const odds = bet.price - 1;
  const isFor = bet.side === 'For';
  const wins = 1 + stake * (isFor ? odds * kept : -odds);
  const loses = 1 + stake * (isFor ? -1 : kept);
  return weighted(bet.probability, wins) + weighted(1 - bet.probability, loses);
}

function weighted(chance: number, wealth: number): number {
  if (chance === 0) return 0;
  return chance * (wealth <= 0 ? Number.NEGATIVE_INFINITY : Math.log(wealth));
}
