/** A market as the bot knows it now: what strategies' views, risk and reports read, live and in a backtest alike. */

import type { InPlayStatus, MarketFacts, MarketStatus, OutcomeStatus, WinnersRange } from './market.ts';
import type { MinimumStake } from './minimum-stake.ts';
import type { Instant, Money, Price } from './number/units.ts';
import type { SideIndex } from './side.ts';

/**
 * Readers are live: they answer for this instant, and nothing is copied. `side` is the RESTING side: a For order
 * meets Against levels, best = highest. Levels include the bot's own unmatched stake.
 */
export interface MarketState {
  /** The gateway's index of the market, from 0. */
  readonly index: number;
  readonly facts: MarketFacts;
  /** How many outcomes accounts are kept for, where more may be listed than `facts` names by now. Absent: those of `facts`. */
  readonly outcomesMax?: number;
  readonly status: MarketStatus;
  readonly inPlayStatus: InPlayStatus;
  readonly published: boolean;
  readonly suspended: boolean;
  readonly inPlayDelayMs: number;
  readonly lockAt: Instant | undefined;
  readonly winners: WinnersRange;
  readonly crossMatching: boolean;
  /** The smallest order that the exchange takes; absent where it takes any. */
  readonly minimumStake?: MinimumStake | undefined;
  /** Publish time of the newest prices. */
  readonly updatedAt: Instant;
  /**
   * On our clock: the market is known to have looked like this at that time, however late the message arrived. Absent where
   * messages arrive at once.
   */
  readonly freshAt?: Instant;
  /** Its recording ended before the market did: no more messages will come. */
  readonly isCutOff?: boolean;
  outcomeStatus(outcome: number): OutcomeStatus;
  /** Best tick of a resting side; -1 where nothing rests. */
  bestTick(outcome: number, side: SideIndex): number;
  /** Next worse tick that holds stake; -1 where there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number;
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
  /** Stake matched on the outcome since the market opened, as far as known. */
  traded(outcome: number): Money;
  lastPrice(outcome: number): Price | undefined;
}
