/**
 * Dutching: back the front of the market for the same profit whichever of them wins, once, when together they are
 * cheaper than they were on average over the last minutes. Held to the result.
 */
import { defineStrategy, dutch, favourites, overround, param, simpleAverage } from 'oddsmith';

export default defineStrategy({
  name: 'dutch-the-front',
  params: {
    stake: param.stake({ default: 10, about: 'over all of them together' }),
    outcomes: param.number({ default: 2, min: 2, integer: true }),
    from: param.duration({ default: '15m', about: 'first entry before the off' }),
    until: param.duration({ default: '1m', about: 'last entry before the off' }),
    edge: param.number({ default: 0.01, min: 0, about: 'how much cheaper, as a share of the book' }),
  },
  state: () => ({ usual: simpleAverage('5m'), isIn: false }),

  decide({ market, params, state, now, plot }) {
    if (!market.tradable || market.inPlay || market.winnersMax > 1) return [];
    const front = favourites(market, params.outcomes);
    // A book of 0.62 says that one of them wins with a chance of 62 %, as far as the prices know.
    const book = front.length === params.outcomes ? 1 + overround(front) : undefined;
    const usual = state.usual.add(now, book);
    plot({ book, usual });
    const left = (market.expectedStartTime ?? Number.POSITIVE_INFINITY) - now;
    if (state.isIn || !state.usual.isFull || left > params.from || left <= params.until) return [];
    if (book === undefined || usual === undefined || book > usual * (1 - params.edge)) return [];
    const note = `book ${book.toFixed(3)}, usually ${usual.toFixed(3)}`;
    const intents = dutch(front, { stake: params.stake, matchBehavior: 'CancelUnmatched', note });
    // A part of a dutch is another bet: all of it must be on offer.
    const isOnOffer = intents.every(
      ({ outcome, stake }) => (market.outcome(outcome)?.bestAgainst?.stake ?? 0) >= stake,
    );
    return intents.length === 0 || !isOnOffer ? [] : { intents, state: { ...state, isIn: true } };
  },
});
