/** Winners drawn from closing probabilities: how often each wins, and exact expectations and variances. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { winnerDraw } from '../../../src/research/chance/winners.ts';
import { winnerSets } from '../../support/research/naive-winners.ts';

const DRAWS = 60_000;
/** Five standard errors of a share of the draws. */
const NEAR = 5 * Math.sqrt(0.25 / DRAWS);

function drawn(closing: readonly number[]): ReadonlyMap<string, number> {
  const draw = winnerDraw(closing);
  const random = Random.fromSeed(9);
  const into = new Uint32Array(draw.winners);
  const counts = new Map<string, number>();
  for (let each = 0; each < DRAWS; each += 1) {
    draw.draw(random, into);
    const key = [...into].sort((a, b) => a - b).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

test('one winner: each outcome as often as its closing probability says, and never one with none', () => {
  const closing = [0, 0.5, 0.2, 0, 0.3, 0];
  const counts = drawn(closing);
  closing.forEach((chance, outcome) => {
    expect(Math.abs((counts.get(`${outcome}`) ?? 0) / DRAWS - chance)).toBeLessThan(chance === 0 ? 1e-9 : NEAR);
  });
});

test('one winner: expectation and variance by hand', () => {
  const draw = winnerDraw([0.5, 0.3, 0.2]);
  expect(draw.expectation([10, -5, -5])).toBeCloseTo(2.5, 12);
  expect(draw.variance([10, -5, -5])).toBeCloseTo(0.5 * 7.5 ** 2 + 0.5 * 7.5 ** 2, 12);
  // Far from 0, no digits are lost.
  expect(draw.variance([1e9 + 10, 1e9 - 5, 1e9 - 5])).toBeCloseTo(56.25, 5);
});

const PLACES: readonly (readonly [string, readonly number[]])[] = [
  ['two of four', [0.8, 0.6, 0.4, 0.2]],
  ['three of seven', [0.9, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1]],
  ['one is sure, one cannot', [1, 0.5, 0.3, 0.2, 0]],
  ['three of four alike', [0.75, 0.75, 0.75, 0.75]],
];

test.each(PLACES)('several winners, %s: as many as the sum, each as often as it should', (_, closing) => {
  const counts = drawn(closing);
  const winners = Math.round(closing.reduce((sum, each) => sum + each, 0));
  const wins = closing.map(() => 0);
  for (const [key, count] of counts) {
    const set = key.split(',').map(Number);
    expect(new Set(set).size).toBe(winners);
    for (const outcome of set) wins[outcome] = (wins[outcome] ?? 0) + count;
  }
  closing.forEach((chance, outcome) => {
    expect(Math.abs((wins[outcome] ?? 0) / DRAWS - chance), `outcome ${outcome}`).toBeLessThan(NEAR);
  });
});

test.each(PLACES)('several winners, %s: the sets have the largest entropy, odds multiply', (_, closing) => {
  const winners = Math.round(closing.reduce((sum, each) => sum + each, 0));
  // Of that distribution, the chance of a set is a product of weights: found here by slow iteration over all sets.
  const sets = winnerSets(closing.length, winners).filter((set) =>
    closing.every((chance, at) => (chance === 1 ? set.includes(at) : chance > 0 || !set.includes(at))),
  );
  const weights = closing.map(() => 1);
  const chances = () => {
    const products = sets.map((set) => set.reduce((product, at) => product * (weights[at] ?? 1), 1));
    const all = products.reduce((sum, each) => sum + each, 0);
    return products.map((each) => each / all);
  };
  for (let round = 0; round < 3_000; round += 1) {
    const now = chances();
    closing.forEach((chance, at) => {
      if (chance === 0 || chance === 1) return;
      const has = sets.reduce((sum, set, which) => (set.includes(at) ? sum + (now[which] ?? 0) : sum), 0);
      weights[at] = ((weights[at] ?? 1) * (chance / (1 - chance))) / (has / (1 - has));
    });
  }
  const exact = chances();
  const counts = drawn(closing);
  sets.forEach((set, which) => {
    expect(Math.abs((counts.get(set.join()) ?? 0) / DRAWS - (exact[which] ?? 0)), set.join()).toBeLessThan(NEAR);
  });
  const draw = winnerDraw(closing);
  const amounts = closing.map((_, at) => (at * 7) % 5);
  const sums = sets.map((set) => set.reduce((sum, at) => sum + (amounts[at] ?? 0), 0));
  const mean = sums.reduce((sum, each, which) => sum + each * (exact[which] ?? 0), 0);
  const variance = sums.reduce((sum, each, which) => sum + (each - mean) ** 2 * (exact[which] ?? 0), 0);
  expect(draw.expectation(amounts)).toBeCloseTo(mean, 8);
  expect(draw.variance(amounts)).toBeCloseTo(variance, 8);
});

test('probabilities that sum to no whole number are a bug of the caller', () => {
  for (const closing of [[0.5, 0.4], [0.2, 0.1], [], [1.5, -0.5]]) {
    expect(() => winnerDraw(closing)).toThrow(/closing probabilit/);
  }
});
