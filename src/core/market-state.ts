/** A market as the bot knows it now, read by views, risk and reports, live and in a backtest. */

import type {
  InPlayStatus,
  MarketFacts,
  MarketStatus,
  OutcomeStatus,
  StartingPriceKind,
  WinnersRange,
} from './market.ts';
import type { MinimumStake } from './minimum-stake.ts';
import type { Instant, Money, Price } from './number/units.ts';
import type { SideIndex } from './side.ts';

/**
 * The methods read the current state; nothing is copied. `side` is the RESTING side: a For order matches resting
 * Against levels, the best of which is the highest. Levels include the bot's own unmatched stake.
 */
export interface MarketState {
  /** The gateway's index of the market, from 0. */
  readonly index: number;
  readonly facts: MarketFacts;
  /**
   * The number of outcomes to reserve cells for, where `facts` may list more outcomes later. Absent: those of `facts`.
   */
  readonly outcomesMax?: number;
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly published: boolean;
  readonly suspended: boolean;
  readonly inPlayDelayMs: number;
  readonly lockAt: Instant | undefined;
  readonly winners: WinnersRange;
  readonly crossMatching: boolean;
  /** The smallest order that the exchange accepts; absent where there is no minimum. */
  readonly minimumStake?: MinimumStake | undefined;
  /** Publish time of the newest prices. */
  readonly updatedAt: Instant;
  /**
   * On the bot's clock: the market has looked like this since at least this time, even if the message came later.
   * Absent where messages are current when they arrive.
   */
  readonly freshAt?: Instant;
  /** The recording ends before the market does: no further message will come. */
  readonly isCutOff?: boolean;
  outcomeStatus(outcome: number): OutcomeStatus;
  /** Best tick of a resting side; -1 where no stake rests. */
  bestTick(outcome: number, side: SideIndex): number;
  /** Next worse tick that holds stake; -1 where there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number;
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
  /** Stake matched on the outcome since the market opened, as far as the feed shows it. */
  traded(outcome: number): Money;
  /** The part of `traded` that was matched at this tick. */
  tradedAt(outcome: number, tick: number): Money;
  /** As the feed has shown it by now; undefined where it shows none. Starting prices are on no ladder. */
  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined;
  lastPrice(outcome: number): Price | undefined;
}
