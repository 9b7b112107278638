/** A first-in-first-out queue of slots: both ends cost the same however long it gets. */

import { assert } from '../../core/checks/assert.ts';
import { grownInts } from '../columns/columns.ts';
import { NONE } from './orders.ts';

const FIRST_CAPACITY = 8;

export class SlotQueue {
  /** A ring: the capacity is a power of two, so that a place is its count masked. */
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

  /** Takes the oldest slot out. */
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

  /** Keeps the slots that a test lets through, in their order. */
  keep(test: (slot: number) => boolean): void {
    const left = [...this].filter(test);
    this.clear();
    for (const slot of left) this.push(slot);
  }

  /** Oldest first. */
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
