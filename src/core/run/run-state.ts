/** The state of a run after its records were read: plain data, as a checkpoint stores it. */

import type { Money } from '../number/units.ts';
import type { ReportedOrder, SentOrder } from './kept-order.ts';
import type { HeartbeatState, TradingState } from './trading-state.ts';

export interface RunState {
  /** The run's name, which is part of every order reference. */
  readonly run: string;
  /** The highest order number (`client`) ever used. */
  readonly lastClient: number;
  /**
   * Orders that can still change: live, of unknown fate, or matched in a market that is not finished. Sorted by
   * `client`.
   */
  readonly orders: readonly RestoredOrder[];
  /** Results reported for markets that are settled but not finished. */
  readonly results: readonly RestoredResult[];
  readonly trading: TradingState;
  readonly tradingCause: string;
  readonly haltedStrategies: readonly { readonly strategy: string; readonly code: string }[];
  /** What the loss limits remember; `RiskHistory` makes it and reads it back. */
  readonly riskMemory: RiskMemory;
  /** The last known state of our heartbeat at the exchange. */
  readonly heartbeat: HeartbeatState;
}

export interface RestoredOrder {
  readonly terms: SentOrder;
  readonly sentAt: number;
  /** The newest report of the order. */
  readonly report?: ReportedOrder;
  /**
   * `open`: sent, and it is unknown whether the exchange has it. `known`: the exchange has it. `absent`: proven never
   * to have been created, and still watched for.
   */
  readonly fate: 'open' | 'known' | 'absent';
  /** The exchange's id of an order that another program placed; it has no reference of this run. */
  readonly foreignOrder?: number;
}

export interface RestoredResult {
  readonly market: string;
  readonly wallet: string;
  readonly net: Money;
  readonly commission: Money;
}

/**
 * What the loss, order and rate limits remember. `RiskHistory` (risk-memory.ts) makes it and reads it back. Times are
 * ms UTC.
 */
export interface RiskMemory {
  /**
   * Net settled results per UTC minute (`at` is its start), oldest first; minutes that no limit looks back to are
   * dropped.
   */
  readonly results: readonly { readonly at: number; readonly profit: Money }[];
  /** Orders sent, and orders matched for the first time, per UTC minute, oldest first. */
  readonly orders: readonly { readonly at: number; readonly sent: number; readonly matched: number }[];
  /** Orders sent in the second before the newest order, per millisecond. */
  readonly recent: readonly { readonly at: number; readonly sent: number }[];
  /** Sum of all results since the run began, and its highest value since then or since a drawdown stop was lifted. */
  readonly total: Money;
  readonly peak: Money;
  /** The number of losing results in a row, and when the newest losing one was booked. */
  readonly losingRun: number;
  readonly lastLossAt?: number;
  /** The drawdown stop halted trading, and it has not been resumed since. */
  readonly isStopped: boolean;
}

export const NO_RISK_MEMORY: RiskMemory = {
  results: [],
  orders: [],
  recent: [],
  total: 0 as Money,
  peak: 0 as Money,
  losingRun: 0,
  isStopped: false,
};
