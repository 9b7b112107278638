/** All that a strategy is given, field by field: what is not listed here must not be there. */

/** `plain` is no object; `x[]` is a list of x, `x?` may be absent; the kinds are the keys of `DOCUMENTED`. */
export type Documented = Readonly<Record<string, string | Call>>;

/** A function, what the walk calls it with, and what comes back. */
export interface Call {
  readonly with: readonly ('market' | 'outcome' | 'For' | 1 | 'none')[];
  readonly gives: string;
}

const call = (gives: string, ...args: Call['with']): Call => ({ with: args, gives });

const BOOK: Documented = {
  ...{ bestAgainst: 'level?', bestFor: 'level?', bestPrice: call('plain', 'For'), levels: call('level[]', 'For', 1) },
};

const OUTCOME: Documented = {
  ...{ id: 'plain', marketId: 'plain', title: 'plain', ordering: 'plain', metadata: 'metadata', status: 'plain' },
  ...BOOK,
  ...{ lastPrice: 'plain', traded: 'plain', others: 'book' },
  ...{ tradedLevels: call('level[]'), startingPrices: 'startingPrices' },
  ...{ stakeMin: 'plain', payoutMin: 'plain', stakeStep: 'plain' },
};

const MARKET: Documented = {
  ...{ id: 'plain', name: 'plain', eventId: 'plain', eventName: 'plain', marketTypeId: 'plain', venue: 'plain' },
  ...{ countryCode: 'plain', status: 'plain', inPlayStatus: 'plain', inPlay: 'plain', tradable: 'plain' },
  ...{ suspended: 'plain', inPlayDelay: 'plain', expectedStartTime: 'plain', winnersMin: 'plain', winnersMax: 'plain' },
  ...{ stakeMin: 'plain', payoutMin: 'plain' },
  ...{ updatedAt: 'plain', outcomes: 'outcome[]', outcome: call('outcome?', 'outcome'), snapshot: call('market') },
};

export const DOCUMENTED: Readonly<Record<string, Documented>> = {
  input: {
    ...{ why: 'plain', market: 'market', markets: 'markets', orders: 'order[]', position: 'position' },
    ...{ linked: 'linked[]', plot: call('plain') },
    ...{
      wallet: 'wallet',
      params: 'params',
      state: 'plain',
      now: 'plain',
      signal: call('plain', 'outcome', 'outcome'),
    },
  },
  market: MARKET,
  markets: { get: call('market?', 'market'), all: call('market[]') },
  linked: { market: 'market', orders: 'order[]', position: 'position', state: 'plain' },
  outcome: OUTCOME,
  metadata: {},
  book: BOOK,
  startingPrices: { near: 'plain', far: 'plain', actual: 'plain' },
  level: { price: 'plain', stake: 'plain' },
  order: {
    ...{ id: 'plain', marketId: 'plain', outcomeId: 'plain', side: 'plain', price: 'plain', stake: 'plain' },
    ...{ stakeMatched: 'plain', stakeUnmatched: 'plain', stakeVoided: 'plain', averagePrice: 'plain', status: 'plain' },
    ...{ inFlight: 'plain', unknown: 'plain', cancelling: 'plain', placedAt: 'plain' },
    ...{ stakeMin: 'plain', payoutMin: 'plain' },
    note: 'plain',
  },
  position: {
    ...{ isFlat: 'plain', worstLoss: 'plain', profitIfWins: call('plain', 'outcome') },
    matched: call('matched', 'outcome', 'For'),
  },
  matched: { stake: 'plain', averagePrice: 'plain' },
  wallet: { balance: 'plain', balanceAvailable: 'plain' },
  params: {},
};
