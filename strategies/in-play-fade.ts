/**
 * In play: when the leader's price has fallen far below its average of the last minutes, lay it, and level the bet
 * after a while. One order at a time, since each waits out the exchange's delay; nothing while the market is suspended.
 */
import { defineStrategy, favourites, greenUp, lay, param, simpleAverage } from 'oddsmith';

export default defineStrategy({
  name: 'in-play-fade',
  params: {
    stake: param.stake({ default: 10 }),
    fall: param.number({ default: 0.1, min: 0.01, max: 0.9, about: 'how far below its average, as a share of it' }),
    longest: param.price({ default: 3, about: 'the leader is shorter than this' }),
    hold: param.duration({ default: '90s' }),
    trades: param.number({ default: 5, min: 1, integer: true, about: 'at most so many in a market' }),
  },
  state: () => ({ usual: simpleAverage('3m'), leader: '', since: 0, trades: 0 }),

  decide({ market, orders, position, params, state, now, plot }) {
    if (!market.inPlay || !market.tradable) return [];
    const [leader] = favourites(market);
    if (leader === undefined) return [];
    // Another leader has a history of its own.
    const isNew = leader.id !== state.leader;
    const here = isNew ? { ...state, usual: simpleAverage('3m'), leader: leader.id } : state;
    const price = leader.bestPrice('For');
    const usual = here.usual.add(now, price);
    plot({ price, usual });
    if (orders.length > 0) return { state: here };

    const exit = greenUp(market, position, { note: 'level' });
    if (exit.length > 0) {
      const levelAt = here.since + params.hold;
      return now >= levelAt ? { intents: exit, state: here } : { state: here, wakeAt: levelAt };
    }

    const isFallen = price !== undefined && usual !== undefined && price < usual * (1 - params.fall);
    if (!isFallen || !here.usual.isFull || price > params.longest || here.trades >= params.trades)
      return { state: here };
    const order = lay(leader, { stake: params.stake, price, matchBehavior: 'CancelUnmatched', note: 'fallen' });
    return { intents: [order], state: { ...here, since: now, trades: here.trades + 1 } };
  },
});
