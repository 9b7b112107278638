/** Hands out runs of cells in growing columns, and takes them back to be used again. */

import { assert } from '../../core/checks/assert.ts';

/**
 * Runs are rounded up to a power of two, so that a dropped market of 12 outcomes makes room for one of 9: space depends on
 * the most positions held at once, never on how many there have been.
 */
export class CellPool {
  #end = 0;
  #inUse = 0;
  readonly #freeBases: number[][] = [];

  /** Cells that the columns must have. */
  get end(): number {
    return this.#end;
  }

  /** Cells handed out and not given back. */
  get inUse(): number {
    return this.#inUse;
  }

  /** The first of `cells` neighbouring cells. */
  take(cells: number): number {
    assert(cells > 0, `a run has at least one cell, got ${cells}`);
    const order = orderOf(cells);
    this.#inUse += 2 ** order;
    const free = this.#freeBases[order]?.pop();
    if (free !== undefined) return free;
    const base = this.#end;
    this.#end += 2 ** order;
    return base;
  }

  /** Gives a run back; its cells must be zero again. */
  give(base: number, cells: number): void {
    const order = orderOf(cells);
    this.#inUse -= 2 ** order;
    while (this.#freeBases.length <= order) this.#freeBases.push([]);
    this.#freeBases[order]?.push(base);
  }
}

function orderOf(cells: number): number {
  return 32 - Math.clz32(cells - 1);
}
