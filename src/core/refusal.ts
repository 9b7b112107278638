/** Every reason for which oddsmith refuses to send an intent, with stable codes. */

/** What a refusal is. `limit` is the key of the configuration's `limits` that orders are refused by, where there is one. */
export interface RefusalMeaning {
  readonly means: string;
  readonly limit?: string;
}

/**
 * A rule under a limit (risk/rules.ts) can refuse with no other codes than those that name the limit here, so that a limit without
 * a code does not compile.
 */
export const REFUSALS = {
  PRICE_OFF_LADDER: { means: 'the price is not one of the 350 ladder prices' },
  STAKE_INVALID: {
    means: 'the stake is not positive or has more than three decimals, or more than its exchange takes',
  },
  INTENT_INVALID: {
    means: 'what the strategy returned is no intent, or its side or matchBehavior is none of the words allowed',
  },
  NOTE_INVALID: { means: 'the note is no text, or has more than 200 characters' },
  UNKNOWN_MARKET: { means: 'the strategy does not watch a market with this id' },
  UNKNOWN_OUTCOME: { means: 'the market has no outcome with this id' },
  UNKNOWN_ORDER: { means: 'the strategy has no order with this id' },
  ORDER_NOT_LIVE: { means: 'the order has no unmatched stake left' },
  CANCEL_IN_FLIGHT: {
    means: 'the order cannot be replaced or reduced, since its cancellation, or that of a part, is already under way',
  },
  NOT_SUPPORTED: { means: 'the exchange has no such request: it cancels whole orders alone' },
  TOO_MANY_INTENTS: { means: 'more intents in one decision than the cap allows' },
  STRATEGY_HALTED: { means: 'the strategy was halted' },
  HALTED: { means: 'trading is halted: only cancellations pass' },
  NOT_READY: { means: 'the run is starting or ending: nothing is placed yet, or any more' },
  STATE_UNKNOWN: { means: 'it is not known what is held at the exchange, or in the wallet of the order' },
  REDUCE_ONLY: {
    means: 'trading is reduced: the order could raise what its market, strategy or wallet can lose, or closes nothing',
  },
  MARKET_RISK_OFF: { means: 'nothing is placed on this market until what is wrong with it has ended' },
  MARKET_NOT_OPEN: { means: 'the market is not open' },
  MARKET_SUSPENDED: { means: 'the market is suspended' },
  STAKE_BELOW_MINIMUM: { means: 'the stake is smaller than the exchange takes, and so is what it would pay' },
  OUTCOME_NOT_ACTIVE: { means: 'the outcome was removed or is hidden' },
  FEED_STALE: { limit: 'staleMs', means: 'the prices or the status of this market are older than allowed' },
  HEARTBEAT_NOT_ACTIVE: { limit: 'heartbeat', means: 'the heartbeat is not known to be active' },
  PRICE_FAR_FROM_BOOK: { limit: 'ticksFromBook', means: 'the price is further from the book than the limit allows' },
  LIMIT_ORDER: { limit: 'order', means: 'the loss of this one order would exceed the limit per order' },
  LIMIT_OUTCOME: { limit: 'outcome', means: 'the loss on this outcome would exceed the limit per outcome' },
  LIMIT_MARKET: { limit: 'market', means: 'the worst loss on this market would exceed the limit per market' },
  LIMIT_EVENT: { limit: 'event', means: 'the worst loss on this event would exceed the limit per event' },
  LIMIT_STRATEGY: { limit: 'strategy', means: 'the worst loss of this strategy would exceed the limit per strategy' },
  LIMIT_WALLET: { limit: 'wallet', means: 'the worst loss on this wallet would exceed the limit per wallet' },
  INSUFFICIENT_FUNDS: { means: 'the wallet cannot cover the rise in required funds' },
  SELF_MATCH: {
    limit: 'selfMatch',
    means:
      'the order would have matched your own resting order; the figures are its price, and the price of that order',
  },
  LIMIT_ORDERS_PER_MARKET: {
    limit: 'ordersPerMarket',
    means: 'more orders live at once on this market than the limit allows',
  },
  LIMIT_LIVE_ORDERS: { limit: 'liveOrders', means: 'more orders live at once than the limit allows' },
  LIMIT_RATE: { limit: 'ordersPerSecond', means: 'more orders per second than the limit allows' },
  LIMIT_ORDERS_PER_HOUR: { limit: 'ordersPerHour', means: 'more orders within an hour than the limit allows' },
  LIMIT_DAILY_LOSS: { limit: 'dailyLoss', means: 'the settled loss of the day has reached the limit' },
  LIMIT_ROLLING_LOSS: { limit: 'rollingLoss', means: 'the settled loss of the last hours has reached the limit' },
  COOLING_DOWN: {
    limit: 'cooldown',
    means: 'so many results in a row were losing that nothing is placed for a while, but to reduce',
  },
  ORDER_TO_MATCH: { limit: 'orderToMatch', means: 'more orders sent per order matched than the limit allows' },
} as const satisfies Readonly<Record<string, RefusalMeaning>>;

/**
 * Why oddsmith did not send an intent: what it asks for cannot be, or a limit of risk forbids it. docs/operations.md says
 * under "Refusals" what to do about each.
 */
export type RefusalCode = keyof typeof REFUSALS;

/** Why an intent is not sent. Figures are decimals in the wallet's currency, counts or ms, depending on the code. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly limit?: number;
  /** The limited figure before this intent. */
  readonly value?: number;
  /** The limited figure if this intent were sent. */
  readonly wouldBe?: number;
  /** When the reason ends by itself, ms UTC. */
  readonly until?: number;
}
