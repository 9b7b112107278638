/**
 * Greening up: one bet on the favourite before the off, then the same profit whichever outcome wins: taken when the
 * price has come in far enough, cut when it has gone out too far, and in any case shortly before the off.
 */
import { back, defineStrategy, favourites, greenUp, param, spread, ticksBetween } from 'oddsmith';

export default defineStrategy({
  name: 'back-and-green',
  params: {
    stake: param.stake({ default: 10 }),
    from: param.duration({ default: '15m', about: 'enter so long before the off' }),
    until: param.duration({ default: '1m', about: 'level so long before the off' }),
    take: param.number({ default: 4, min: 1, integer: true, about: 'profit to take, in ticks' }),
    stop: param.number({ default: 6, min: 1, integer: true, about: 'loss to cut, in ticks' }),
  },
  state: () => ({ held: '', entry: 0 }),

  decide({ market, orders, position, params, state, now, plot }) {
    if (!market.tradable || market.inPlay || orders.length > 0) return [];
    const left = (market.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;

    const exit = greenUp(market, position, { note: 'green up' });
    if (exit.length > 0) {
      const price = market.outcome(state.held)?.bestPrice('For') ?? state.entry;
      const gained = ticksBetween(price, state.entry);
      plot({ gained });
      const isOver = gained >= params.take || gained <= -params.stop || left <= params.until;
      return isOver ? exit : [];
    }

    const [favourite] = favourites(market);
    const entry = favourite?.bestPrice('Against');
    if (state.held !== '' || favourite === undefined || entry === undefined) return [];
    if (left > params.from || left <= params.until || spread(favourite) > 3) return [];
    const order = back(favourite, { stake: params.stake, matchBehavior: 'CancelUnmatched', note: 'enter' });
    return { intents: [order], state: { held: favourite.id, entry } };
  },
});
