/** Readers of the stream hold what the world holds, at every message, while seeded accounts and the exchange do all they can. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { budget } from '../../support/budget.ts';
import { type Play, StreamPlay } from '../../support/sandbox-betfair/stream-play.ts';

const SEEDS = budget({ brief: 1, each: 8, deep: 300 });
const STEPS = 100;

function playOf(seed: number, steps: number): Play {
  const play = new StreamPlay(Random.fromSeed(seed));
  for (let step = 0; step < steps; step += 1) {
    play.act();
    play.checkAll();
  }
  play.finish();
  return play.counts;
}

test('books, bets and matches of every reader are those of the world', () => {
  const sums: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const counts = playOf(seed, STEPS);
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  // What the proof needs to have seen.
  for (const [name, count] of Object.entries(sums)) expect(count, name).toBeGreaterThan(0);
});
