/** The strategies of the replay benches: one that looks away, and one that keeps an order in the favourite's queue. */

import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import { cancel, lay } from '../../src/strategy/place.ts';
import type { OutcomeView } from '../../src/strategy/views.ts';

const NOTHING: readonly never[] = [];
const PRICE_MAX = 3;
const STAKE = 2;
const PATIENCE_MS = 2_000;

export const noop = defineStrategy({ name: 'bench-noop', decide: () => NOTHING });

/** In play, whenever flat and without a live order: lays the favourite at its best price, and cancels what waits too long. */
export const layFavourite = defineStrategy({
  name: 'bench-lay-favourite',

  decide({ market, orders, position, now }) {
    const order = orders[0];
    if (order !== undefined) {
      const isLate = now >= order.placedAt + PATIENCE_MS && order.status !== undefined && order.inFlight === undefined;
      return isLate ? [cancel(order)] : NOTHING;
    }
    if (!market.inPlay || !market.tradable || !position.isFlat) return NOTHING;
    let favourite: OutcomeView | undefined;
    let least = PRICE_MAX;
    for (const outcome of market.outcomes) {
      const price = outcome.lastPrice;
      if (outcome.status !== 'Active' || price === undefined || price > least) continue;
      favourite = outcome;
      least = price;
    }
    return favourite?.bestFor === undefined ? NOTHING : [lay(favourite, { stake: STAKE })];
  },
});
