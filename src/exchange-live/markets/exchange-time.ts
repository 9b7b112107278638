/** What is known of the exchange's clock beside ours: enough to tell what is older than an answer that was asked for. */

import type { Instant } from '../../core/number/units.ts';

/**
 * The exchange's Date header has whole seconds, and is written at some moment between question and answer: so the difference
 * of the clocks that is taken from it is trusted to this, ms.
 */
const TRUST_MS = 1_500;
/** The quickest message counts for one to two of these, ms: a clock that is set bears on the order of messages no longer. */
const SPAN_MS = 60_000;

/**
 * Every message says when the exchange made it. Our clock is ahead of the exchange's by at most as much as lay between that
 * time and its arrival, so the quickest message shows best how late the others are.
 */
export class ExchangeTime {
  readonly #skewMs: (() => number | undefined) | undefined;
  /** Least time from making to arrival, ms by two clocks: in this span, and in the one before. */
  #least = Number.POSITIVE_INFINITY;
  #leastBefore = Number.POSITIVE_INFINITY;
  #spanAt = Number.NEGATIVE_INFINITY;

  /** `skewMs`: by how much our clock is ahead of the exchange's, as far as its answers say. */
  constructor(skewMs: (() => number | undefined) | undefined) {
    this.#skewMs = skewMs;
  }

  /** Takes note of when a message was made and when it arrived; false if it was made in the future, which proves nothing. */
  note(madeAt: Instant, receivedAt: number): boolean {
    const passedMs = receivedAt - madeAt;
    const skewMs = this.#skewMs?.();
    if (skewMs !== undefined && passedMs < skewMs - TRUST_MS) return false;
    this.#turn(receivedAt);
    this.#least = Math.min(this.#least, passedMs);
    return true;
  }

  /** The exchange's clock showed at least this when ours showed `at`; minus infinity where nothing is known of it. */
  earliest(at: number): number {
    const skewMs = this.#skewMs?.() ?? Number.POSITIVE_INFINITY;
    return at - Math.min(skewMs + TRUST_MS, this.#least, this.#leastBefore);
  }

  #turn(now: number): void {
    const spans = Math.floor((now - this.#spanAt) / SPAN_MS);
    if (spans === 0) return;
    this.#leastBefore = spans === 1 ? this.#least : Number.POSITIVE_INFINITY;
    this.#least = Number.POSITIVE_INFINITY;
    this.#spanAt = now;
  }
}
