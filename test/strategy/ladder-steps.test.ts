import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOfTick, TICK_COUNT, type Tick } from '../../src/core/number/ladder.ts';
import { roundToLadder, ticksAway, ticksBetween } from '../../src/index.ts';

describe('ladder steps', () => {
  const ladder = Array.from({ length: TICK_COUNT }, (_, tick) => decimalOfTick(tick as Tick));

  it('step along all 350 prices and stop at the ends', () => {
    for (const [tick, price] of ladder.entries()) {
      expect(ticksAway(price, 1)).toBe(ladder[Math.min(tick + 1, TICK_COUNT - 1)]);
      expect(ticksAway(price, -1)).toBe(ladder[Math.max(tick - 1, 0)]);
      expect(ticksBetween(ladder[0] ?? 0, price)).toBe(tick);
      for (const way of ['up', 'down', 'nearest'] as const) expect(roundToLadder(price, way)).toBe(price);
    }
    expect(ticksAway(2, 1e9)).toBe(1000);
  });

  it('round as the slow way does', () => {
    fc.assert(
      fc.property(fc.double({ min: 1.011, max: 999, noNaN: true }), (price) => {
        const below = ladder.findLast((step) => step <= price) ?? Number.NaN;
        const above = ladder.find((step) => step >= price) ?? Number.NaN;
        if (Math.min(price - below, above - price) < 1e-8) return;
        expect(roundToLadder(price, 'down')).toBe(below);
        expect(roundToLadder(price, 'up')).toBe(above);
        expect(Math.abs(roundToLadder(price) - price)).toBeCloseTo(Math.min(price - below, above - price), 9);
        expect(ticksAway(price, 1)).toBe(above);
        expect(ticksAway(price, -1)).toBe(below);
      }),
    );
  });

  it('know no price beyond the ladder, but the nearest', () => {
    expect(roundToLadder(1.005, 'down')).toBeNaN();
    expect(roundToLadder(1001, 'up')).toBeNaN();
    expect(roundToLadder(0)).toBe(1.01);
    expect(roundToLadder(1e6)).toBe(1000);
    for (const way of ['up', 'down', 'nearest'] as const) expect(roundToLadder(Number.NaN, way)).toBeNaN();
    expect(ticksAway(Number.NaN, 1)).toBeNaN();
  });
});
