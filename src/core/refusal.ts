/** Every reason for which oddsmith refuses to send an intent, with stable codes. */

export const REFUSAL_CODES = {
  PRICE_OFF_LADDER: 'the price is not one of the 350 ladder prices',
  STAKE_INVALID: 'the stake is not positive or has more than three decimals',
  INTENT_INVALID: 'what the strategy returned is no intent, or its side or matchBehavior is none of the words allowed',
  NOTE_INVALID: 'the note is no text, or has more than 200 characters',
  UNKNOWN_MARKET: 'the strategy does not watch a market with this id',
  UNKNOWN_OUTCOME: 'the market has no outcome with this id',
  UNKNOWN_ORDER: 'the strategy has no order with this id',
  ORDER_NOT_LIVE: 'the order has no unmatched stake left',
  CANCEL_IN_FLIGHT: 'the order cannot be replaced, since its cancellation is already under way',
  TOO_MANY_INTENTS: 'more intents in one decision than the cap allows',
  STRATEGY_HALTED: 'the strategy was halted',
  HALTED: 'trading is halted: only cancellations pass',
  NOT_READY: 'the run is starting or ending: nothing is placed yet, or any more',
  STATE_UNKNOWN: 'it is not known what is held at the exchange, or in the wallet of the order',
  REDUCE_ONLY:
    'trading is reduced: the order could raise what its market, strategy or wallet can lose, or closes nothing',
  MARKET_RISK_OFF: 'nothing is placed on this market until what is wrong with it has ended',
  MARKET_NOT_OPEN: 'the market is not open',
  MARKET_SUSPENDED: 'the market is suspended',
  STAKE_BELOW_MINIMUM: 'the stake is smaller than the exchange takes, and so is what it would pay',
  OUTCOME_NOT_ACTIVE: 'the outcome was removed or is hidden',
  FEED_STALE: 'the prices or the status of this market are older than allowed',
  HEARTBEAT_NOT_ACTIVE: 'the heartbeat is not known to be active',
  PRICE_FAR_FROM_BOOK: 'the price is further from the book than the limit allows',
  LIMIT_ORDER: 'the loss of this one order would exceed the limit per order',
  LIMIT_OUTCOME: 'the loss on this outcome would exceed the limit per outcome',
  LIMIT_MARKET: 'the worst loss on this market would exceed the limit per market',
  LIMIT_EVENT: 'the worst loss on this event would exceed the limit per event',
  LIMIT_STRATEGY: 'the worst loss of this strategy would exceed the limit per strategy',
  LIMIT_WALLET: 'the worst loss on this wallet would exceed the limit per wallet',
  INSUFFICIENT_FUNDS: 'the wallet cannot cover the rise in required funds',
  SELF_MATCH: 'the order would reach a live order of our own; the figures are its price, and the price of this one',
  LIMIT_ORDERS_PER_MARKET: 'more orders live at once on this market than the limit allows',
  LIMIT_LIVE_ORDERS: 'more orders live at once than the limit allows',
  LIMIT_RATE: 'more orders per second than the limit allows',
  LIMIT_DAILY_LOSS: 'the settled loss of the day has reached the limit',
  LIMIT_ROLLING_LOSS: 'the settled loss of the last hours has reached the limit',
  COOLING_DOWN: 'so many results in a row were losing that nothing is placed for a while, but to reduce',
  ORDER_TO_MATCH: 'more orders sent per order matched than the limit allows',
} as const;

/**
 * Why oddsmith did not send an intent: what it asks for cannot be, or a limit of risk forbids it. docs/errors.md has a
 * cause and a next step for each.
 */
export type RefusalCode = keyof typeof REFUSAL_CODES;

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
