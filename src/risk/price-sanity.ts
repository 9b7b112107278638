/** How far an order's price is outside the book. */

import type { MarketState } from '../core/market-state.ts';
import { NO_TICK, tickAtOrAbove, tickAtOrBelow } from '../core/number/ladder.ts';
import { AGAINST, FOR } from '../core/side.ts';

/**
 * Ticks between a price and the span of the best prices of both sides; 0 inside it. The last traded price stands in
 * for a side that is empty. Undefined where there is neither a best price nor a last one: nothing can be said.
 * The best prices may be the bot's own, so a bot alone in a market can move it, but only by the limit each time.
 */
export function ticksOutsideBook(market: MarketState, outcome: number, tick: number): number | undefined {
  const bestFor = market.bestTick(outcome, FOR);
  const bestAgainst = market.bestTick(outcome, AGAINST);
  const last = bestFor === NO_TICK || bestAgainst === NO_TICK ? market.lastPrice(outcome) : undefined;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  if (bestFor !== NO_TICK) low = high = bestFor;
  if (bestAgainst !== NO_TICK) {
    low = Math.min(low, bestAgainst);
    high = Math.max(high, bestAgainst);
  }
  if (last !== undefined) {
    low = Math.min(low, tickAtOrBelow(last));
    high = Math.max(high, tickAtOrAbove(last));
  }
  if (low > high) return undefined;
  return Math.max(0, low - tick, tick - high);
}
