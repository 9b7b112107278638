/**
 * An order of the run as it is stored on disk: by the exchange's ids and the configuration's names, never by an index.
 */

import type { Money } from '../number/units.ts';
import type { CancellationReason, MatchBehavior, OrderStatus } from '../order.ts';
import type { Side } from '../side.ts';

/**
 * The terms of an order as it was sent. `client` is the run's own number of the order, which counts up over restarts
 * too.
 */
export interface SentOrder {
  readonly client: number;
  readonly strategy: string;
  readonly wallet: string;
  readonly market: string;
  readonly marketName: string;
  /** Id of the market's event; absent in older journals. */
  readonly event?: string | undefined;
  readonly outcome: string;
  readonly outcomeTitle: string;
  readonly side: Side;
  readonly tick: number;
  readonly stake: Money;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
  /** What the strategy wrote on the intent; absent where it wrote nothing, and in older journals. */
  readonly note?: string | undefined;
}

/** The reported state of an order; a gateway's `OrderReport` has the same shape. */
export interface ReportedOrder {
  /** The run's own number of the order. */
  readonly client: number;
  /** The exchange's id. */
  readonly order: number;
  /** The exchange's word for its status. */
  readonly status: OrderStatus;
  /** Backer's stake matched so far. */
  readonly stakeMatched: Money;
  /** Backer's profit of the matched stake at the matched prices: the sum of stake × (price − 1). */
  readonly winningsMatched: Money;
  /** Backer's stake that may still match. */
  readonly stakeUnmatched: Money;
  /** Backer's stake that is void: it wins and loses nothing. */
  readonly stakeVoided: Money;
  /** Why it was cancelled or never came to be; absent for other orders. */
  readonly reason?: CancellationReason;
  /** When the state changed at the exchange, ms UTC. */
  readonly at: number;
}
