/** Counts requests within the minute that ends now: no more than the limit in any stretch of it. */

const MINUTE_MS = 60_000;

/** A ring of the last requests' times: that of the one which so many more would push out says whether they fit. */
export class RequestWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number) {
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether so many more requests may be made now; if so, they count. None of them counts otherwise. */
  take(now: number, count: number): boolean {
    const times = this.#times;
    if (count > times.length) return false;
    const last = times[(this.#next + count - 1) % times.length] ?? Number.NEGATIVE_INFINITY;
    if (count > 0 && last > now - MINUTE_MS) return false;
    for (let made = 0; made < count; made += 1) {
      times[this.#next] = now;
      this.#next = (this.#next + 1) % times.length;
    }
    return true;
  }
}
