/** The states of trading, and the states of the heartbeat at the exchange. */

/**
 * `running`: all orders within the limits pass. `reduceOnly`: an order passes if it can only lower what its market can
 * lose. `halted`: no order is placed. Cancellations pass in every state.
 */
export const TRADING_STATES = ['running', 'reduceOnly', 'halted'] as const;
export type TradingState = (typeof TRADING_STATES)[number];

/**
 * `unarmed`: no heartbeat was sent. `active`: confirmed, and refreshed in time. `late`: a refresh is overdue or
 * unanswered, and the exchange may let it lapse. `lapsed`: the exchange cancelled our orders and blocks new ones.
 * `cleared`: the block is lifted, but the state of our orders is not proven yet. New orders pass in `active` alone.
 */
export const HEARTBEAT_STATES = ['unarmed', 'active', 'late', 'lapsed', 'cleared'] as const;
export type HeartbeatState = (typeof HEARTBEAT_STATES)[number];
