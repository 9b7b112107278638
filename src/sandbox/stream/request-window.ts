/** Limits requests within any minute. */

const MINUTE_MS = 60_000;

/**
 * A ring with the times of the last `max` requests: new ones fit if the request that they would overwrite is over a
 * minute old.
 */
export class RequestWindow {
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number) {
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  /** Takes `count` requests at `now` (ms) if all of them are allowed; otherwise takes none and returns false. */
  takeRequests(now: number, count: number): boolean {
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
