/** Moves along the price ladder, in decimal prices. */

import { decimalOfTick, TICK_COUNT, type Tick, tickAtOrAbove, tickAtOrBelow } from '../../core/number/ladder.ts';
import { PRICE_SCALE } from '../../core/number/units.ts';

/** Which ladder price a price between two of them becomes. */
export type Rounding = 'up' | 'down' | 'nearest';

/**
 * The ladder price at or next to a decimal price. `nearest` stops at 1.01 and 1000. NaN where `down` or `up` leaves the
 * ladder, and for what is no number (an intent with price NaN is refused with PRICE_OFF_LADDER).
 *
 * @example
 * roundToLadder(2.013, 'up'); // 2.02
 * roundToLadder(2.013); // 2.02
 */
export function roundToLadder(price: number, rounding: Rounding = 'nearest'): number {
  const at = thousandthsOf(price);
  if (!Number.isFinite(at)) return Number.NaN;
  if (rounding === 'up') return decimalAt(tickAtOrAbove(at));
  return decimalAt(rounding === 'down' ? tickAtOrBelow(at) : nearestTick(at));
}

/**
 * The price a number of ticks higher, or lower when negative; it stops at 1.01 and 1000. From a price between two
 * ladder prices the first step goes to the next ladder price.
 *
 * @example
 * ticksAway(2, 1); // 2.02
 * ticksAway(2, -1); // 1.99
 */
export function ticksAway(price: number, ticks: number): number {
  const at = thousandthsOf(price);
  if (!Number.isFinite(at)) return Number.NaN;
  const from = ticks > 0 ? tickAtOrBelow(at) : ticks < 0 ? tickAtOrAbove(at) : nearestTick(at);
  return decimalAt(Math.min(TICK_COUNT - 1, Math.max(0, from + Math.trunc(ticks))));
}

/**
 * How many ticks higher `to` is than `from`; negative when it is lower. Prices off the ladder count as the nearest.
 *
 * @example
 * ticksBetween(1.99, 2.02); // 2
 */
export function ticksBetween(from: number, to: number): number {
  return nearestTick(thousandthsOf(to)) - nearestTick(thousandthsOf(from));
}

function nearestTick(at: number): number {
  if (Number.isNaN(at)) return Number.NaN;
  const below = tickAtOrBelow(at);
  const above = tickAtOrAbove(at);
  if (below < 0) return 0;
  if (above >= TICK_COUNT) return TICK_COUNT - 1;
  return at - PRICE_SCALE * decimalAt(below) < PRICE_SCALE * decimalAt(above) - at ? below : above;
}

/** The price in thousandths, without the rounding error of the product: 1100.0000000000002 becomes 1100. */
function thousandthsOf(price: number): number {
  const scaled = price * PRICE_SCALE;
  const whole = Math.round(scaled);
  return Math.abs(scaled - whole) < 1e-6 ? whole : scaled;
}

/** NaN off the ladder. */
function decimalAt(tick: number): number {
  return decimalOfTick(tick as Tick);
}
