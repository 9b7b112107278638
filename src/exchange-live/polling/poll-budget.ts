/**
 * How much of the request budget polling may take: a token bucket which every reading uses, and for which only price readings
 * wait.
 */

import type { Clock } from '../../time/clock.ts';

const SECOND_MS = 1_000;
/** Readings other than of prices are counted over this time, ms. */
const WINDOW_MS = 10_000;
/** The part of the budget that prices always keep, however much the other readings take. */
const LEAST_SHARE = 1 / 5;

/** Rates are in calls a second; its bucket holds the calls of a fifth of a second. */
export class PollBudget {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** Calls that may be made at once after a pause. */
  readonly #burst: number;
  #tokens: number;
  #countedAt: number;
  /** Readings other than of prices, in this window and in the one before. */
  #others = 0;
  #othersBefore = 0;
  #windowAt: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = Math.max(1, perSecond / 5);
    this.#tokens = this.#burst;
    this.#countedAt = clock.now();
    this.#windowAt = clock.now();
  }

  /** The number of calls for prices that may be made now. */
  free(): number {
    this.#refill();
    return Math.max(0, Math.floor(this.#tokens + 1e-9));
  }

  /** Time until the next call for prices may be made, ms. */
  waitMs(): number {
    this.#refill();
    return Math.max(0, Math.ceil(((1 - this.#tokens) * SECOND_MS) / this.#perSecond));
  }

  /** Calls for prices that the other readings leave in the long run, per millisecond. */
  forPrices(): number {
    this.#turn();
    const others = (Math.max(this.#others, this.#othersBefore) * SECOND_MS) / WINDOW_MS;
    return Math.max(this.#perSecond - others, this.#perSecond * LEAST_SHARE) / SECOND_MS;
  }

  /** Counts a call that reads prices, or anything else. */
  count(what: 'prices' | 'others'): void {
    this.#refill();
    // The debt is limited: a long list that is read page by page must not stop the price readings for long.
    this.#tokens = Math.max(-this.#burst, this.#tokens - 1);
    if (what === 'prices') return;
    this.#turn();
    this.#others += 1;
  }

  #refill(): void {
    const now = this.#clock.now();
    const passed = Math.max(0, now - this.#countedAt);
    this.#countedAt = now;
    this.#tokens = Math.min(this.#burst, this.#tokens + (passed * this.#perSecond) / SECOND_MS);
  }

  #turn(): void {
    const now = this.#clock.now();
    const windows = Math.floor((now - this.#windowAt) / WINDOW_MS);
    if (windows <= 0) return;
    this.#othersBefore = windows === 1 ? this.#others : 0;
    this.#others = 0;
    this.#windowAt += windows * WINDOW_MS;
  }
}
