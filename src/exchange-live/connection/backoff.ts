/** How long to wait before the next try: twice as long each time, and never the same for two clients. */

import type { Random } from '../../core/number/random.ts';

/** Doubling stops long before it leaves the safe integers. */
const DOUBLINGS_MAX = 30;

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

  /** Between half the ceiling and all of it, in whole ms. */
  next(): number {
    const ceiling = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#tries, DOUBLINGS_MAX));
    this.#tries += 1;
    return Math.ceil((ceiling / 2) * (1 + this.#random.uniform()));
  }

  reset(): void {
    this.#tries = 0;
  }
}
