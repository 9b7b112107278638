/** How long to wait before the next try: twice as long each time, with a random part so that clients do not retry together. */

import type { Random } from '../../core/number/random.ts';

/** Doubling stops here, long before the wait leaves the safe integers. */
const DOUBLINGS_MAX = 30;

/** Waiting times in ms between `firstMs` / 2 and `maxMs`. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #random: Random;
  #tries = 0;

  constructor({
    firstMs,
    maxMs,
    random,
  }: { readonly firstMs: number; readonly maxMs: number; readonly random: Random }) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
    this.#random = random;
  }

  /** The next waiting time: between half the ceiling and all of it, in whole ms. */
  next(): number {
    const ceiling = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#tries, DOUBLINGS_MAX));
    this.#tries += 1;
    return Math.ceil((ceiling / 2) * (1 + this.#random.uniform()));
  }

  reset(): void {
    this.#tries = 0;
  }
}
