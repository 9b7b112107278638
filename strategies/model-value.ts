/**
 * A model from outside: back what the market offers longer than the model's chance is worth, for a quarter of the Kelly
 * stake, at most once an outcome. The model's numbers come as a signal, each from the moment it was available.
 */
import { back, defineStrategy, kelly, param } from 'oddsmith';

export default defineStrategy({
  name: 'model-value',
  params: {
    edge: param.number({ default: 0.03, min: 0, about: 'expected profit per stake to bet on' }),
    fraction: param.number({ default: 0.25, min: 0, max: 1, about: 'part of the Kelly stake' }),
    most: param.stake({ default: 50, about: 'largest stake' }),
    until: param.duration({ default: '30s', about: 'last bet before the off' }),
  },
  signals: [{ name: 'chance', file: 'model-value.csv' }],

  decide({ market, orders, position, wallet, params, now, signal, plot }) {
    const left = (market.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;
    if (!market.tradable || market.inPlay || left <= params.until || orders.length > 0) return [];
    return market.outcomes.flatMap((outcome) => {
      const probability = signal('chance', outcome.id);
      const price = outcome.bestPrice('Against');
      if (probability === undefined || price === undefined || outcome.status !== 'Active') return [];
      plot({ [`edge ${outcome.title}`]: probability * price - 1 });
      if (probability * price < 1 + params.edge || position.matched(outcome.id, 'For').stake > 0) return [];
      const { fraction } = params;
      const stake = Math.min(params.most, kelly({ probability, price, bankroll: wallet.balance, fraction }));
      const note = `model ${(1 / probability).toFixed(2)}, offered ${price}`;
      return stake < 1 ? [] : [back(outcome, { stake, matchBehavior: 'CancelUnmatched', note })];
    });
  },
});
