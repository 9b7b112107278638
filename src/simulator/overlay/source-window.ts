/** Which levels of a market its source shows, where it shows the best few of each side, and which of the others left its window lately. */

import type { TickRows } from '../../core/book/tick-rows.ts';
import { assert } from '../../core/checks/assert.ts';
import { NO_TICK } from '../../core/number/ladder.ts';
import type { Instant } from '../../core/number/units.ts';
import { isBetter } from '../../core/side.ts';
import { rowOfCell, sideOfRow, tickOfCell } from './level-cell.ts';

/** A power of two, so that places in the ring are found with a mask. */
const CHANGES_AT_FIRST = 256;

/**
 * What is beyond the best `depth` levels of its side is out of sight: the recording keeps it as it was shown last. Only whole updates
 * count, since a level may leave and come back within one.
 *
 * Orders that reach such a level are seldom, updates are not. So an update only notes which levels came and went, in a ring that holds
 * the last `memoryMs`; when a level left the window is found by walking back through the ring, when somebody asks.
 */
export class SourceWindow {
  readonly #depth: number;
  readonly #levels: TickRows;
  readonly #memoryMs: number;
  /** For each place in the ring, the level, as `cell * 2`, and one more where it came; the count and the instant of the update. */
  #changes = new Int32Array(CHANGES_AT_FIRST);
  #updates = new Int32Array(CHANGES_AT_FIRST);
  #times = new Float64Array(CHANGES_AT_FIRST);
  #oldest = 0;
  #count = 0;
  #update = 0;
  #at = 0;

  /** `levels`: those of the recorded book. `memoryMs`: for how long it is known when a level left the window; below zero: never. */
  constructor(parts: { readonly depth: number; readonly levels: TickRows; readonly memoryMs: number }) {
    const { depth, levels, memoryMs } = parts;
    assert(Number.isInteger(depth) && depth > 0, `a window shows at least one level, got ${depth}`);
    this.#depth = depth;
    this.#levels = levels;
    this.#memoryMs = memoryMs;
  }

  /** Before the changes of an update. */
  updateBegins(at: Instant): void {
    this.#update += 1;
    this.#at = at;
  }

  /** A level holds stake and did not, or the reverse. */
  levelChanges(cell: number, hasCome: boolean): void {
    if (this.#memoryMs < 0) return;
    if (this.#count === this.#changes.length) this.#makeRoom();
    const place = (this.#oldest + this.#count) & (this.#changes.length - 1);
    this.#changes[place] = cell * 2 + (hasCome ? 1 : 0);
    this.#updates[place] = this.#update;
    this.#times[place] = this.#at;
    this.#count += 1;
  }

  isOutOfSight(cell: number): boolean {
    const row = rowOfCell(cell);
    const levels = this.#levels;
    let worst = levels.best(row);
    for (let shown = 1; shown < this.#depth && worst !== NO_TICK; shown += 1) worst = levels.worse(row, worst);
    return worst !== NO_TICK && isBetter(sideOfRow(row), worst, tickOfCell(cell));
  }

  /**
   * Whether an update of `since` or later pushed a level out that is out of sight. Before that update the window
   * covered its price (fewer than `depth` levels were better), and after it did not. `since` is at most `memoryMs`
   * before the last update.
   */
  hasLeftSince(cell: number, since: number): boolean {
    const row = rowOfCell(cell);
    let better = this.#betterLevels(cell);
    let isPresent = this.#levels.has(row, tickOfCell(cell));
    let left = this.#count;
    while (left > 0) {
      const last = this.#placeOf(left - 1);
      if ((this.#times[last] ?? 0) < since) return false;
      const wasBeyond = isPresent && better >= this.#depth;
      const update = this.#updates[last];
      for (; left > 0 && this.#updates[this.#placeOf(left - 1)] === update; left -= 1) {
        const change = this.#changes[this.#placeOf(left - 1)] ?? 0;
        const step = (change & 1) === 1 ? -1 : 1;
        const changed = change >> 1;
        if (changed === cell) isPresent = step > 0;
        else if (rowOfCell(changed) === row && isBetter(sideOfRow(row), tickOfCell(changed), tickOfCell(cell)))
          better += step;
      }
      if (wasBeyond && better < this.#depth) return true;
    }
    return false;
  }

  #betterLevels(cell: number): number {
    const row = rowOfCell(cell);
    const levels = this.#levels;
    let better = 0;
    for (let tick = levels.best(row); tick !== NO_TICK; tick = levels.worse(row, tick)) {
      if (!isBetter(sideOfRow(row), tick, tickOfCell(cell))) break;
      better += 1;
    }
    return better;
  }

  #placeOf(index: number): number {
    return (this.#oldest + index) & (this.#changes.length - 1);
  }

  /** Forgets what is older than the memory; where nothing is, the ring grows. */
  #makeRoom(): void {
    const since = this.#at - this.#memoryMs;
    while (this.#count > 0 && (this.#times[this.#oldest] ?? 0) < since) {
      this.#oldest = this.#placeOf(1);
      this.#count -= 1;
    }
    if (this.#count === this.#changes.length) this.#grow();
  }

  #grow(): void {
    const changes = new Int32Array(this.#changes.length * 2);
    const updates = new Int32Array(changes.length);
    const times = new Float64Array(changes.length);
    for (let index = 0; index < this.#count; index += 1) {
      const place = this.#placeOf(index);
      changes[index] = this.#changes[place] ?? 0;
      updates[index] = this.#updates[place] ?? 0;
      times[index] = this.#times[place] ?? 0;
    }
    this.#changes = changes;
    this.#updates = updates;
    this.#times = times;
    this.#oldest = 0;
  }
}
