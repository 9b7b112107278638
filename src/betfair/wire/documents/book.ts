/** A market's state and prices, as a call answers them, and what can be asked of them. */

import { document, flag, id, integer, maybe, moment, number, request, text } from '../../../codec/notation.ts';
import {
  BetDelayModelWord,
  MarketStatusWord,
  MatchProjectionWord,
  OrderProjectionWord,
  OrderStatusWord,
  OrderTypeWord,
  PersistenceTypeWord,
  PriceDataWord,
  RollupModelWord,
  RunnerStatusWord,
  SideWord,
} from '../basics/codes.ts';
import { byName, PriceSize, rows, startingPrice } from '../basics/shapes.ts';
import { PriceLadderDescription } from './catalogue.ts';

const ExBestOffersOverrides = request('ExBestOffersOverrides', {
  bestPricesDepth: maybe(integer),
  rollupModel: maybe(RollupModelWord),
  rollupLimit: maybe(integer),
  rollupLiabilityThreshold: maybe(number),
  rollupLiabilityFactor: maybe(integer),
});

const PriceProjection = request('PriceProjection', {
  priceData: rows(PriceDataWord),
  exBestOffersOverrides: maybe(ExBestOffersOverrides),
  virtualise: maybe(flag),
  rolloverStakes: maybe(flag),
});

/** What is asked of each market, of listMarketBook and listRunnerBook alike. */
export const BOOK_PROJECTIONS = {
  priceProjection: maybe(PriceProjection),
  orderProjection: maybe(OrderProjectionWord),
  matchProjection: maybe(MatchProjectionWord),
  includeOverallPosition: maybe(flag),
  partitionMatchedByStrategyRef: maybe(flag),
  customerStrategyRefs: rows(text),
  currencyCode: maybe(text),
  locale: maybe(text),
  matchedSince: maybe(moment),
  betIds: rows(id),
};

const StartingPrices = document('StartingPrices', {
  nearPrice: maybe(startingPrice),
  farPrice: maybe(startingPrice),
  backStakeTaken: rows(PriceSize),
  layLiabilityTaken: rows(PriceSize),
  actualSP: maybe(startingPrice),
});

const ExchangePrices = document('ExchangePrices', {
  availableToBack: rows(PriceSize),
  availableToLay: rows(PriceSize),
  tradedVolume: rows(PriceSize),
});

/** An order as a book shows it: its own names of fields differ from those of the list of current orders. */
const BookOrder = document('Order', {
  betId: id,
  orderType: OrderTypeWord,
  status: OrderStatusWord,
  persistenceType: PersistenceTypeWord,
  side: SideWord,
  price: number,
  size: number,
  bspLiability: number,
  placedDate: moment,
  avgPriceMatched: maybe(number),
  sizeMatched: maybe(number),
  sizeRemaining: maybe(number),
  sizeLapsed: maybe(number),
  sizeCancelled: maybe(number),
  sizeVoided: maybe(number),
  customerOrderRef: maybe(text),
  customerStrategyRef: maybe(text),
});

const Match = document('Match', {
  betId: maybe(id),
  matchId: maybe(id),
  side: SideWord,
  price: number,
  size: number,
  matchDate: maybe(moment),
});
const Matches = document('Matches', { matches: rows(Match) });

const Runner = document(
  'Runner',
  {
    selectionId: integer,
    handicap: number,
    status: RunnerStatusWord,
    adjustmentFactor: maybe(number),
    lastPriceTraded: maybe(number),
    totalMatched: maybe(number),
    removalDate: maybe(moment),
    sp: maybe(StartingPrices),
    ex: maybe(ExchangePrices),
    orders: rows(BookOrder),
    matches: rows(Match),
    matchesByStrategy: maybe(byName(Matches)),
  },
  { needs: ['selectionId', 'status'], uses: ['handicap', 'ex'] },
);

const KeyLineSelection = document('KeyLineSelection', { selectionId: integer, handicap: number });
const KeyLineDescription = document('KeyLineDescription', { keyLine: rows(KeyLineSelection) });

/** `betDelayModels` is in no description: it came in September 2025 (profile section 5). */
export const MarketBook = document(
  'MarketBook',
  {
    marketId: id,
    isMarketDataDelayed: flag,
    status: maybe(MarketStatusWord),
    betDelay: maybe(integer),
    betDelayModels: rows(BetDelayModelWord),
    bspReconciled: maybe(flag),
    complete: maybe(flag),
    inplay: maybe(flag),
    numberOfWinners: maybe(integer),
    numberOfRunners: maybe(integer),
    numberOfActiveRunners: maybe(integer),
    lastMatchTime: maybe(moment),
    totalMatched: maybe(number),
    totalAvailable: maybe(number),
    crossMatching: maybe(flag),
    runnersVoidable: maybe(flag),
    version: maybe(integer),
    runners: rows(Runner),
    keyLineDescription: maybe(KeyLineDescription),
    priceLadderDefinition: maybe(PriceLadderDescription),
  },
  { needs: ['marketId', 'status', 'runners'], uses: ['betDelay', 'inplay', 'isMarketDataDelayed'] },
);
