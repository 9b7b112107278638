/** The oracle's money: bigints of 10⁻⁶, prices bigints of 10⁻³, and the few ways to round them. */

import type { Instant, Money, Price } from '../../../src/core/number/units.ts';

export const asMoney = (micros: bigint): Money => Number(micros) as Money;
export const asPrice = (thousandths: bigint): Price => Number(thousandths) as Price;
export const asInstant = (ms: number): Instant => ms as Instant;

/** Stake × (price − 1), truncated (profile section 6, Money). */
export function profit(stake: bigint, price: bigint): bigint {
  return (stake * (price - 1000n)) / 1000n;
}

export function divideDown(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q;
}

export function divideUp(a: bigint, b: bigint): bigint {
  return -divideDown(-a, b);
}

export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
