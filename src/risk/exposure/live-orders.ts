/** Own orders of one market that may still match, resting, on their way or of unknown fate: how many, and at what prices. */

import { fail } from '../../core/checks/assert.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import { FOR, type SideIndex } from '../../core/side.ts';

const WORD_BITS = 32;
const WORDS = Math.ceil(TICK_COUNT / WORD_BITS);
const TICKS = WORDS * WORD_BITS;

/** Per outcome and side a count and a bit per tick; the best is found in eleven words of bits, however many are live. */
export class LiveOrders {
  readonly #counts: Uint32Array;
  readonly #words: Int32Array;
  #total = 0;

  constructor(outcomes: number) {
    this.#counts = new Uint32Array(2 * outcomes * TICKS);
    this.#words = new Int32Array(2 * outcomes * WORDS);
  }

  get total(): number {
    return this.#total;
  }

  opened(outcome: number, side: SideIndex, tick: number): void {
    const set = 2 * outcome + side;
    const count = this.#counts[set * TICKS + tick] ?? 0;
    this.#counts[set * TICKS + tick] = count + 1;
    if (count === 0) this.#flip(set, tick);
    this.#total += 1;
  }

  ended(outcome: number, side: SideIndex, tick: number): void {
    const set = 2 * outcome + side;
    const count = this.#counts[set * TICKS + tick] ?? 0;
    if (count === 0) fail(`no order of ours is live at tick ${tick}`);
    this.#counts[set * TICKS + tick] = count - 1;
    if (count === 1) this.#flip(set, tick);
    this.#total -= 1;
  }

  /** The tick that a taker meets first: the lowest For, the highest Against; NO_TICK where none is live. */
  best(outcome: number, side: SideIndex): number {
    const first = (2 * outcome + side) * WORDS;
    for (let i = 0; i < WORDS; i += 1) {
      const at = side === FOR ? i : WORDS - 1 - i;
      const word = this.#words[first + at] ?? 0;
      if (word !== 0) return WORD_BITS * at + 31 - Math.clz32(side === FOR ? word & -word : word);
    }
    return NO_TICK;
  }

  #flip(set: number, tick: number): void {
    const at = set * WORDS + (tick >>> 5);
    this.#words[at] = (this.#words[at] ?? 0) ^ (1 << (tick & 31));
  }
}
