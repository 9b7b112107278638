/** Every closed list of words in the API. */

import { words } from '../../../codec/notation.ts';
import { IN_PLAY_STATUSES, LIQUIDITY_ACTIONS, MARKET_STATUSES, WALLET_TYPES } from '../../../core/market.ts';
import { MATCH_BEHAVIORS, ORDER_ERROR_CODES, ORDER_STATUSES } from '../../../core/order.ts';
import { SIDES } from '../../../core/side.ts';
import { TRANSACTION_CODES } from '../../../core/transaction.ts';

/** Values of `_primary_document`, in the specification's words. */
const PRIMARY_DOCUMENTS = [
  'apiKeys',
  'apps',
  'categories',
  'commissionRates',
  'currencies',
  'depositAddresses',
  'depositRequests',
  'events',
  'eventGroups',
  'externalReferences',
  'externalReferenceSources',
  'heartbeats',
  'ids',
  'markets',
  'marketOutcomes',
  'marketPositions',
  'marketTypes',
  'orders',
  'participants',
  'prices',
  'priceLadders',
  'sessions',
  'statuses',
  'subcategories',
  'trades',
  'transactions',
  'wallets',
  'walletMetrics',
  'withdrawalRequests',
] as const;
export type PrimaryDocument = (typeof PRIMARY_DOCUMENTS)[number];

/** The specification's nine statuses, and the three of half settlements that were seen live (profile section 6). */
const WIRE_ORDER_STATUSES = [...ORDER_STATUSES, 'HalfWon', 'HalfLost', 'Push'] as const;

export const SUBSCRIPTION_TYPES = [
  'EventUpdate',
  'MarketUpdate',
  'MarketPriceUpdate',
  'MarketStatusUpdate',
  'OrderUpdate',
  'WalletUpdate',
] as const;
/** What can be streamed (API profile, section 5). `*` as id means all that the app may see. */
export type SubscriptionType = (typeof SUBSCRIPTION_TYPES)[number];

export const PrimaryDocumentWord = words('PrimaryDocument', PRIMARY_DOCUMENTS);
export const SideWord = words('Side', SIDES);
export const OrderStatusWord = words('OrderStatus', WIRE_ORDER_STATUSES);
export const MatchBehaviorWord = words('MatchBehavior', MATCH_BEHAVIORS);
export const OrderErrorCodeWord = words('OrderErrorCode', ORDER_ERROR_CODES);
export const MarketStatusWord = words('MarketStatus', MARKET_STATUSES);
export const InPlayStatusWord = words('InPlayStatus', IN_PLAY_STATUSES);
export const LiquidityActionWord = words('LiquidityAction', LIQUIDITY_ACTIONS);
export const WalletTypeWord = words('WalletType', WALLET_TYPES);
export const ParticipantTypeWord = words('ParticipantType', ['Individual', 'Team']);
export const TransactionCodeWord = words('TransactionCode', TRANSACTION_CODES);
export const SubscriptionTypeWord = words('SubscriptionType', SUBSCRIPTION_TYPES);
export const PriceUpdateTypeWord = words('PriceUpdateType', ['Snapshot', 'Incremental']);
export const SettlementFilterWord = words('SettlementFilter', ['Active', 'Settled']);
export const EventStartingWord = words('EventStarting', ['Live', 'Today', 'Later', 'Range']);
export const HistoryQueryTypeWord = words('HistoryQueryType', ['SettledDate', 'EventStartDate']);
export const CursorSortWord = words('CursorSort', ['ASC', 'DESC']);
