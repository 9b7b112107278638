/** The book of one market while it is imported, and what the current message changes in it. */

import { NO_TICK } from '../../../core/number/ladder.ts';
import { isBetter, type SideIndex, worseStep } from '../../../core/side.ts';
import type { UpdateBuffer } from '../../segment/update-buffer.ts';

/**
 * One side of one outcome: amounts by tick, the message that touched each tick last, and the amounts before that
 * message.
 */
class Ladder {
  amounts = new Float64Array(0);
  before = new Float64Array(0);
  touched = new Int32Array(0);
  /** The best tick. It is only right for a market whose ticks are ordered like their prices. */
  best = NO_TICK;
  bestBefore = NO_TICK;
  /** The message before which `bestBefore` was the best tick. */
  changedIn = 0;

  reserve(ticks: number): void {
    if (ticks <= this.amounts.length) return;
    // A file may hold hundreds of markets with a few prices each, so columns begin small.
    const size = Math.max(ticks + 16, this.amounts.length * 2);
    const { amounts, before, touched } = this;
    this.amounts = new Float64Array(size);
    this.before = new Float64Array(size);
    this.touched = new Int32Array(size);
    this.amounts.set(amounts);
    this.before.set(before);
    this.touched.set(touched);
  }

  moveBest(side: SideIndex, tick: number, amount: number): void {
    if (amount > 0) {
      if (this.best === NO_TICK || isBetter(side, tick, this.best)) this.best = tick;
      return;
    }
    if (tick !== this.best) return;
    const { amounts } = this;
    const step = worseStep(side);
    let at = tick + step;
    while (at >= 0 && at < amounts.length && amounts[at] === 0) at += step;
    this.best = at >= 0 && at < amounts.length ? at : NO_TICK;
  }
}

/** Amounts are in 10⁻⁶. A level set several times in one message counts once, with its last amount. */
export class LadderBook {
  readonly #ladders: Ladder[] = [];
  #message = 0;
  /** The levels touched by this message, as ladder and tick; entries beyond the count are old. */
  #count = 0;
  readonly #ladder: number[] = [];
  readonly #tick: number[] = [];

  /** Begins a message. */
  start(): void {
    this.#message += 1;
    this.#count = 0;
  }

  amount(outcome: number, side: SideIndex, tick: number): number {
    return this.#ladders[outcome * 2 + side]?.amounts[tick] ?? 0;
  }

  /** A level's amount before this message. */
  amountBefore(outcome: number, side: SideIndex, tick: number): number {
    const ladder = this.#ladders[outcome * 2 + side];
    const amounts = ladder?.touched[tick] === this.#message ? ladder.before : ladder?.amounts;
    return amounts?.[tick] ?? 0;
  }

  /** The best tick of a side, or NO_TICK. Only for markets whose ticks are ordered like their prices. */
  best(outcome: number, side: SideIndex): number {
    return this.#ladders[outcome * 2 + side]?.best ?? NO_TICK;
  }

  /** The best tick of a side before this message, or NO_TICK. */
  bestBefore(outcome: number, side: SideIndex): number {
    const ladder = this.#ladders[outcome * 2 + side];
    if (ladder === undefined) return NO_TICK;
    return ladder.changedIn === this.#message ? ladder.bestBefore : ladder.best;
  }

  set(outcome: number, side: SideIndex, tick: number, amount: number): void {
    const at = outcome * 2 + side;
    while (this.#ladders.length <= at) this.#ladders.push(new Ladder());
    const ladder = this.#ladders[at] as Ladder;
    ladder.reserve(tick + 1);
    if (ladder.touched[tick] !== this.#message) {
      ladder.touched[tick] = this.#message;
      const next = this.#count;
      this.#ladder[next] = at;
      this.#tick[next] = tick;
      ladder.before[tick] = ladder.amounts[tick] as number;
      this.#count = next + 1;
    }
    if (ladder.changedIn !== this.#message) {
      ladder.changedIn = this.#message;
      ladder.bestBefore = ladder.best;
    }
    ladder.amounts[tick] = amount;
    ladder.moveBest(side, tick, amount);
  }

  /** Sets every level of the market to 0, because a complete new picture follows. */
  clear(): void {
    for (let at = 0; at < this.#ladders.length; at += 1) {
      const { amounts } = this.#ladders[at] as Ladder;
      for (let tick = 0; tick < amounts.length; tick += 1) {
        if (amounts[tick] !== 0) this.set(at >> 1, (at & 1) as SideIndex, tick, 0);
      }
    }
  }

  /** Whether a side has a level for whose tick the test holds. */
  some(outcome: number, side: SideIndex, test: (tick: number) => boolean): boolean {
    const amounts = this.#ladders[outcome * 2 + side]?.amounts ?? [];
    for (let tick = 0; tick < amounts.length; tick += 1) if (amounts[tick] !== 0 && test(tick)) return true;
    return false;
  }

  /**
   * Appends what the message changed: all decreases, then all increases, so that the book is not crossed in between.
   */
  emit(into: UpdateBuffer): void {
    this.#emit(into, -1);
    this.#emit(into, 1);
  }

  #emit(into: UpdateBuffer, direction: 1 | -1): void {
    for (let i = 0; i < this.#count; i += 1) {
      const at = this.#ladder[i] as number;
      const tick = this.#tick[i] as number;
      const { amounts, before } = this.#ladders[at] as Ladder;
      const after = amounts[tick] as number;
      if ((after - (before[tick] as number)) * direction > 0) into.level(at >> 1, at & 1, tick, after);
    }
  }
}
