/**
 * Queues to back every outcome of a market at once, dutched at the prices other backers ask: if all of it matches,
 * it wins whatever happens. When only a part has matched and patience ends, that part is levelled out.
 */
import { defineStrategy, dutch, greenUp, type OutcomeView, overround, param, requote } from 'oddsmith';

const queuePrice = (outcome: OutcomeView) => outcome.bestFor?.price;

export default defineStrategy({
  name: 'dutch-book',
  params: {
    stake: param.stake({ default: 20, about: 'over all outcomes together' }),
    edge: param.number({ default: 0.005, min: 0, about: 'profit per stake if all of it matches' }),
    most: param.stake({ default: 200, about: 'stop once this much has matched on an outcome' }),
    patience: param.duration({ default: '20s', about: 'how long to wait for the rest of a part match' }),
  },
  state: () => ({ partSince: Number.POSITIVE_INFINITY }),

  decide({ market, orders, position, params, state, now }) {
    if (!market.tradable) return [];

    const exit = greenUp(market, position);
    if (exit.length > 0) {
      const partSince = Math.min(state.partSince, now);
      const wakeAt = partSince + params.patience;
      if (now < wakeAt) return { state: { partSince }, wakeAt };
      return orders.length > 0 ? requote(orders, []) : exit;
    }

    const runners = market.outcomes.filter((outcome) => outcome.status === 'Active');
    const isSpent = runners.some((outcome) => position.matched(outcome.id, 'For').stake >= params.most);
    const isWorthIt = !isSpent && overround(runners, queuePrice) <= -params.edge;
    const quotes = isWorthIt ? dutch(runners, { stake: params.stake, price: queuePrice }) : [];
    return { intents: requote(orders, quotes), state: { partSince: Number.POSITIVE_INFINITY } };
  },
});
