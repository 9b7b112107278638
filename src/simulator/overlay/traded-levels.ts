/**
 * Levels that an update's trades lowered and its level events have not set yet, with the stake they held before the
 * update.
 */

import { grownFloats, grownInts } from '../../matching/columns/columns.ts';

/** Marks a level that was set since, and no longer counts. */
const SET = -1;

/** A small list, cleared before each update. */
export class TradedLevels {
  #cells = new Int32Array(32);
  #held = new Float64Array(32);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** The level at an index, or a negative number where it was set since. */
  cellAt(index: number): number {
    return this.#cells[index] ?? SET;
  }

  heldAt(index: number): number {
    return this.#held[index] ?? 0;
  }

  /** The index of a level, or −1. An update trades at a handful of levels. */
  indexOf(cell: number): number {
    for (let at = 0; at < this.#count; at += 1) if (this.#cells[at] === cell) return at;
    return -1;
  }

  /** Remembers what a level held, the first time it trades. */
  note(cell: number, held: number): void {
    if (this.indexOf(cell) !== -1) return;
    if (this.#count === this.#cells.length) {
      this.#cells = grownInts(this.#cells, this.#count * 2);
      this.#held = grownFloats(this.#held, this.#count * 2);
    }
    this.#cells[this.#count] = cell;
    this.#held[this.#count] = held;
    this.#count += 1;
  }

  markSet(cell: number): void {
    const at = this.indexOf(cell);
    if (at !== -1) this.#cells[at] = SET;
  }
}
