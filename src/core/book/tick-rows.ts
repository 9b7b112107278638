/** Which ticks of the ladder hold stake, as bits: the best and the next worse one are found in a few instructions. */

import { NO_TICK, TICK_COUNT } from '../number/ladder.ts';
import { AGAINST } from '../side.ts';

const WORDS = Math.ceil(TICK_COUNT / 32);

/**
 * A row is one resting side of one outcome, at index outcome × 2 + side. Row i takes `WORDS` words of bits; a summary
 * word says which of them hold any.
 */
export class TickRows {
  readonly #words: Int32Array;
  readonly #summary: Int32Array;

  constructor(rows: number) {
    this.#words = new Int32Array(rows * WORDS);
    this.#summary = new Int32Array(rows);
  }

  add(row: number, tick: number): void {
    const word = tick >> 5;
    const index = row * WORDS + word;
    this.#words[index] = (this.#words[index] ?? 0) | (1 << (tick & 31));
    this.#summary[row] = (this.#summary[row] ?? 0) | (1 << word);
  }

  remove(row: number, tick: number): void {
    const word = tick >> 5;
    const index = row * WORDS + word;
    const left = (this.#words[index] ?? 0) & ~(1 << (tick & 31));
    this.#words[index] = left;
    if (left === 0) this.#summary[row] = (this.#summary[row] ?? 0) & ~(1 << word);
  }

  clear(): void {
    this.#words.fill(0);
    this.#summary.fill(0);
  }

  has(row: number, tick: number): boolean {
    return ((this.#words[row * WORDS + (tick >> 5)] ?? 0) & (1 << (tick & 31))) !== 0;
  }

  /** The best tick of a row for a taker (Against: the highest; For: the lowest); NO_TICK in an empty row. */
  best(row: number): number {
    const words = this.#summary[row] ?? 0;
    return (row & 1) === AGAINST ? this.#highestOf(row, words) : this.#lowestOf(row, words);
  }

  /** The nearest tick that is worse for a taker than the given one; NO_TICK where there is none. */
  worse(row: number, tick: number): number {
    return (row & 1) === AGAINST ? this.#below(row, tick) : this.#above(row, tick);
  }

  #above(row: number, tick: number): number {
    const word = tick >> 5;
    const here = (this.#words[row * WORDS + word] ?? 0) & (-2 << (tick & 31));
    if (here !== 0) return word * 32 + lowestBit(here);
    return this.#lowestOf(row, (this.#summary[row] ?? 0) & (-2 << word));
  }

  #below(row: number, tick: number): number {
    const word = tick >> 5;
    const here = (this.#words[row * WORDS + word] ?? 0) & ((1 << (tick & 31)) - 1);
    if (here !== 0) return word * 32 + highestBit(here);
    return this.#highestOf(row, (this.#summary[row] ?? 0) & ((1 << word) - 1));
  }

  /** The lowest tick in those words of a row whose bits are given. */
  #lowestOf(row: number, words: number): number {
    if (words === 0) return NO_TICK;
    const word = lowestBit(words);
    return word * 32 + lowestBit(this.#words[row * WORDS + word] ?? 0);
  }

  #highestOf(row: number, words: number): number {
    if (words === 0) return NO_TICK;
    const word = highestBit(words);
    return word * 32 + highestBit(this.#words[row * WORDS + word] ?? 0);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}
