/** The normal distribution, by arithmetic that gives the same bits on every JavaScript engine. */

import { assert } from '../../core/checks/assert.ts';

/** Terms of the series; the 14th is below 2⁻⁵³ for exponents up to ln 2. */
const TERMS = 14;
/** 2 to the power of −k, exactly; beyond them there is nothing left. */
const HALVES = Float64Array.from({ length: 1_000 }, (_, k) => 1 / 2 ** k);

/** e to the power of −x, for x ≥ 0. */
export function decayed(x: number): number {
  assert(x >= 0, `decayed takes numbers from 0 on, got ${x}`);
  const halvings = Math.floor(x / Math.LN2);
  const rest = x - halvings * Math.LN2;
  let sum = 1;
  for (let term = TERMS; term > 0; term -= 1) sum = 1 - (rest / term) * sum;
  return sum * (HALVES[halvings] ?? 0);
}

/** The share of a standard normal below z, with an error under 10⁻⁷: formula 7.1.26 of Abramowitz and Stegun. */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = (series * decayed(x * x)) / 2;
  return z > 0 ? 1 - tail : tail;
}
