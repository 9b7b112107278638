/**
 * Which levels of a market its source shows, where it shows the best few of each side, and when each of the others left
 * the window.
 */

import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Instant } from '../../core/number/units.ts';
import { isBetter } from '../../core/side.ts';
import { cellInRow, rowOfCell, sideOfRow, tickOfCell } from './level-cell.ts';
import type { RowTicks } from './row-ticks.ts';

/**
 * Levels beyond the best `depth` of their side are out of sight: the recording keeps them as they were shown last. Only
 * whole updates count, since a level may leave and come back within one.
 */
export class SourceWindow {
  readonly #depth: number;
  readonly #levels: RowTicks;
  /** By row: the worst tick shown; NO_TICK where the window has room left, which means that it shows every level. */
  readonly #worst: Int16Array;
  /** By level: when a better level pushed it out, in ms. */
  readonly #leftAt: Float64Array;
  /** By row: whether a level came or went since the last update. */
  readonly #isChanged: Uint8Array;
  #hasChanged = false;

  /** `levels`: those of the recorded book; `rowChanges` must be called when one of them comes or goes. */
  constructor(parts: { readonly depth: number; readonly rows: number; readonly levels: RowTicks }) {
    const { depth, rows, levels } = parts;
    assert(Number.isInteger(depth) && depth > 0, `a window shows at least one level, got ${depth}`);
    this.#depth = depth;
    this.#levels = levels;
    this.#worst = new Int16Array(rows).fill(NO_TICK);
    this.#leftAt = new Float64Array(rows * TICK_COUNT);
    this.#isChanged = new Uint8Array(rows);
  }

  /** A level of the row came or went. */
  rowChanges(row: number): void {
    this.#isChanged[row] = 1;
    this.#hasChanged = true;
  }

  /** Call it when the update of this instant was applied to the book. */
  updateEnded(at: Instant): void {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const isChanged = this.#isChanged;
    for (let row = 0; row < isChanged.length; row += 1) {
      if (isChanged[row] === 0) continue;
      isChanged[row] = 0;
      this.#move(row, at);
    }
  }

  isOutOfSight(cell: number): boolean {
    const row = rowOfCell(cell);
    const worst = this.#worst[row] ?? NO_TICK;
    return worst !== NO_TICK && isBetter(sideOfRow(row), worst, tickOfCell(cell));
  }

  /** When the level, which must be out of sight, was pushed out of the window. */
  leftAt(cell: number): Instant {
    return (this.#leftAt[cell] ?? 0) as Instant;
  }

  /**
   * Moves a row's window. Until this update the window covered everything down to its old end, so what lies beyond the
   * new end has left it now.
   */
  #move(row: number, at: Instant): void {
    const levels = this.#levels;
    const before = this.#worst[row] ?? NO_TICK;
    let worst = levels.best(row);
    for (let shown = 1; shown < this.#depth && worst !== NO_TICK; shown += 1) worst = levels.worse(row, worst);
    this.#worst[row] = worst;
    if (worst === NO_TICK) return;
    const side = sideOfRow(row);
    let tick = levels.worse(row, worst);
    while (tick !== NO_TICK && (before === NO_TICK || !isBetter(side, before, tick))) {
      this.#leftAt[cellInRow(row, tick)] = at;
      tick = levels.worse(row, tick);
    }
  }
}
