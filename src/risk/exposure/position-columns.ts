/** The columns behind all positions: the four of exposure, matched stake and winnings by side, and removed outcomes. */

import { createExposureColumns, type ExposureColumns } from '../../core/exposure.ts';
import { CellPool } from './cell-pool.ts';

const FIRST_CELLS = 64;

/** Cell c has two entries in `matchedStake` and `matchedWinnings`: 2c for For, 2c + 1 for Against. */
export class PositionColumns {
  readonly #pool = new CellPool();
  #exposure: ExposureColumns = createExposureColumns(FIRST_CELLS);
  #matchedStake = new Float64Array(2 * FIRST_CELLS);
  #matchedWinnings = new Float64Array(2 * FIRST_CELLS);
  #removed = new Uint8Array(FIRST_CELLS);

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

  get cellsInUse(): number {
    return this.#pool.inUse;
  }

  get cellsMade(): number {
    return this.#pool.end;
  }

  /** The first of `outcomes` zero cells. */
  take(outcomes: number): number {
    const base = this.#pool.take(outcomes);
    if (this.#pool.end > this.#removed.length) this.#grow(2 * this.#pool.end);
    return base;
  }

  /** Clears the cells, whatever is in them, and takes them back. */
  give(base: number, outcomes: number): void {
    const end = base + outcomes;
    for (const column of Object.values<Float64Array>({ ...this.#exposure })) column.fill(0, base, end);
    this.#matchedStake.fill(0, 2 * base, 2 * end);
    this.#matchedWinnings.fill(0, 2 * base, 2 * end);
    this.#removed.fill(0, base, end);
    this.#pool.give(base, outcomes);
  }

  /** Copies what cells hold into others. */
  copy(from: number, to: number, outcomes: number): void {
    for (const column of Object.values<Float64Array>({ ...this.#exposure }))
      column.copyWithin(to, from, from + outcomes);
    this.#matchedStake.copyWithin(2 * to, 2 * from, 2 * (from + outcomes));
    this.#matchedWinnings.copyWithin(2 * to, 2 * from, 2 * (from + outcomes));
    this.#removed.copyWithin(to, from, from + outcomes);
  }

  /** Whether no cell holds anything: true once every market is dropped. */
  isZero(): boolean {
    const columns = [...Object.values<Float64Array>({ ...this.#exposure }), this.#matchedStake, this.#matchedWinnings];
    return columns.every((column) => column.every((value) => value === 0)) && this.#removed.every((flag) => flag === 0);
  }

  #grow(cells: number): void {
    const { win, lose, unmatchedWin, unmatchedLose } = this.#exposure;
    this.#exposure = createExposureColumns(cells);
    this.#exposure.win.set(win);
    this.#exposure.lose.set(lose);
    this.#exposure.unmatchedWin.set(unmatchedWin);
    this.#exposure.unmatchedLose.set(unmatchedLose);
    this.#matchedStake = grown(this.#matchedStake, 2 * cells);
    this.#matchedWinnings = grown(this.#matchedWinnings, 2 * cells);
    const removed = new Uint8Array(cells);
    removed.set(this.#removed);
    this.#removed = removed;
  }
}

function grown(column: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(length);
  wider.set(column);
  return wider;
}
