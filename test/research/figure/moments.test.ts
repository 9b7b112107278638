/** Moments of a row of figures, by the textbook sums. */

import { expect, test } from 'vitest';
import { meanOf, momentsOf, sumOf } from '../../../src/research/figure/moments.ts';

test('mean, deviation, skewness and kurtosis are those of the textbook', () => {
  // By hand: mean 3, squares 4+1+0+1+4+... of 1, 2, 3, 4, 10 about 4.
  const { count, mean, deviation, skewness, kurtosis } = momentsOf([1, 2, 3, 4, 10]);
  expect([count, mean]).toEqual([5, 4]);
  expect(deviation).toBeCloseTo(Math.sqrt(50 / 4), 12);
  expect(skewness).toBeCloseTo((-27 - 8 - 1 + 0 + 216) / 5 / 10 ** 1.5, 12);
  expect(kurtosis).toBeCloseTo((81 + 16 + 1 + 0 + 1296) / 5 / 100, 12);
});

test('figures that are all the same do not deviate, whatever their mean rounds to', () => {
  expect(momentsOf([0.1, 0.1, 0.1])).toEqual({ count: 3, mean: 0.1, deviation: 0, skewness: 0, kurtosis: 3 });
  expect(momentsOf([7])).toEqual({ count: 1, mean: 7, deviation: 0, skewness: 0, kurtosis: 3 });
});

test('a sum keeps what is small beside what is large', () => {
  expect(sumOf([1e16, 1, -1e16])).toBe(1);
  expect(sumOf(new Float64Array(10_000).fill(0.1))).toBe(1_000);
  expect(meanOf(Float64Array.of(1, 2))).toBe(1.5);
});
