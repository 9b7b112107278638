/** A recorded book that knows of every level out of its source's sight when it left, however long ago: kept at each update, so slow. */

import { NO_TICK, TICK_COUNT } from '../../../src/core/number/ladder.ts';
import type { Instant } from '../../../src/core/number/units.ts';
import { isBetter, type SideIndex } from '../../../src/core/side.ts';
import { cellInRow, rowOf, rowOfCell, sideOfRow, tickOfCell } from '../../../src/simulator/overlay/level-cell.ts';
import { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';

export class ExactWindow extends RecordedBook {
  readonly #depth: number;
  /** By row: the worst tick shown; NO_TICK where the window has room left. */
  readonly #worst: Int16Array;
  readonly #leftAt: Float64Array;
  /** Rows of which a level changed since the last update. */
  readonly #changed = new Set<number>();

  constructor(outcomes: number, depth: number) {
    super(outcomes);
    this.#depth = depth;
    this.#worst = new Int16Array(outcomes * 2).fill(NO_TICK);
    this.#leftAt = new Float64Array(outcomes * 2 * TICK_COUNT);
  }

  override setStake(cell: number, stake: number): void {
    this.#changed.add(rowOfCell(cell));
    super.setStake(cell, stake);
  }

  override setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void {
    this.#changed.add(rowOf(outcome, side));
    super.setLevel(outcome, side, tick, stake);
  }

  updateEnded(at: Instant): void {
    for (const row of this.#changed) this.#move(row, at);
    this.#changed.clear();
  }

  isOutOfSight(cell: number): boolean {
    const row = rowOfCell(cell);
    const worst = this.#worst[row]!;
    return worst !== NO_TICK && isBetter(sideOfRow(row), worst, tickOfCell(cell));
  }

  /** Of a level that is out of sight: the update that pushed it out. */
  leftAt(cell: number): Instant {
    return this.#leftAt[cell] as Instant;
  }

  /** Up to this update the window covered all down to its old end: what lies beyond the new one has left it now. */
  #move(row: number, at: Instant): void {
    const before = this.#worst[row]!;
    let worst = this.bestInRow(row);
    for (let shown = 1; shown < this.#depth && worst !== NO_TICK; shown += 1) worst = this.worseInRow(row, worst);
    this.#worst[row] = worst;
    if (worst === NO_TICK) return;
    for (let tick = this.worseInRow(row, worst); tick !== NO_TICK; tick = this.worseInRow(row, tick)) {
      if (before !== NO_TICK && isBetter(sideOfRow(row), before, tick)) return;
      this.#leftAt[cellInRow(row, tick)] = at;
    }
  }
}
