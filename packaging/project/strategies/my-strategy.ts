/**
 * Queues one back order on the favourite before the off, and closes whatever matched of it: at a profit of some ticks, at a loss of
 * some, or when it was held for long enough. It trades once in each market and leaves nothing open when the market turns in play.
 */
import {
  back,
  closeTrade,
  defineStrategy,
  favourites,
  param,
  requote,
  spread,
  ticksAway,
  ticksBetween,
} from 'oddsmith';

export default defineStrategy({
  name: 'my-strategy',
  params: {
    stake: param.stake({ default: 5, about: 'of the one order in each market' }),
    priceMax: param.price({ default: 6, about: 'a favourite at a longer price is none' }),
    enter: param.duration({ default: '30m', about: 'how long before the off the first order may be placed' }),
    take: param.number({ default: 2, min: 1, integer: true, about: 'profit to take, in ticks' }),
    stop: param.number({ default: 4, min: 1, integer: true, about: 'loss to cut, in ticks' }),
    hold: param.duration({ default: '5m', about: 'how long a match is held at most' }),
  },
  state: () => ({ outcome: '', price: 0, heldSince: 0, isDone: false }),

  decide({ market, orders, position, params, state, now }) {
    if (!market.tradable || state.isDone) return [];

    // Something has matched: close it when it has gone far enough, either way, or lasts too long.
    const backed = market.outcome(state.outcome);
    const exit = backed === undefined ? [] : closeTrade(backed, position);
    if (exit.length > 0) {
      const heldSince = state.heldSince === 0 ? now : state.heldSince;
      const closeAt = heldSince + params.hold;
      const price = backed?.bestFor?.price ?? state.price;
      const gained = ticksBetween(price, state.price);
      const isOver = gained >= params.take || gained <= -params.stop || now >= closeAt || market.inPlay;
      if (!isOver) return { intents: [], state: { ...state, heldSince }, wakeAt: closeAt };
      // What still rests goes first, so that it cannot match behind the exit.
      return orders.length > 0 ? requote(orders, []) : { intents: exit, state: { ...state, heldSince } };
    }
    if (state.heldSince > 0 || market.inPlay) {
      return { intents: requote(orders, []), state: { ...state, isDone: orders.length === 0 } };
    }

    // Nothing has matched yet: one order waits in the queue of the favourite, and stays where it is.
    if (orders.length > 0 || market.expectedStartTime === undefined || now < market.expectedStartTime - params.enter)
      return [];
    const [favourite] = favourites(market);
    const queue = favourite?.bestFor?.price;
    if (favourite === undefined || queue === undefined || queue > params.priceMax || spread(favourite) > 4) return [];
    const price = ticksAway(queue, 1);
    return {
      intents: [back(favourite, { stake: params.stake, price, note: 'waits in the queue of the favourite' })],
      state: { ...state, outcome: favourite.id, price },
    };
  },
});
