/** Sums of amounts over a sliding span of time, at a cost that does not grow with the number of amounts. */

import { assert } from '../checks/assert.ts';

/** The sum of one bucket of time. `at` is the bucket's first millisecond, UTC. */
export interface BucketSum {
  readonly at: number;
  readonly sum: number;
}

const FIRST_CAPACITY = 16;

/**
 * Amounts are added up per bucket of `bucketMs`, and a sum covers whole buckets. Buckets older than `keep` buckets
 * before the newest are dropped, so memory is bounded. A result depends only on the amounts added and on `now`, never
 * on earlier queries. A time before the newest one counts as the newest, both for adding and for asking.
 */
export class RollingSum {
  readonly #bucketMs: number;
  readonly #keep: number;
  /** Rings whose length is a power of two; entry i lies at i modulo it. */
  #buckets = new Float64Array(FIRST_CAPACITY);
  #amounts = new Float64Array(FIRST_CAPACITY);
  /** Entry numbers count up for ever: entries from `#first` on are kept, entries from `#from` on make up `#sum`. */
  #first = 0;
  #from = 0;
  #end = 0;
  #newest = Number.NEGATIVE_INFINITY;
  #sum = 0;

  constructor(parts: { readonly bucketMs: number; readonly keep: number }) {
    this.#bucketMs = parts.bucketMs;
    this.#keep = parts.keep;
  }

  /** Adds an amount at the time `at`, ms UTC. */
  add(at: number, amount: number): void {
    const bucket = Math.floor(at / this.#bucketMs);
    if (bucket > this.#newest) this.#begin(bucket);
    const last = this.#cell(this.#end - 1);
    // Where the newest entry lies outside the sum, the sum is empty and starts again with all of that entry.
    if (this.#from === this.#end) {
      this.#from -= 1;
      this.#sum = this.#amounts[last] ?? 0;
    }
    this.#amounts[last] = (this.#amounts[last] ?? 0) + amount;
    this.#sum += amount;
  }

  /**
   * The sum over the last `buckets` buckets, that of `now` included. `now` is in ms UTC. Each entry is visited once as
   * time goes forward, and once more for each step back in time.
   */
  sum(now: number, buckets: number): number {
    assert(buckets <= this.#keep, `only ${this.#keep} buckets are kept, not ${buckets}`);
    const oldest = Math.max(Math.floor(now / this.#bucketMs), this.#newest) - buckets + 1;
    while (this.#from < this.#end && this.#bucketOf(this.#from) < oldest) {
      this.#sum -= this.#amountOf(this.#from);
      this.#from += 1;
    }
    while (this.#from > this.#first && this.#bucketOf(this.#from - 1) >= oldest) {
      this.#from -= 1;
      this.#sum += this.#amountOf(this.#from);
    }
    return this.#sum;
  }

  /** All buckets that are kept, oldest first. */
  entries(): readonly BucketSum[] {
    const entries: BucketSum[] = [];
    for (let i = this.#first; i < this.#end; i += 1) {
      entries.push({ at: this.#bucketOf(i) * this.#bucketMs, sum: this.#amountOf(i) });
    }
    return entries;
  }

  /** Starts the entry of a new bucket and drops the entries that are too old for any sum. */
  #begin(bucket: number): void {
    while (this.#first < this.#end && this.#bucketOf(this.#first) <= bucket - this.#keep) {
      if (this.#from === this.#first) {
        this.#sum -= this.#amountOf(this.#from);
        this.#from += 1;
      }
      this.#first += 1;
    }
    if (this.#end - this.#first === this.#buckets.length) this.#grow();
    this.#buckets[this.#cell(this.#end)] = bucket;
    this.#amounts[this.#cell(this.#end)] = 0;
    this.#end += 1;
    this.#newest = bucket;
  }

  #grow(): void {
    const buckets = new Float64Array(2 * this.#buckets.length);
    const amounts = new Float64Array(2 * this.#buckets.length);
    for (let i = this.#first; i < this.#end; i += 1) {
      buckets[i & (buckets.length - 1)] = this.#bucketOf(i);
      amounts[i & (buckets.length - 1)] = this.#amountOf(i);
    }
    this.#buckets = buckets;
    this.#amounts = amounts;
  }

  #cell(entry: number): number {
    return entry & (this.#buckets.length - 1);
  }

  #bucketOf(entry: number): number {
    return this.#buckets[this.#cell(entry)] ?? 0;
  }

  #amountOf(entry: number): number {
    return this.#amounts[this.#cell(entry)] ?? 0;
  }
}
