/** A market's definition at one moment, in our terms, whatever the source called things. */

import type { InPlayStatus, LiquidityAction, OutcomeStatus } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';

/** The status of a recorded market. Settled without winners: all outcomes lost. Voided has none. */
export type RecordedStatus = 'Initializing' | 'Open' | 'Settled' | 'Voided';

/** A market's definition. It holds everything about a market that may change while it is recorded. */
export interface RecordedDefinition {
  /** The state of the market. */
  readonly status: RecordedStatus;
  /** Whether trading is suspended. */
  readonly suspended: boolean;
  /** Whether it is in play. */
  readonly inPlayStatus: InPlayStatus;
  /** How long orders wait in play before they can match, ms. */
  readonly inPlayDelayMs: number;
  /**
   * The exchange's words for how the delay works, such as Betfair's `PASSIVE` (orders that would rest are not delayed) and `DYNAMIC` (the delay
   * changes during the match); absent where the source does not say, and then all orders wait.
   */
  readonly inPlayDelayModels?: readonly string[];
  /** The source's scheduled start, which may move. */
  readonly expectedStartTime?: Instant;
  /** How many outcomes the market pays; 0 where that is not known, so that none to all of them may win. */
  readonly winnerCount: number;
  /** What happens to unmatched stake at the in-play switch. */
  readonly eventStartAction: LiquidityAction;
  /** Commission on net winnings, parts per million. */
  readonly commissionPpm: number;
  /**
   * Whether orders on other outcomes make synthetic liquidity. Absent: no (Betfair's display flag means something
   * else).
   */
  readonly crossMatching?: boolean;
  /** The same outcomes, in the same order, in every definition of a market. */
  readonly outcomes: readonly RecordedOutcome[];
}

/** An outcome's part of a definition. */
export interface RecordedOutcome {
  /** The state of the outcome. */
  readonly status: OutcomeStatus;
  /** The outcome's present name, where it differs from the name in the market's facts. */
  readonly title?: string;
  /** No definition listed the outcome yet; a later one adds it. */
  readonly isUnlisted?: true;
  /**
   * The reduction factor, in parts per million: by which prices fall when the outcome is removed. Of an outcome that is
   * not Removed it is absent on a tape of before, and where the source does not say it.
   */
  readonly factorPpm?: number;
  /** When it was removed, ms UTC; absent where it was not, or where the source does not say. */
  readonly removedAt?: Instant;
  /** Reconciled starting price, decimal odds as the source gives them. */
  readonly startingPrice?: number;
}
