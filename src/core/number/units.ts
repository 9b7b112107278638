/** Money, price and time as branded integers, and the only arithmetic that mixes them. */

import { assert, fail } from '../checks/assert.ts';

/** Integer 10⁻⁶ of a currency unit, held exactly in a double (up to 2⁵³). */
export type Money = number & { readonly [moneyBrand]: true };
/** Decimal odds as an integer of 10⁻³: 2.5 is 2500. Fills may lie between ladder prices, orders never do. */
export type Price = number & { readonly [priceBrand]: true };
/** Milliseconds since 1970 in UTC. */
export type Instant = number & { readonly [instantBrand]: true };

declare const moneyBrand: unique symbol;
declare const priceBrand: unique symbol;
declare const instantBrand: unique symbol;

export const MONEY_SCALE = 1_000_000;
export const PRICE_SCALE = 1_000;
/** Stakes have at most three decimals on the wire, so a stake is a multiple of this. */
export const STAKE_STEP = MONEY_SCALE / 1_000;

export const ZERO = 0 as Money;

// The three constructors run for every update and event, so their messages are built only where they are needed.
/** @throws AssertionFailure for anything but a safe integer of 10⁻⁶ of a unit */
export function money(micros: number): Money {
  if (!Number.isSafeInteger(micros)) fail(`money must be a safe integer of 10⁻⁶, got ${micros}`);
  return (micros === 0 ? 0 : micros) as Money;
}

/** @throws AssertionFailure for anything but a safe integer of thousandths above 1000 */
export function price(thousandths: number): Price {
  if (!(Number.isSafeInteger(thousandths) && thousandths > PRICE_SCALE))
    fail(`price must exceed 1, got ${thousandths}`);
  return thousandths as Price;
}

/** @throws AssertionFailure for anything but whole milliseconds */
export function instant(ms: number): Instant {
  if (!Number.isSafeInteger(ms)) fail(`instant must be whole milliseconds, got ${ms}`);
  return ms as Instant;
}

/** Decimal amount to money, rounded to the nearest 10⁻⁶; undefined when it is not finite or too large. */
export function moneyFromDecimal(amount: number): Money | undefined {
  const micros = microsOf(amount);
  return Number.isSafeInteger(micros) ? ((micros === 0 ? 0 : micros) as Money) : undefined;
}

/**
 * The nearest whole number of 10⁻⁶. The product is itself rounded, so that above 2³² units it can be one off; dividing
 * again shows whether it is.
 */
function microsOf(amount: number): number {
  const near = Math.round(amount * MONEY_SCALE);
  if (near / MONEY_SCALE === amount) return near;
  if ((near - 1) / MONEY_SCALE === amount) return near - 1;
  return (near + 1) / MONEY_SCALE === amount ? near + 1 : near;
}

export function moneyToDecimal(amount: Money): number {
  return amount / MONEY_SCALE;
}

export function priceToDecimal(value: Price): number {
  return value / PRICE_SCALE;
}

/** The highest price of a fill; orders have prices up to 1000. */
const PRICE_MAX = 1_000_000;

/** A decimal price, rounded to the nearest 10⁻³, as a fill between ladder prices may have it; undefined for what is no price. */
export function priceFromDecimal(decimal: number): Price | undefined {
  const thousandths = Math.round(decimal * PRICE_SCALE);
  return thousandths > PRICE_SCALE && decimal <= PRICE_MAX ? (thousandths as Price) : undefined;
}

/**
 * Profit of a backer's stake at a price: stake × (price − 1), truncated toward zero.
 * The stake is split so that no product leaves 2⁵³ (a direct double product was wrong in 17.5 % of large cases).
 */
export function profitAt(stake: Money, at: Price): Money {
  const odds = at - PRICE_SCALE;
  const whole = Math.trunc(stake / PRICE_SCALE);
  const rest = stake - whole * PRICE_SCALE;
  return (whole * odds + Math.trunc((rest * odds) / PRICE_SCALE)) as Money;
}

/** a × b ÷ c truncated toward zero, exact for every safe integer. */
export function mulDiv(a: number, b: number, c: number): number {
  const product = a * b;
  if (Number.isSafeInteger(product)) return Math.trunc(product / c);
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}

/** a × b ÷ c rounded up, for non-negative arguments. */
export function mulDivCeil(a: number, b: number, c: number): number {
  assert(a >= 0 && b >= 0 && c > 0, 'mulDivCeil takes non-negative arguments');
  const product = a * b;
  if (Number.isSafeInteger(product)) return divCeil(product, c);
  // Recorded amounts are whole hundredths of a unit. Counted in hundredths their ratio is the same, and a product that
  // was too large may be exact.
  const [hundredths, ofHundredths] = [b / HUNDREDTH, c / HUNDREDTH];
  const smaller = a * hundredths;
  if (Number.isInteger(hundredths) && Number.isInteger(ofHundredths) && Number.isSafeInteger(smaller))
    return divCeil(smaller, ofHundredths);
  return Number((BigInt(a) * BigInt(b) + BigInt(c) - 1n) / BigInt(c));
}

/**
 * A hundredth of a currency unit, in 10⁻⁶. Division by it gives an integer only for exact multiples, for every safe
 * integer.
 */
const HUNDREDTH = 10_000;

function divCeil(product: number, c: number): number {
  const floor = Math.trunc(product / c);
  return floor * c === product ? floor : floor + 1;
}

/** a × b ÷ c rounded toward minus infinity. */
export function mulDivFloor(a: number, b: number, c: number): number {
  const product = a * b;
  if (Number.isSafeInteger(product)) return Math.floor(product / c);
  const wide = BigInt(a) * BigInt(b);
  const divisor = BigInt(c);
  const truncated = wide / divisor;
  return Number(wide % divisor !== 0n && wide < 0n !== divisor < 0n ? truncated - 1n : truncated);
}
