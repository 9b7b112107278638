/** An order of ours as it is kept on disk: by the exchange's ids and the configuration's names, never by an index. */

import type { CancellationReason, MatchBehavior, OrderStatus } from './order.ts';
import type { Side } from './side.ts';
import type { Money } from './units.ts';

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

/** The gateway's OrderReport, field by field. */
export interface ReportedOrder {
  readonly client: number;
  readonly order: number;
  readonly status: OrderStatus;
  readonly stakeMatched: Money;
  readonly winningsMatched: Money;
  readonly stakeUnmatched: Money;
  readonly stakeVoided: Money;
  readonly reason?: CancellationReason;
  readonly at: number;
}
