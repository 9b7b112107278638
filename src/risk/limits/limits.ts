/** The limits a user sets, as integers that risk compares. */

import type { Money } from '../../core/number/units.ts';
import type { TradingState } from '../../core/run/trading-state.ts';

/** An absent limit does not limit. A loss may reach its limit, not exceed it; the last seven act when reached. */
export interface Limits {
  /** The loss of one order alone: the stake of a For, stake × (limit price − 1) of an Against. */
  readonly order?: Money;
  /** Worst loss of all bets on one outcome by themselves, over all strategies. */
  readonly outcome?: Money;
  /** Worst loss on one market, over all strategies and wallets. */
  readonly market?: Money;
  /** Sum of the worst losses of an event's markets. */
  readonly event?: Money;
  /** Sum of the worst losses of a strategy's positions; each strategy has this much. */
  readonly strategy?: Money;
  /** Sum of the worst losses of a wallet's positions; each wallet has this much. */
  readonly wallet?: Money;
  /** Orders approved in any span of one second, over all strategies. */
  readonly ordersPerSecond?: number;
  /** Orders live at once on one market, over all strategies: resting, on their way, or of unknown fate. */
  readonly ordersPerMarket?: number;
  /** Orders live at once, over all markets. */
  readonly liveOrders?: number;
  readonly orderToMatch?: OrderToMatchLimit;
  /** No order may reach a live one of ours on the same outcome, of whatever strategy or wallet. */
  readonly selfMatch?: 'refuse';
  /** Age of the market's prices, in ms, above which nothing is placed on it. */
  readonly staleMs?: number;
  /** How many ticks outside the best prices an order may be. */
  readonly ticksFromBook?: number;
  /** Whether orders need a heartbeat that is known to be active. */
  readonly heartbeat?: boolean;
  /** Settled loss of one UTC day, over all strategies, at which only orders that raise no market's worst loss pass. */
  readonly dailyLoss?: Money;
  readonly rollingLoss?: RollingLossLimit;
  readonly drawdown?: DrawdownLimit;
  readonly cooldown?: CooldownLimit;
}

/** Settled loss of the last hours at which, as with `dailyLoss`, only orders that raise no market's worst loss pass. */
export interface RollingLossLimit {
  readonly amount: Money;
  /** Whole hours, looked back to the minute: up to one minute more counts, never less. */
  readonly hours: number;
}

/**
 * A stop: once the settled total has fallen so far below its highest, trading moves to `action` and stays there until
 * it is resumed by hand, over restarts too. What falls after resuming is counted from there.
 */
export interface DrawdownLimit {
  readonly amount: Money;
  /** `reduceOnly` lets open positions be closed; `halted` leaves them as they are. */
  readonly action: Exclude<TradingState, 'running'>;
}

/**
 * While the newest `losses` results were all losing, nothing but reducing orders is placed for so long after each of
 * them. A run that the cool-down outlived goes on: the next loss cools again, the first profit ends it.
 */
export interface CooldownLimit {
  readonly losses: number;
  readonly minutes: number;
}

/** Above it nothing but reducing orders is placed: orders sent in the last hours, per order that matched in them. */
export interface OrderToMatchLimit {
  /** An order that matches none counts as none: with no match at all, orders sent are compared with the ratio itself. */
  readonly ratio: number;
  /** Orders sent in the span up to which the ratio is not asked for. */
  readonly minimumOrders: number;
  readonly hours: number;
}

export const NO_LIMITS: Limits = {};

export type LimitKey = keyof Limits;
