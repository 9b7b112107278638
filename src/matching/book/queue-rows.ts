/** Rows of numbers that link resting orders into queues. */

import { GROWTH, grownFloats } from '../columns/columns.ts';
import { ROW } from './queue-columns.ts';

const FIRST_CAPACITY = 256;

/**
 * What the order books keep of each resting order, by slot. A row is three doubles: the first is the remaining stake;
 * the other two are read as 32-bit words, which hold the next and the previous order of the queue and the level plus
 * one, so that 0, which fresh memory holds, means "rests nowhere". All books of an exchange share the rows, because a
 * slot rests in one of them at most.
 */
export class QueueRows {
  rows = new Float64Array(FIRST_CAPACITY * ROW);
  /** The memory of `rows`, read as 32-bit words. */
  words = new Int32Array(this.rows.buffer);

  /** Makes the rows long enough for the slot. */
  reach(slot: number): void {
    if (slot * ROW >= this.rows.length) this.#grow(slot + 1);
  }

  #grow(capacity: number): void {
    this.rows = grownFloats(this.rows, Math.max(this.rows.length * GROWTH, capacity * ROW));
    this.words = new Int32Array(this.rows.buffer);
  }
}
