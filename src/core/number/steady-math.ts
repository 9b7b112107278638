/**
 * Roots, powers and logarithms that give the same bits on every JavaScript engine. `Math.pow`, `log` and `exp` need
 * not; products, quotients and square roots must (IEEE 754).
 */

import { assert } from '../checks/assert.ts';

/** Binary digits of an exponent's fraction that are taken into account, by repeated square roots: 2^½, 2^¼, … */
const FRACTION_BITS = 40;

/** x to the power of quarters ÷ 4, for x ≥ 0 and whole quarters ≥ 0. */
export function quarterPower(x: number, quarters: number): number {
  assert(x >= 0 && Number.isInteger(quarters) && quarters >= 0, 'a power takes x from 0 on and whole quarters');
  let power = 1;
  for (let whole = quarters >> 2; whole > 0; whole -= 1) power *= x;
  const root = Math.sqrt(x);
  if ((quarters & 2) !== 0) power *= root;
  if ((quarters & 1) !== 0) power *= Math.sqrt(root);
  return power;
}

/** Logarithm to base 2 with an error below 2⁻⁴⁰, by repeated squaring; for finite x ≥ 1. */
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

/** 2 to the power of −x: the part that is left after x half-lives, for x ≥ 0. */
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
