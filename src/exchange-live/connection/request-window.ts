/**
 * A limit on requests within any period of a given length: stricter than a token bucket, which lets up to twice as many through
 * at first.
 */

import { assert } from '../../core/checks/assert.ts';

/** The caller passes the time, in ms, which must never go back. */
export class RequestWindow {
  readonly #max: number;
  readonly #spanMs: number;
  readonly #taken: { readonly at: number; readonly count: number }[] = [];
  #sum = 0;

  constructor({ max, spanMs }: { readonly max: number; readonly spanMs: number }) {
    this.#max = max;
    this.#spanMs = spanMs;
  }

  /** The number of requests that may be made now. */
  room(now: number): number {
    let [oldest] = this.#taken;
    while (oldest !== undefined && oldest.at + this.#spanMs <= now) {
      this.#sum -= oldest.count;
      this.#taken.shift();
      [oldest] = this.#taken;
    }
    return this.#max - this.#sum;
  }

  take(now: number, count: number): void {
    assert(count <= this.room(now), 'no more requests are made than there is room for');
    this.#taken.push({ at: now, count });
    this.#sum += count;
  }

  /** The time, ms, at which at least one request may be made. */
  openAt(now: number): number {
    const [oldest] = this.#taken;
    return this.room(now) > 0 || oldest === undefined ? now : (this.#taken[0]?.at ?? now) + this.#spanMs;
  }
}
