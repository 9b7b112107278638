/** Sizes and prices of Betfair's documents in this program's units. */

import {
  type Instant,
  instant,
  MONEY_SCALE,
  type Money,
  money,
  moneyFromDecimal,
  type Price,
  priceFromDecimal,
} from '../../../core/number/units.ts';
import type { Side } from '../../../core/side.ts';

/** A size or a balance, rounded to the nearest 10⁻⁶; undefined where there is none, or it is none that can be held. */
export function amountOf(value: number | undefined): Money | undefined {
  return value === undefined ? undefined : moneyFromDecimal(value);
}

/** The same of what cannot be below zero; an absent one is none at all. */
export function sizeOf(value: number | undefined): Money | undefined {
  const amount = amountOf(value ?? 0);
  return amount === undefined || amount < 0 ? undefined : amount;
}

export function priceOf(value: number | undefined): Price | undefined {
  return value === undefined ? undefined : priceFromDecimal(value);
}

/** Prices and sizes have two decimals, so that winnings have four. An average price has six, which hides them behind its own rounding. */
const EXACT_STEP = 100;
const PENNY = MONEY_SCALE / 100;

/** What matched stake wins at an average price. Betfair counts each bet in pennies: what it wins is rounded down, and what it loses up. */
export function winningsAt(stake: Money, averagePrice: number | undefined, side: Side): Money {
  if (averagePrice === undefined || averagePrice <= 1) return money(0);
  const exact = Math.round((stake * (averagePrice - 1)) / EXACT_STEP) * EXACT_STEP;
  const pennies = side === 'For' ? Math.floor(exact / PENNY) : Math.ceil(exact / PENNY);
  return money(pennies * PENNY);
}

export function timeOf(text: string | undefined): Instant | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : instant(at);
}
