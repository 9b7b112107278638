/** The caches hold at each message what a slow reader of the same lines holds, whatever happens to the line. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { CacheDuel } from '../../support/betfair/cache-duel.ts';
import { budget } from '../../support/budget.ts';

const SEEDS = budget({ brief: 20, each: 150, deep: 3_000 });
const STEPS = 60;

test('markets, orders and matches are those of the slow reader, and no order vanishes unnamed', () => {
  const sums: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const duel = new CacheDuel(Random.fromSeed(seed));
    try {
      for (let step = 0; step < STEPS; step += 1) duel.step();
      duel.finish();
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
    for (const [name, count] of Object.entries(duel.counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  // What the proof needs to have seen.
  for (const [name, count] of Object.entries(sums)) expect(count, name).toBeGreaterThan(0);
  if (process.env['ODDSMITH_DEEP'] === '1') process.stdout.write(`${SEEDS} seeds: ${JSON.stringify(sums)}\n`);
});
