/** Closing probabilities from closing prices. */

import { type Figures, sumOf } from '../figure/moments.ts';
import { type NotKnown, notKnown } from '../figure/not-known.ts';

export interface Closing {
  readonly kind: 'closing';
  /** The chance of each outcome that it is among the winners; they sum to the number of winners. */
  readonly probabilities: Float64Array;
  /** What the prices sum to in chances, over the number of places: 1.02 is a margin of 2 %. */
  readonly book: number;
}

/** Beyond these the prices are no market, but a book that was left half empty. */
const BOOK_MIN = 0.8;
const BOOK_MAX = 1.3;

/**
 * Prices are decimal odds, one for each outcome that may still win; an outcome that was withdrawn has `undefined`. The margin is
 * taken off in proportion to each chance; what would rise above 1 in a place market is held at 1, and the others share the rest. The
 * prices are those of a market that pays `places`; in a dead heat more are `winners`, and each chance is that of being one of them.
 */
export function closingOf(
  prices: readonly (number | undefined)[],
  places: number,
  winners = places,
): Closing | NotKnown {
  const chances = Float64Array.from(prices, (price) => (price === undefined ? 0 : 1 / price));
  const runners = chances.filter((chance) => chance > 0).length;
  if (runners < winners) return notKnown('There are fewer closing prices than winners.');
  if (chances.some((chance) => chance > 1 || !Number.isFinite(chance))) return notKnown('A closing price is below 1.');
  const book = sumOf(chances) / places;
  if (book < BOOK_MIN || book > BOOK_MAX) {
    return notKnown(`The closing prices sum to ${(book * 100).toFixed(0)} %: some are missing, or no market was made.`);
  }
  return { kind: 'closing', probabilities: scaledTo(chances, winners), book };
}

function scaledTo(chances: Figures, winners: number): Float64Array {
  const scaled = Float64Array.from(chances);
  const sure = new Set<number>();
  for (;;) {
    const rest = scaled.reduce((sum, chance, at) => (sure.has(at) ? sum : sum + chance), 0);
    const factor = rest === 0 ? 1 : (winners - sure.size) / rest;
    let isDone = true;
    scaled.forEach((chance, at) => {
      if (sure.has(at) || chance * factor < 1) return;
      sure.add(at);
      scaled[at] = 1;
      isDone = false;
    });
    if (!isDone) continue;
    return scaled.map((chance, at) => (sure.has(at) ? 1 : chance * factor));
  }
}

/** What a recording has of a runner at the close; decimal odds. */
export interface ClosingPrices {
  readonly startingPrice?: number | undefined;
  readonly preOff?:
    | {
        readonly bestFor?: number | undefined;
        readonly bestAgainst?: number | undefined;
        readonly lastPrice?: number | undefined;
      }
    | undefined;
}

/**
 * The closing chances. They are starting prices where each runner has one and these prices make a market; else they are what stood in the
 * book at the close.
 */
export function closingOfRunners(
  runners: readonly ClosingPrices[],
  { places, winners }: { readonly places: number; readonly winners: number },
): Closing | NotKnown {
  let last: NotKnown = notKnown('A runner had neither a starting price nor a price before the off.');
  for (const priceOf of [startingPriceOf, bookPriceOf]) {
    const prices = runners.map(priceOf);
    if (prices.includes(undefined)) continue;
    const closing = closingOf(prices, places, winners);
    if (closing.kind === 'closing') return closing;
    last = closing;
  }
  return last;
}

function startingPriceOf({ startingPrice }: ClosingPrices): number | undefined {
  return startingPrice;
}

/** Best prices further apart than this (as a ratio) say little of what lies between them. */
const SPREAD_MAX = 1.1;

/**
 * The middle of the best prices, in chances. Where they lie far apart, the last traded price, held between them; where a side was empty,
 * the last traded price.
 */
export function bookPriceOf({ preOff }: ClosingPrices): number | undefined {
  const { bestFor, bestAgainst, lastPrice } = preOff ?? {};
  if (bestFor === undefined || bestAgainst === undefined) return lastPrice;
  if (lastPrice === undefined || bestFor / bestAgainst <= SPREAD_MAX) return 2 / (1 / bestFor + 1 / bestAgainst);
  return Math.min(bestFor, Math.max(bestAgainst, lastPrice));
}
