/** The state of a run after its records were read: plain data, as a checkpoint stores it. */

import type { Money } from '../number/units.ts';
import type { ReportedOrder, SentOrder } from './kept-order.ts';
import type { RiskMemory } from './risk-memory.ts';
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
