/** Counts what was approved in the last second, exactly: no span of one second ever holds more than the limit. */

import { assert } from '../core/assert.ts';
import type { Instant } from '../core/units.ts';

const SPAN_MS = 1_000;

/** A ring of the newest `limit` instants: the next fits when the oldest of them is a second ago. O(1). */
export class RateWindow {
  readonly limit: number;
  readonly #instants: Float64Array;
  #next = 0;

  constructor(limit: number) {
    assert(Number.isSafeInteger(limit) && limit > 0, `a rate limit is a positive whole number, got ${limit}`);
    this.limit = limit;
    this.#instants = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether one more fits now. A clock that went back is treated as one that stood still. */
  hasRoom(now: Instant): boolean {
    return now - (this.#instants[this.#next] ?? 0) >= SPAN_MS;
  }

  take(now: Instant): void {
    assert(this.hasRoom(now), 'ask hasRoom first');
    this.#instants[this.#next] = now;
    this.#next = (this.#next + 1) % this.limit;
  }
}
