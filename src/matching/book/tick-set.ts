/** Which ticks of a ladder have stake, as bits: the best and the next one are found in a few instructions. */

import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';

const WORDS = Math.ceil(TICK_COUNT / 32);

/** Many sets in one column: set i takes `WORDS` words; a summary word says which of them hold any bit. */
export class TickSets {
  readonly #words: Int32Array;
  readonly #summary: Int32Array;

  constructor(sets: number) {
    this.#words = new Int32Array(sets * WORDS);
    this.#summary = new Int32Array(sets);
  }

  add(set: number, tick: number): void {
    const word = tick >> 5;
    const index = set * WORDS + word;
    this.#words[index] = (this.#words[index] ?? 0) | (1 << (tick & 31));
    this.#summary[set] = (this.#summary[set] ?? 0) | (1 << word);
  }

  remove(set: number, tick: number): void {
    const word = tick >> 5;
    const index = set * WORDS + word;
    const left = (this.#words[index] ?? 0) & ~(1 << (tick & 31));
    this.#words[index] = left;
    if (left === 0) this.#summary[set] = (this.#summary[set] ?? 0) & ~(1 << word);
  }

  has(set: number, tick: number): boolean {
    return ((this.#words[set * WORDS + (tick >> 5)] ?? 0) & (1 << (tick & 31))) !== 0;
  }

  lowest(set: number): number {
    return this.#lowestOf(set, this.#summary[set] ?? 0);
  }

  highest(set: number): number {
    return this.#highestOf(set, this.#summary[set] ?? 0);
  }

  /** The lowest tick above the given one. */
  above(set: number, tick: number): number {
    const word = tick >> 5;
    const bit = tick & 31;
    const here = bit === 31 ? 0 : (this.#words[set * WORDS + word] ?? 0) & (-1 << (bit + 1));
    if (here !== 0) return word * 32 + lowestBit(here);
    return this.#lowestOf(set, (this.#summary[set] ?? 0) & (-1 << (word + 1)));
  }

  /** The highest tick below the given one. */
  below(set: number, tick: number): number {
    const word = tick >> 5;
    const here = (this.#words[set * WORDS + word] ?? 0) & ((1 << (tick & 31)) - 1);
    if (here !== 0) return word * 32 + highestBit(here);
    return this.#highestOf(set, (this.#summary[set] ?? 0) & ((1 << word) - 1));
  }

  #lowestOf(set: number, words: number): number {
    if (words === 0) return NO_TICK;
    const word = lowestBit(words);
    return word * 32 + lowestBit(this.#words[set * WORDS + word] ?? 0);
  }

  #highestOf(set: number, words: number): number {
    if (words === 0) return NO_TICK;
    const word = highestBit(words);
    return word * 32 + highestBit(this.#words[set * WORDS + word] ?? 0);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}
