/** What each refusal rests on: it says why one side of a comparison may refuse what the other sends. */

import type { RefusalCode } from '../../core/refusal.ts';

/**
 * `alone`: on the intent and its market; only another rule can make the difference.
 * `guard`: on a guard of the running bot, which a replay does not have.
 * `orders`: on the strategy's own orders in the market too.
 * `together`: on the state of all orders of the run, so another difference may have led to it.
 * `rate`: on when the orders of the second before were sent, which is compared one by one.
 */
type RefusalOrigin = 'alone' | 'guard' | 'orders' | 'together' | 'rate';

/** In the order in which the rules are asked. A code without an origin does not compile. */
export const REFUSAL_ORIGINS: Readonly<Record<RefusalCode, RefusalOrigin>> = {
  PRICE_OFF_LADDER: 'alone',
  STAKE_INVALID: 'alone',
  INTENT_INVALID: 'alone',
  NOTE_INVALID: 'alone',
  UNKNOWN_MARKET: 'alone',
  UNKNOWN_OUTCOME: 'alone',
  UNKNOWN_ORDER: 'orders',
  ORDER_NOT_LIVE: 'orders',
  CANCEL_IN_FLIGHT: 'orders',
  NOT_SUPPORTED: 'orders',
  TOO_MANY_INTENTS: 'alone',
  HALTED: 'guard',
  NOT_READY: 'guard',
  STATE_UNKNOWN: 'guard',
  STRATEGY_HALTED: 'guard',
  HEARTBEAT_NOT_ACTIVE: 'guard',
  MARKET_RISK_OFF: 'guard',
  MARKET_NOT_OPEN: 'guard',
  MARKET_SUSPENDED: 'alone',
  OUTCOME_NOT_ACTIVE: 'alone',
  STAKE_BELOW_MINIMUM: 'alone',
  FEED_STALE: 'guard',
  PRICE_FAR_FROM_BOOK: 'alone',
  LIMIT_ORDER: 'together',
  REDUCE_ONLY: 'together',
  LIMIT_OUTCOME: 'together',
  LIMIT_MARKET: 'together',
  LIMIT_EVENT: 'together',
  LIMIT_STRATEGY: 'together',
  LIMIT_WALLET: 'together',
  INSUFFICIENT_FUNDS: 'together',
  SELF_MATCH: 'together',
  LIMIT_ORDERS_PER_MARKET: 'together',
  LIMIT_LIVE_ORDERS: 'together',
  LIMIT_RATE: 'rate',
  LIMIT_ORDERS_PER_HOUR: 'together',
  LIMIT_DAILY_LOSS: 'together',
  LIMIT_ROLLING_LOSS: 'together',
  COOLING_DOWN: 'together',
  ORDER_TO_MATCH: 'together',
};

/** Limits that measure what can be lost, and that measured the funds which the exchange asks for in older versions. */
export const ON_LOSSES: ReadonlySet<RefusalCode> = new Set([
  'REDUCE_ONLY',
  'LIMIT_OUTCOME',
  'LIMIT_MARKET',
  'LIMIT_EVENT',
  'LIMIT_STRATEGY',
  'LIMIT_WALLET',
  'LIMIT_ORDERS_PER_HOUR',
  'LIMIT_DAILY_LOSS',
  'LIMIT_ROLLING_LOSS',
  'COOLING_DOWN',
  'ORDER_TO_MATCH',
]);

const CODES = Object.keys(REFUSAL_ORIGINS);

/** Whether the one code is asked for before the other. */
export function isAskedBefore(one: RefusalCode, other: RefusalCode): boolean {
  return CODES.indexOf(one) < CODES.indexOf(other);
}
