/**
 * Market making: quote both sides of the favourites around the price at which they were traded in the last minute, a
 * few ticks apart, and lean the quotes against what is held, so that the next match makes it smaller. Stand back while
 * the price runs, move only quotes that are off by more than a tick, and go flat before the off.
 */
import {
  back,
  defineStrategy,
  favourites,
  greenUp,
  lay,
  param,
  type RangeOver,
  rangeOver,
  requote,
  roundToLadder,
  type TradedOver,
  ticksAway,
  ticksBetween,
  tradedOver,
} from 'oddsmith';

interface Watched {
  readonly range: RangeOver;
  readonly traded: TradedOver;
}

export default defineStrategy({
  name: 'market-maker',
  params: {
    stake: param.stake({ default: 5 }),
    outcomes: param.number({ default: 2, min: 1, integer: true, about: 'how many favourites to quote' }),
    edge: param.number({ default: 2, min: 1, integer: true, about: 'ticks from the traded price' }),
    inventory: param.stake({ default: 15, about: 'net stake on an outcome at which to stop adding' }),
    calm: param.number({ default: 6, min: 1, about: 'ticks of range in 30 s beyond which to stand back' }),
    until: param.duration({ default: '1m', about: 'flat so long before the off' }),
  },
  state: () => ({ watched: new Map<string, Watched>() }),

  decide({ market, orders, position, params, state, now, plot }) {
    if (!market.tradable) return [];
    const left = (market.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;
    if (market.inPlay || left <= params.until)
      return orders.length > 0 ? requote(orders, []) : greenUp(market, position);

    const quotes = favourites(market, params.outcomes).flatMap((outcome) => {
      const watched = state.watched.get(outcome.id) ?? { range: rangeOver('30s'), traded: tradedOver('1m') };
      state.watched.set(outcome.id, watched);
      const { price: fair } = watched.traded.add(now, outcome);
      const range = watched.range.add(now, fair);
      plot({ [`fair ${outcome.title}`]: fair });
      const [toBack, toLay] = [outcome.bestPrice('Against'), outcome.bestPrice('For')];
      if (fair === undefined || range === undefined || toBack === undefined || toLay === undefined) return [];
      if (ticksBetween(range.low, range.high) > params.calm) return [];

      const net = position.matched(outcome.id, 'For').stake - position.matched(outcome.id, 'Against').stake;
      const middle = ticksAway(roundToLadder(fair), Math.round(net / params.stake));
      // Never through the other side, since a maker waits; and a quote that stands about right keeps its place.
      const wanted = { For: Math.max(ticksAway(middle, params.edge), ticksAway(toBack, 1)), Against: 0 };
      wanted.Against = Math.min(ticksAway(middle, -params.edge), ticksAway(toLay, -1));
      const priceOf = (side: 'For' | 'Against') => {
        const own = orders.find((order) => order.outcomeId === outcome.id && order.side === side);
        return own !== undefined && Math.abs(ticksBetween(own.price, wanted[side])) <= 1 ? own.price : wanted[side];
      };
      return [
        ...(net < params.inventory ? [back(outcome, { stake: params.stake, price: priceOf('For') })] : []),
        ...(net > -params.inventory ? [lay(outcome, { stake: params.stake, price: priceOf('Against') })] : []),
      ];
    });
    return requote(orders, quotes);
  },
});
