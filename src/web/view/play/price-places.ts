/** Which prices are shown: the rows of a ladder, and the labels of an axis on which equal ratios are equally far apart. */

import { decimalOfTick, TICK_COUNT, tick } from '../../../core/number/ladder.ts';

/** The prices of the ladder in thousandths, the lowest first. */
const LADDER: readonly number[] = Array.from({ length: TICK_COUNT }, (_, at) =>
  Math.round(decimalOfTick(tick(at)) * 1000),
);
const ON_LADDER: ReadonlySet<number> = new Set(LADDER);

/**
 * The rows of a full ladder in thousandths, the highest first: every price of the exchange’s ladder, or of the market’s own, so that a
 * row never moves while the market is played. Prices of another ladder come between them.
 */
export function ladderPrices(others: Iterable<number>, own: readonly number[] = LADDER): readonly number[] {
  return [...new Set([...own, ...others])].sort((a, b) => b - a);
}

export function isOnLadder(price: number): boolean {
  return ON_LADDER.has(price);
}

/** Prices for an axis from one price to another, at most about `most`: round numbers, as evenly apart by ratio as they can be. */
export function axisPrices(from: number, to: number, most: number): readonly number[] {
  if (!(to > from)) return [from];
  const ratio = (to / from) ** (1 / Math.max(1, most));
  const prices: number[] = [];
  let next = from;
  while (prices.length < most * 3) {
    const step = roundStep(next * (ratio - 1));
    const place = exactTo(Math.ceil(next / step - 1e-9) * step);
    if (place > to * (1 + 1e-12)) break;
    prices.push(place);
    next = Math.max(place * ratio, place + step * 0.51);
  }
  return prices;
}

/** The smallest of 1, 2, 5 times a power of ten that is at least so much, never below a hundredth. */
function roundStep(least: number): number {
  if (least <= 0.01) return 0.01;
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return times * power;
}

function exactTo(price: number): number {
  return Math.round(price * 1000) / 1000;
}
