/** Finds what falls due next: a binary heap ordered by due time, then by a number that names what falls due. */

import { grownFloats } from './columns.ts';

/** The due time of an empty heap: nothing will happen by itself. */
export const NEVER = Number.POSITIVE_INFINITY;

/**
 * Holds pairs of a due time (ms) and a number: a market's id, or an order's place in the order of arrival. Entries may be
 * out of date, and the caller skips those.
 */
export class DueHeap {
  #due = new Float64Array(64);
  #number = new Float64Array(64);
  #size = 0;

  get nextDue(): number {
    return this.#size === 0 ? NEVER : (this.#due[0] ?? NEVER);
  }

  get next(): number {
    return this.#number[0] ?? -1;
  }

  push(due: number, number: number): void {
    if (this.#size === this.#due.length) {
      this.#due = grownFloats(this.#due, this.#size * 2);
      this.#number = grownFloats(this.#number, this.#size * 2);
    }
    let index = this.#size;
    this.#size += 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(due, number, parent)) break;
      this.#copy(parent, index);
      index = parent;
    }
    this.#due[index] = due;
    this.#number[index] = number;
  }

  pop(): void {
    this.#size -= 1;
    const due = this.#due[this.#size] ?? 0;
    const number = this.#number[this.#size] ?? 0;
    let index = 0;
    for (let child = 1; child < this.#size; child = index * 2 + 1) {
      if (child + 1 < this.#size && this.#before(this.#due[child + 1] ?? 0, this.#number[child + 1] ?? 0, child))
        child += 1;
      if (this.#before(due, number, child)) break;
      this.#copy(child, index);
      index = child;
    }
    this.#due[index] = due;
    this.#number[index] = number;
  }

  #before(due: number, number: number, other: number): boolean {
    const otherDue = this.#due[other] ?? 0;
    return due < otherDue || (due === otherDue && number < (this.#number[other] ?? 0));
  }

  #copy(from: number, to: number): void {
    this.#due[to] = this.#due[from] ?? 0;
    this.#number[to] = this.#number[from] ?? 0;
  }
}
