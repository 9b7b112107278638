/** Decodes Betfair's best-few ladders, which are windows of numbered positions over a ladder, into levels. */

import { TICK_COUNT } from '../../../core/number/ladder.ts';
import { AGAINST, FOR, isBetter, oppositeIndex, type SideIndex } from '../../../core/side.ts';
import type { PriceScale } from '../message/price-scale.ts';
import type { LadderBook } from './ladder-book.ts';

const EMPTY = -1;

/**
 * How many positions the source's windows have: as many as were seen so far, and the same number for a whole market.
 */
export class WindowDepth {
  levels = 0;

  /** Notes a position; returns whether windows are deeper than was known. */
  see(position: number): boolean {
    if (position < this.levels) return false;
    this.levels = position + 1;
    return true;
  }
}

/**
 * One side's window: the tick at each position, and the levels that left the window and are remembered as they were.
 */
class Window {
  readonly ticks: number[] = [];
  readonly remembered = new TickMemory();
  /** Every remembered level is worse than this tick; EMPTY where no such tick is known. */
  covered = EMPTY;
  /** The levels that left the window in this message; part of `remembered`. */
  readonly left: number[] = [];
  leftCount = 0;
  /** The message that last wrote each position, the tick (EMPTY where it was emptied) and the amount. */
  readonly writtenIn: number[] = [];
  readonly written: number[] = [];
  readonly amounts: number[] = [];
  /** The positions written, in the order of writing. */
  readonly positions: number[] = [];
  count = 0;
  #message = 1;

  clear(): void {
    this.ticks.fill(EMPTY);
    this.remembered.clear();
    this.covered = EMPTY;
  }

  write(position: number, tick: number, amount: number): void {
    while (this.ticks.length <= position) {
      this.ticks.push(EMPTY);
      this.writtenIn.push(0);
    }
    if (this.writtenIn[position] !== this.#message) {
      this.writtenIn[position] = this.#message;
      this.positions[this.count] = position;
      this.count += 1;
    }
    this.written[position] = amount === 0 ? EMPTY : tick;
    this.amounts[position] = amount;
  }

  isWritten(position: number): boolean {
    return this.writtenIn[position] === this.#message;
  }

  leave(tick: number): void {
    this.remembered.add(tick);
    this.left[this.leftCount] = tick;
    this.leftCount += 1;
  }

  done(): void {
    this.#message += 1;
    this.count = 0;
    this.leftCount = 0;
  }
}

/**
 * A position that is written replaces what stood there, but a level that is pushed out is not set to 0. So two rules
 * keep the picture true. A written position evicts positions of the same side, not written in this message, that would
 * be out of order, and opposite ones that it would cross (backtest.md). And a level that left the window is remembered
 * as it was until the window covers its price without showing it. A window with room left shows the whole ladder, so
 * that nothing beyond it is remembered [our reading: Betfair empties the last positions only].
 */
export class BestWindows {
  readonly #outcome: number;
  readonly #book: LadderBook;
  readonly #scale: PriceScale;
  readonly #depth: WindowDepth;
  readonly #windows: readonly [Window, Window] = [new Window(), new Window()];

  constructor(outcome: number, parts: { book: LadderBook; scale: PriceScale; depth: WindowDepth }) {
    this.#outcome = outcome;
    this.#book = parts.book;
    this.#scale = parts.scale;
    this.#depth = parts.depth;
  }

  /** Forgets the windows. The caller clears the book's own levels. */
  clear(): void {
    for (const window of this.#windows) window.clear();
  }

  /** Drops every level that is remembered and not shown. */
  forget(): void {
    for (const side of [FOR, AGAINST] as const) {
      const { remembered } = this.#windows[side];
      for (const tick of remembered.ticks()) this.#drop(side, tick);
    }
  }

  /** Notes one position of this message. Amount 0 empties it, and a later write replaces it. `settle` applies them. */
  write(side: SideIndex, position: number, tick: number, amount: number): void {
    this.#windows[side].write(position, tick, amount);
  }

  /** Applies what this message wrote, then the rules. */
  settle(): void {
    const [forWindow, againstWindow] = this.#windows;
    if (forWindow.count + againstWindow.count === 0) return;
    replace(forWindow);
    replace(againstWindow);
    this.#evictDisordered(FOR);
    this.#evictDisordered(AGAINST);
    this.#evictCrossed(FOR);
    this.#evictCrossed(AGAINST);
    // A window that only lost positions to the other side covers no new price.
    if (forWindow.count > 0) this.#forgetCovered(FOR);
    if (againstWindow.count > 0) this.#forgetCovered(AGAINST);
    this.#forgetCrossed(FOR);
    this.#forgetCrossed(AGAINST);
    this.#show(FOR);
    this.#show(AGAINST);
    forWindow.done();
    againstWindow.done();
  }

  #evictDisordered(side: SideIndex): void {
    const window = this.#windows[side];
    const { ticks, positions, count } = window;
    for (let i = 0; i < count; i += 1) {
      const position = positions[i] as number;
      const tick = ticks[position] as number;
      if (tick === EMPTY) continue;
      for (let other = 0; other < ticks.length; other += 1) {
        const shown = ticks[other] as number;
        if (shown === EMPTY || window.isWritten(other)) continue;
        const inOrder = other < position ? this.#isBetter(side, shown, tick) : this.#isBetter(side, tick, shown);
        if (inOrder) continue;
        ticks[other] = EMPTY;
        window.leave(shown);
      }
    }
  }

  #evictCrossed(side: SideIndex): void {
    const { ticks, positions, count } = this.#windows[side];
    const opposite = oppositeIndex(side);
    const facing = this.#windows[opposite];
    for (let i = 0; i < count; i += 1) {
      const tick = ticks[positions[i] as number] as number;
      if (tick === EMPTY) continue;
      for (let other = 0; other < facing.ticks.length; other += 1) {
        const shown = facing.ticks[other] as number;
        if (shown === EMPTY || facing.isWritten(other) || this.#isApart(side, tick, shown)) continue;
        facing.ticks[other] = EMPTY;
        this.#drop(opposite, shown);
      }
    }
  }

  /**
   * Drops remembered levels whose price the window covers; older ones are looked at only where the window covers more
   * than before.
   */
  #forgetCovered(side: SideIndex): void {
    const window = this.#windows[side];
    const { ticks, remembered, covered } = window;
    const remembers = remembered.size > 0;
    let worst = EMPTY;
    let shown = 0;
    for (let position = 0; position < ticks.length; position += 1) {
      const tick = ticks[position] as number;
      if (tick === EMPTY) continue;
      shown += 1;
      if (remembers) remembered.delete(tick);
      if (worst === EMPTY || this.#isBetter(side, worst, tick)) worst = tick;
    }
    window.covered = worst;
    if (!remembers) return;
    if (shown < this.#depth.levels) {
      for (const tick of remembered.ticks()) this.#drop(side, tick);
      return;
    }
    if (covered === EMPTY || this.#isBetter(side, covered, worst)) {
      for (const tick of remembered.ticks()) this.#forget(side, tick, worst);
      return;
    }
    for (let i = 0; i < window.leftCount; i += 1) {
      const tick = window.left[i] as number;
      if (remembered.has(tick)) this.#forget(side, tick, worst);
    }
  }

  /** Drops the level if the window, whose worst level is given, covers its price. */
  #forget(side: SideIndex, tick: number, worst: number): void {
    if (!this.#isBetter(side, worst, tick)) this.#drop(side, tick);
  }

  /**
   * Drops remembered levels that the other side's new levels would cross. Where the window lies between the two, none
   * can be.
   */
  #forgetCrossed(side: SideIndex): void {
    const { remembered, covered } = this.#windows[side];
    if (remembered.size === 0) return;
    const opposite = oppositeIndex(side);
    const facing = this.#windows[opposite];
    for (let i = 0; i < facing.count; i += 1) {
      const tick = facing.ticks[facing.positions[i] as number] as number;
      if (tick === EMPTY || (covered !== EMPTY && this.#isApart(opposite, tick, covered))) continue;
      for (const level of remembered.ticks()) if (!this.#isApart(opposite, tick, level)) this.#drop(side, level);
    }
  }

  /** Writes the message's levels into the book, after all that had to go was dropped. */
  #show(side: SideIndex): void {
    const { ticks, positions, amounts, count } = this.#windows[side];
    for (let i = 0; i < count; i += 1) {
      const position = positions[i] as number;
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

  /**
   * Whether the tick does not cross the other side: in a book that is not crossed, every Against level is below every
   * For level.
   */
  #isApart(side: SideIndex, tick: number, facing: number): boolean {
    const rank = this.#scale.rankOf(tick);
    const facingRank = this.#scale.rankOf(facing);
    return side === AGAINST ? rank < facingRank : facingRank < rank;
  }
}

/** Puts the written positions into the window; what stood there and is no longer shown is remembered for now. */
function replace(window: Window): void {
  for (let i = 0; i < window.count; i += 1) {
    const position = window.positions[i] as number;
    const tick = window.written[position] as number;
    const before = window.ticks[position] as number;
    // A price that comes back in the same message is shown until covered levels are forgotten, as if it had never left.
    if (before !== EMPTY && before !== tick) window.leave(before);
    window.ticks[position] = tick;
  }
}

/** A set of ticks, fast at finding that a tick is not in it, which is the frequent case. */
class TickMemory {
  /** The ticks in the order in which they were added; a walk may delete. */
  readonly #ticks = new Set<number>();
  /** For each tick (or number on a scale of the market's own), 1 where it is in the set. */
  #isIn = new Uint8Array(TICK_COUNT);

  get size(): number {
    return this.#ticks.size;
  }

  ticks(): Iterable<number> {
    return this.#ticks;
  }

  has(tick: number): boolean {
    return this.#isIn[tick] === 1;
  }

  add(tick: number): void {
    if (this.#isIn[tick] === 1) return;
    if (tick >= this.#isIn.length) this.#grow(tick);
    this.#isIn[tick] = 1;
    this.#ticks.add(tick);
  }

  delete(tick: number): void {
    if (this.#isIn[tick] !== 1) return;
    this.#isIn[tick] = 0;
    this.#ticks.delete(tick);
  }

  clear(): void {
    this.#isIn.fill(0);
    this.#ticks.clear();
  }

  #grow(tick: number): void {
    const wider = new Uint8Array(2 * (tick + 1));
    wider.set(this.#isIn);
    this.#isIn = wider;
  }
}
