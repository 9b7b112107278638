/** What a client sends over the stream: authentication, subscriptions, heartbeats. */

import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { looseReader } from '../../../codec/codec-read.ts';
import { faulty, read, type WireResult } from '../../../codec/fault.ts';
import { flag, id, integer, maybe, request, text, words } from '../../../codec/notation.ts';
import { isObject } from '../../../codec/schema-node.ts';
import { BettingTypeWord } from '../basics/codes.ts';
import { rows } from '../basics/shapes.ts';

export const MARKET_DATA_FIELDS = [
  'EX_BEST_OFFERS_DISP',
  'EX_BEST_OFFERS',
  'EX_ALL_OFFERS',
  'EX_TRADED',
  'EX_TRADED_VOL',
  'EX_LTP',
  'EX_MARKET_DEF',
  'SP_TRADED',
  'SP_PROJECTED',
] as const;
export type MarketDataField = (typeof MARKET_DATA_FIELDS)[number];

/** The bounds into which the values of a subscription are corrected; the image tells what was made of them. */
export const SUBSCRIPTION_BOUNDS = {
  heartbeatMs: { min: 500, max: 5_000, absent: 5_000 },
  conflateMs: { min: 0, max: 120_000, absent: 0 },
  ladderLevels: { min: 1, max: 10, absent: 3 },
} as const;

const StreamMarketFilter = request('MarketFilter', {
  marketIds: rows(id),
  eventTypeIds: rows(id),
  eventIds: rows(id),
  marketTypes: rows(text),
  countryCodes: rows(text),
  venues: rows(text),
  bettingTypes: rows(BettingTypeWord),
  bspMarket: maybe(flag),
  turnInPlayEnabled: maybe(flag),
  raceTypes: rows(text),
});

const MarketDataFilter = request('MarketDataFilter', {
  fields: rows(words('MarketDataField', MARKET_DATA_FIELDS)),
  ladderLevels: maybe(integer),
});

const OrderFilter = request('OrderFilter', {
  includeOverallPosition: maybe(flag),
  accountIds: rows(integer),
  customerStrategyRefs: rows(text),
  partitionMatchedByStrategyRef: maybe(flag),
});

/** A request may lack an id: its answer then lacks it too (profile section 7). */
function message<const Op extends string, P extends TProperties>(op: Op, fields: P) {
  return request(op, { op: Type.Literal(op), id: maybe(integer), ...fields });
}

const subscription = {
  segmentationEnabled: maybe(flag),
  conflateMs: maybe(integer),
  heartbeatMs: maybe(integer),
  initialClk: maybe(text),
  clk: maybe(text),
};

/** Requests by their `op`. */
const REQUESTS = {
  authentication: message('authentication', { appKey: maybe(text), session: maybe(text) }),
  marketSubscription: message('marketSubscription', {
    ...subscription,
    marketFilter: maybe(StreamMarketFilter),
    marketDataFilter: maybe(MarketDataFilter),
  }),
  orderSubscription: message('orderSubscription', { ...subscription, orderFilter: maybe(OrderFilter) }),
  heartbeat: message('heartbeat', {}),
} as const;

export type StreamRequest = { [K in keyof typeof REQUESTS]: Static<(typeof REQUESTS)[K]> }[keyof typeof REQUESTS];
export type MarketSubscription = Extract<StreamRequest, { op: 'marketSubscription' }>;
export type OrderSubscription = Extract<StreamRequest, { op: 'orderSubscription' }>;

const readers = new Map(Object.entries(REQUESTS).map(([op, shape]) => [op, looseReader(shape)]));

/** Reads one line of a client. Its fault keeps the request's id, if one can be seen, for the answer. */
export function streamRequestOf(line: string): WireResult<StreamRequest> & { readonly id?: number } {
  const value = parsed(line);
  if (value === undefined) return faulty('NOT_JSON');
  if (!isObject(value)) return faulty('WRONG_TYPE');
  const { id: given, op } = value;
  const named = typeof given === 'number' && Number.isSafeInteger(given) ? { id: given } : {};
  const reader = typeof op === 'string' ? readers.get(op) : undefined;
  if (reader === undefined) return { ...faulty('UNKNOWN_WORD', 'op'), ...named };
  const result = reader(value);
  // The reader of this `op` read it, so that it is a request.
  return result.kind === 'read' ? read(result.value as StreamRequest) : { ...result, ...named };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
