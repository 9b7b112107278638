/** The operations of Betfair's three APIs: what each takes, and what it answers. */

import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { flag, id, integer, maybe, number, request, text, type Written } from '../../codec/notation.ts';
import {
  BetStatusWord,
  GroupByWord,
  MarketProjectionWord,
  MarketSortWord,
  OrderByWord,
  OrderProjectionWord,
  SideWord,
  SortDirWord,
  TimeGranularityWord,
  WalletWord,
} from './basics/codes.ts';
import { MarketVersion, rows, TimeRange } from './basics/shapes.ts';
import {
  AccountDetailsResponse,
  AccountFundsResponse,
  AccountStatementReport,
  CurrencyRate,
  HeartbeatReport,
} from './documents/account.ts';
import { BOOK_PROJECTIONS, MarketBook } from './documents/book.ts';
import { MarketCatalogue } from './documents/catalogue.ts';
import {
  CompetitionResult,
  CountryCodeResult,
  EventResult,
  EventTypeResult,
  MarketFilter,
  MarketTypeResult,
  TimeRangeResult,
  VenueResult,
} from './documents/filter.ts';
import {
  ClearedOrderSummaryReport,
  CurrentOrderSummaryReport,
  MarketProfitAndLoss,
  RunnerId,
} from './documents/order-lists.ts';
import {
  CancelExecutionReport,
  cancelInstructions,
  PlaceExecutionReport,
  placeInstructions,
  ReplaceExecutionReport,
  replaceInstructions,
  UpdateExecutionReport,
  updateInstructions,
} from './documents/orders.ts';

/** An API has operations, an address and exceptions of its own. */
export type Api = 'SportsAPING' | 'AccountAPING' | 'HeartbeatAPING';

interface OperationShape {
  readonly api: Api;
  readonly params: TObject;
  readonly result: TSchema;
}

function betting<P extends TProperties, R extends TSchema>(params: P, result: R) {
  return { api: 'SportsAPING', params: request('Params', params), result } as const;
}

function account<P extends TProperties, R extends TSchema>(params: P, result: R) {
  return { api: 'AccountAPING', params: request('Params', params), result } as const;
}

const filtered = { filter: MarketFilter, locale: maybe(text) };
const page = { fromRecord: maybe(integer), recordCount: maybe(integer) };
const marked = { customerRef: maybe(text) };

export const OPERATIONS = {
  listEventTypes: betting(filtered, Type.Array(EventTypeResult)),
  listCompetitions: betting(filtered, Type.Array(CompetitionResult)),
  listTimeRanges: betting({ filter: MarketFilter, granularity: TimeGranularityWord }, Type.Array(TimeRangeResult)),
  listEvents: betting(filtered, Type.Array(EventResult)),
  listMarketTypes: betting(filtered, Type.Array(MarketTypeResult)),
  listCountries: betting(filtered, Type.Array(CountryCodeResult)),
  listVenues: betting(filtered, Type.Array(VenueResult)),
  listMarketCatalogue: betting(
    {
      ...filtered,
      marketProjection: rows(MarketProjectionWord),
      sort: maybe(MarketSortWord),
      maxResults: integer,
    },
    Type.Array(MarketCatalogue),
  ),
  listMarketBook: betting({ marketIds: Type.Array(id), ...BOOK_PROJECTIONS }, Type.Array(MarketBook)),
  listRunnerBook: betting(
    { marketId: id, selectionId: integer, handicap: maybe(number), ...BOOK_PROJECTIONS },
    Type.Array(MarketBook),
  ),
  listCurrentOrders: betting(
    {
      betIds: rows(id),
      marketIds: rows(id),
      orderProjection: maybe(OrderProjectionWord),
      customerOrderRefs: rows(text),
      customerStrategyRefs: rows(text),
      placedDateRange: maybe(TimeRange),
      dateRange: maybe(TimeRange),
      orderBy: maybe(OrderByWord),
      sortDir: maybe(SortDirWord),
      ...page,
      // In no description: the documentation has it, and betfairlightweight sends it.
      includeItemDescription: maybe(flag),
    },
    CurrentOrderSummaryReport,
  ),
  listClearedOrders: betting(
    {
      betStatus: BetStatusWord,
      eventTypeIds: rows(id),
      eventIds: rows(id),
      marketIds: rows(id),
      runnerIds: rows(RunnerId),
      betIds: rows(id),
      customerOrderRefs: rows(text),
      customerStrategyRefs: rows(text),
      side: maybe(SideWord),
      settledDateRange: maybe(TimeRange),
      groupBy: maybe(GroupByWord),
      includeItemDescription: maybe(flag),
      locale: maybe(text),
      ...page,
    },
    ClearedOrderSummaryReport,
  ),
  placeOrders: betting(
    {
      marketId: id,
      instructions: placeInstructions,
      ...marked,
      marketVersion: maybe(MarketVersion),
      customerStrategyRef: maybe(text),
      async: maybe(flag),
    },
    PlaceExecutionReport,
  ),
  cancelOrders: betting({ marketId: maybe(id), instructions: cancelInstructions, ...marked }, CancelExecutionReport),
  replaceOrders: betting(
    {
      marketId: id,
      instructions: replaceInstructions,
      ...marked,
      marketVersion: maybe(MarketVersion),
      async: maybe(flag),
    },
    ReplaceExecutionReport,
  ),
  updateOrders: betting({ marketId: id, instructions: updateInstructions, ...marked }, UpdateExecutionReport),
  listMarketProfitAndLoss: betting(
    {
      marketIds: Type.Array(id),
      includeSettledBets: maybe(flag),
      includeBspBets: maybe(flag),
      netOfCommission: maybe(flag),
    },
    Type.Array(MarketProfitAndLoss),
  ),
  getAccountFunds: account({ wallet: maybe(WalletWord) }, AccountFundsResponse),
  getAccountDetails: account({}, AccountDetailsResponse),
  listCurrencyRates: account({ fromCurrency: maybe(text) }, Type.Array(CurrencyRate)),
  getAccountStatement: account(
    {
      locale: maybe(text),
      ...page,
      itemDateRange: maybe(TimeRange),
      includeItem: maybe(text),
      wallet: maybe(WalletWord),
    },
    AccountStatementReport,
  ),
  heartbeat: {
    api: 'HeartbeatAPING',
    params: request('Params', { preferredTimeoutSeconds: integer }),
    result: HeartbeatReport,
  },
} as const satisfies Readonly<Record<string, OperationShape>>;

export type Operation = keyof typeof OPERATIONS;
export type Params<O extends Operation> = Static<(typeof OPERATIONS)[O]['params']>;
export type Result<O extends Operation> = Written<(typeof OPERATIONS)[O]['result']>;
