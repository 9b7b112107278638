/** Resting orders of one market in price-time order: a first-in-first-out queue per outcome, side and tick. */

import { shownStake } from '../../core/book/shown-stake.ts';
import { TickRows } from '../../core/book/tick-rows.ts';
import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import { betterTick, type SideIndex } from '../../core/side.ts';
import { GROWTH, grownFloats, grownInts } from '../columns/columns.ts';
import { NONE } from '../records/order-columns.ts';
import type { FillSink, Liquidity } from './liquidity.ts';
import { LEVEL_PLUS_ONE, NEXT, PREVIOUS, ROW, ROW_WORDS } from './queue-columns.ts';
import { QueueRows } from './queue-rows.ts';

/** Columns of resting orders by slot, shared by all books of one exchange, because a slot rests in one book at most. */
export class QueueColumns {
  /**
   * The rows that order books use. The columns below are used by an overlay instead, which keeps more about an order
   * than a book does.
   */
  readonly ofBooks = new QueueRows();
  next = new Int32Array(256);
  previous = new Int32Array(256);
  /** The level at which an order rests; NONE where it rests nowhere. */
  level = new Int32Array(256).fill(NONE);
  stake = new Float64Array(256);

  /** Makes the columns long enough for the slot. */
  reach(slot: number): void {
    if (slot < this.level.length) return;
    const before = this.level.length;
    const capacity = Math.max(before * GROWTH, slot + 1);
    this.next = grownInts(this.next, capacity);
    this.previous = grownInts(this.previous, capacity);
    this.level = grownInts(this.level, capacity).fill(NONE, before);
    this.stake = grownFloats(this.stake, capacity);
  }
}

/** The resting orders of one market. Levels are indexed by (outcome × 2 + side) × TICK_COUNT + tick. */
export class OrderBook implements Liquidity {
  readonly #queues: QueueRows;
  readonly #levels: TickRows;
  /**
   * The best tick by outcome and side. Every order reads it, and few change it, so it is kept instead of searched for.
   */
  readonly #best: Int32Array;
  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  readonly #amount: Float64Array;

  constructor(queues: QueueColumns, outcomes: number) {
    this.#queues = queues.ofBooks;
    this.#levels = new TickRows(outcomes * 2);
    this.#best = new Int32Array(outcomes * 2).fill(NO_TICK);
    this.#head = new Int32Array(outcomes * 2 * TICK_COUNT).fill(NONE);
    this.#tail = new Int32Array(outcomes * 2 * TICK_COUNT).fill(NONE);
    this.#amount = new Float64Array(outcomes * 2 * TICK_COUNT);
  }

  bestTick(outcome: number, side: SideIndex): number {
    return this.#best[outcome * 2 + side] ?? NO_TICK;
  }

  nextTick(outcome: number, side: SideIndex, tick: number): number {
    return this.#levels.worse(outcome * 2 + side, tick);
  }

  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return shownStake(this.#amount[(outcome * 2 + side) * TICK_COUNT + tick] ?? 0);
  }

  consume(at: { outcome: number; side: SideIndex; tick: number }, stake: Money, sink: FillSink): Money {
    const level = (at.outcome * 2 + at.side) * TICK_COUNT + at.tick;
    let left: number = stake;
    let slot = this.#head[level] ?? NONE;
    while (left > 0 && slot >= 0) {
      const { rows, words } = this.#queues;
      const resting = rows[slot * ROW] ?? 0;
      const consumed = resting < left ? resting : left;
      const following = words[slot * ROW_WORDS + NEXT] ?? NONE;
      left -= consumed;
      this.#removeStake(slot, level, consumed);
      sink.filled(slot, consumed as Money);
      slot = following;
    }
    return (stake - left) as Money;
  }

  rest(order: { slot: number; outcome: number; side: SideIndex; tick: number; stake: Money }): void {
    const { slot, stake } = order;
    this.#queues.reach(slot);
    const { rows, words } = this.#queues;
    const at = slot * ROW_WORDS;
    assert(words[at + LEVEL_PLUS_ONE] === 0, 'an order rests once');
    assert(stake > 0, 'what rests has stake');
    const row = order.outcome * 2 + order.side;
    const level = row * TICK_COUNT + order.tick;
    const last = this.#tail[level] ?? NONE;
    rows[slot * ROW] = stake;
    words[at + NEXT] = NONE;
    words[at + PREVIOUS] = last;
    words[at + LEVEL_PLUS_ONE] = level + 1;
    if (last < 0) this.#head[level] = slot;
    else words[last * ROW_WORDS + NEXT] = slot;
    this.#tail[level] = slot;
    const before = this.#amount[level] ?? 0;
    this.#amount[level] = before + stake;
    if (shownStake(before) > 0 || shownStake(before + stake) === 0) return;
    this.#levels.add(row, order.tick);
    this.#best[row] = betterTick(order.side, order.tick, this.#best[row] ?? NO_TICK);
  }

  reduce(slot: number, stake: Money): void {
    const level = this.#levelOf(slot);
    assert(stake > 0 && stake <= (this.#queues.rows[slot * ROW] ?? 0), 'no more is taken off than rests');
    this.#removeStake(slot, level, stake);
  }

  withdraw(slot: number): void {
    this.#removeStake(slot, this.#levelOf(slot), this.#queues.rows[slot * ROW] ?? 0);
  }

  #levelOf(slot: number): number {
    const level = (this.#queues.words[slot * ROW_WORDS + LEVEL_PLUS_ONE] ?? 0) - 1;
    assert(level >= 0, 'only a resting order is taken out');
    return level;
  }

  /** Takes stake off an order; the order leaves its queue when nothing is left. */
  #removeStake(slot: number, level: number, stake: number): void {
    const { rows, words } = this.#queues;
    const resting = this.#amount[level] ?? 0;
    this.#amount[level] = resting - stake;
    if (shownStake(resting) > 0 && shownStake(resting - stake) === 0) this.#hide(level);
    const left = (rows[slot * ROW] ?? 0) - stake;
    rows[slot * ROW] = left;
    if (left > 0) return;
    const next = words[slot * ROW_WORDS + NEXT] ?? NONE;
    const previous = words[slot * ROW_WORDS + PREVIOUS] ?? NONE;
    if (previous < 0) this.#head[level] = next;
    else words[previous * ROW_WORDS + NEXT] = next;
    if (next < 0) this.#tail[level] = previous;
    else words[next * ROW_WORDS + PREVIOUS] = previous;
    words[slot * ROW_WORDS + LEVEL_PLUS_ONE] = 0;
  }

  #hide(level: number): void {
    const row = (level / TICK_COUNT) | 0;
    const tick = level - row * TICK_COUNT;
    this.#levels.remove(row, tick);
    if (tick === this.#best[row]) this.#best[row] = this.#levels.best(row);
  }
}
