/** What a run knows of itself after its records were read again: plain data, as a checkpoint keeps it. */

import type { Money } from '../number/units.ts';
import type { ReportedOrder, SentOrder } from './kept-order.ts';
import type { HeartbeatState, TradingState } from './trading-state.ts';

export interface RunState {
  /** The run's own name, in every reference of its orders. */
  readonly run: string;
  /** The highest number ever given to an order. */
  readonly lastClient: number;
  /** Those that still can change: live, of unknown fate, or matched in a market that is not done. By client. */
  readonly orders: readonly RestoredOrder[];
  /** Results of markets that are over and not yet done. */
  readonly results: readonly RestoredResult[];
  readonly trading: TradingState;
  readonly tradingCause: string;
  readonly haltedStrategies: readonly { readonly strategy: string; readonly code: string }[];
  /** What the loss limits remember; its maker reads it back. */
  readonly riskMemory: RiskMemory;
  /** As last reported: whether the exchange still waits for a heartbeat of ours. */
  readonly heartbeat: HeartbeatState;
}

export interface RestoredOrder {
  readonly terms: SentOrder;
  readonly sentAt: number;
  /** Its newest report. */
  readonly report?: ReportedOrder;
  /**
   * `open`: sent, and its fate is unknown. `known`: the exchange has it. `absent`: proven never to have been created, and still
   * looked for.
   */
  readonly fate: 'open' | 'known' | 'absent';
  /** Placed by others; the exchange's id is all that names it. */
  readonly foreignOrder?: number;
}

export interface RestoredResult {
  readonly market: string;
  readonly wallet: string;
  readonly net: Money;
  readonly commission: Money;
}

/** What the loss, order and rate limits remember. `RiskHistory` (risk-memory.ts) makes it and reads it back. */
export interface RiskMemory {
  /** Net settled results per UTC minute (`at` is its start), oldest first; what no limit looks back to is dropped. */
  readonly results: readonly { readonly at: number; readonly profit: Money }[];
  /** Orders sent, and orders that matched for the first time, per UTC minute, oldest first. */
  readonly orders: readonly { readonly at: number; readonly sent: number; readonly matched: number }[];
  /** Orders sent in the second before the newest, per millisecond. */
  readonly recent: readonly { readonly at: number; readonly sent: number }[];
  /** Sum of all results since the run began, and the highest it was since then or since a drawdown stop was lifted. */
  readonly total: Money;
  readonly peak: Money;
  /** Losing results in a row, and when the newest losing one was booked. */
  readonly losingRun: number;
  readonly lastLossAt?: number;
  /** A drawdown stop was made and trading has not been resumed since. */
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
