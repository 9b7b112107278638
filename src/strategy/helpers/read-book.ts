/** Summaries of an order book: the favourites, the spread, the weight of money. */

import type { BookView, Level, MarketView, OutcomeView } from '../views/views.ts';
import { ticksBetween } from './ladder-steps.ts';

/**
 * The active outcomes that have a price to take, shortest price first, at most `count` of them. Outcomes of equal price
 * keep the market's order.
 *
 * @example
 * const [favourite, second] = favourites(market);
 */
export function favourites(market: MarketView, count: number = Number.POSITIVE_INFINITY): readonly OutcomeView[] {
  const { outcomes } = market;
  if (prices.length < outcomes.length) prices = new Float64Array(2 * outcomes.length);
  let found = 0;
  for (const outcome of outcomes) {
    const price = outcome.status === 'Active' ? outcome.bestPrice('Against') : undefined;
    if (price === undefined) continue;
    insert(outcome, price, found);
    found += 1;
  }
  const shortest = sorted.slice(0, Math.max(0, Math.min(count, found)));
  sorted.fill(undefined, 0, found);
  return shortest as readonly OutcomeView[];
}

/**
 * Scratch space of the current call: strategies call this at each update, and a sorted copy each time would be most of
 * their garbage.
 */
const sorted: (OutcomeView | undefined)[] = [];
let prices = new Float64Array(32);

/** Inserts an outcome behind those of the same or a shorter price. */
function insert(outcome: OutcomeView, price: number, found: number): void {
  let at = found;
  while (at > 0 && (prices[at - 1] ?? 0) > price) {
    sorted[at] = sorted[at - 1];
    prices[at] = prices[at - 1] ?? 0;
    at -= 1;
  }
  sorted[at] = outcome;
  prices[at] = price;
}

/**
 * Ticks between the best price to back and the best price to lay of an outcome, or of the others' book on it; Infinity where one of them
 * is missing.
 *
 * @example
 * const isTight = spread(outcome) <= 2;
 */
export function spread(book: BookView): number {
  const [toBack, toLay] = [book.bestPrice('Against'), book.bestPrice('For')];
  if (toBack === undefined || toLay === undefined) return Number.POSITIVE_INFINITY;
  return ticksBetween(toBack, toLay);
}

/**
 * The share of backers' stake in the stake that rests at the best `depth` levels of both sides, 0 to 1. Above a half,
 * the price is expected to shorten. A half on an empty book. Takes an outcome, or the others' book on it.
 *
 * @example
 * const isWanted = weightOfMoney(outcome) > 0.7;
 */
export function weightOfMoney(book: BookView, depth = 3): number {
  const backing = total(book.levels('For', depth));
  const laying = total(book.levels('Against', depth));
  return backing + laying === 0 ? 0.5 : backing / (backing + laying);
}

function total(levels: readonly Level[]): number {
  return levels.reduce((sum, level) => sum + level.stake, 0);
}
