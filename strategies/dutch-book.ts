/**
 * Queues to back every outcome of a market at once, dutched at the prices other backers ask: if all of it matches,
 * it wins whatever happens. What has matched in part when patience ends is levelled out at the prices on offer.
 */
import { cancelAll, defineStrategy, dutch, greenUp, type OutcomeView, overround, param } from 'oddsmith';

const queuePrice = (outcome: OutcomeView) => outcome.bestFor?.price;

export default defineStrategy({
  name: 'dutch-book',
  params: {
    stake: param.stake({ default: 20, about: 'over all outcomes together' }),
    edge: param.number({ default: 0.005, min: 0, about: 'profit per stake if all of it matches' }),
    patience: param.duration({ default: '20s' }),
  },

  decide({ market, orders, position, params, now }) {
    if (!market.tradable) return [];

    const [oldest] = orders;
    if (oldest !== undefined) {
      const wakeAt = oldest.placedAt + params.patience;
      if (now < wakeAt) return { wakeAt };
      return orders.some((order) => order.inFlight === undefined) ? [cancelAll(market)] : [];
    }

    const level = greenUp(market, position);
    if (level.length > 0) return level;

    const runners = market.outcomes.filter((outcome) => outcome.status === 'Active');
    if (overround(runners, queuePrice) > -params.edge) return [];
    return { intents: dutch(runners, { stake: params.stake, price: queuePrice }), wakeAt: now + params.patience };
  },
});
