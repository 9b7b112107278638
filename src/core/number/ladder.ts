/** The exchange's one price ladder of 350 prices (profile section 3), as ticks 0 (1.01) to 349 (1000). */

import { assert, fail } from '../checks/assert.ts';
import { PRICE_SCALE, type Price } from './units.ts';

/** Index on the ladder, 0 to 349. */
export type Tick = number & { readonly [tickBrand]: true };

declare const tickBrand: unique symbol;

/** Bands as [first, last, step] in thousandths. */
const BANDS: readonly (readonly [number, number, number])[] = [
  [1010, 2000, 10],
  [2020, 3000, 20],
  [3050, 4000, 50],
  [4100, 6000, 100],
  [6200, 10_000, 200],
  [10_500, 20_000, 500],
  [21_000, 30_000, 1000],
  [32_000, 50_000, 2000],
  [55_000, 100_000, 5000],
  [110_000, 1_000_000, 10_000],
];

export const TICK_COUNT = 350;
/** Stands for "no level", as the result of a search on an empty side. */
export const NO_TICK = -1;

const priceByTick = new Int32Array(TICK_COUNT);
/** In thousandths: every ladder price is a multiple of this, so that price ÷ step indexes the table of ticks. */
const PRICE_STEP = 10;
const tickByPriceStep = new Int16Array(1_000_000 / PRICE_STEP + 1).fill(-1);
let ticksMade = 0;
for (const [first, last, step] of BANDS) {
  for (let at = first; at <= last; at += step) {
    priceByTick[ticksMade] = at;
    tickByPriceStep[at / PRICE_STEP] = ticksMade;
    ticksMade += 1;
  }
}
assert(ticksMade === TICK_COUNT, 'the ladder has 350 prices');

/** @throws AssertionFailure outside 0 to 349 */
export function tick(index: number): Tick {
  if (!(Number.isInteger(index) && index >= 0 && index < TICK_COUNT)) fail(`tick out of the ladder: ${index}`);
  return index as Tick;
}

export function priceOfTick(at: Tick): Price {
  return priceByTick[at] as Price;
}

/** The tick of an exact ladder price; undefined off the ladder. */
export function tickOfPrice(at: Price): Tick | undefined {
  const tick = tickByPriceStep[at / PRICE_STEP] ?? NO_TICK;
  return tick < 0 ? undefined : (tick as Tick);
}

/** The tick of a decimal price such as 2.5; undefined off the ladder (2.505) or for what is no price (NaN). */
export function tickOfDecimal(decimal: number): Tick | undefined {
  const thousandths = Math.round(decimal * PRICE_SCALE);
  if (Math.abs(thousandths - decimal * PRICE_SCALE) > 1e-6) return undefined;
  return tickOfPrice(thousandths as Price);
}

export function decimalOfTick(at: Tick): number {
  return (priceByTick[at] ?? Number.NaN) / PRICE_SCALE;
}

/** The highest tick whose price is at most the given one; NO_TICK below 1.01. */
export function tickAtOrBelow(at: number): number {
  let low = 0;
  let high = TICK_COUNT;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((priceByTick[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The lowest tick whose price is at least the given one; TICK_COUNT above 1000. */
export function tickAtOrAbove(at: number): number {
  const below = tickAtOrBelow(at);
  return below >= 0 && priceByTick[below] === at ? below : below + 1;
}
