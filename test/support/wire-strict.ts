/**
 * The vendor's strict check, written by hand from the appendix of wire shapes and sharing nothing with the schemas.
 * Notation of a field: its key and its type, none for string; n number, i integer, b boolean, t date-time, {n} a map
 * to numbers, [X] a list, A|B one of two documents, else a word list or document by name; ? may be absent or null.
 * `*X` takes over the fields of X, `-key` drops one, and a later field replaces an earlier one of its key.
 */

export const WORDS: Readonly<Record<string, string>> = {
  Side: 'For Against',
  MatchBehavior: 'RetainUnmatched CancelUnmatched',
  InPlay: 'NotApplicable PrePlay InPlay',
  MarketStatus: 'Initializing Open Locking Locked Settling Settled Voiding Voided Closed',
  WalletType: 'Commission MarketEscrow System User',
  OrderStatus: 'Pending Unmatched PartiallyMatched Matched Cancelled Failed Won Lost Voided HalfWon HalfLost Push',
  Code: 'Deposit Withdrawal TradeCreation TradeVoid TradeWin WalletToWallet Commission MarketPositionVoid MarketPositionPayout MarketPositionRefund ManualDebit ManualCredit SettlementResidual',
  PType: 'Individual Team',
  Action: 'None CancelUnmatchedLiquidity',
  Sort: 'ASC DESC',
  SubType: 'EventUpdate MarketUpdate MarketPriceUpdate MarketStatusUpdate OrderUpdate WalletUpdate',
  UpdateType: 'Snapshot Incremental',
};

const SHAPES = `
PageMeta: _pageNumber i, _pageSize i, _totalElements i, _totalPages i
M: _primary_document, _count i, _page PageMeta?
P: _primary_document, _count i, _page PageMeta
Cursor: offset t?, secondaryOffset i?, limit i, sort Sort
K: _primary_document, _count i, offset Cursor, nextOffset Cursor?
R: _ref, _ids [s]
Range: min i, max i
ExternalReference: id i, source, externalReference
Session: accessToken, refreshToken, accessExpiresAt t, refreshExpiresAt t
CommissionRate: id, rate n, createdAt t?
Heartbeat: appId, active b, timeoutMs i, lastSeenAt t
Category: id, name, createdAt t, modifiedAt t
Subcategory: id, name, category R, externalReferences R, createdAt t, modifiedAt t
EventGroup: id, name, subcategory R, externalReferences R, createdAt t, modifiedAt t
CategorySum: id, name
SubcategorySum: id, name, category R
EventGroupSum: id, name, subcategory R
CategoryDated: id, name, createdAt t, modifiedAt t
SubcategoryDated: id, name, category R, createdAt t, modifiedAt t
EventGroupDated: id, name, subcategory R, createdAt t, modifiedAt t
Event: id, ownerAppId, eventGroup R, name, code, active b, expectedStartTime t, actualStartTime t?, actualEndTime t?, createdAt t, modifiedAt t, participants R, externalReferences R
EventSum: id, eventGroup R, name, code, expectedStartTime t, active b
Participant: id, code, name, type PType, active b, externalReferences R
ParticipantSum: id, code, name, type PType, active b
EventParticipant: id, code, name, type PType
MarketType: id, outcomesRange Range, winnersRange Range, createdAt t, modifiedAt t
MarketTypeSum: id, outcomesRange Range, winnersRange Range
MarketOutcome: id, title, ordering i, winner b?, participant R
Market: id, ownerAppId, event R, name, marketType R, marketValue ?, marketDiscriminator ?, currencyId, inPlayStatus InPlay, inPlayDelay i?, crossMatchingEnabled b, published b, suspended b, lockAt t, settledAt t?, marketLockAction Action, eventStartAction Action, status MarketStatus, marketOutcomes R, externalReferences R, createdAt t, modifiedAt t
MarketSettled: *Market, -externalReferences, settledAt t, eventExpectedStartTime t
MarketSum: id, name, inPlayStatus InPlay, published b, suspended b, status MarketStatus, lockAt t, settledAt t?, event R
PriceRow: side Side, outcomeId, price n, amount n, matched n
PriceBook: marketId, liquidity n, traded n, prices [PriceRow]
Position: market R, walletId ?, exposures {n}
Ladder: prices [n]
Order: id, appId ?, market R, walletId ?, side Side, outcomeId, outcomeTitle, price n, stake n, stakeUnmatched n, stakeVoided n, keepWhenInPlay b, createdAt t, modifiedAt t, commissionRateId ?, reference ?, status OrderStatus, matchBehavior MatchBehavior, cancellationReason ?
OrderSettled: *Order, settledAt t, eventExpectedStartTime t?
OrderSum: id, market R, side Side, outcomeId, outcomeTitle ?, price n, stake n, stakeUnmatched n?, stakeVoided n?, status OrderStatus, reference ?
OrderFailure: errorCode, errorMessage ?
OrderId: id
Trade: id, walletId ?, market R, order R, side Side, outcomeId, price n, stake n, profitLoss n?, createdAt t, modifiedAt t?
TradeSettled: *Trade, settledAt t, eventExpectedStartTime t?
TradeSum: order R, id, price n, stake n, profitLoss n?, createdAt t
Balance: currencyId, balance n, balanceAvailable n, overdraft n, unmatchedExposure n
Wallet: id, appId, type WalletType, reference ?, description ?, balances [Balance]
Transaction: transactionId, code Code, walletId, currencyId, amount n, description ?, createdAt t
Metric: total n, count i
WalletMetrics: open Metric, matched Metric, cancelled Metric, settled Metric, voided Metric
Source: code, description
AppKey: appId, name, active b, secret, createdAt t, modifiedAt t
WalletKey: *AppKey, walletId
DepositAddress: networkId, walletId, address
DepositRequest: id, address, currencyId
TREE: events [EventSum], eventGroups [EventGroupSum], subcategories [SubcategorySum], categories [CategorySum]
ORD: orders [Order], markets [MarketSum], trades [TradeSum], *TREE
TRD: trades [Trade], orders [OrderSum], markets [MarketSum], *TREE
EV: events [Event], eventGroups [EventGroupDated], subcategories [SubcategoryDated], categories [CategoryDated], participants [EventParticipant], externalReferences [ExternalReference]
MK: markets [Market], marketTypes [MarketTypeSum], marketOutcomes [MarketOutcome], *TREE, externalReferences [ExternalReference], participants [ParticipantSum]
SUB: subcategories [Subcategory], externalReferences [ExternalReference], categories [CategorySum]
GRP: eventGroups [EventGroup], externalReferences [ExternalReference], subcategories [SubcategorySum], categories [CategorySum]
PAR: participants [Participant], externalReferences [ExternalReference]
HistoricalMarkets: markets [MarketSettled], *TREE
HistoricalOrders: *ORD, orders [OrderSettled]
HistoricalTrades: *TRD, trades [TradeSettled]
AuthenticationUpdate: type, connectionId
SubscribeNotAuthenticatedUpdate: type, connectionId
SubscribeUpdate: type, subscriptionType SubType, subscriptionId
UnsubscribeUpdate: type, subscriptionType SubType, subscriptionId
StreamPrice: side Side, outcomeId, price n, liquidity n, change n, validAt t
MarketPriceUpdate: type, updateType UpdateType, marketId, eventId, eventGroupId, categoryId, subCategoryId, prices [StreamPrice]
MarketStatusUpdate: type, marketId, eventId, eventGroupId, categoryId, subCategoryId, status MarketStatus, published b, suspended b, inPlayStatus InPlay
StreamOutcome: outcomeId, title, ordering i, winner b?, participantId ?, createdAt t, modifiedAt t
MarketUpdate: *MarketStatusUpdate, appId, name, marketTypeId, marketValue ?, marketDiscriminator ?, escrowWalletId, currencyId, marketOutcomes [StreamOutcome], crossMatchingEnabled b, lockAt t, settledAt t?, marketLockAction Action, eventStartAction Action, inPlayDelay i?, createdAt t, modifiedAt t
StreamTrade: tradeId, side Side, price n, stake n, createdAt t
OrderUpdate: type, orderId, eventId, eventGroupId, categoryId, subCategoryId, marketId, walletId ?, status OrderStatus, side Side, outcomeIndexId, price n, priceAvg n?, totalExposure n, stake n, stakeUnmatched n, stakeVoided n, reference ?, createdAt t, modifiedAt t, trades [StreamTrade], cancellationReason ?
WalletUpdate: type, walletId, currencyId, balance n, change n
EventUpdate: type, eventId, eventGroupId, eventGroupName, subcategoryId, subcategoryName, categoryId, categoryName, appId, name, code, active b, expectedStartTime t, createdAt t, modifiedAt t
StreamProblem: message, connectionId, requestId
`;

/** Requests and the fields of their answers, `_meta` included: the appendix's table C. */
const CHECKED = `
POST /sessions: _meta M, sessions [Session]
POST /sessions/refresh: _meta M, sessions [Session]
GET /apps/{id}/commission-rates: _meta M, commissionRates [CommissionRate]
GET /heartbeats: _meta M, heartbeats [Heartbeat]
POST /heartbeats: _meta M, heartbeats [Heartbeat]
DELETE /heartbeats: _meta M, heartbeats [Heartbeat]
GET /categories: _meta M, categories [Category]
GET /categories/{id}: _meta M, categories [Category]
GET /subcategories: _meta M, *SUB
GET /subcategories/{id}: _meta M, *SUB
GET /subcategories/by-reference/{source}/{reference}: _meta M, *SUB
GET /event-groups: _meta M, *GRP
GET /event-groups/{id}: _meta M, *GRP
GET /event-groups/by-reference/{source}/{reference}: _meta M, *GRP
GET /subcategories/{id}/participants: _meta M, *PAR
GET /participants/by-reference/{source}/{reference}: _meta M, *PAR
GET /events/{id}/participants: _meta M, participants [EventParticipant]
GET /events: _meta P, *EV
GET /events/by-reference/{source}/{reference}: _meta P, *EV
GET /events/{id}: _meta M, *EV
GET /market-types: _meta M, marketTypes [MarketType]
GET /market-types/{id}: _meta M, marketTypes [MarketType]
GET /markets: _meta P, *MK
GET /markets/by-reference/{source}/{reference}: _meta P, *MK
GET /markets/{id}: _meta M, *MK
GET /markets/historical: _meta K, documents HistoricalMarkets
GET /markets/{id}/prices: _meta M, prices [PriceRow]
GET /markets/{id}/prices-v2: _meta M, prices [PriceBook]
GET /market-prices: _meta M, prices [PriceBook]
GET /market-prices/ladder: _meta M, marketPriceLadders [Ladder]
GET /markets/{id}/positions: _meta P, positions [Position], markets [MarketSum]
GET /wallets/{id}/positions: _meta P, positions [Position], markets [MarketSum]
GET /wallets/{id}/positions-all: _meta P, positions [Position], markets [MarketSum]
GET /orders: _meta P, *ORD
GET /orders/settled: _meta P, *ORD
GET /markets/{id}/orders: _meta P, *ORD
GET /orders/{id}: _meta M, *ORD
GET /orders/by-reference/{reference}: _meta M, *ORD
POST /orders: _meta M, *ORD
POST /orders/batch: _meta M, *ORD, orders [Order|OrderFailure]
GET /orders/cancelled: _meta K, documents ORD
GET /orders/historical: _meta K, documents HistoricalOrders
POST /orders/cancel-v2: _meta M, ids [s]
POST /order-requests: _meta M, ids [s]
POST /order-requests/batch: _meta M, ids [OrderFailure|OrderId]
GET /orders/{id}/trades: _meta M, *TRD
GET /trades/{id}: _meta M, *TRD
GET /trades: _meta P, *TRD
GET /trades/historical: _meta K, documents HistoricalTrades
GET /wallets: _meta P, wallets [Wallet]
GET /wallets/{id}: _meta M, wallets [Wallet]
POST /wallets: _meta M, wallets [Wallet]
GET /wallets/{id}/transactions: _meta P, transactions [Transaction]
GET /wallets/{id}/metrics: _meta M, walletMetrics WalletMetrics
GET /faucet: _meta M?, transactionId, wallet Wallet
`;

/** The vendor's client never calls these: here the specification alone speaks, and the profile where it is silent. */
const UNCALLED = `
GET /external-reference-sources: _meta M, externalReferenceSources [Source]
GET /wallets/{id}/deposits/addresses: _meta M, depositAddresses [DepositAddress]
POST /wallets/{id}/deposits/{currencyId}: _meta M, depositRequests [DepositRequest]
POST /api-keys: _meta M, apiKeys [AppKey]
POST /api-keys/deactivate: _meta M, apiKeys [AppKey]
POST /wallets/{id}/api-keys: _meta M, apiKeys [WalletKey]
POST /orders/cancel: _meta M, *ORD, totalElements i
POST /orders/{id}/cancel: _meta M, *ORD
`;

export interface Field {
  readonly type: string;
  readonly optional: boolean;
}
export type Shape = ReadonlyMap<string, Field>;

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/: (.*)/, 2) as [string, string]);

const shapes = new Map<string, Shape>();
for (const [name, fields] of lines(SHAPES)) shapes.set(name, shapeOf(fields));

/** By method and path. */
export const CALLED_ANSWERS: ReadonlyMap<string, Shape> = new Map(lines(CHECKED).map(([at, f]) => [at, shapeOf(f)]));
export const OTHER_ANSWERS: ReadonlyMap<string, Shape> = new Map(lines(UNCALLED).map(([at, f]) => [at, shapeOf(f)]));

export const STREAM_SHAPES = [
  'AuthenticationUpdate',
  'SubscribeNotAuthenticatedUpdate',
  'SubscribeUpdate',
  'UnsubscribeUpdate',
  'MarketPriceUpdate',
  'MarketStatusUpdate',
  'MarketUpdate',
  'OrderUpdate',
  'WalletUpdate',
  'EventUpdate',
] as const;

export function namedShape(name: string): Shape {
  const shape = shapes.get(name);
  if (shape === undefined) throw new Error(`no shape ${name}`);
  return shape;
}

function shapeOf(text: string): Shape {
  const fields = new Map<string, Field>();
  for (const part of text.split(', ')) {
    const [key = '', type = 's'] = part.split(' ');
    if (key.startsWith('*')) for (const [inner, field] of namedShape(key.slice(1))) fields.set(inner, field);
    else if (key.startsWith('-')) fields.delete(key.slice(1));
    else fields.set(key, { type: type.replace('?', '') || 's', optional: type.endsWith('?') });
  }
  return fields;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** What the vendor's client would refuse, as `path: why`. */
export function strictFaults(shape: Shape, value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: no object`];
  const faults: string[] = [];
  for (const key of Object.keys(value)) if (!shape.has(key)) faults.push(`${path}.${key}: not listed`);
  for (const [key, { type, optional }] of shape) {
    const given: unknown = (value as Record<string, unknown>)[key];
    const mayBeAbsent = optional || type.startsWith('[') || type === '{n}';
    if (given === undefined) faults.push(...(mayBeAbsent ? [] : [`${path}.${key}: missing`]));
    else if (given === null) faults.push(...(optional ? [] : [`${path}.${key}: null`]));
    else faults.push(...typeFaults(type, given, `${path}.${key}`));
  }
  return faults;
}

function typeFaults(type: string, value: unknown, path: string): readonly string[] {
  const isWrong = [`${path}: not ${type}: ${JSON.stringify(value)}`];
  if (type === 's') return typeof value === 'string' ? [] : isWrong;
  if (type === 'n') return typeof value === 'number' ? [] : isWrong;
  if (type === 'i') return Number.isInteger(value) ? [] : isWrong;
  if (type === 'b') return typeof value === 'boolean' ? [] : isWrong;
  if (type === 't') return typeof value === 'string' && DATE_TIME.test(value) ? [] : isWrong;
  if (type === '{n}') {
    if (typeof value !== 'object' || Array.isArray(value)) return isWrong;
    return Object.entries(value ?? {}).flatMap(([key, each]) => typeFaults('n', each, `${path}.${key}`));
  }
  if (type.startsWith('[')) {
    if (!Array.isArray(value)) return isWrong;
    return value.flatMap((item, index) => typeFaults(type.slice(1, -1), item, `${path}[${index}]`));
  }
  const words = WORDS[type];
  if (words !== undefined) return words.split(' ').includes(String(value)) ? [] : isWrong;
  if (typeof value !== 'object' || value === null) return isWrong;
  return strictFaults(chosenShape(type, value), value, path);
}

function chosenShape(type: string, value: object): Shape {
  const [first = '', second] = type.split('|');
  if (second === undefined) return namedShape(first);
  const declared = (name: string) => Object.keys(value).filter((key) => namedShape(name).has(key)).length;
  return namedShape(declared(second) > declared(first) ? second : first);
}

/** Strings to the strict check that have words of their own in the specification. */
const SPELT: Readonly<Record<string, string>> = { _primary_document: 'orders', errorCode: 'MARKET_NOT_FOUND' };

/** A document of the shape: with every field and two items in a list, or with as little as it may have. */
export function strictSample(shape: Shape, full: boolean): Record<string, unknown> {
  const sample: Record<string, unknown> = {};
  for (const [key, { type, optional }] of shape) {
    if (full || !optional) sample[key] = SPELT[key] ?? sampleOf(type, full, key);
  }
  return sample;
}

function sampleOf(type: string, full: boolean, key: string): unknown {
  if (type === 's') return `some ${key}`;
  if (type === 'n') return 12.625;
  if (type === 'i') return 7;
  if (type === 'b') return true;
  if (type === 't') return '2026-03-24T14:45:01.000Z';
  if (type === '{n}') return full ? { '24101': -3.5, '24102': 7 } : {};
  if (type.startsWith('[')) {
    const kinds = type.slice(1, -1).split('|');
    return full ? [...kinds, ...kinds].map((kind) => sampleOf(kind, true, key)) : [];
  }
  return WORDS[type]?.split(' ').at(-1) ?? strictSample(namedShape(type), full);
}
