/** What each refusal rests on: it says why one side of a comparison may refuse what the other sends. */

import type { RefusalCode } from '../../core/refusal.ts';

/**
 * `alone`: on the intent, its market and the strategy's own orders; only another rule can make the difference.
 * `guard`: on a guard of the running bot, which a replay does not have.
 * `together`: on what all orders of the run did until then, so another difference may have led to it.
 * `rate`: on that too, and on the very milliseconds of those orders.
 */
type RefusalOrigin = 'alone' | 'guard' | 'together' | 'rate';

/** A code without an origin does not compile. */
export const REFUSAL_ORIGINS: Readonly<Record<RefusalCode, RefusalOrigin>> = {
  PRICE_OFF_LADDER: 'alone',
  STAKE_INVALID: 'alone',
  INTENT_INVALID: 'alone',
  NOTE_INVALID: 'alone',
  UNKNOWN_MARKET: 'alone',
  UNKNOWN_OUTCOME: 'alone',
  UNKNOWN_ORDER: 'alone',
  ORDER_NOT_LIVE: 'alone',
  CANCEL_IN_FLIGHT: 'alone',
  TOO_MANY_INTENTS: 'together',
  STRATEGY_HALTED: 'guard',
  HALTED: 'guard',
  NOT_READY: 'guard',
  STATE_UNKNOWN: 'guard',
  REDUCE_ONLY: 'alone',
  MARKET_RISK_OFF: 'guard',
  MARKET_NOT_OPEN: 'guard',
  MARKET_SUSPENDED: 'alone',
  STAKE_BELOW_MINIMUM: 'alone',
  OUTCOME_NOT_ACTIVE: 'alone',
  FEED_STALE: 'guard',
  HEARTBEAT_NOT_ACTIVE: 'guard',
  PRICE_FAR_FROM_BOOK: 'alone',
  LIMIT_ORDER: 'together',
  LIMIT_OUTCOME: 'together',
  LIMIT_MARKET: 'together',
  LIMIT_EVENT: 'together',
  LIMIT_STRATEGY: 'together',
  LIMIT_WALLET: 'together',
  INSUFFICIENT_FUNDS: 'together',
  SELF_MATCH: 'alone',
  LIMIT_ORDERS_PER_MARKET: 'together',
  LIMIT_LIVE_ORDERS: 'together',
  LIMIT_RATE: 'rate',
  LIMIT_DAILY_LOSS: 'together',
  LIMIT_ROLLING_LOSS: 'together',
  COOLING_DOWN: 'alone',
  ORDER_TO_MATCH: 'alone',
};
