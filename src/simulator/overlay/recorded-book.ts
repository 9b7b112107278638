/** What the recording says rests and was traded in one market now, without any order of ours. */

import { TickRows } from '../../core/book/tick-rows.ts';
import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { RecordSink } from '../../recording/segment/update.ts';
import { cellInRow, cellOf, rowOf, rowOfCell, tickOfCell } from './level-cell.ts';
import { SourceWindow } from './source-window.ts';

/** Shared by the fill models of a market. Only `applyUpdate` writes it, after the models have seen the change. */
export class RecordedBook implements RecordSink {
  readonly outcomes: number;
  /**
   * Present where the source shows only the best few levels and a rule depends on how long the others have been out of
   * sight.
   */
  readonly window: SourceWindow | undefined;
  readonly #stake: Float64Array;
  readonly #levels: TickRows;
  readonly #traded: Float64Array;
  readonly #lastTick: Int16Array;

  /**
   * `window`: how many levels of each side the source shows, and for how long (ms) it is known when another level left its window;
   * absent where the source shows all levels, or where no rule depends on it.
   */
  constructor(outcomes: number, window?: { readonly depth: number; readonly memoryMs: number }) {
    assert(Number.isInteger(outcomes) && outcomes > 0, `a market has at least one outcome, got ${outcomes}`);
    this.outcomes = outcomes;
    this.#stake = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#levels = new TickRows(outcomes * 2);
    this.#traded = new Float64Array(outcomes);
    this.#lastTick = new Int16Array(outcomes).fill(NO_TICK);
    if (window !== undefined) this.window = new SourceWindow({ ...window, levels: this.#levels });
  }

  /** The recorded stake at a level; `side` is the resting side. */
  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return this.stakeAt(cellOf(outcome, side, tick));
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#levels.best(rowOf(outcome, side));
  }

  /** Backer's stake traded on an outcome, as far as it is recorded. */
  traded(outcome: number): Money {
    return (this.#traded[outcome] ?? 0) as Money;
  }

  /** The tick of the last traded price; NO_TICK before the first trade. */
  lastTick(outcome: number): number {
    return this.#lastTick[outcome] ?? NO_TICK;
  }

  stakeAt(cell: number): Money {
    return (this.#stake[cell] ?? 0) as Money;
  }

  bestInRow(row: number): number {
    return this.#levels.best(row);
  }

  worseInRow(row: number, tick: number): number {
    return this.#levels.worse(row, tick);
  }

  setStake(cell: number, stake: number): void {
    const before = this.#stake[cell] ?? 0;
    this.#stake[cell] = stake;
    if (before > 0) {
      if (!(stake > 0)) this.#remove(rowOfCell(cell), tickOfCell(cell), cell);
    } else if (stake > 0) this.#add(rowOfCell(cell), tickOfCell(cell), cell);
  }

  setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void {
    const row = outcome * 2 + side;
    const cell = cellInRow(row, tick);
    const before = this.#stake[cell] ?? 0;
    this.#stake[cell] = stake;
    if (before > 0) {
      if (!(stake > 0)) this.#remove(row, tick, cell);
    } else if (stake > 0) this.#add(row, tick, cell);
  }

  addTraded(outcome: number, _tick: number, stake: number): void {
    this.#traded[outcome] = (this.#traded[outcome] ?? 0) + stake;
  }

  setLastTick(outcome: number, tick: number): void {
    this.#lastTick[outcome] = tick;
  }

  #add(row: number, tick: number, cell: number): void {
    this.#levels.add(row, tick);
    if (this.window !== undefined) this.window.levelChanges(cell, true);
  }

  #remove(row: number, tick: number, cell: number): void {
    this.#levels.remove(row, tick);
    if (this.window !== undefined) this.window.levelChanges(cell, false);
  }
}
