/** Limits the calls per app with a token bucket for each app. */

export interface RateLimit {
  readonly perSecond: number;
  /** Calls that may come at once; at least 1. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<number | undefined, Bucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Takes one call. Returns the whole seconds to wait, or undefined where the call may proceed. `now` is in ms. Calls
   * without a session share one bucket.
   */
  takeCall(app: number | undefined, now: number): number | undefined {
    const { perSecond, burst } = this.#limit;
    const bucket = this.#bucketOf(app, now);
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) * perSecond) / 1_000);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
    bucket.tokens -= 1;
    return undefined;
  }

  #bucketOf(app: number | undefined, now: number): Bucket {
    const found = this.#buckets.get(app);
    if (found !== undefined) return found;
    const bucket = { tokens: this.#limit.burst, filledAt: now };
    this.#buckets.set(app, bucket);
    return bucket;
  }
}
