/** Finds the market whose oldest in-play delay ends next: a binary heap ordered by due time, then by market id. */

import { grownFloats } from './columns.ts';

/** The due time of an empty heap: nothing will happen by itself. */
export const NEVER = Number.POSITIVE_INFINITY;

/** Holds pairs of a due time (ms) and a market id; entries may be out of date, and the caller skips those. */
export class DueHeap {
  #due = new Float64Array(64);
  #market = new Float64Array(64);
  #size = 0;

  get nextDue(): number {
    return this.#size === 0 ? NEVER : (this.#due[0] ?? NEVER);
  }

  get nextMarket(): number {
    return this.#market[0] ?? -1;
  }

  push(due: number, market: number): void {
    if (this.#size === this.#due.length) {
      this.#due = grownFloats(this.#due, this.#size * 2);
      this.#market = grownFloats(this.#market, this.#size * 2);
    }
    let index = this.#size;
    this.#size += 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#before(due, market, parent)) break;
      this.#copy(parent, index);
      index = parent;
    }
    this.#due[index] = due;
    this.#market[index] = market;
  }

  pop(): void {
    this.#size -= 1;
    const due = this.#due[this.#size] ?? 0;
    const market = this.#market[this.#size] ?? 0;
    let index = 0;
    for (let child = 1; child < this.#size; child = index * 2 + 1) {
      if (child + 1 < this.#size && this.#before(this.#due[child + 1] ?? 0, this.#market[child + 1] ?? 0, child))
        child += 1;
      if (this.#before(due, market, child)) break;
      this.#copy(child, index);
      index = child;
    }
    this.#due[index] = due;
    this.#market[index] = market;
  }

  #before(due: number, market: number, other: number): boolean {
    const otherDue = this.#due[other] ?? 0;
    return due < otherDue || (due === otherDue && market < (this.#market[other] ?? 0));
  }

  #copy(from: number, to: number): void {
    this.#due[to] = this.#due[from] ?? 0;
    this.#market[to] = this.#market[from] ?? 0;
  }
}
