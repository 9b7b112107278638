/** The strategies of the replay benches: one that looks away, and one that trades all through the play. */

import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import { greenUp } from '../../src/strategy/helpers/green-up.ts';
import { cancel, lay } from '../../src/strategy/helpers/place.ts';
import type { OutcomeView } from '../../src/strategy/views/views.ts';

const NOTHING: readonly never[] = [];
const PRICE_MAX = 3;
const STAKE = 2;
const PATIENCE_MS = 2_000;

export const noop = defineStrategy({ name: 'bench-noop', decide: () => NOTHING });

/**
 * In play, whenever flat and without a live order: joins the layers of the favourite at their best price, and cancels what is
 * unmatched for too long. What matched is levelled out before it lays again, or the first match would be its last order. It acts
 * on new prices alone: answering its own orders would make a long match with few updates a bench of orders only.
 */
export const layFavourite = defineStrategy({
  name: 'bench-lay-favourite',

  decide({ market, orders, position, now, why }) {
    if (why !== 'prices') return NOTHING;
    const order = orders[0];
    if (order !== undefined) {
      const isLate = now >= order.placedAt + PATIENCE_MS && order.status !== undefined && order.inFlight === undefined;
      return isLate ? [cancel(order)] : NOTHING;
    }
    if (!market.inPlay || !market.tradable) return NOTHING;
    if (!position.isFlat) {
      const exit = greenUp(market, position);
      if (exit.length > 0) return exit;
    }
    let favourite: OutcomeView | undefined;
    let least = PRICE_MAX;
    for (const outcome of market.outcomes) {
      const { lastPrice } = outcome;
      if (outcome.status !== 'Active' || lastPrice === undefined || lastPrice > least) continue;
      favourite = outcome;
      least = lastPrice;
    }
    const price = favourite?.bestAgainst?.price;
    return favourite === undefined || price === undefined ? NOTHING : [lay(favourite, { stake: STAKE, price })];
  },
});

/** A strategy that looks and does nothing else, with a sum of what it saw, which is another one if reading is left out. */
export interface PriceReader {
  readonly plugin: StrategyPlugin;
  /** Of all prices read since the last call. */
  takeSum(): number;
}

/** Reads the best price of either side of each outcome whenever it is asked. */
export function readingBest(): PriceReader {
  let sum = 0;
  const plugin = defineStrategy({
    name: 'bench-reading-best',
    decide({ market }) {
      for (const { bestFor, bestAgainst } of market.outcomes) sum += (bestFor?.price ?? 0) + (bestAgainst?.price ?? 0);
      return NOTHING;
    },
  });
  return {
    plugin,
    takeSum() {
      const taken = sum;
      sum = 0;
      return taken;
    },
  };
}
