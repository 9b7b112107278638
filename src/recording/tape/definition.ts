/** A market's definition at one moment, in our words, whatever the source called things. */

import type { InPlayStatus, LiquidityAction, OutcomeStatus } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';

/** Where a recorded market is in its life. Settled needs winners, Voided none. */
export type RecordedStatus = 'Initializing' | 'Open' | 'Settled' | 'Voided';

export interface RecordedDefinition {
  readonly status: RecordedStatus;
  readonly suspended: boolean;
  readonly inPlayStatus: InPlayStatus;
  readonly inPlayDelayMs: number;
  /** The source's scheduled start, which may move. */
  readonly expectedStartTime?: Instant;
  /** How many outcomes the market pays. */
  readonly winnerCount: number;
  readonly eventStartAction: LiquidityAction;
  /** Commission on net winnings, parts per million. */
  readonly commissionPpm: number;
  /** Orders on other outcomes make synthetic liquidity. Absent: no (Betfair's display flag is not this). */
  readonly crossMatching?: boolean;
  /** The same outcomes, in the same order, in each definition of a market. */
  readonly outcomes: readonly RecordedOutcome[];
}

export interface RecordedOutcome {
  readonly status: OutcomeStatus;
  /** What it is called by now, where that is not what the market's facts call it. */
  readonly title?: string;
  /** No definition listed it yet: a later one adds it. */
  readonly isUnlisted?: true;
  /** Of a Removed outcome: its reduction factor, parts per million. */
  readonly factorPpm?: number;
  readonly removedAt?: Instant;
  /** Reconciled starting price, decimal odds as the source gives them. */
  readonly startingPrice?: number;
}
