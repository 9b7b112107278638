/** A queue of instants with an owner each: earliest first, and at equal instants in the order of arrival. */

import { assert } from '../../core/checks/assert.ts';

/** A binary heap over three columns. */
export class ExpiryQueue {
  readonly #at: number[] = [];
  readonly #order: number[] = [];
  readonly #owner: number[] = [];
  #arrivals = 0;

  get size(): number {
    return this.#at.length;
  }

  /** The earliest instant; Infinity where the queue is empty. */
  get firstAt(): number {
    return this.#at[0] ?? Number.POSITIVE_INFINITY;
  }

  /** The owner of the earliest instant. */
  get first(): number {
    assert(this.size > 0, 'something waits in the queue');
    return this.#owner[0] ?? 0;
  }

  push(at: number, owner: number): void {
    this.#at.push(at);
    this.#order.push(this.#arrivals);
    this.#owner.push(owner);
    this.#arrivals += 1;
    let child = this.size - 1;
    while (child > 0) {
      const parent = (child - 1) >>> 1;
      if (!this.#before(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Removes the earliest entry and returns its owner. */
  pop(): number {
    const owner = this.first;
    this.#swap(0, this.size - 1);
    this.#at.pop();
    this.#order.pop();
    this.#owner.pop();
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= this.size) return owner;
      const child = left + 1 < this.size && this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(child, parent)) return owner;
      this.#swap(child, parent);
      parent = child;
    }
  }

  #before(a: number, b: number): boolean {
    const difference = (this.#at[a] ?? 0) - (this.#at[b] ?? 0);
    return difference === 0 ? (this.#order[a] ?? 0) < (this.#order[b] ?? 0) : difference < 0;
  }

  #swap(a: number, b: number): void {
    for (const column of [this.#at, this.#order, this.#owner]) {
      const kept = column[a] ?? 0;
      column[a] = column[b] ?? 0;
      column[b] = kept;
    }
  }
}
