/** Sums of what happened over a sliding span of time, at a cost that does not grow with how much happened. */

import { assert } from '../checks/assert.ts';

/** What one bucket of time holds. `at` is its first millisecond, UTC. */
interface BucketSum {
  readonly at: number;
  readonly sum: number;
}

const FIRST_CAPACITY = 16;

/**
 * Amounts are added up per bucket of `bucketMs`, and a sum covers whole buckets. Buckets older than `keep` before the
 * newest are forgotten, so space is bounded whatever is added. Every answer follows from what was added and from `now`
 * alone, never from what was asked before. A clock that went back stands still, for what is added and what is asked.
 */
export class RollingSum {
  readonly #bucketMs: number;
  readonly #keep: number;
  /** Rings whose length is a power of two; entry i lies at i modulo it. */
  #buckets = new Float64Array(FIRST_CAPACITY);
  #amounts = new Float64Array(FIRST_CAPACITY);
  /** Entries are counted over all time: those from `#first` on are kept, those from `#from` on make up `#sum`. */
  #first = 0;
  #from = 0;
  #end = 0;
  #newest = Number.NEGATIVE_INFINITY;
  #sum = 0;

  constructor(parts: { readonly bucketMs: number; readonly keep: number }) {
    this.#bucketMs = parts.bucketMs;
    this.#keep = parts.keep;
  }

  add(at: number, amount: number): void {
    const bucket = Math.floor(at / this.#bucketMs);
    if (bucket > this.#newest) this.#begin(bucket);
    const last = this.#cell(this.#end - 1);
    // Outside the sum, it comes in whole: it is the only entry that can be, and its bucket is not over.
    if (this.#from === this.#end) {
      this.#from -= 1;
      this.#sum = this.#amounts[last] ?? 0;
    }
    this.#amounts[last] = (this.#amounts[last] ?? 0) + amount;
    this.#sum += amount;
  }

  /** Over the last `buckets` buckets, that of `now` included. Each entry is passed once in each direction of time. */
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

  /** Oldest first. */
  entries(): readonly BucketSum[] {
    const entries: BucketSum[] = [];
    for (let i = this.#first; i < this.#end; i += 1) {
      entries.push({ at: this.#bucketOf(i) * this.#bucketMs, sum: this.#amountOf(i) });
    }
    return entries;
  }

  /** A new entry; what is too old for any sum makes room. */
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
