/** Every endpoint of the exchange: those of the specification and those of the profile's section 2. */

import { Type } from '@sinclair/typebox';
import { id, integer, list } from '../../codec/notation.ts';
import {
  BESIDE_ORDERS,
  BESIDE_TRADES,
  EVENTS,
  keyset,
  MARKETS,
  ORDERS,
  POSITIONS,
  paged,
  plain,
  TRADES,
  TREE,
} from './answers.ts';
import * as query from './basics/queries.ts';
import * as body from './basics/requests.ts';
import type { Endpoint } from './endpoint.ts';
import { AppApiKey, Session } from './shapes/access.ts';
import { CommissionRate, Heartbeat } from './shapes/app-settings.ts';
import { Category, CategorySummary, EventGroup, Subcategory, SubcategorySummary } from './shapes/catalogue.ts';
import { EventParticipant, Participant } from './shapes/events.ts';
import { MarketSettled, MarketType } from './shapes/markets.ts';
import { Order, OrderFailure, OrderId, OrderSettled } from './shapes/orders.ts';
import { PriceBook, PriceLadder, PriceRow } from './shapes/prices.ts';
import { ExternalReference, ExternalReferenceSource } from './shapes/references.ts';
import { TradeSettled } from './shapes/trades.ts';
import { WALLET_ENDPOINTS } from './wallet-endpoints.ts';

const SPEC = 'specification';
const PROFILE = 'profile';

const sessions = plain('sessions', { sessions: list(Session) });
const heartbeats = plain('heartbeats', { heartbeats: list(Heartbeat) });
const categories = plain('categories', { categories: list(Category) });
const subcategories = plain('subcategories', {
  subcategories: list(Subcategory),
  externalReferences: list(ExternalReference),
  categories: list(CategorySummary),
});
const eventGroups = plain('eventGroups', {
  eventGroups: list(EventGroup),
  externalReferences: list(ExternalReference),
  subcategories: list(SubcategorySummary),
  categories: list(CategorySummary),
});
const participants = plain('participants', {
  participants: list(Participant),
  externalReferences: list(ExternalReference),
});
const marketTypes = plain('marketTypes', { marketTypes: list(MarketType) });
const priceBooks = plain('prices', { prices: list(PriceBook) });
const positions = paged('marketPositions', POSITIONS);
const orders = plain('orders', ORDERS);
const pageOfOrders = paged('orders', ORDERS);
const appKeys = plain('apiKeys', { apiKeys: list(AppApiKey) });
const ids = plain('ids', { ids: list(id) });
const trades = plain('trades', TRADES);

/** An item has the shape that declares more of its keys; if both declare equally many, the first one here (wire-shapes, C). */
const batch = plain('orders', { orders: list(Type.Union([Order, OrderFailure])), ...BESIDE_ORDERS });
const batchOfIds = plain('ids', { ids: list(Type.Union([OrderFailure, OrderId])) });

export const SESSION_ENDPOINTS = {
  createSession: {
    method: 'POST',
    path: '/sessions',
    from: PROFILE,
    body: body.SessionBody,
    answer: sessions,
    open: true,
  },
  refreshSession: {
    method: 'POST',
    path: '/sessions/refresh',
    from: PROFILE,
    body: body.RefreshBody,
    answer: sessions,
    open: true,
  },
  createAppApiKey: {
    method: 'POST',
    path: '/api-keys',
    from: SPEC,
    body: body.ApiKeyBody,
    answer: appKeys,
    mayBeAbsent: true,
  },
  deactivateAppApiKey: {
    method: 'POST',
    path: '/api-keys/deactivate',
    from: SPEC,
    body: body.DeactivateApiKeyBody,
    answer: appKeys,
    mayBeAbsent: true,
  },
  getCommissionRates: {
    method: 'GET',
    path: '/apps/{id}/commission-rates',
    from: SPEC,
    answer: plain('commissionRates', { commissionRates: list(CommissionRate) }),
  },
  getHeartbeat: { method: 'GET', path: '/heartbeats', from: SPEC, answer: heartbeats, mayBeAbsent: true },
  armHeartbeat: { method: 'POST', path: '/heartbeats', from: PROFILE, body: body.HeartbeatBody, answer: heartbeats },
  deleteHeartbeat: { method: 'DELETE', path: '/heartbeats', from: SPEC, answer: heartbeats, mayBeAbsent: true },
} as const satisfies Record<string, Endpoint>;

export const EVENT_ENDPOINTS = {
  listCategories: { method: 'GET', path: '/categories', from: PROFILE, answer: categories },
  getCategory: { method: 'GET', path: '/categories/{id}', from: PROFILE, answer: categories },
  listSubcategories: {
    method: 'GET',
    path: '/subcategories',
    from: PROFILE,
    query: query.SubcategoriesQuery,
    answer: subcategories,
  },
  getSubcategory: { method: 'GET', path: '/subcategories/{id}', from: PROFILE, answer: subcategories },
  findSubcategories: {
    method: 'GET',
    path: '/subcategories/by-reference/{source}/{reference}',
    from: PROFILE,
    answer: subcategories,
  },
  listSubcategoryParticipants: {
    method: 'GET',
    path: '/subcategories/{id}/participants',
    from: PROFILE,
    answer: participants,
  },
  listEventGroups: {
    method: 'GET',
    path: '/event-groups',
    from: PROFILE,
    query: query.EventGroupsQuery,
    answer: eventGroups,
  },
  getEventGroup: { method: 'GET', path: '/event-groups/{id}', from: PROFILE, answer: eventGroups },
  findEventGroups: {
    method: 'GET',
    path: '/event-groups/by-reference/{source}/{reference}',
    from: PROFILE,
    answer: eventGroups,
  },
  findParticipants: {
    method: 'GET',
    path: '/participants/by-reference/{source}/{reference}',
    from: PROFILE,
    answer: participants,
  },
  listEvents: {
    method: 'GET',
    path: '/events',
    from: PROFILE,
    query: query.EventsQuery,
    answer: paged('events', EVENTS),
  },
  getEvent: { method: 'GET', path: '/events/{id}', from: SPEC, answer: plain('events', EVENTS) },
  findEvents: {
    method: 'GET',
    path: '/events/by-reference/{source}/{reference}',
    from: SPEC,
    query: query.PagingQuery,
    answer: paged('events', EVENTS),
  },
  listEventParticipants: {
    method: 'GET',
    path: '/events/{id}/participants',
    from: PROFILE,
    answer: plain('participants', { participants: list(EventParticipant) }),
  },
  listExternalReferenceSources: {
    method: 'GET',
    path: '/external-reference-sources',
    from: SPEC,
    answer: plain('externalReferenceSources', { externalReferenceSources: list(ExternalReferenceSource) }),
  },
} as const satisfies Record<string, Endpoint>;

export const MARKET_ENDPOINTS = {
  listMarketTypes: { method: 'GET', path: '/market-types', from: SPEC, answer: marketTypes },
  getMarketType: { method: 'GET', path: '/market-types/{id}', from: PROFILE, answer: marketTypes },
  listMarkets: {
    method: 'GET',
    path: '/markets',
    from: PROFILE,
    query: query.MarketsQuery,
    answer: paged('markets', MARKETS),
  },
  getMarket: { method: 'GET', path: '/markets/{id}', from: SPEC, answer: plain('markets', MARKETS) },
  findMarkets: {
    method: 'GET',
    path: '/markets/by-reference/{source}/{reference}',
    from: PROFILE,
    query: query.PagingQuery,
    answer: paged('markets', MARKETS),
  },
  listHistoricalMarkets: {
    method: 'GET',
    path: '/markets/historical',
    from: PROFILE,
    query: query.HistoricalMarketsQuery,
    answer: keyset('markets', { markets: list(MarketSettled), ...TREE }),
  },
  listMarketPriceRows: {
    method: 'GET',
    path: '/markets/{id}/prices',
    from: PROFILE,
    query: query.MarketPriceRowsQuery,
    answer: plain('prices', { prices: list(PriceRow) }),
  },
  getMarketPriceBook: {
    method: 'GET',
    path: '/markets/{id}/prices-v2',
    from: PROFILE,
    query: query.MarketPriceBookQuery,
    answer: priceBooks,
  },
  listPrices: {
    method: 'GET',
    path: '/market-prices',
    from: PROFILE,
    query: query.PricesQuery,
    answer: priceBooks,
    // Answers 404 if a requested market is unknown, since an answer must have a book for each.
    mayBeAbsent: true,
  },
  getPriceLadder: {
    method: 'GET',
    path: '/market-prices/ladder',
    from: SPEC,
    answer: plain('priceLadders', { marketPriceLadders: list(PriceLadder) }),
  },
  listMarketOrders: {
    method: 'GET',
    path: '/markets/{id}/orders',
    from: PROFILE,
    query: query.MarketOrdersQuery,
    answer: pageOfOrders,
  },
  listMarketPositions: {
    method: 'GET',
    path: '/markets/{id}/positions',
    from: PROFILE,
    query: query.MarketPositionsQuery,
    answer: positions,
  },
} as const satisfies Record<string, Endpoint>;

export const ORDER_ENDPOINTS = {
  createOrder: { method: 'POST', path: '/orders', from: PROFILE, body: body.CreateOrderRequest, answer: orders },
  createOrders: {
    method: 'POST',
    path: '/orders/batch',
    from: SPEC,
    body: body.BatchBody,
    answer: batch,
    failsInShape: true,
  },
  requestOrder: { method: 'POST', path: '/order-requests', from: PROFILE, body: body.CreateOrderRequest, answer: ids },
  requestOrders: {
    method: 'POST',
    path: '/order-requests/batch',
    from: PROFILE,
    body: body.BatchBody,
    answer: batchOfIds,
  },
  cancelOrders: { method: 'POST', path: '/orders/cancel-v2', from: SPEC, body: body.CancelBody, answer: ids },
  cancelOrdersInFull: {
    method: 'POST',
    path: '/orders/cancel',
    from: SPEC,
    body: body.CancelBody,
    answer: plain('orders', { ...ORDERS, totalElements: integer }),
    deprecated: true,
  },
  cancelOrder: { method: 'POST', path: '/orders/{id}/cancel', from: PROFILE, answer: orders, deprecated: true },
  listOrders: { method: 'GET', path: '/orders', from: PROFILE, query: query.OrdersQuery, answer: pageOfOrders },
  getOrder: { method: 'GET', path: '/orders/{id}', from: SPEC, answer: orders },
  getOrderByReference: { method: 'GET', path: '/orders/by-reference/{reference}', from: PROFILE, answer: orders },
  listSettledOrders: {
    method: 'GET',
    path: '/orders/settled',
    from: PROFILE,
    query: query.SettledOrdersQuery,
    answer: pageOfOrders,
  },
  listHistoricalOrders: {
    method: 'GET',
    path: '/orders/historical',
    from: PROFILE,
    query: query.HistoricalOrdersQuery,
    answer: keyset('orders', { orders: list(OrderSettled), ...BESIDE_ORDERS }),
  },
  listCancelledOrders: {
    method: 'GET',
    path: '/orders/cancelled',
    from: PROFILE,
    query: query.CancelledOrdersQuery,
    answer: keyset('orders', ORDERS),
  },
  listOrderTrades: { method: 'GET', path: '/orders/{id}/trades', from: SPEC, query: query.PagingQuery, answer: trades },
  getTrade: { method: 'GET', path: '/trades/{id}', from: PROFILE, answer: trades },
  listTrades: {
    method: 'GET',
    path: '/trades',
    from: PROFILE,
    query: query.TradesQuery,
    answer: paged('trades', TRADES),
  },
  listHistoricalTrades: {
    method: 'GET',
    path: '/trades/historical',
    from: PROFILE,
    query: query.HistoricalTradesQuery,
    answer: keyset('trades', { trades: list(TradeSettled), ...BESIDE_TRADES }),
  },
} as const satisfies Record<string, Endpoint>;

/** All endpoints, by operation. */
export const ENDPOINTS = {
  ...SESSION_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...MARKET_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...WALLET_ENDPOINTS,
} as const;

/** An endpoint of the exchange's API, by the operation id of docs/openapi.json. */
export type Operation = keyof typeof ENDPOINTS;
