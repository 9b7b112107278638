/** The strategies of the replay benches: one that looks away, and one that trades all through the play. */

import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import { greenUp } from '../../src/strategy/green-up.ts';
import { cancel, lay } from '../../src/strategy/place.ts';
import type { OutcomeView } from '../../src/strategy/views.ts';

const NOTHING: readonly never[] = [];
const PRICE_MAX = 3;
const STAKE = 2;
const PATIENCE_MS = 2_000;

export const noop = defineStrategy({ name: 'bench-noop', decide: () => NOTHING });

/**
 * In play, whenever flat and without a live order: lays the favourite at the best price, and cancels what is unmatched
 * for too long. What matched is levelled out before it lays again, or the first match would be its last order.
 */
export const layFavourite = defineStrategy({
  name: 'bench-lay-favourite',

  decide({ market, orders, position, now }) {
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
      const price = outcome.lastPrice;
      if (outcome.status !== 'Active' || price === undefined || price > least) continue;
      favourite = outcome;
      least = price;
    }
    return favourite?.bestFor === undefined ? NOTHING : [lay(favourite, { stake: STAKE })];
  },
});
