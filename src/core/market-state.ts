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

/** What a strategy's own orders are of the stake at a level. */
export interface OwnStake {
  /** Index of the strategy in the settings' list. */
  readonly strategy: number;
  /** What of an order stands at the level, in 10⁻⁶ of the currency. */
  readonly stake: Money;
}

/** Of a level that holds no order of ours. */
export const NO_OWN_STAKE: readonly OwnStake[] = Object.freeze([]);

/**
 * A market as the bot knows it now. The methods read the current state; nothing is copied. `side` is the RESTING side: a For order matches resting
 * Against levels, the best of which is the highest. Levels include the bot's own unmatched stake.
 */
export interface MarketState {
  /** The gateway's index of the market, from 0. */
  readonly index: number;
  /** Its names and outcomes. Another object where one of them changes. */
  readonly facts: MarketFacts;
  /**
   * The number of outcomes to reserve cells for, where `facts` may list more outcomes later. Absent: those of `facts`.
   */
  readonly outcomesMax?: number;
  /** The exchange's word for its state. */
  readonly status: MarketStatus;
  /** Whether it is in play. */
  readonly inPlayStatus: InPlayStatus;
  /** Whether the exchange shows it to the public. */
  readonly published: boolean;
  /** Whether trading is suspended. */
  readonly suspended: boolean;
  /** How long orders wait in play before they can match, ms. */
  readonly inPlayDelayMs: number;
  /** When the exchange will stop taking orders, ms UTC; undefined where it does not say. */
  readonly lockAt: Instant | undefined;
  /** How many outcomes may win. */
  readonly winners: WinnersRange;
  /** Whether orders on other outcomes make synthetic liquidity. */
  readonly crossMatching: boolean;
  /** The smallest order that the exchange accepts; absent where there is no minimum. */
  readonly minimumStake?: MinimumStake | undefined;
  /** Whether the exchange cancels a part of an order (`Gateway.reduce`); absent: whole orders alone. */
  readonly canReduce?: boolean | undefined;
  /** Publish time of the newest prices. */
  readonly updatedAt: Instant;
  /**
   * On the bot's clock: the market has looked like this since at least this time, even if the message came later.
   * Absent where messages are current when they arrive.
   */
  readonly freshAt?: Instant | undefined;
  /**
   * On the bot's clock: status and facts were like this at this time at least, even if the message came later.
   * Absent where messages are current when they arrive.
   */
  readonly statusFreshAt?: Instant | undefined;
  /** The recording ends before the market does: no further message will come. */
  readonly isCutOff?: boolean;
  /** The state of an outcome, by its index in `facts.outcomes`. */
  outcomeStatus(outcome: number): OutcomeStatus;
  /** Best tick of a resting side; -1 where no stake rests. */
  bestTick(outcome: number, side: SideIndex): number;
  /** Next worse tick that holds stake; -1 where there is none. */
  nextTick(outcome: number, side: SideIndex, tick: number): number;
  /** Backer's stake that rests at this tick; 0 where none does. */
  amountAt(outcome: number, side: SideIndex, tick: number): Money;
  /**
   * The run's own orders in `amountAt`, one entry each, as they stood when the book was like this: an order that the book does not show yet is
   * not among them, and one that has ended is, for as long as the book shows it. Absent where a book holds no order of the run.
   */
  ownAt?(outcome: number, side: SideIndex, tick: number): readonly OwnStake[];
  /** Stake matched on the outcome since the market opened, as far as the feed shows it. */
  traded(outcome: number): Money;
  /** The part of `traded` that was matched at this tick. */
  tradedAt(outcome: number, tick: number): Money;
  /** As the feed has shown it by now; undefined where it shows none. Starting prices are on no ladder. */
  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined;
  /** Price of the last trade; undefined before the first one. */
  lastPrice(outcome: number): Price | undefined;
}
