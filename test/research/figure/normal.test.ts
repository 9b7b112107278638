/** The normal distribution beside jstat, and in the tails beside R, whose answers are exact to the last digit. */

import { expect, test } from 'vitest';
import { normalAbove, normalCdf, normalQuantile } from '../../../src/research/figure/normal.ts';
import { jstat } from '../../support/research/jstat.ts';

/** R 4.2.2: format(pnorm(x), digits = 17) and format(qnorm(p), digits = 17). */
const PNORM: readonly (readonly [number, number])[] = [
  [-37, 5.7255712225245771e-300],
  [-20, 2.7536241186062337e-89],
  [-12.5, 3.7325642988777138e-36],
  [-8, 6.2209605742717849e-16],
  [-5.5, 1.8989562465887721e-8],
  [-3, 0.0013498980316300946],
  [-1.5, 0.066807201268858071],
  [-0.67, 0.25142889509531013],
  [-0.3, 0.38208857781104733],
  [0, 0.5],
  [0.9, 0.81593987465324047],
  [2.5, 0.99379033467422384],
  [8.2, 0.99999999999999989],
];
const QNORM: readonly (readonly [number, number])[] = [
  [1e-300, -37.047096299361201],
  [1e-100, -21.273453560965319],
  [1e-20, -9.2623400897984052],
  [1e-10, -6.3613409024040557],
  [1e-5, -4.2648907939228256],
  [0.001, -3.0902323061678132],
  [0.075, -1.4395314709384557],
  [0.08, -1.4050715603096322],
  [0.3, -0.52440051270804067],
  [0.6, 0.25334710313579978],
  [0.975, 1.9599639845400536],
  [1 - 1e-10, 6.3613408896974208],
];

test('the distribution and its quantiles are those of R, to 14 digits also far out', () => {
  for (const [x, p] of PNORM) expect(Math.abs(normalCdf(x) / p - 1), `Φ(${x})`).toBeLessThan(1e-14);
  for (const [p, x] of QNORM) expect(Math.abs(normalQuantile(p) / x - 1), `quantile of ${p}`).toBeLessThan(1e-14);
});

test('beside jstat they differ by less than 10⁻¹² over the range in which jstat is that good', () => {
  for (let x = -6; x <= 6; x += 0.037) expect(Math.abs(normalCdf(x) - jstat.normal.cdf(x, 0, 1))).toBeLessThan(1e-12);
  for (let p = 0.0005; p < 1; p += 0.0007) {
    expect(Math.abs(normalQuantile(p) - jstat.normal.inv(p, 0, 1))).toBeLessThan(1e-10);
  }
});

test('one undoes the other, and what is above is what is not below', () => {
  for (let x = -38; x < 8; x += 0.113) {
    const p = normalCdf(x);
    // The closer p is to 1, the fewer digits of its distance from 1 a double holds.
    if (x < 3) expect(normalQuantile(p)).toBeCloseTo(x, 9);
    expect(normalAbove(-x)).toBe(p);
  }
});

test('the ends are infinite, and chances beyond 0 and 1 are a bug of the caller', () => {
  expect([normalQuantile(0), normalQuantile(0.5), normalQuantile(1)]).toEqual([-Infinity, 0, Infinity]);
  expect([normalCdf(-Infinity), normalCdf(Infinity)]).toEqual([0, 1]);
  for (const p of [-0.1, 1.1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(/from 0 to 1/);
});
