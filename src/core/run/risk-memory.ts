/** What the limits remember of a run: its results and its orders, counted alike while it runs and when its journal is read. */

import { RollingSum } from '../collections/rolling-sum.ts';
import { type Instant, instant, type Money, ZERO } from '../number/units.ts';
import type { TradingState } from './trading-state.ts';

export const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MS = 86_400_000;
/** Buckets of the rate limit: one second in buckets of 1 ms. */
const RATE_MS = 1_000;

/** How far the limits may look back, in hours: a week of results, a day of orders. */
export const RESULT_HOURS_MAX = 168;
export const ORDER_HOURS_MAX = 24;

/** The value of `by` in a change of the trading state that the drawdown stop made. */
export const BY_DRAWDOWN = 'drawdown';

/**
 * What the loss, order and rate limits remember. `RiskHistory` makes it and reads it back. Times are ms UTC.
 */
export interface RiskMemory {
  /**
   * Net settled results per UTC minute (`at` is its start), oldest first; minutes that no limit looks back to are
   * dropped.
   */
  readonly results: readonly { readonly at: number; readonly profit: Money }[];
  /** Orders sent, and orders matched for the first time, per UTC minute, oldest first. */
  readonly orders: readonly { readonly at: number; readonly sent: number; readonly matched: number }[];
  /** Orders sent in the second before the newest order, per millisecond. */
  readonly recent: readonly { readonly at: number; readonly sent: number }[];
  /** Sum of all results since the run began, and its highest value since then or since a drawdown stop was lifted. */
  readonly total: Money;
  readonly peak: Money;
  /** The number of losing results in a row, and when the newest losing one was booked. */
  readonly losingRun: number;
  readonly lastLossAt?: number;
  /** The drawdown stop halted trading, and it has not been resumed since. */
  readonly isStopped: boolean;
}

export const NO_RISK_MEMORY: RiskMemory = {
  results: [],
  orders: [],
  recent: [],
  total: 0 as Money,
  peak: 0 as Money,
  losingRun: 0,
  isStopped: false,
};

/**
 * A settled result. `isDifference`: the market had an earlier result in this wallet, and `profit` is the difference to
 * it.
 */
export interface SettledResult {
  readonly at: Instant;
  readonly profit: Money;
  readonly isDifference: boolean;
}

/**
 * Fed in their order with each `sent` and `adopted` record, each order's first match, each `settled` and each `trading`
 * record, it is in the same state in a running process and in one that read the journal. Amounts and counts are kept
 * per UTC minute, so a span of hours may reach up to one minute too far back, never too little. Each step is O(1),
 * amortised.
 */
export class RiskHistory {
  readonly #results = minutes(RESULT_HOURS_MAX);
  readonly #sent = minutes(ORDER_HOURS_MAX);
  readonly #matched = minutes(ORDER_HOURS_MAX);
  readonly #recent = new RollingSum({ bucketMs: 1, keep: RATE_MS });
  #day = Number.NEGATIVE_INFINITY;
  #dayProfit = 0;
  #total: Money;
  #peak: Money;
  #losingRun: number;
  #lastLossAt: Instant | undefined;
  #isStopped: boolean;

  constructor(memory: RiskMemory = NO_RISK_MEMORY) {
    for (const { at, profit } of memory.results) this.#bookResult(at, profit);
    for (const { at, sent, matched } of memory.orders) {
      if (sent > 0) this.#sent.add(at, sent);
      if (matched > 0) this.#matched.add(at, matched);
    }
    for (const { at, sent } of memory.recent) this.#recent.add(at, sent);
    this.#total = memory.total;
    this.#peak = memory.peak;
    this.#losingRun = memory.losingRun;
    this.#lastLossAt = memory.lastLossAt === undefined ? undefined : instant(memory.lastLossAt);
    this.#isStopped = memory.isStopped;
  }

  /**
   * A market's result counts at settlement, however long ago its bets were placed; a corrected result counts by its
   * difference, when it is reported. A difference changes the sums but is no further result: it neither lengthens nor
   * ends a losing run. Nor does a result of zero.
   */
  settled({ at, profit, isDifference }: SettledResult): void {
    this.#bookResult(at, profit);
    this.#total = (this.#total + profit) as Money;
    this.#peak = Math.max(this.#peak, this.#total) as Money;
    if (isDifference || profit === 0) return;
    this.#losingRun = profit < 0 ? this.#losingRun + 1 : 0;
    if (profit < 0) this.#lastLossAt = instant(Math.max(at, this.#lastLossAt ?? at));
  }

  /** An order was approved, or an order of another program adopted: from now on it may match. */
  sent(at: Instant): void {
    this.#sent.add(at, 1);
    this.#recent.add(at, 1);
  }

  /** An order was matched for the first time, in whole or in part. */
  matched(at: Instant): void {
    this.#matched.add(at, 1);
  }

  /**
   * The trading state changed. Resuming after a drawdown stop accepts the loss so far: the next drawdown is measured
   * from the total at that time.
   */
  moved(to: TradingState, by: string): void {
    if (by === BY_DRAWDOWN) this.#isStopped = true;
    if (to !== 'running' || !this.#isStopped) return;
    this.#isStopped = false;
    this.#peak = this.#total;
  }

  /** Net result of the UTC day that contains `now`. */
  dayProfit(now: Instant): Money {
    return Math.floor(now / DAY_MS) > this.#day ? ZERO : (this.#dayProfit as Money);
  }

  /** Net loss of the UTC day that contains `now`; zero on a day in profit. */
  dayLoss(now: Instant): Money {
    return loss(this.dayProfit(now));
  }

  /** Sum of all results since the run began. */
  get total(): Money {
    return this.#total;
  }

  /** Net loss of the last `hours`; zero where they were in profit. */
  rollingLoss(now: Instant, hours: number): Money {
    return loss(this.#results.sum(now, spanOf(hours)));
  }

  /** How far the total is below its highest value since the run began, or since a drawdown stop was lifted. */
  get drawdown(): Money {
    return (this.#peak - this.#total) as Money;
  }

  /** The number of losing results in a row, up to now. */
  get losingRun(): number {
    return this.#losingRun;
  }

  get lastLossAt(): Instant | undefined {
    return this.#lastLossAt;
  }

  ordersSent(now: Instant, hours: number): number {
    return this.#sent.sum(now, spanOf(hours));
  }

  /** Orders whose first match is in the span, whenever they were sent. */
  ordersMatched(now: Instant, hours: number): number {
    return this.#matched.sum(now, spanOf(hours));
  }

  /** Orders sent in the second up to `now`, exact to the millisecond. */
  ordersInSecond(now: Instant): number {
    return this.#recent.sum(now, RATE_MS);
  }

  /** The state as plain data, for a checkpoint; the constructor reads it. */
  memory(): RiskMemory {
    return {
      results: this.#results.entries().map(({ at, sum }) => ({ at, profit: sum as Money })),
      orders: this.#orderEntries(),
      recent: this.#recent.entries().map(({ at, sum }) => ({ at, sent: sum })),
      total: this.#total,
      peak: this.#peak,
      losingRun: this.#losingRun,
      ...(this.#lastLossAt !== undefined && { lastLossAt: this.#lastLossAt }),
      isStopped: this.#isStopped,
    };
  }

  #bookResult(at: number, profit: Money): void {
    this.#results.add(at, profit);
    const day = Math.floor(at / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#dayProfit = 0;
    }
    this.#dayProfit += profit;
  }

  #orderEntries(): RiskMemory['orders'] {
    const byMinute = new Map<number, { sent: number; matched: number }>();
    for (const { at, sum } of this.#sent.entries()) byMinute.set(at, { sent: sum, matched: 0 });
    for (const { at, sum } of this.#matched.entries()) {
      byMinute.set(at, { sent: byMinute.get(at)?.sent ?? 0, matched: sum });
    }
    return [...byMinute].sort(([a], [b]) => a - b).map(([at, counts]) => ({ at, ...counts }));
  }
}

function minutes(hours: number): RollingSum {
  return new RollingSum({ bucketMs: MINUTE_MS, keep: spanOf(hours) });
}

/** In minutes. One more than the hours have, so that everything within them counts to the last millisecond. */
function spanOf(hours: number): number {
  return hours * HOUR_MINUTES + 1;
}

function loss(profit: number): Money {
  return Math.max(0, -profit) as Money;
}
