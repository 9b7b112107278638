/** What an exchange says about a market, in the core's types: what stays the same, and what can change. */

import type {
  InPlayStatus,
  LiquidityAction,
  MarketFacts,
  MarketStatus,
  OutcomeStatus,
  WinnersRange,
} from '../../core/market.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import type { Instant } from '../../core/number/units.ts';

/** The parts of a market that can change. */
export interface MarketCondition {
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly published: boolean;
  readonly suspended: boolean;
  readonly inPlayDelayMs: number;
  readonly lockAt: Instant | undefined;
  readonly crossMatching: boolean;
  /** The state of each outcome, in the order of the facts; absent where the exchange does not tell of non-runners. */
  readonly outcomes?: readonly OutcomeStatus[];
  /** Ids of the outcomes declared winners, in order; empty if there is none. */
  readonly winnerIds: readonly string[];
  readonly settledAt: Instant | undefined;
  readonly modifiedAt: Instant | undefined;
}

/** A market's facts, which stay, and its condition at one moment. */
export interface MarketDefinition {
  readonly facts: MarketFacts;
  readonly winners: WinnersRange;
  /** What happens to unmatched stake when the market turns in play. */
  readonly eventStartAction: LiquidityAction;
  readonly condition: MarketCondition;
  /** The smallest order that the exchange takes, and the step of its stakes; absent where it has no rule. */
  readonly minimumStake?: MinimumStake;
  /** Whether the exchange cancels a part of an order; absent: whole orders alone. */
  readonly canReduce?: true;
}
