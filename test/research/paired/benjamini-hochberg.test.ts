/** Adjusted p-values: the worked example, and the share of false discoveries in simulated cells. */

import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { adjustedPValues } from '../../../src/research/run/cells.ts';

test('they are those of R: p.adjust(c(…), "BH")', () => {
  // R 4.2.2: p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.5, 0.04, 0.9), "BH").
  const adjusted = adjustedPValues([0.01, 0.04, 0.03, 0.005, 0.5, 0.04, 0.9]);
  const expected = [0.035, 0.056, 0.056, 0.035, 0.583333333333333, 0.056, 0.9];
  adjusted.forEach((each, at) => {
    expect(each).toBeCloseTo(expected[at] ?? Number.NaN, 12);
  });
  expect(adjustedPValues([])).toHaveLength(0);
  expect(() => adjustedPValues([Number.NaN])).toThrow(/between 0 and 1/);
});

test('of the cells found at 5 %, one in twenty is chance at most', () => {
  const random = Random.fromSeed(1);
  let falseShare = 0;
  const repeats = 2_000;
  for (let each = 0; each < repeats; each += 1) {
    // Fifteen cells of chance, five of something.
    const adjusted = adjustedPValues(Array.from({ length: 20 }, (_, at) => random.uniform() * (at < 15 ? 1 : 0.004)));
    const found = adjusted.map((p, at) => (p <= 0.05 ? (at < 15 ? 1 : 2) : 0)).filter((kind) => kind > 0);
    if (found.length > 0) falseShare += found.filter((kind) => kind === 1).length / found.length;
  }
  expect(falseShare / repeats).toBeLessThan(0.05);
  expect(falseShare / repeats).toBeGreaterThan(0.02);
});
