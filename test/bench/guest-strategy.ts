/** The strategy of the replay benches as a file of its own, which a bench loads the way the command loads a user's. */

import { cancel, defineStrategy, greenUp, lay, type OutcomeView } from 'oddsmith';

const NOTHING: readonly never[] = [];
const PRICE_MAX = 3;
const STAKE = 2;
const PATIENCE_MS = 2_000;

/**
 * In play, whenever flat and without a live order: joins the layers of the favourite at their best price, and cancels what is
 * unmatched for too long. What matched is levelled out before it lays again, or the first match would be its last order. It acts
 * on new prices alone: answering its own orders would make a long match with few updates a bench of orders only.
 */
export default defineStrategy({
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
