/** Counts requests within the minute that ends now: no more than the limit in any stretch of it. */

const MINUTE_MS = 60_000;

/** A ring of the last requests' times: the oldest of them says whether one more fits. */
export class RequestWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number) {
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether one more request may be made now; if so, it counts. */
  take(now: number): boolean {
    const oldest = this.#times[this.#next] ?? Number.NEGATIVE_INFINITY;
    if (oldest > now - MINUTE_MS) return false;
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % this.#times.length;
    return true;
  }
}
