/** A seeded random number generator that gives the same numbers on every machine and JavaScript engine. */

import { assert, fail } from '../checks/assert.ts';

/** The four 32-bit words of a generator's state. */
export type RandomState = readonly [number, number, number, number];

/**
 * A seeded generator of random numbers, the same on every machine: xoshiro128** seeded by splitmix32. Draws use only integers, + − × ÷ and comparisons: `Math.log`, `exp` and `sin` may
 * differ in their last bit between engines, and one such bit would change a whole run.
 *
 * @example
 * const random = Random.fromSeed(7);
 * const isHead = random.chance(0.5);
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  private constructor(state: RandomState) {
    [this.#a, this.#b, this.#c, this.#d] = state;
  }

  /** The seed may be any safe integer; equal seeds give equal streams. */
  static fromSeed(seed: number): Random {
    assert(Number.isSafeInteger(seed), `a seed is a safe integer, got ${seed}`);
    const low = splitmix(seed | 0, 0x9e3779b9);
    const high = splitmix(Math.floor(seed / 2 ** 32) | 0, 0x85ebca6b);
    return Random.fromState([low() ^ high(), low() ^ high(), low() ^ high(), low() ^ high()]);
  }

  /** Continues from a saved state: four 32-bit words, not all zero. */
  static fromState(state: RandomState): Random {
    assert(
      state.some((word) => (word | 0) !== 0),
      'the state of the generator is not all zero',
    );
    return new Random(state);
  }

  /** The next 32 bits, 0 to 2³² − 1. */
  uint32(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** A double in [0, 1) with 53 random bits. */
  uniform(): number {
    const high = this.uint32() >>> 5;
    return (high * 2 ** 26 + (this.uint32() >>> 6)) / 2 ** 53;
  }

  /** An integer from 0 to n − 1, each equally likely; n from 1 to 2³². */
  below(n: number): number {
    if (!(Number.isInteger(n) && n >= 1 && n <= 2 ** 32)) fail(`below takes 1 to 2³², got ${n}`);
    const limit = 2 ** 32 - (2 ** 32 % n);
    let draw = this.uint32();
    while (draw >= limit) draw = this.uint32();
    return draw % n;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Exponential with mean 1, by von Neumann's runs of falling uniforms: exact, and without a logarithm. */
  exponential(): number {
    for (let whole = 0; ; whole += 1) {
      const first = this.uniform();
      let last = first;
      let length = 1;
      for (let next = this.uniform(); next < last; next = this.uniform()) {
        last = next;
        length += 1;
      }
      if (length % 2 === 1) return whole + first;
    }
  }

  /** Standard normal, by rejection from two exponentials: exact, and exactly symmetric. */
  normal(): number {
    for (;;) {
      const size = this.exponential();
      const excess = size - 1;
      if (2 * this.exponential() >= excess * excess) return this.uint32() >= 2 ** 31 ? size : -size;
    }
  }

  /** A new independent generator: drawing from one never changes what the other returns. */
  fork(): Random {
    return Random.fromState([this.uint32() | 1, this.uint32(), this.uint32(), this.uint32()]);
  }
}

/** splitmix32: turns seeds that differ in one bit into unrelated words. */
function splitmix(seed: number, step: number): () => number {
  let counter = seed;
  return () => {
    counter = (counter + step) | 0;
    let mixed = counter;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
