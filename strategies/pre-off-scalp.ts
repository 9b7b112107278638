/**
 * Scalping before the off: while the favourite's price is coming in, queue to back it, and offer the bet on two ticks
 * lower. Cut it where it goes the other way, and be flat before the off.
 */
import {
  back,
  defineStrategy,
  exponentialAverage,
  favourites,
  greenUp,
  lay,
  param,
  requote,
  spread,
  ticksAway,
  ticksBetween,
} from 'oddsmith';

export default defineStrategy({
  name: 'pre-off-scalp',
  params: {
    stake: param.stake({ default: 10 }),
    from: param.duration({ default: '20m', about: 'first entry before the off' }),
    until: param.duration({ default: '2m', about: 'flat so long before the off' }),
    take: param.number({ default: 2, min: 1, integer: true, about: 'profit to offer at, in ticks' }),
    stop: param.number({ default: 3, min: 1, integer: true, about: 'loss to cut, in ticks' }),
  },
  state: () => ({ fast: exponentialAverage('20s'), slow: exponentialAverage('3m'), held: '', entry: 0 }),

  decide({ market, orders, position, params, state, now, plot }) {
    if (!market.tradable || market.inPlay) return [];
    const [favourite] = favourites(market);
    const others = favourite?.others;
    const price = others?.bestPrice('Against');
    const fast = state.fast.add(now, price);
    const slow = state.slow.add(now, price);
    plot({ fast, slow });
    const left = (market.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;

    const exit = greenUp(market, position);
    const held = market.outcome(state.held);
    if (exit.length > 0 && held !== undefined) {
      const loss = ticksBetween(state.entry, held.others.bestPrice('For') ?? state.entry);
      if (left <= params.until || loss >= params.stop) return orders.length > 0 ? requote(orders, []) : exit;
      const target = ticksAway(state.entry, -params.take);
      const [backed, laid] = [position.matched(held.id, 'For'), position.matched(held.id, 'Against')];
      const owed = backed.stake * (backed.averagePrice ?? 0) - laid.stake * (laid.averagePrice ?? 0);
      const isEnough = owed / target >= (held.stakeMin ?? 0.01);
      return requote(orders, isEnough ? [lay(held, { stake: owed / target, price: target, note: 'take' })] : []);
    }

    const queue = others?.bestPrice('For');
    const isComingIn = fast !== undefined && slow !== undefined && state.slow.isFull && fast < slow;
    const isTime = left <= params.from && left > params.until;
    if (favourite === undefined || others === undefined || queue === undefined) return requote(orders, []);
    if (!isTime || !isComingIn || spread(others) > 4) return requote(orders, []);
    const entry = back(favourite, { stake: params.stake, price: queue, note: 'coming in' });
    return { intents: requote(orders, [entry]), state: { ...state, held: favourite.id, entry: queue } };
  },
});
