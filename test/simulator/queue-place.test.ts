/** How far an order moves up by cancellations, and how far its own size shifts it. */

import { describe, expect, it } from 'vitest';
import type { CancellationRule } from '../../src/simulator/overlay/fill-rules.ts';
import { aheadAfterFall, marginOfSize } from '../../src/simulator/overlay/queue-place.ts';
import { Random } from '../support/random.ts';

const UNIT = 1_000_000;
const RULES: readonly CancellationRule[] = [
  ...(['pro-rata', 'ahead', 'behind', 'log'] as const),
  ...[0.25, 0.5, 1, 2, 8].map((power) => ({ power })),
];

describe('stake that left without a trade', () => {
  // 30 ahead and 70 behind; 20 leave.
  it.each<[string, CancellationRule, number]>([
    ['pro-rata: 30 of 100', 'pro-rata', 24],
    ['ahead', 'ahead', 10],
    ['behind', 'behind', 30],
    ['power 1 is pro-rata', { power: 1 }, 24],
    // 900 of 900 + 4900
    ['power 2: the larger part loses more than its share', { power: 2 }, 30 - 20 * (900 / 5800)],
    ['power 0.5: the smaller part does', { power: 0.5 }, 30 - 20 * (Math.sqrt(30) / (Math.sqrt(30) + Math.sqrt(70)))],
    ['log', 'log', 30 - 20 * (Math.log(31) / (Math.log(31) + Math.log(71)))],
  ])('by %s', (_, rule, ahead) => {
    const after = aheadAfterFall(rule, { ahead: 30 * UNIT, from: 100 * UNIT, to: 80 * UNIT });
    expect(after / UNIT).toBeCloseTo(ahead, 5);
    expect(Number.isInteger(after)).toBe(true);
  });

  it('leaves every rule between ahead and behind, and rounds against us', () => {
    const random = new Random(1);
    for (let seed = 0; seed < 5_000; seed += 1) {
      const from = random.between(1, 5_000);
      const at = { ahead: random.between(0, from), from, to: random.between(0, from) };
      const [least, most] = [aheadAfterFall('ahead', at), aheadAfterFall('behind', at)];
      for (const rule of RULES) {
        const after = aheadAfterFall(rule, at);
        expect(after, JSON.stringify([rule, at])).toBeGreaterThanOrEqual(least);
        expect(after, JSON.stringify([rule, at])).toBeLessThanOrEqual(most);
      }
      expect(aheadAfterFall({ power: 1 }, at)).toBe(aheadAfterFall('pro-rata', at));
    }
  });
});

describe('the shift by an order’s own size', () => {
  it.each([
    [10, 0, 20],
    [10, 10, 20],
    [10, 5, 20],
    [10, 20, 10],
    [10, 1000, 0.2],
    [0.1, 1000, 0.00002],
  ])('of %d at a level of %d is %d', (stake, level, shift) => {
    expect(marginOfSize(stake * UNIT, level * UNIT)).toBe(shift * UNIT);
  });

  it('is exact where the product leaves what a double holds', () => {
    expect(marginOfSize(9_000_000_000_001, 9_000_000_000_002)).toBe(18_000_000_000_001);
  });
});
