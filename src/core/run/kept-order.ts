/** An order of ours as it is kept on disk: by the exchange's ids and the configuration's names, never by an index. */

import type { Money } from '../number/units.ts';
import type { CancellationReason, MatchBehavior, OrderStatus } from '../order.ts';
import type { Side } from '../side.ts';

/** An order's terms as they were sent. `client` counts up over the run, restarts included. */
export interface SentOrder {
  readonly client: number;
  readonly strategy: string;
  readonly wallet: string;
  readonly market: string;
  readonly marketName: string;
  readonly outcome: string;
  readonly outcomeTitle: string;
  readonly side: Side;
  readonly tick: number;
  readonly stake: Money;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
}

/** What is known of an order; a gateway's `OrderReport` is one. */
export interface ReportedOrder {
  readonly client: number;
  /** The exchange's id. */
  readonly order: number;
  readonly status: OrderStatus;
  readonly stakeMatched: Money;
  /** Backer's profit of the matched stake at the prices really got: the sum of stake × (price − 1). */
  readonly winningsMatched: Money;
  readonly stakeUnmatched: Money;
  readonly stakeVoided: Money;
  readonly reason?: CancellationReason;
  /** When the exchange did it, ms UTC. */
  readonly at: number;
}
