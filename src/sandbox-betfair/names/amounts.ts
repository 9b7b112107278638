/** Money and prices as Betfair writes them: amounts in hundredths, prices as decimals. */

import { type Instant, type Money, PRICE_SCALE, type Price } from '../../core/number/units.ts';

/** A hundredth of a unit, in 10⁻⁶: Betfair's smallest amount. */
export const HUNDREDTH = 10_000;

/** A stake as a size. What is less than a hundredth is cut off, since no size has a third decimal. */
export function sizeOf(stake: number): number {
  return Math.floor(stake / HUNDREDTH) / 100;
}

/** A bet's stake, or what was not matched of it, as a size: rounded up. What was matched is the rest. */
export function sizeLeftOf(stake: number): number {
  return Math.ceil(stake / HUNDREDTH) / 100;
}

/** A balance or a profit, rounded to the nearest hundredth. */
export function amountOf(money: number): number {
  const rounded = Math.round(money / HUNDREDTH) / 100;
  return rounded === 0 ? 0 : rounded;
}

/** The money of a size with at most two decimals; undefined for any other number. */
export function moneyOfSize(size: number): Money | undefined {
  const hundredths = Math.round(size * 100);
  if (!Number.isSafeInteger(hundredths * HUNDREDTH) || Math.abs(size * 100 - hundredths) > 1e-6) return undefined;
  return (hundredths * HUNDREDTH) as Money;
}

export function decimalOf(price: Price): number {
  return price / PRICE_SCALE;
}

/** Such as `2016-07-30T16:21:49.000Z`. */
export function momentOf(at: Instant): string {
  return new Date(at).toISOString();
}
