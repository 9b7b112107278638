/** Prices on an axis as traders read them: each tick of the ladder takes the same room. */

import { decimalOfTick, TICK_COUNT, tick, tickAtOrBelow } from '../../core/number/ladder.ts';
import { PRICE_SCALE } from '../../core/number/units.ts';

const LAST = TICK_COUNT - 1;

/** The tick of a price, whole on the ladder; a price between two ticks lies between them by its share. */
export function ladderPlace(price: number): number {
  const thousandths = price * PRICE_SCALE;
  // What is a ladder price but for the last digit of a float is that price.
  const below = Math.max(0, Math.min(LAST - 1, tickAtOrBelow(thousandths + 1e-6)));
  const [from, to] = [decimalOfTick(tick(below)), decimalOfTick(tick(below + 1))];
  return below + (price - from) / (to - from);
}

/** The price of a place: the inverse of `ladderPlace`. */
export function priceAt(place: number): number {
  const below = Math.max(0, Math.min(LAST - 1, Math.floor(place)));
  const [from, to] = [decimalOfTick(tick(below)), decimalOfTick(tick(below + 1))];
  return from + (place - below) * (to - from);
}

/** Ticks between two labels; counted so that 2, 3, 10 and 100 are labels at any of these distances. */
const DISTANCES = [1, 2, 5, 10, 20, 50, 100];

/** Ladder prices from one to another for an axis, at most `most`; of a span within one tick, its ends. */
export function ladderLabels(low: number, high: number, most: number): number[] {
  const [from, to] = [ladderPlace(low), ladderPlace(high)];
  const distance = DISTANCES.find((each) => (to - from) / each <= most) ?? TICK_COUNT;
  const labels: number[] = [];
  for (let at = Math.max(0, Math.ceil(from)); at <= Math.min(LAST, to); at += 1)
    if ((at + 1) % distance === 0) labels.push(decimalOfTick(tick(at)));
  return labels.length === 0 ? [low, high] : labels;
}
