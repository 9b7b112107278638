/** Money and prices as Betfair writes them: amounts in hundredths, prices as decimals. */

import { type Instant, type Money, PRICE_SCALE, type Price } from '../../core/number/units.ts';

/** A hundredth of a pound, in 10⁻⁶: the smallest amount of markets. Accounts in other currencies have another penny. */
export const PENNY = 10_000;

/** A stake as a size. What is less than a penny is cut off, since no size has a third decimal. */
export function sizeOf(stake: number, penny = PENNY): number {
  return Math.floor(stake / penny) / 100;
}

/** A bet's stake, or what was not matched of it, as a size: rounded up. What was matched is the rest. */
export function sizeLeftOf(stake: number, penny: number): number {
  return Math.ceil(stake / penny) / 100;
}

/** A balance or a profit, rounded to the nearest penny. */
export function amountOf(money: number, penny = PENNY): number {
  const rounded = Math.round(money / penny) / 100;
  return rounded === 0 ? 0 : rounded;
}

/** The money of a size with at most two decimals; undefined for any other number. */
export function moneyOfSize(size: number, penny: number): Money | undefined {
  const pennies = Math.round(size * 100);
  if (!Number.isSafeInteger(pennies * penny) || Math.abs(size * 100 - pennies) > 1e-6) return undefined;
  return (pennies * penny) as Money;
}

/** A sum of amounts that have two decimals each. */
export function sumOf(amounts: Iterable<number>): number {
  let pennies = 0;
  for (const amount of amounts) pennies += Math.round(amount * 100);
  return pennies / 100;
}

export function decimalOf(price: Price): number {
  return price / PRICE_SCALE;
}

/** Such as `2016-07-30T16:21:49.000Z`. */
export function momentOf(at: Instant): string {
  return new Date(at).toISOString();
}
