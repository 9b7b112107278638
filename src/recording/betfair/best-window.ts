/** Betfair's best-few ladders: windows of positions over a ladder, decoded into levels. */

import { AGAINST, FOR, oppositeIndex, isBetter, type SideIndex } from '../../core/side.ts';
import type { LadderBook } from './ladder-book.ts';
import type { PriceScale } from './price-scale.ts';

const EMPTY = -1;
const SIDE_INDEXES: readonly SideIndex[] = [FOR, AGAINST];

/** One side's window: the tick at each position, and the levels that left it and are remembered as they were. */
class Window {
  readonly ticks: number[] = [];
  readonly remembered = new Set<number>();
  /** This message's writes by position: undefined where it wrote nothing, EMPTY where it emptied the position. */
  readonly written: (number | undefined)[] = [];
  readonly amounts: number[] = [];
  emptied = false;

  clear(): void {
    this.ticks.length = 0;
    this.written.length = 0;
    this.remembered.clear();
  }
}

/**
 * A position that is written replaces what stood there, and a level pushed out gets no zero; so two rules keep the
 * picture true: a written position evicts positions of the same side, not written in this message, that would be out
 * of order, and opposite ones that it would cross (backtest.md). A level that left the window is remembered as it was
 * until the window covers its price without showing it. A window with an emptied position shows the whole ladder, so
 * that nothing beyond it is remembered [our reading: Betfair empties the last positions only].
 */
export class BestWindows {
  readonly #outcome: number;
  readonly #book: LadderBook;
  readonly #scale: PriceScale;
  readonly #windows: readonly [Window, Window] = [new Window(), new Window()];

  constructor(outcome: number, book: LadderBook, scale: PriceScale) {
    this.#outcome = outcome;
    this.#book = book;
    this.#scale = scale;
  }

  /** Forgets the windows; the book's own levels are the caller's to clear. */
  clear(): void {
    for (const window of this.#windows) window.clear();
  }

  /** One position of this message; amount 0 empties it, and a later write replaces it. `settle` applies them. */
  write(side: SideIndex, position: number, tick: number, amount: number): void {
    const window = this.#windows[side];
    window.written[position] = amount === 0 ? EMPTY : tick;
    window.amounts[position] = amount;
  }

  /** Applies what this message wrote, and the rules. */
  settle(): void {
    for (const window of this.#windows) replace(window);
    for (const side of SIDE_INDEXES) this.#evictDisordered(side);
    for (const side of SIDE_INDEXES) this.#evictCrossed(side);
    for (const side of SIDE_INDEXES) this.#forgetCovered(side);
    for (const side of SIDE_INDEXES) this.#show(side);
  }

  #evictDisordered(side: SideIndex): void {
    const { ticks, written, remembered } = this.#windows[side];
    for (let position = 0; position < ticks.length; position += 1) {
      const tick = ticks[position] as number;
      if (tick === EMPTY || written[position] === undefined) continue;
      for (let other = 0; other < ticks.length; other += 1) {
        const shown = ticks[other] as number;
        if (shown === EMPTY || written[other] !== undefined) continue;
        const inOrder = other < position ? this.#isBetter(side, shown, tick) : this.#isBetter(side, tick, shown);
        if (inOrder) continue;
        ticks[other] = EMPTY;
        remembered.add(shown);
      }
    }
  }

  #evictCrossed(side: SideIndex): void {
    const { ticks, written } = this.#windows[side];
    const opposite = oppositeIndex(side);
    const facing = this.#windows[opposite];
    for (let position = 0; position < ticks.length; position += 1) {
      const tick = ticks[position] as number;
      if (tick === EMPTY || written[position] === undefined) continue;
      for (let other = 0; other < facing.ticks.length; other += 1) {
        const shown = facing.ticks[other] as number;
        if (shown === EMPTY || facing.written[other] !== undefined || this.#isApart(side, tick, shown)) continue;
        facing.ticks[other] = EMPTY;
        this.#drop(opposite, shown);
      }
      for (const left of facing.remembered) {
        if (!this.#isApart(side, tick, left)) this.#drop(opposite, left);
      }
    }
  }

  /** Drops what is remembered although the window covers its price. */
  #forgetCovered(side: SideIndex): void {
    const { ticks, remembered, emptied } = this.#windows[side];
    let worst = EMPTY;
    for (const tick of ticks) {
      if (tick === EMPTY) continue;
      remembered.delete(tick);
      if (worst === EMPTY || this.#isBetter(side, worst, tick)) worst = tick;
    }
    for (const tick of remembered) {
      if (emptied || (worst !== EMPTY && !this.#isBetter(side, worst, tick))) this.#drop(side, tick);
    }
  }

  /** Writes the message's levels into the book, after all that was dropped. */
  #show(side: SideIndex): void {
    const window = this.#windows[side];
    for (let position = 0; position < window.written.length; position += 1) {
      const tick = window.written[position];
      if (tick === undefined || tick === EMPTY) continue;
      this.#book.set(this.#outcome, side, tick, window.amounts[position] as number);
    }
    window.written.length = 0;
    window.emptied = false;
  }

  #drop(side: SideIndex, tick: number): void {
    this.#windows[side].remembered.delete(tick);
    this.#book.set(this.#outcome, side, tick, 0);
  }

  #isBetter(side: SideIndex, a: number, b: number): boolean {
    return isBetter(side, this.#scale.rankOf(a), this.#scale.rankOf(b));
  }

  /** A book is not crossed while every Against level is below every For level. */
  #isApart(side: SideIndex, tick: number, facing: number): boolean {
    const [against, forTick] = side === AGAINST ? [tick, facing] : [facing, tick];
    return this.#scale.rankOf(against) < this.#scale.rankOf(forTick);
  }
}

/** Puts the written positions into the window; what stood there is remembered for now. */
function replace(window: Window): void {
  for (let position = 0; position < window.written.length; position += 1) {
    const tick = window.written[position];
    while (window.ticks.length <= position) window.ticks.push(EMPTY);
    if (tick === undefined) continue;
    const before = window.ticks[position] as number;
    if (before !== EMPTY) window.remembered.add(before);
    if (tick === EMPTY) window.emptied = true;
    window.ticks[position] = tick;
  }
}
