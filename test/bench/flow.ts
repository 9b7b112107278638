/** A seeded flow of orders and cancels that keeps a book at a steady depth, as columns that both books read. */

import { NO_TICK } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import { STAKE_STEP } from '../../src/core/number/units.ts';
import { AGAINST, FOR, oppositeIndex, type SideIndex, worseStep } from '../../src/core/side.ts';
import { SlotPool } from '../../src/matching/columns/columns.ts';
import { claim } from './figure.ts';
import { NaiveBook } from './naive-book.ts';

export const LIVE_MIN = 6_000;
export const LIVE_MAX = 14_000;
const LIVE_TARGET = 10_000;
/** Ticks on either side of the price between the two sides. */
const DEPTH = 40;
const MIDDLE = 150;
/** How many ticks beyond the best a taker takes. */
const THROUGH = 10;

export const ADD = 0;
export const CANCEL = 1;

export interface FlowShape {
  readonly seed: number;
  readonly outcomes: number;
  /** After the opening orders, which fill the book. */
  readonly operations: number;
  /** Share of operations that add, by chance; or so many adds, then so many cancels, in turns. */
  readonly adds: number | Turns;
  /** Share of the adds that take. */
  readonly takes: number;
}

export interface Turns {
  readonly adds: number;
  readonly cancels: number;
}

/**
 * Order n is the nth one placed, from 0, over the opening and the flow. Slots are numbers of orders that live, given out
 * again as the exchange does.
 */
export class Flow {
  readonly outcomes: number;
  readonly length: number;
  /** Operations before this index only fill the book. */
  readonly opening = LIVE_TARGET;
  readonly kind: Uint8Array;
  /** The order placed or cancelled. */
  readonly order: Int32Array;
  readonly slot: Int32Array;
  readonly outcome: Uint8Array;
  readonly side: Uint8Array;
  readonly tick: Int16Array;
  readonly stake: Float64Array;
  readonly #outcomeByOrder: Uint8Array;
  orders = 0;
  /** What a book has matched when all is done: the judge of every book that plays the flow. */
  matched = 0;
  fills = 0;
  live = 0;
  /** The stake that rests then. */
  resting = 0;
  liveMin = Number.POSITIVE_INFINITY;
  liveMax = 0;

  constructor(shape: FlowShape) {
    this.outcomes = shape.outcomes;
    this.length = this.opening + shape.operations;
    this.kind = new Uint8Array(this.length);
    this.slot = new Int32Array(this.length);
    this.#outcomeByOrder = new Uint8Array(this.length);
    this.order = new Int32Array(this.length);
    this.outcome = new Uint8Array(this.length);
    this.side = new Uint8Array(this.length);
    this.tick = new Int16Array(this.length);
    this.stake = new Float64Array(this.length);
    this.#draw(shape, Random.fromSeed(shape.seed));
    claim(this.liveMin >= LIVE_MIN && this.liveMax <= LIVE_MAX, `${this.liveMin} to ${this.liveMax} orders were live`);
  }

  /** Plays operations on the obvious book. */
  play(book: NaiveBook, from: number, to: number): void {
    for (let i = from; i < to; i += 1) {
      const id = this.order[i] ?? 0;
      if (this.kind[i] === CANCEL) book.cancel(id);
      else {
        const [outcome, side, tick, left] = [this.outcome[i], this.side[i], this.tick[i], this.stake[i]];
        book.place({ id, outcome: outcome ?? 0, side: side === FOR ? FOR : AGAINST, tick: tick ?? 0, left: left ?? 0 });
      }
    }
  }

  #draw(shape: FlowShape, random: Random): void {
    const book = new NaiveBook(shape.outcomes);
    const resting: number[] = [];
    const pool = new SlotPool();
    const slotOf = new Map<number, number>();
    for (let i = 0; i < this.length; i += 1) {
      const isOpening = i < this.opening;
      if (isOpening || isAdd(shape.adds, i - this.opening, random))
        this.#add(i, random, book, !isOpening && random.chance(shape.takes));
      else this.#cancel(i, random, book, resting);
      const placed = this.order[i] ?? 0;
      this.slot[i] = this.kind[i] === ADD ? pool.acquire() : (slotOf.get(placed) ?? 0);
      if (this.kind[i] === ADD) slotOf.set(placed, this.slot[i] ?? 0);
      this.play(book, i, i + 1);
      if (this.kind[i] === ADD && !book.has(placed)) book.gone.push(placed);
      for (const gone of book.gone.splice(0)) {
        pool.release(slotOf.get(gone) ?? 0);
        slotOf.delete(gone);
      }
      if (this.kind[i] === ADD && book.has(placed)) resting.push(placed);
      if (isOpening) continue;
      this.liveMin = Math.min(this.liveMin, book.size);
      this.liveMax = Math.max(this.liveMax, book.size);
    }
    this.matched = book.matched;
    this.fills = book.fills;
    this.live = book.size;
    this.resting = book.restingStake();
  }

  /** Resting orders crowd towards the middle and never cross it; a taker goes through the best of the other side. */
  #add(i: number, random: Random, book: NaiveBook, takes: boolean): void {
    const side: SideIndex = random.chance(0.5) ? FOR : AGAINST;
    const outcome = random.below(this.outcomes);
    const away = Math.min(random.below(DEPTH), random.below(DEPTH));
    // Resting For asks are above the middle, resting Against bids below it; a taker meets the opposite side's best.
    const restingTick = side === FOR ? MIDDLE + away : MIDDLE - 1 - away;
    const best = takes ? book.bestTick(outcome, oppositeIndex(side)) : NO_TICK;
    this.order[i] = this.orders;
    this.orders += 1;
    this.kind[i] = ADD;
    this.outcome[i] = outcome;
    this.#outcomeByOrder[this.order[i] ?? 0] = outcome;
    this.side[i] = side;
    this.tick[i] = best === NO_TICK ? restingTick : best + worseStep(oppositeIndex(side)) * THROUGH;
    // Takers eat more orders while more are live than wished for: that holds the depth.
    const most = best === NO_TICK ? 20 : book.size > LIVE_TARGET ? 60 : 10;
    this.stake[i] = (1 + random.below(most)) * 1_000 * STAKE_STEP;
  }

  #cancel(i: number, random: Random, book: NaiveBook, resting: number[]): void {
    let id: number | undefined;
    do {
      const at = random.below(resting.length);
      id = resting[at];
      const last = resting.pop();
      if (at < resting.length && last !== undefined) resting[at] = last;
    } while (id === undefined || !book.has(id));
    this.kind[i] = CANCEL;
    this.order[i] = id;
    this.outcome[i] = this.#outcomeByOrder[id] ?? 0;
  }
}

function isAdd(adds: FlowShape['adds'], i: number, random: Random): boolean {
  return typeof adds === 'number' ? random.chance(adds) : i % (adds.adds + adds.cancels) < adds.adds;
}
