/** What the recording says rests and was traded in one market now, without any order of ours. */

import { isShown, shownStake } from '../../core/book/shown-stake.ts';
import { TickRows } from '../../core/book/tick-rows.ts';
import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import { FAR, NEAR, type RecordSink } from '../../recording/segment/update.ts';
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
  /** The levels that are shown. */
  readonly #levels: TickRows;
  readonly #traded: Float64Array;
  /** The traded volume by outcome and tick; made at the first trade, since recordings without traded volume have none. */
  #tradedAt: Float64Array | undefined;
  /** Near and far by outcome, in thousandths; made when the first one comes, since most markets have none. */
  #startingPrices: Float64Array | undefined;
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

  /** The recorded stake at a level, as far as it is shown; `side` is the resting side. */
  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return shownStake(this.stakeAt(cellOf(outcome, side, tick)));
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#levels.best(rowOf(outcome, side));
  }

  /** Backer's stake traded on an outcome, as far as it is recorded. */
  traded(outcome: number): Money {
    return (this.#traded[outcome] ?? 0) as Money;
  }

  /** The part of it that was traded at a tick. */
  tradedAt(outcome: number, tick: number): Money {
    return (this.#tradedAt?.[outcome * TICK_COUNT + tick] ?? 0) as Money;
  }

  /** The projected starting price that was shown last, in thousandths; 0 where there is none. */
  projectedStart(outcome: number, which: 'near' | 'far'): number {
    return this.#startingPrices?.[outcome * 2 + (which === 'near' ? NEAR : FAR)] ?? 0;
  }

  /** The tick of the last traded price; NO_TICK before the first trade. */
  lastTick(outcome: number): number {
    return this.#lastTick[outcome] ?? NO_TICK;
  }

  /** All that is recorded at a level, dust included: what is recorded later changes it by the difference. */
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
    if (isShown(before)) {
      if (!isShown(stake)) this.#remove(rowOfCell(cell), tickOfCell(cell), cell);
    } else if (isShown(stake)) this.#add(rowOfCell(cell), tickOfCell(cell), cell);
  }

  setLevel(outcome: number, side: SideIndex, tick: number, stake: number): void {
    const row = outcome * 2 + side;
    const cell = cellInRow(row, tick);
    const before = this.#stake[cell] ?? 0;
    this.#stake[cell] = stake;
    if (isShown(before)) {
      if (!isShown(stake)) this.#remove(row, tick, cell);
    } else if (isShown(stake)) this.#add(row, tick, cell);
  }

  addTraded(outcome: number, tick: number, stake: number): void {
    this.#traded[outcome] = (this.#traded[outcome] ?? 0) + stake;
    if (this.#tradedAt === undefined) this.#tradedAt = new Float64Array(this.outcomes * TICK_COUNT);
    const cell = outcome * TICK_COUNT + tick;
    this.#tradedAt[cell] = (this.#tradedAt[cell] ?? 0) + stake;
  }

  setLastTick(outcome: number, tick: number): void {
    this.#lastTick[outcome] = tick;
  }

  /** The reconciled price is read from the definition, which has it as well. */
  setStartingPrice(outcome: number, which: number, thousandths: number): void {
    if (which !== NEAR && which !== FAR) return;
    this.#startingPrices ??= new Float64Array(this.outcomes * 2);
    this.#startingPrices[outcome * 2 + which] = thousandths;
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
