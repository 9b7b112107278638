/** A first-in-first-out queue of slots: both ends cost the same however long it gets. */

import { assert } from '../../core/checks/assert.ts';
import { grownInts } from '../columns/columns.ts';
import { NONE } from './order-columns.ts';

const FIRST_CAPACITY = 8;

/** A queue of order slots, kept in a ring buffer. */
export class SlotQueue {
  /** A ring buffer. Its capacity is a power of two, so that an index is a count masked by capacity − 1. */
  #ring = new Int32Array(FIRST_CAPACITY);
  #taken = 0;
  #pushed = 0;

  get size(): number {
    return this.#pushed - this.#taken;
  }

  /** The oldest slot; NONE where the queue is empty. */
  get first(): number {
    return this.size === 0 ? NONE : this.#at(this.#taken);
  }

  push(slot: number): void {
    if (this.size === this.#ring.length) this.#grow();
    this.#ring[this.#pushed & (this.#ring.length - 1)] = slot;
    this.#pushed += 1;
  }

  /** Removes the oldest slot and returns it. */
  shift(): number {
    assert(this.size > 0, 'only a queue with a slot gives one');
    const slot = this.#at(this.#taken);
    this.#taken += 1;
    return slot;
  }

  clear(): void {
    this.#taken = 0;
    this.#pushed = 0;
  }

  /** Removes the slots that fail the test; the others keep their order. */
  keep(test: (slot: number) => boolean): void {
    const left = [...this].filter(test);
    this.clear();
    for (const slot of left) this.push(slot);
  }

  /** Iterates from the oldest slot on. */
  *[Symbol.iterator](): IterableIterator<number> {
    for (let count = this.#taken; count < this.#pushed; count += 1) yield this.#at(count);
  }

  #at(count: number): number {
    return this.#ring[count & (this.#ring.length - 1)] ?? NONE;
  }

  #grow(): void {
    const slots = Int32Array.from(this);
    this.#ring = grownInts(slots, slots.length * 2);
    this.#taken = 0;
    this.#pushed = slots.length;
  }
}
