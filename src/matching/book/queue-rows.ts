/** The links of resting orders, each a row of numbers by slot. */

import { GROWTH, grownFloats } from '../columns/columns.ts';

const FIRST_CAPACITY = 256;
/** Numbers in a row. */
const WIDTH = 3;

/**
 * What the books know of resting orders, by slot: a row of three doubles, which are the stake, then as 32-bit words the
 * next and the previous order of the queue, and one more than the level, so that 0, which new memory holds, is nowhere. Shared
 * by all books of an exchange, because a slot rests in one of them at most.
 */
export class QueueRows {
  rows = new Float64Array(FIRST_CAPACITY * WIDTH);
  /** The same memory. */
  words = new Int32Array(this.rows.buffer);

  reach(slot: number): void {
    if (slot * 3 >= this.rows.length) this.#grow(slot + 1);
  }

  #grow(capacity: number): void {
    this.rows = grownFloats(this.rows, Math.max(this.rows.length * GROWTH, capacity * WIDTH));
    this.words = new Int32Array(this.rows.buffer);
  }
}
