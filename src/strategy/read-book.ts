/** What a trader reads off a book at a glance: the favourites, the spread, which way the money leans. */

import { ticksBetween } from './ladder-steps.ts';
import type { Level, MarketView, OutcomeView } from './views.ts';

/**
 * The active outcomes on which there is a price to take, shortest price first, at most `count` of them. Outcomes of
 * equal price keep the market's order.
 *
 * @example
 * const [favourite, second] = favourites(market);
 */
export function favourites(market: MarketView, count: number = Number.POSITIVE_INFINITY): readonly OutcomeView[] {
  const priced: { readonly outcome: OutcomeView; readonly price: number }[] = [];
  for (const outcome of market.outcomes) {
    const price = outcome.status === 'Active' ? outcome.bestAgainst?.price : undefined;
    if (price !== undefined) priced.push({ outcome, price });
  }
  return priced
    .sort((a, b) => a.price - b.price)
    .slice(0, count)
    .map(({ outcome }) => outcome);
}

/**
 * Ticks between the best price to back and the best price to lay; Infinity where one of them is missing.
 *
 * @example
 * const isTight = spread(outcome) <= 2;
 */
export function spread(outcome: OutcomeView): number {
  const { bestAgainst, bestFor } = outcome;
  if (bestAgainst === undefined || bestFor === undefined) return Number.POSITIVE_INFINITY;
  return ticksBetween(bestAgainst.price, bestFor.price);
}

/**
 * The share of the stake resting at the best `depth` levels that waits to back, 0 to 1: above a half, the money
 * expects the price to shorten. A half on an empty book.
 *
 * @example
 * const isWanted = weightOfMoney(outcome) > 0.7;
 */
export function weightOfMoney(outcome: OutcomeView, depth = 3): number {
  const backing = total(outcome.levels('For', depth));
  const laying = total(outcome.levels('Against', depth));
  return backing + laying === 0 ? 0.5 : backing / (backing + laying);
}

function total(levels: readonly Level[]): number {
  return levels.reduce((sum, level) => sum + level.stake, 0);
}
