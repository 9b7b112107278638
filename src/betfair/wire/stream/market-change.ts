/** The message of market changes (mcm): definitions, and prices by runner. */

import { Type } from '@sinclair/typebox';
import { document, flag, id, integer, maybe, moment, number, text, type Written } from '../../../codec/notation.ts';
import {
  BetDelayModelWord,
  BettingTypeWord,
  MarketStatusWord,
  PriceLadderTypeWord,
  RunnerStatusWord,
} from '../basics/codes.ts';
import { rows, startingPrice } from '../basics/shapes.ts';
import { CHANGE_ENVELOPE } from './messages.ts';

/** [price, size], or [level, price, size]; a size of 0 removes it. */
const levels = rows(Type.Array(number));

const RunnerDefinition = document(
  'RunnerDefinition',
  {
    adjustmentFactor: maybe(number),
    status: RunnerStatusWord,
    sortPriority: integer,
    removalDate: maybe(moment),
    id: integer,
    hc: maybe(number),
    bsp: maybe(startingPrice),
  },
  { needs: ['id', 'status'], uses: ['adjustmentFactor', 'sortPriority', 'removalDate', 'hc', 'bsp'] },
);

const KeyLineSelection = document('KeyLineSelection', { id: integer, hc: number });

/**
 * Always sent whole. Required is what betfairlightweight cannot do without: the published schema names nothing as required.
 * Recordings that Betfair sells have names of market, event and runners as well.
 */
export const MarketDefinition = document(
  'MarketDefinition',
  {
    bspMarket: flag,
    turnInPlayEnabled: flag,
    persistenceEnabled: flag,
    marketBaseRate: number,
    eventId: id,
    eventTypeId: id,
    numberOfWinners: integer,
    bettingType: BettingTypeWord,
    marketType: maybe(text),
    marketTime: moment,
    suspendTime: maybe(moment),
    bspReconciled: flag,
    complete: flag,
    inPlay: flag,
    crossMatching: flag,
    runnersVoidable: flag,
    numberOfActiveRunners: integer,
    betDelay: integer,
    betDelayModels: rows(BetDelayModelWord),
    status: MarketStatusWord,
    settledTime: maybe(moment),
    runners: Type.Array(RunnerDefinition),
    regulators: Type.Array(text),
    venue: maybe(text),
    countryCode: maybe(text),
    discountAllowed: flag,
    timezone: text,
    openDate: maybe(moment),
    version: integer,
    eachWayDivisor: maybe(number),
    raceType: maybe(text),
    lineMaxUnit: maybe(number),
    lineMinUnit: maybe(number),
    lineInterval: maybe(number),
    keyLineDefinition: maybe(document('KeyLineDefinition', { kl: Type.Array(KeyLineSelection) })),
    priceLadderDefinition: maybe(document('PriceLadderDefinition', { type: PriceLadderTypeWord }, { needs: ['type'] })),
  },
  {
    needs: ['status', 'runners'],
    uses: [
      ...([
        'bspMarket',
        'turnInPlayEnabled',
        'persistenceEnabled',
        'marketBaseRate',
        'numberOfWinners',
        'bettingType',
      ] as const),
      ...(['marketType', 'marketTime', 'bspReconciled', 'complete', 'inPlay', 'crossMatching', 'betDelay'] as const),
      ...(['betDelayModels', 'version', 'eachWayDivisor', 'priceLadderDefinition'] as const),
    ],
  },
);

/** A runner is named by its id and handicap together; a handicap of 0 is not sent. */
const RunnerChange = document('RunnerChange', {
  id: integer,
  hc: maybe(number),
  tv: maybe(number),
  ltp: maybe(number),
  trd: levels,
  batb: levels,
  batl: levels,
  bdatb: levels,
  bdatl: levels,
  atb: levels,
  atl: levels,
  spb: levels,
  spl: levels,
  spn: maybe(startingPrice),
  spf: maybe(startingPrice),
});

const MarketChange = document('MarketChange', {
  id,
  /** True: it replaces all that is known of the market. */
  img: maybe(flag),
  /** True: several changes were joined, because the client reads too slowly or asked for it. */
  con: maybe(flag),
  tv: maybe(number),
  marketDefinition: maybe(MarketDefinition),
  rc: rows(RunnerChange),
});

export const MarketChangeMessage = document('MarketChangeMessage', {
  op: Type.Literal('mcm'),
  ...CHANGE_ENVELOPE,
  mc: rows(MarketChange),
});

export type StreamMarketDefinition = Written<typeof MarketDefinition>;
export type StreamRunnerChange = Written<typeof RunnerChange>;
export type StreamMarketChange = Written<typeof MarketChange>;
