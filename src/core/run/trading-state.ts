/** The words for whether a bot may trade, and for what the exchange holds of its heartbeat. */

/**
 * `running`: within the limits. `reduceOnly`: an order passes if it can only lower what its market can lose.
 * `halted`: nothing is placed. Cancellations pass in each.
 */
export const TRADING_STATES = ['running', 'reduceOnly', 'halted'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

/**
 * `unarmed`: none was sent. `active`: confirmed, and refreshed in time. `late`: a refresh is overdue or unanswered, and
 * the exchange may lapse it. `lapsed`: the exchange cancelled our orders and blocks new ones. `cleared`: the block is
 * lifted, and the state of the orders not yet proven. New orders pass in `active` alone.
 */
export const HEARTBEAT_STATES = ['unarmed', 'active', 'late', 'lapsed', 'cleared'] as const;
export type HeartbeatState = (typeof HEARTBEAT_STATES)[number];
