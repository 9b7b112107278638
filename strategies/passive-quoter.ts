/**
 * Joins the queue on both sides of the favourites before the off, and earns the spread when both sides match.
 * Follows the best prices of the others, stops adding to a side once it holds enough of it, and goes flat at in play.
 */
import { back, defineStrategy, favourites, greenUp, lay, param, requote, spread } from 'oddsmith';

export default defineStrategy({
  name: 'passive-quoter',
  params: {
    stake: param.stake({ default: 5 }),
    outcomes: param.number({ default: 3, min: 1, integer: true, about: 'how many favourites to quote' }),
    spread: param.number({ default: 10, min: 1, about: 'widest spread to quote in, in ticks' }),
    inventory: param.stake({ default: 20, about: 'net stake on one side of an outcome at which to stop adding' }),
  },

  decide({ market, orders, position, params }) {
    if (market.inPlay || !market.tradable) {
      if (orders.length > 0) return requote(orders, []);
      return market.tradable ? greenUp(market, position) : [];
    }

    const quotes = favourites(market, params.outcomes).flatMap((outcome) => {
      const { others } = outcome;
      if (spread(others) > params.spread) return [];
      const net = position.matched(outcome.id, 'For').stake - position.matched(outcome.id, 'Against').stake;
      const bid = back(outcome, { stake: params.stake, price: others.bestFor?.price });
      const offer = lay(outcome, { stake: params.stake, price: others.bestAgainst?.price });
      return [...(net < params.inventory ? [bid] : []), ...(-net < params.inventory ? [offer] : [])];
    });
    return requote(orders, quotes);
  },
});
