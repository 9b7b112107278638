/** What changed in a market's public picture since the last message, written as one sorted update. */

import { shownStake } from '../../src/core/book/shown-stake.ts';
import { TICK_COUNT } from '../../src/core/number/ladder.ts';
import type { Instant } from '../../src/core/number/units.ts';
import { AGAINST } from '../../src/core/side.ts';
import type { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import { cellInRow, oppositeRow, rowOfCell, sideOfRow, tickOfCell } from '../../src/simulator/overlay/level-cell.ts';

const NOTHING = -1;

/**
 * Collects level changes, trades, last prices and at most one definition; `write` sorts them, writes them and starts
 * anew.
 */
export class PictureChange {
  /** Stake that rests at each level now, and what of it was last written as shown. */
  readonly #now: Float64Array;
  readonly #written: Float64Array;
  readonly #traded: Float64Array;
  readonly #lastPrice: Int16Array;
  readonly #touched = new Set<number>();
  readonly #tradedLevels = new Set<number>();
  #definition = NOTHING;

  constructor(outcomes: number) {
    this.#now = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#written = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#traded = new Float64Array(outcomes * 2 * TICK_COUNT);
    this.#lastPrice = new Int16Array(outcomes).fill(NOTHING);
  }

  /** Whether nothing would be written. A level that rose and fell back leaves nothing. */
  get isEmpty(): boolean {
    if (this.#definition !== NOTHING || this.#tradedLevels.size > 0) return false;
    for (const level of this.#touched) if (this.#rose(level) !== 0) return false;
    return true;
  }

  /** Adds stake resting at a level; a negative amount takes it off. */
  rest(level: number, stake: number): void {
    this.#now[level] = (this.#now[level] ?? 0) + stake;
    this.#touched.add(level);
  }

  /** Notes that stake resting at a level was matched, and takes it off the level. */
  trade(level: number, stake: number): void {
    this.rest(level, -stake);
    this.#traded[level] = (this.#traded[level] ?? 0) + stake;
    this.#tradedLevels.add(level);
    this.#lastPrice[rowOfCell(level) >> 1] = tickOfCell(level);
  }

  define(index: number): void {
    this.#definition = index;
  }

  /** Writes one update in the order of replay: definition, trades, decreases, increases, last prices. */
  write(into: UpdateBuffer, at: Instant): void {
    into.start(at);
    if (this.#definition !== NOTHING) into.definition(this.#definition);
    this.#definition = NOTHING;
    this.#writeTrades(into);
    const levels = [...this.#touched].sort((a, b) => a - b);
    this.#touched.clear();
    for (const level of levels) if (this.#rose(level) < 0) this.#writeLevel(into, level);
    for (const level of levels) if (this.#rose(level) > 0) this.#writeLevel(into, level);
    this.#writeLastPrices(into);
  }

  #rose(level: number): number {
    return this.#shown(level) - (this.#written[level] ?? 0);
  }

  #shown(level: number): number {
    return shownStake(this.#now[level] ?? 0);
  }

  #writeLevel(into: UpdateBuffer, level: number): void {
    const amount = this.#shown(level);
    this.#written[level] = amount;
    const row = rowOfCell(level);
    into.level(row >> 1, sideOfRow(row), tickOfCell(level), amount);
  }

  /**
   * Writes trades by outcome and resting side, best price first (the lowest For, the highest Against). A feed publishes
   * volume by price alone, so trades of both sides at one price are one trade.
   */
  #writeTrades(into: UpdateBuffer): void {
    const levels = [...this.#tradedLevels].sort(byReplayOrder);
    this.#tradedLevels.clear();
    for (const level of levels) {
      const row = rowOfCell(level);
      const otherSide = cellInRow(oppositeRow(row), tickOfCell(level));
      const stake = (this.#traded[level] ?? 0) + (this.#traded[otherSide] ?? 0);
      if (stake > 0) into.trade(row >> 1, tickOfCell(level), stake);
      this.#traded[level] = 0;
      this.#traded[otherSide] = 0;
    }
  }

  #writeLastPrices(into: UpdateBuffer): void {
    for (let outcome = 0; outcome < this.#lastPrice.length; outcome += 1) {
      const last = this.#lastPrice[outcome] ?? NOTHING;
      if (last !== NOTHING) into.lastPrice(outcome, last);
      this.#lastPrice[outcome] = NOTHING;
    }
  }
}

function byReplayOrder(a: number, b: number): number {
  const row = rowOfCell(a);
  if (row !== rowOfCell(b)) return a - b;
  return sideOfRow(row) === AGAINST ? b - a : a - b;
}
