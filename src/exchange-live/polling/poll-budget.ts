/** How much of the request budget polling may take: a token bucket that every reading empties and only prices wait for. */

import type { Clock } from '../../time/clock.ts';

const SECOND_MS = 1_000;
/** Readings other than of prices are counted over so long. */
const WINDOW_MS = 10_000;
/** Of the budget, what is left to prices however much the other readings take. */
const LEAST_SHARE = 1 / 5;

export class PollBudget {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** Calls that may go at once after a rest. */
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

  /** Calls for prices that may go now. */
  free(): number {
    this.#refill();
    return Math.max(0, Math.floor(this.#tokens + 1e-9));
  }

  /** How long until there is a call for prices again. */
  waitMs(): number {
    this.#refill();
    return Math.max(0, Math.ceil(((1 - this.#tokens) * SECOND_MS) / this.#perSecond));
  }

  /** What the other readings leave to prices in the long run, as calls in a millisecond. */
  forPrices(): number {
    this.#turn();
    const others = (Math.max(this.#others, this.#othersBefore) * SECOND_MS) / WINDOW_MS;
    return Math.max(this.#perSecond - others, this.#perSecond * LEAST_SHARE) / SECOND_MS;
  }

  /** A call was made that reads prices, or anything else. */
  count(what: 'prices' | 'others'): void {
    this.#refill();
    // Debts have an end: a long list read page by page must not silence the prices for long.
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
