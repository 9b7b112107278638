/** The numbers from 0 to n − 1 in random order, each once, without a list of them: a Fisher–Yates shuffle that keeps what it moved. */

import type { Random } from '../../core/number/random.ts';

export class LazyShuffle {
  static readonly most = 2 ** 32;
  readonly #random: Random;
  readonly #moved = new Map<number, number>();
  #left: number;

  constructor(count: number, random: Random) {
    this.#left = count;
    this.#random = random;
  }

  /** Undefined when all have been. */
  next(): number | undefined {
    if (this.#left === 0) return undefined;
    const at = this.#random.below(this.#left);
    this.#left -= 1;
    const drawn = this.#moved.get(at) ?? at;
    this.#moved.set(at, this.#moved.get(this.#left) ?? this.#left);
    this.#moved.delete(this.#left);
    return drawn;
  }
}
