/** The currencies that accounts can have. Markets are in pounds, and what a currency is worth in them never changes here. */

import { PENNY } from './amounts.ts';

export const POUND = 'GBP';

/**
 * A hundredth of each currency, in 10⁻⁶ of a pound. Rates are ours, about those of 2025, and each unit is a whole number of tenths
 * of a pound, so that every size in any currency is a stake that the exchange machine takes.
 */
const PENNIES: Readonly<Record<string, number>> = {
  [POUND]: PENNY,
  EUR: 9_000,
  USD: 8_000,
  CAD: 6_000,
  SGD: 6_000,
  AUD: 5_000,
  NZD: 5_000,
  RON: 2_000,
  BRL: 1_000,
  DKK: 1_000,
  HKD: 1_000,
  NOK: 1_000,
  SEK: 1_000,
};

export const CURRENCIES: readonly string[] = Object.keys(PENNIES);

/** A hundredth of a currency, in 10⁻⁶ of a pound; undefined where no account can have the currency. */
export function pennyOf(currency: string): number | undefined {
  return Object.hasOwn(PENNIES, currency) ? PENNIES[currency] : undefined;
}
