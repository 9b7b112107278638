/** The settled result of the current UTC day. */

import { type Instant, type Money, ZERO } from '../core/units.ts';

const DAY_MS = 86_400_000;

/** A market counts on the day on which it settles, however long the bets stood. */
export class DailyResult {
  #day = Number.NEGATIVE_INFINITY;
  #profit: Money = ZERO;

  /** Books the net result of a settled market; a resettlement is booked as its difference. */
  record(profit: Money, now: Instant): void {
    const day = Math.floor(now / DAY_MS);
    if (day > this.#day) {
      this.#day = day;
      this.#profit = ZERO;
    }
    this.#profit = (this.#profit + profit) as Money;
  }

  /** Settled loss of the day that `now` is in; zero on a day in profit. */
  loss(now: Instant): Money {
    return Math.floor(now / DAY_MS) > this.#day ? ZERO : (Math.max(0, -this.#profit) as Money);
  }
}
