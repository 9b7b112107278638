/**
 * Backs the favourite while the money leans on its price, then takes a few ticks of profit or cuts the loss.
 * Aggressive: it takes the price on offer and leaves nothing resting.
 */
import { back, defineStrategy, favourites, greenUp, param, spread, ticksBetween, weightOfMoney } from 'oddsmith';

export default defineStrategy({
  name: 'favourite-scalp',
  params: {
    stake: param.stake({ default: 10 }),
    lean: param.number({ default: 0.65, min: 0, max: 1, about: 'share of the queued money that wants to back' }),
    spread: param.number({ default: 2, min: 1, about: 'widest spread to enter on, in ticks' }),
    take: param.number({ default: 2, min: 1, about: 'profit to take, in ticks' }),
    stop: param.number({ default: 4, min: 1, about: 'loss to cut, in ticks' }),
  },
  state: () => ({ held: '', entry: 0 }),

  decide({ market, orders, position, params, state }) {
    if (!market.tradable || orders.length > 0) return [];

    const exit = greenUp(market, position);
    if (exit.length > 0) {
      const price = market.outcome(state.held)?.bestFor?.price ?? state.entry;
      const gained = ticksBetween(price, state.entry);
      return gained >= params.take || gained <= -params.stop ? exit : [];
    }

    const [favourite] = favourites(market);
    const entry = favourite?.bestAgainst?.price;
    if (favourite === undefined || entry === undefined) return [];
    if (spread(favourite) > params.spread || weightOfMoney(favourite) < params.lean) return [];
    const order = back(favourite, { stake: params.stake, matchBehavior: 'CancelUnmatched' });
    return { intents: [order], state: { held: favourite.id, entry } };
  },
});
