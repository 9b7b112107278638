/** Hands out ranges of neighbouring slots in growing columns, and takes them back to be used again. */

import { assert } from '../../core/checks/assert.ts';

/**
 * Lengths are rounded up to a power of two, so that a dropped market of 12 outcomes makes room for one of 9: space depends
 * on the most positions held at once, never on how many there have been.
 */
export class SlotRanges {
  #end = 0;
  #inUse = 0;
  /** First slots of free ranges; the index is the power of two that is their length. */
  readonly #freeByPower: number[][] = [];

  /** Slots that the columns must have. */
  get end(): number {
    return this.#end;
  }

  /** Slots handed out and not released. */
  get inUse(): number {
    return this.#inUse;
  }

  /** The first of `length` neighbouring slots. */
  take(length: number): number {
    assert(length > 0, `a range has at least one slot, got ${length}`);
    const power = powerFor(length);
    this.#inUse += 2 ** power;
    const free = this.#freeByPower[power]?.pop();
    if (free !== undefined) return free;
    const first = this.#end;
    this.#end += 2 ** power;
    return first;
  }

  /** The range may be handed out again; its slots must be zero. */
  release(first: number, length: number): void {
    const power = powerFor(length);
    this.#inUse -= 2 ** power;
    while (this.#freeByPower.length <= power) this.#freeByPower.push([]);
    this.#freeByPower[power]?.push(first);
  }
}

function powerFor(length: number): number {
  return 32 - Math.clz32(length - 1);
}
