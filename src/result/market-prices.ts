/** What a run keeps of the prices of a market in which it had orders: the lowest and highest of each stretch of time. */

/** Prices of a market over time. Stretches are equally long and follow each other without a gap; prices are places on the price ladder, 0 to 349, and -1 where none was seen. */
export interface MarketPrices {
  /** Id of the market. */
  readonly marketId: string;
  /** The instant at which the first stretch begins, ms UTC: that of the market's first order. */
  readonly startAt: number;
  /** How long each stretch is, ms. */
  readonly stretchMs: number;
  /** Those outcomes on which the run had orders. */
  readonly outcomes: readonly OutcomePrices[];
  /** The first one is the state at `startAt`. */
  readonly states: readonly MarketStateChange[];
}

/** Prices of one outcome, a place for each stretch. What was seen at the updates that strategies were shown, some of them where they come fast. */
export interface OutcomePrices {
  /** Id of the outcome. */
  readonly outcomeId: string;
  /** The lowest price that could be backed in the stretch (the highest resting Against at a moment), as its place on the ladder. */
  readonly backLow: Int16Array;
  /** The highest price that could be backed in the stretch. */
  readonly backHigh: Int16Array;
  /** The lowest price that had to be laid in the stretch (the lowest resting For at a moment), as its place on the ladder. */
  readonly layLow: Int16Array;
  /** The highest price that had to be laid in the stretch. */
  readonly layHigh: Int16Array;
}

/** The state of a market from `at` on, until the next change. */
export interface MarketStateChange {
  /** Ms UTC. */
  readonly at: number;
  /** Whether trading was suspended. */
  readonly suspended: boolean;
  /** Whether the market was in play. */
  readonly inPlay: boolean;
  /** How long orders waited in play, ms. */
  readonly inPlayDelayMs: number;
}
