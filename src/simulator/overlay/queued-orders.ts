/** Our resting orders, and the recorded stake that we consumed or displaced, kept only at levels that have any of it. */

import { TickRows } from '../../core/book/tick-rows.ts';
import { assert } from '../../core/checks/assert.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import { AGAINST, betterTick, FOR } from '../../core/side.ts';
import { grownFloats, grownInts } from '../../matching/columns/columns.ts';
import { cellInRow, rowOfCell, sideOfRow, tickOfCell } from './level-cell.ts';
import type { OwnOrders } from './own-orders.ts';

const ENTRIES_AT_FIRST = 16;

/** A tick that no price of the ladder reaches from the side of a row's takers. */
function unreached(row: number): number {
  return sideOfRow(row) === AGAINST ? -1 : TICK_COUNT;
}

/** The end of a queue: no order. */
export const NO_ORDER = -1;
/** The orders of a queue that is empty. */
export const NO_SLOTS: readonly number[] = Object.freeze([]);

/**
 * Columns by level entry; entry 0 means "no entry", which is what most levels have. A queue is a doubly linked list of
 * slots in order of arrival; what is kept by slot is shared with the other markets of the exchange.
 */
export class QueuedOrders {
  readonly #orders: OwnOrders;
  readonly #entryOf: Int32Array;
  readonly #ticks: TickRows;
  /** The ticks of displaced stake. */
  readonly #displacedTicks: TickRows;
  readonly #ordersInRow: Int32Array;
  /** For each row, the tick of our best order or displaced stake, or a tick that no price reaches. */
  readonly #bestOwn: Int16Array;
  #entries = 0;
  #nextEntry = 1;
  readonly #freeEntries: number[] = [];
  #consumed = new Float64Array(ENTRIES_AT_FIRST);
  #resting = new Float64Array(ENTRIES_AT_FIRST);
  #displaced = new Float64Array(ENTRIES_AT_FIRST);
  #head = new Int32Array(ENTRIES_AT_FIRST);
  #tail = new Int32Array(ENTRIES_AT_FIRST);

  constructor(rows: number, orders: OwnOrders) {
    this.#orders = orders;
    this.#entryOf = new Int32Array(rows * TICK_COUNT);
    this.#ticks = new TickRows(rows);
    this.#displacedTicks = new TickRows(rows);
    this.#ordersInRow = new Int32Array(rows);
    this.#bestOwn = new Int16Array(rows);
    for (let row = 0; row < rows; row += 1) this.#bestOwn[row] = unreached(row);
  }

  /** Whether there is neither an order of ours nor consumed or displaced stake in the market. */
  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  /** Whether the level has an order of ours, or stake that we consumed or displaced. */
  has(cell: number): boolean {
    return this.#entryOf[cell] !== 0;
  }

  /**
   * Whether a change at a price of an outcome, on either side, can matter to us: something of ours is there, or there
   * is an order of ours, or stake that one displaced, that recorded stake at the price would cross, or that a trade at
   * the price would have to pass.
   */
  isReached(outcome: number, tick: number): boolean {
    const against = outcome * 2 + AGAINST;
    const forRow = outcome * 2 + FOR;
    return (
      tick <= (this.#bestOwn[against] ?? 0) ||
      tick >= (this.#bestOwn[forRow] ?? 0) ||
      this.#entryOf[cellInRow(against, tick)] !== 0 ||
      this.#entryOf[cellInRow(forRow, tick)] !== 0
    );
  }

  ordersInRow(row: number): number {
    return this.#ordersInRow[row] ?? 0;
  }

  /**
   * The best tick of a row with an order of ours; NO_TICK where there is none. `worse` is the next one after a tick.
   */
  best(row: number): number {
    return this.#ticks.best(row);
  }

  worse(row: number, tick: number): number {
    return this.#ticks.worse(row, tick);
  }

  /** Our unmatched stake at a level. */
  restingAt(cell: number): Money {
    return (this.#resting[this.#entryAt(cell)] ?? 0) as Money;
  }

  /** X: how much of the recorded stake at a level we consumed. */
  consumedAt(cell: number): Money {
    return (this.#consumed[this.#entryAt(cell)] ?? 0) as Money;
  }

  addConsumed(cell: number, stake: number): void {
    const entry = this.#entry(cell);
    this.#consumed[entry] = (this.#consumed[entry] ?? 0) + stake;
  }

  /** Limits what we consumed of a level to what the level holds. */
  capConsumed(cell: number, most: number): void {
    const entry = this.#entryAt(cell);
    if (entry === 0 || (this.#consumed[entry] ?? 0) <= most) return;
    this.#consumed[entry] = most;
    this.#releaseIfBare(entry, cell);
  }

  /** Stake of others that orders of ours displaced at a level: the recording does not hold it any more. */
  displacedAt(cell: number): number {
    return this.#displaced[this.#entryAt(cell)] ?? 0;
  }

  /** Whether a row has an order of ours or displaced stake. */
  stands(row: number): boolean {
    return this.bestStanding(row) !== NO_TICK;
  }

  /** The best tick of a row with an order of ours or displaced stake; NO_TICK where there is none. `worseStanding` is the next one. */
  bestStanding(row: number): number {
    return betterTick(sideOfRow(row), this.best(row), this.bestDisplaced(row));
  }

  worseStanding(row: number, tick: number): number {
    return betterTick(sideOfRow(row), this.worse(row, tick), this.worseDisplaced(row, tick));
  }

  /** The best tick of a row with displaced stake; NO_TICK where there is none. `worseDisplaced` is the next one. */
  bestDisplaced(row: number): number {
    return this.#displacedTicks.best(row);
  }

  worseDisplaced(row: number, tick: number): number {
    return this.#displacedTicks.worse(row, tick);
  }

  setDisplaced(cell: number, stake: number): void {
    const before = this.displacedAt(cell);
    if (before === stake) return;
    const entry = this.#entry(cell);
    this.#displaced[entry] = stake;
    if (before === 0) this.#displacedTicks.add(rowOfCell(cell), tickOfCell(cell));
    else if (stake === 0) this.#displacedTicks.remove(rowOfCell(cell), tickOfCell(cell));
    this.#findBest(rowOfCell(cell));
    this.#releaseIfBare(entry, cell);
  }

  /** The first order of a level's queue, or NO_ORDER. */
  head(cell: number): number {
    const entry = this.#entryAt(cell);
    return entry === 0 ? NO_ORDER : (this.#head[entry] ?? NO_ORDER);
  }

  /** The orders of a level's queue, in order of arrival. */
  slotsAt(cell: number): readonly number[] {
    if (this.head(cell) === NO_ORDER) return NO_SLOTS;
    const slots: number[] = [];
    for (let slot = this.head(cell); slot !== NO_ORDER; slot = this.next(slot)) slots.push(slot);
    return slots;
  }

  /** The last order of a level's queue, or NO_ORDER. */
  tail(cell: number): number {
    const entry = this.#entryAt(cell);
    return entry === 0 ? NO_ORDER : (this.#tail[entry] ?? NO_ORDER);
  }

  next(slot: number): number {
    return this.#orders.links.next[slot] ?? NO_ORDER;
  }

  unmatched(slot: number): Money {
    return (this.#orders.links.stake[slot] ?? 0) as Money;
  }

  /** The stake of others ahead of an order: recorded, and displaced. */
  ahead(slot: number): number {
    return this.#orders.ahead[slot] ?? 0;
  }

  setAhead(slot: number, stake: number): void {
    this.#orders.ahead[slot] = stake;
  }

  /** Takes up to `most` of the stake that reaches an order before its own fills; returns how much. */
  takeMargin(slot: number, most: number): number {
    const { margin } = this.#orders;
    const held = margin[slot] ?? 0;
    const taken = Math.min(held, most);
    if (taken > 0) margin[slot] = held - taken;
    return taken;
  }

  /** The level at which an order rests; call it only for an order that does. */
  cellOf(slot: number): number {
    const cell = this.#orders.links.level[slot] ?? NO_ORDER;
    assert(cell !== NO_ORDER, 'only a resting order is filled or leaves');
    return cell;
  }

  join(order: { slot: number; cell: number; stake: Money; ahead: number; margin: number }): void {
    const { slot, cell, stake } = order;
    this.#orders.reach(slot);
    const { links, ahead, margin } = this.#orders;
    assert(links.level[slot] === NO_ORDER, 'an order rests once');
    assert(stake > 0, 'what rests has stake');
    const entry = this.#entry(cell);
    const row = rowOfCell(cell);
    const last = this.#tail[entry] ?? NO_ORDER;
    links.stake[slot] = stake;
    links.level[slot] = cell;
    links.previous[slot] = last;
    links.next[slot] = NO_ORDER;
    ahead[slot] = order.ahead;
    margin[slot] = order.margin;
    this.#tail[entry] = slot;
    if (last === NO_ORDER) {
      this.#head[entry] = slot;
      this.#ticks.add(row, tickOfCell(cell));
      this.#findBest(row);
    } else links.next[last] = slot;
    this.#addResting(entry, stake);
    this.#ordersInRow[row] = this.ordersInRow(row) + 1;
  }

  /** Fills up to `most` of an order and returns what was filled; the order leaves its queue once nothing is left. */
  fill(slot: number, most: number): Money {
    const cell = this.cellOf(slot);
    const { stake } = this.#orders.links;
    const left = this.unmatched(slot);
    assert(most > 0, 'a fill moves stake');
    if (most >= left) {
      this.#unlink(slot, cell);
      return left as Money;
    }
    const entry = this.#entryAt(cell);
    stake[slot] = left - most;
    this.#addResting(entry, -most);
    return most as Money;
  }

  /** Takes an order with all its remaining stake out of its queue. */
  leave(slot: number): void {
    this.#unlink(slot, this.cellOf(slot));
  }

  /** Forgets all consumed and displaced stake; no order may rest any more. */
  clear(): void {
    for (let row = 0; row < this.#ordersInRow.length; row += 1) {
      assert(this.ordersInRow(row) === 0, 'orders still rest in a market that ends');
      if (this.#entries === 0) continue;
      const end = cellInRow(row + 1, 0);
      for (let cell = cellInRow(row, 0); cell < end; cell += 1) {
        this.capConsumed(cell, 0);
        this.setDisplaced(cell, 0);
      }
    }
  }

  #unlink(slot: number, cell: number): void {
    const { links } = this.#orders;
    const entry = this.#entryAt(cell);
    const row = rowOfCell(cell);
    const before = links.previous[slot] ?? NO_ORDER;
    const after = links.next[slot] ?? NO_ORDER;
    if (before === NO_ORDER) this.#head[entry] = after;
    else links.next[before] = after;
    if (after === NO_ORDER) this.#tail[entry] = before;
    else links.previous[after] = before;
    this.#addResting(entry, -this.unmatched(slot));
    links.stake[slot] = 0;
    links.level[slot] = NO_ORDER;
    this.#ordersInRow[row] = this.ordersInRow(row) - 1;
    if (before === NO_ORDER && after === NO_ORDER) {
      this.#ticks.remove(row, tickOfCell(cell));
      this.#findBest(row);
    }
    this.#releaseIfBare(entry, cell);
  }

  #findBest(row: number): void {
    const best = this.bestStanding(row);
    this.#bestOwn[row] = best === NO_TICK ? unreached(row) : best;
  }

  /** The entry of a level; 0 where it has none. */
  #entryAt(cell: number): number {
    return this.#entryOf[cell] ?? 0;
  }

  #addResting(entry: number, stake: number): void {
    this.#resting[entry] = (this.#resting[entry] ?? 0) + stake;
  }

  #entry(cell: number): number {
    const known = this.#entryAt(cell);
    if (known !== 0) return known;
    const entry = this.#freeEntries.pop() ?? this.#nextEntry++;
    if (entry === this.#consumed.length) this.#growEntries();
    this.#consumed[entry] = 0;
    this.#resting[entry] = 0;
    this.#displaced[entry] = 0;
    this.#head[entry] = NO_ORDER;
    this.#tail[entry] = NO_ORDER;
    this.#entryOf[cell] = entry;
    this.#entries += 1;
    return entry;
  }

  #releaseIfBare(entry: number, cell: number): void {
    if (this.#head[entry] !== NO_ORDER || this.#consumed[entry] !== 0 || this.#displaced[entry] !== 0) return;
    this.#entryOf[cell] = 0;
    this.#freeEntries.push(entry);
    this.#entries -= 1;
  }

  #growEntries(): void {
    const length = this.#consumed.length * 2;
    this.#consumed = grownFloats(this.#consumed, length);
    this.#resting = grownFloats(this.#resting, length);
    this.#displaced = grownFloats(this.#displaced, length);
    this.#head = grownInts(this.#head, length);
    this.#tail = grownInts(this.#tail, length);
  }
}
