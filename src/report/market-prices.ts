/** What a run keeps of the prices of a market in which it had orders: the lowest and highest of each stretch of time. */

/** Stretches are equally long and follow each other without a gap; `ticks` are places on the price ladder, -1 where none was seen. */
export interface MarketPrices {
  readonly marketId: string;
  /** Where the first stretch begins, ms UTC, and how long each is: from the market's first order on. */
  readonly startAt: number;
  readonly stretchMs: number;
  /** Those in which the run had orders. */
  readonly outcomes: readonly OutcomePrices[];
  /** The first one is the state at `startAt`. */
  readonly states: readonly MarketStateChange[];
}

/** By stretch. What was seen at the updates that strategies were shown, some of them where they come fast. */
export interface OutcomePrices {
  readonly outcomeId: string;
  /** The highest resting Against: what a back is matched at. */
  readonly backLow: Int16Array;
  readonly backHigh: Int16Array;
  /** The lowest resting For: what a lay is matched at. */
  readonly layLow: Int16Array;
  readonly layHigh: Int16Array;
}

export interface MarketStateChange {
  readonly at: number;
  readonly suspended: boolean;
  readonly inPlay: boolean;
  readonly inPlayDelayMs: number;
}
