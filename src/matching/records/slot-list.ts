/** A list of slots that is filled and emptied again and again, so that selecting orders makes no garbage. */

import { grownInts } from '../columns/columns.ts';
import type { Orders } from './orders.ts';

const FIRST_CAPACITY = 64;
/** Lists of at most this many slots are sorted by insertion. */
const INSERTION_MAX = 64;

/**
 * Fill it with `push`, sort it with `sortById`, read it with `at` from 0 to `size` − 1, and `clear` it for the next
 * use.
 */
export class SlotList {
  #slots = new Int32Array(FIRST_CAPACITY);
  /**
   * Ids of the first slots, in the order in which the slots were added: the orders themselves lie far apart in memory.
   */
  readonly #ids = new Float64Array(INSERTION_MAX);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  at(index: number): number {
    return this.#slots[index] ?? 0;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Adds a slot with the id of its order. */
  push(slot: number, id: number): void {
    const size = this.#size;
    if (size === this.#slots.length) this.#slots = grownInts(this.#slots, size * 2);
    this.#slots[size] = slot;
    if (size < INSERTION_MAX) this.#ids[size] = id;
    this.#size = size + 1;
  }

  /** Sorts the slots by their orders' ids and removes duplicates. Call it once all slots were added. */
  sortById(orders: Pick<Orders, 'id'>): void {
    if (this.#size > INSERTION_MAX) {
      this.#slots.subarray(0, this.#size).sort((a, b) => orders.id(a) - orders.id(b));
    } else this.#insertAll();
    this.#dropDoubles();
  }

  /** A batch is short and often sorted already: calling a comparison function would take longer than the cancelling. */
  #insertAll(): void {
    const slots = this.#slots;
    const ids = this.#ids;
    for (let i = 1; i < this.#size; i += 1) {
      const slot = slots[i] ?? 0;
      const own = ids[i] ?? 0;
      let at = i;
      for (; at > 0 && (ids[at - 1] ?? 0) > own; at -= 1) {
        ids[at] = ids[at - 1] ?? 0;
        slots[at] = slots[at - 1] ?? 0;
      }
      ids[at] = own;
      slots[at] = slot;
    }
  }

  #dropDoubles(): void {
    let kept = 0;
    for (let i = 0; i < this.#size; i += 1) {
      const slot = this.at(i);
      if (kept > 0 && slot === this.at(kept - 1)) continue;
      this.#slots[kept] = slot;
      kept += 1;
    }
    this.#size = kept;
  }
}
