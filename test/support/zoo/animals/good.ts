/** A strategy without fault, beside which the others live: takes the best price of markets again and again. */

import { back, defineStrategy } from 'oddsmith';

export default defineStrategy({
  name: 'good',
  decide({ market, orders, now, state }) {
    const [outcome] = market.outcomes;
    const until = typeof state === 'number' ? state : 0;
    if (outcome === undefined || !market.tradable || orders.length > 1 || now < until) return [];
    const price = outcome.bestAgainst?.price;
    const taking = price === undefined ? [] : [back(outcome, { stake: 2, price })];
    const resting = orders.length === 0 ? [back(outcome, { stake: 3, price: 990 })] : [];
    return { intents: [...taking, ...resting], state: now + 2_000 };
  },
});
