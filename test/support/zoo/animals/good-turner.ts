/** A strategy without fault, for markets in real time: what it places there depends on nothing but what became of its last order. */

import { back, cancel, defineStrategy, param } from 'oddsmith';

const ROUNDS = 12;

export default defineStrategy({
  name: 'good-turner',
  params: { market: param.text({ default: '' }) },
  decide({ market, orders, params, state }) {
    const round = typeof state === 'number' ? state : 0;
    const [outcome] = market.outcomes;
    if (market.id !== params.market || !market.tradable || outcome === undefined) return [];
    const [order] = orders;
    if (order === undefined)
      return { intents: [back(outcome, { stake: 2 + round, price: 1000 - 10 * round })], state: round + 1 };
    return round < ROUNDS && order.status === 'Unmatched' && order.inFlight === undefined ? [cancel(order)] : [];
  },
});
