/**
 * Roots, powers and logarithms that give the same bits on every engine. `Math.pow`, `log` and `exp` need not; products,
 * quotients and square roots must (IEEE 754).
 */

import { assert } from '../checks/assert.ts';

/** Powers of two with these fractions as exponents are made by square roots: 2^½, 2^¼, … */
const FRACTION_BITS = 40;

/** x to the power of quarters ÷ 4, for x from 0 on and whole quarters from 0 on. */
export function quarterPower(x: number, quarters: number): number {
  assert(x >= 0 && Number.isInteger(quarters) && quarters >= 0, 'a power takes x from 0 on and whole quarters');
  let power = 1;
  for (let whole = quarters >> 2; whole > 0; whole -= 1) power *= x;
  const root = Math.sqrt(x);
  if ((quarters & 2) !== 0) power *= root;
  if ((quarters & 1) !== 0) power *= Math.sqrt(root);
  return power;
}

/** Logarithm to base 2, to 2⁻⁴⁰, by squaring; x from 1 on. */
export function binaryLog(x: number): number {
  assert(x >= 1 && Number.isFinite(x), `binaryLog takes numbers from 1 on, got ${x}`);
  let log = 0;
  let rest = x;
  for (; rest >= 2; rest /= 2) log += 1;
  let step = 0.5;
  for (let bit = 0; bit < FRACTION_BITS; bit += 1) {
    rest *= rest;
    if (rest >= 2) {
      rest /= 2;
      log += step;
    }
    step /= 2;
  }
  return log;
}

/** What is left of 1 after so many half-lives: 2 to the power of minus x, for x from 0 on. */
export function halved(x: number): number {
  assert(x >= 0, `halved takes numbers from 0 on, got ${x}`);
  const whole = Math.floor(x);
  if (whole > 1_000) return 0;
  let left = 1;
  for (let step = 0; step < whole; step += 1) left /= 2;
  let fraction = x - whole;
  let root = 0.5;
  for (let bit = 0; bit < FRACTION_BITS && fraction > 0; bit += 1) {
    root = Math.sqrt(root);
    fraction *= 2;
    if (fraction >= 1) {
      left *= root;
      fraction -= 1;
    }
  }
  return left;
}
