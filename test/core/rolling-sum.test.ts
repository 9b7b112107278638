/** Sums over a sliding span equal sums computed anew from a list. */

import { describe, expect, it } from 'vitest';
import { RollingSum } from '../../src/core/collections/rolling-sum.ts';
import { Random } from '../../src/core/number/random.ts';

describe('a rolling sum', () => {
  it.each([1, 2, 3, 4])('is that of the list, however rarely and for whatever span it is asked (seed %i)', (seed) => {
    const random = Random.fromSeed(seed);
    const keep = seed % 2 === 0 ? 60 : 2_000;
    const sums = new RollingSum({ bucketMs: 10, keep });
    const list: { bucket: number; amount: number }[] = [];
    let at = 1_000_000;
    const ask = (now: number, buckets: number, when: string): void => {
      const newest = Math.max(Math.floor(now / 10), list.at(-1)?.bucket ?? 0);
      const from = newest - buckets + 1;
      const expected = list.filter(({ bucket }) => bucket >= from).reduce((sum, { amount }) => sum + amount, 0);
      expect(sums.sum(now, buckets), when).toBe(expected);
    };
    for (let i = 0; i < 12_000; i += 1) {
      at += random.chance(0.02) ? -random.below(300) : random.below(30);
      if (random.chance(0.0005)) at += random.below(30_000);
      const amount = random.below(21) - 10;
      sums.add(at, amount);
      list.push({ bucket: Math.max(Math.floor(at / 10), list.at(-1)?.bucket ?? 0), amount });
      if (!random.chance(i % 4_000 < 2_000 ? 0.002 : 0.05)) continue;
      const now = at + (random.chance(0.3) ? random.below(40_000) : random.below(20)) - random.below(100);
      ask(now, 1 + random.below(keep), `step ${i} of seed ${seed}`);
    }
    const kept = sums.entries().reduce((sum, entry) => sum + entry.sum, 0);
    ask(at, keep, 'at the end');
    expect(kept).toBe(sums.sum(at, keep));
    expect(sums.entries().length).toBeLessThanOrEqual(keep);
  });

  it('refuses to look further back than it keeps', () => {
    expect(() => new RollingSum({ bucketMs: 1, keep: 10 }).sum(0, 11)).toThrow('only 10 buckets are kept');
  });
});
