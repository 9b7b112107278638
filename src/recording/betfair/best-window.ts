/** Betfair's best-few ladders: windows of positions over a ladder, decoded into levels. */

import { AGAINST, FOR, isBetter, oppositeIndex, type SideIndex } from '../../core/side.ts';
import type { LadderBook } from './ladder-book.ts';
import type { PriceScale } from './price-scale.ts';

const EMPTY = -1;
const SIDE_INDEXES: readonly SideIndex[] = [FOR, AGAINST];

/** One side's window: the tick at each position, and the levels that left it and are remembered as they were. */
class Window {
  readonly ticks: number[] = [];
  readonly remembered = new Set<number>();
  /** Every remembered level is worse than this tick; EMPTY where nothing of the kind is known. */
  covered = EMPTY;
  /** This message's part of what is remembered. */
  readonly left: number[] = [];
  /** This message's writes by position: undefined where it wrote nothing, EMPTY where it emptied the position. */
  readonly written: (number | undefined)[] = [];
  readonly amounts: number[] = [];
  /** The positions written, in the order of writing. */
  readonly positions: number[] = [];
  emptied = false;

  clear(): void {
    this.ticks.length = 0;
    this.remembered.clear();
    this.covered = EMPTY;
  }

  leave(tick: number): void {
    this.remembered.add(tick);
    this.left.push(tick);
  }

  done(): void {
    for (const position of this.positions) this.written[position] = undefined;
    this.positions.length = 0;
    this.left.length = 0;
    this.emptied = false;
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
    if (window.written[position] === undefined) window.positions.push(position);
    window.written[position] = amount === 0 ? EMPTY : tick;
    window.amounts[position] = amount;
  }

  /** Applies what this message wrote, and the rules. */
  settle(): void {
    const [forWindow, againstWindow] = this.#windows;
    if (forWindow.positions.length + againstWindow.positions.length === 0) return;
    replace(forWindow);
    replace(againstWindow);
    for (const side of SIDE_INDEXES) this.#evictDisordered(side);
    for (const side of SIDE_INDEXES) this.#evictCrossed(side);
    // A window that only lost positions to the other side covers no new price.
    for (const side of SIDE_INDEXES) if (this.#windows[side].positions.length > 0) this.#forgetCovered(side);
    for (const side of SIDE_INDEXES) this.#forgetCrossed(side);
    for (const side of SIDE_INDEXES) this.#show(side);
    forWindow.done();
    againstWindow.done();
  }

  #evictDisordered(side: SideIndex): void {
    const window = this.#windows[side];
    const { ticks, written, positions } = window;
    for (const position of positions) {
      const tick = ticks[position] as number;
      if (tick === EMPTY) continue;
      for (let other = 0; other < ticks.length; other += 1) {
        const shown = ticks[other] as number;
        if (shown === EMPTY || written[other] !== undefined) continue;
        const inOrder = other < position ? this.#isBetter(side, shown, tick) : this.#isBetter(side, tick, shown);
        if (inOrder) continue;
        ticks[other] = EMPTY;
        window.leave(shown);
      }
    }
  }

  #evictCrossed(side: SideIndex): void {
    const { ticks, positions } = this.#windows[side];
    const opposite = oppositeIndex(side);
    const facing = this.#windows[opposite];
    for (const position of positions) {
      const tick = ticks[position] as number;
      if (tick === EMPTY) continue;
      for (let other = 0; other < facing.ticks.length; other += 1) {
        const shown = facing.ticks[other] as number;
        if (shown === EMPTY || facing.written[other] !== undefined || this.#isApart(side, tick, shown)) continue;
        facing.ticks[other] = EMPTY;
        this.#drop(opposite, shown);
      }
    }
  }

  /** Drops what is remembered although the window covers its price: of the older levels only where it covers more. */
  #forgetCovered(side: SideIndex): void {
    const window = this.#windows[side];
    const { ticks, remembered, left, emptied, covered } = window;
    let worst = EMPTY;
    for (const tick of ticks) {
      if (tick === EMPTY) continue;
      remembered.delete(tick);
      if (worst === EMPTY || this.#isBetter(side, worst, tick)) worst = tick;
    }
    window.covered = worst;
    const isWider = worst !== EMPTY && (covered === EMPTY || this.#isBetter(side, covered, worst));
    for (const tick of emptied || isWider ? remembered : left) {
      if (!remembered.has(tick)) continue;
      if (emptied || (worst !== EMPTY && !this.#isBetter(side, worst, tick))) this.#drop(side, tick);
    }
  }

  /** Drops what the other side's new levels would cross; where the window lies between, nothing can be. */
  #forgetCrossed(side: SideIndex): void {
    const { remembered, covered } = this.#windows[side];
    const opposite = oppositeIndex(side);
    const facing = this.#windows[opposite];
    for (const position of facing.positions) {
      const tick = facing.ticks[position] as number;
      if (tick === EMPTY || (covered !== EMPTY && this.#isApart(opposite, tick, covered))) continue;
      for (const level of remembered) if (!this.#isApart(opposite, tick, level)) this.#drop(side, level);
    }
  }

  /** Writes the message's levels into the book, after all that was dropped. */
  #show(side: SideIndex): void {
    const { ticks, positions, amounts } = this.#windows[side];
    for (const position of positions) {
      const tick = ticks[position] as number;
      if (tick !== EMPTY) this.#book.set(this.#outcome, side, tick, amounts[position] as number);
    }
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
  for (const position of window.positions) {
    const tick = window.written[position] as number;
    while (window.ticks.length <= position) window.ticks.push(EMPTY);
    const before = window.ticks[position] as number;
    if (before !== EMPTY) window.leave(before);
    if (tick === EMPTY) window.emptied = true;
    window.ticks[position] = tick;
  }
}
