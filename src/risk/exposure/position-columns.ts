/** The columns behind all positions: the four of exposure, matched stake and winnings by side, and removed outcomes. */

import { createExposureColumns, type ExposureColumns } from '../../core/exposure.ts';
import { SlotRanges } from './slot-ranges.ts';

const FIRST_SLOTS = 64;

/** One slot for each outcome of a position. Slot s has two entries in `matchedStake` and `matchedWinnings`: 2s for For, 2s + 1 for Against. */
export class PositionColumns {
  readonly #ranges = new SlotRanges();
  #exposure: ExposureColumns = createExposureColumns(FIRST_SLOTS);
  #matchedStake = new Float64Array(2 * FIRST_SLOTS);
  #matchedWinnings = new Float64Array(2 * FIRST_SLOTS);
  #removed = new Uint8Array(FIRST_SLOTS);

  get exposure(): ExposureColumns {
    return this.#exposure;
  }

  get matchedStake(): Float64Array {
    return this.#matchedStake;
  }

  get matchedWinnings(): Float64Array {
    return this.#matchedWinnings;
  }

  get removed(): Uint8Array {
    return this.#removed;
  }

  get slotsInUse(): number {
    return this.#ranges.inUse;
  }

  get slotsMade(): number {
    return this.#ranges.end;
  }

  /** The first of `outcomes` slots, all zero. */
  take(outcomes: number): number {
    const first = this.#ranges.take(outcomes);
    if (this.#ranges.end > this.#removed.length) this.#grow(2 * this.#ranges.end);
    return first;
  }

  /** Clears the slots of a position that is not needed any more, so that they can be used again. */
  release(first: number, outcomes: number): void {
    const end = first + outcomes;
    for (const column of Object.values<Float64Array>({ ...this.#exposure })) column.fill(0, first, end);
    this.#matchedStake.fill(0, 2 * first, 2 * end);
    this.#matchedWinnings.fill(0, 2 * first, 2 * end);
    this.#removed.fill(0, first, end);
    this.#ranges.release(first, outcomes);
  }

  /** Copies what the slots of one position hold into those of another. */
  copy(from: number, to: number, outcomes: number): void {
    for (const column of Object.values<Float64Array>({ ...this.#exposure }))
      column.copyWithin(to, from, from + outcomes);
    this.#matchedStake.copyWithin(2 * to, 2 * from, 2 * (from + outcomes));
    this.#matchedWinnings.copyWithin(2 * to, 2 * from, 2 * (from + outcomes));
    this.#removed.copyWithin(to, from, from + outcomes);
  }

  /** Whether no slot holds anything: true once every market is dropped. */
  isZero(): boolean {
    const columns = [...Object.values<Float64Array>({ ...this.#exposure }), this.#matchedStake, this.#matchedWinnings];
    return columns.every((column) => column.every((value) => value === 0)) && this.#removed.every((flag) => flag === 0);
  }

  #grow(slots: number): void {
    const { win, lose, unmatchedWin, unmatchedLose } = this.#exposure;
    this.#exposure = createExposureColumns(slots);
    this.#exposure.win.set(win);
    this.#exposure.lose.set(lose);
    this.#exposure.unmatchedWin.set(unmatchedWin);
    this.#exposure.unmatchedLose.set(unmatchedLose);
    this.#matchedStake = grown(this.#matchedStake, 2 * slots);
    this.#matchedWinnings = grown(this.#matchedWinnings, 2 * slots);
    const removed = new Uint8Array(slots);
    removed.set(this.#removed);
    this.#removed = removed;
  }
}

function grown(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(length);
  wider.set(column);
  return wider;
}
