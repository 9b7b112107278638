/** The trades the machine remembers, each a row of numbers by slot: one per matched piece of an order. */

import { defined } from '../../core/checks/assert.ts';
import { grownFloats, SlotPool } from '../columns/columns.ts';
import { IdTable } from '../columns/id-table.ts';
import type { EventLog } from '../messages/event-log.ts';
import { NONE } from './order-columns.ts';
import type { Orders } from './orders.ts';
import {
  CREATED_AT,
  ID,
  NEXT,
  ORDER,
  PAGE_MASK,
  PAGE_ROWS,
  PAGE_SHIFT,
  PRICE,
  ROW,
  ROW_WORDS,
  STAKE,
  WINNINGS,
} from './trade-columns.ts';

/**
 * The trades by slot; trade-columns.ts describes their rows. Rows are kept in pages, so that a growing number of trades
 * copies nothing, leaves no garbage, and takes no more memory than it fills.
 */
export class Trades {
  readonly slotById = new IdTable();
  readonly #pages: Float64Array[] = [];
  /** The memory of the pages, read as 32-bit words. */
  readonly #words: Int32Array[] = [];
  readonly #slots = new SlotPool();
  /**
   * Columns that exist only once a trade differs from what its row implies: see `losings`, `profitLoss` and
   * `modifiedAt`.
   */
  #losings: Float64Array | undefined;
  #profitLoss: Float64Array | undefined;
  #modifiedAt: Float64Array | undefined;
  readonly #orders: Orders;
  readonly #log: EventLog;
  #nextId = 0;

  /** Trades are linked to orders, and get the log's current time. */
  constructor(orders: Orders, log: EventLog) {
    this.#orders = orders;
    this.#log = log;
  }

  id(slot: number): number {
    return this.#number(slot, ID);
  }

  /** The price in 10⁻³. A cross match's price may lie far beyond the ladder, and beyond 2³¹. */
  price(slot: number): number {
    return this.#number(slot, PRICE);
  }

  stake(slot: number): number {
    return this.#number(slot, STAKE);
  }

  /** What the backer's side of the bet wins: stake × (price − 1), less what a cross match was shortened by. */
  winnings(slot: number): number {
    return this.#number(slot, WINNINGS);
  }

  /** What the backer's side of the bet loses: the stake, less the few 10⁻⁶ by which a cross match was shortened. */
  losings(slot: number): number {
    return this.#losings === undefined ? this.stake(slot) : (this.#losings[slot] ?? 0);
  }

  /** Profit or loss of the order's side, in 10⁻⁶; 0 until the market is settled. */
  profitLoss(slot: number): number {
    return this.#profitLoss?.[slot] ?? 0;
  }

  createdAt(slot: number): number {
    return this.#number(slot, CREATED_AT);
  }

  /** When the trade last changed: when it was made, repriced or settled. */
  modifiedAt(slot: number): number {
    return this.#modifiedAt === undefined ? this.createdAt(slot) : (this.#modifiedAt[slot] ?? 0);
  }

  /** The slot of the trade's order. */
  order(slot: number): number {
    return this.#words[slot >> PAGE_SHIFT]?.[(slot & PAGE_MASK) * ROW_WORDS + ORDER] ?? NONE;
  }

  /** The next younger trade of the same order; NONE for the youngest. */
  next(slot: number): number {
    return this.#words[slot >> PAGE_SHIFT]?.[(slot & PAGE_MASK) * ROW_WORDS + NEXT] ?? NONE;
  }

  wins(slot: number, winnings: number): void {
    this.#pageOf(slot)[(slot & PAGE_MASK) * ROW + WINNINGS] = winnings;
  }

  loses(slot: number, losings: number): void {
    this.#losings ??= this.#column((each) => this.stake(each));
    this.#losings[slot] = losings;
  }

  settle(slot: number, profitLoss: number, now: number): void {
    this.#profitLoss ??= this.#column(() => 0);
    this.#profitLoss[slot] = profitLoss;
    this.#modify(slot, now);
  }

  reprice(slot: number, price: number, winnings: number, now: number): void {
    this.#pageOf(slot)[(slot & PAGE_MASK) * ROW + PRICE] = price;
    this.wins(slot, winnings);
    this.#modify(slot, now);
  }

  /** Makes a trade void: nothing of it is matched, and it wins and loses nothing. */
  annul(slot: number, now: number): void {
    this.#pageOf(slot)[(slot & PAGE_MASK) * ROW + STAKE] = 0;
    this.wins(slot, 0);
    this.loses(slot, 0);
    this.settle(slot, 0, now);
  }

  /** Appends a trade to an order (a slot); `winnings` as booked. Returns the trade's slot. */
  add(order: number, price: number, stake: number, winnings: number): number {
    const slot = this.#slots.acquire();
    if (slot >> PAGE_SHIFT === this.#pages.length) this.#grow();
    const id = this.#nextId;
    this.#nextId = id + 1;
    this.slotById.set(id, slot);
    const rows = this.#pageOf(slot);
    const words = this.#wordsOf(slot);
    const at = (slot & PAGE_MASK) * ROW;
    const { now } = this.#log;
    rows[at + ID] = id;
    rows[at + PRICE] = price;
    rows[at + STAKE] = stake;
    rows[at + WINNINGS] = winnings;
    rows[at + CREATED_AT] = now;
    words[at * 2 + ORDER] = order;
    words[at * 2 + NEXT] = NONE;
    if (this.#losings !== undefined) this.#losings[slot] = stake;
    if (this.#modifiedAt !== undefined) this.#modifiedAt[slot] = now;
    if (this.#profitLoss !== undefined) this.#profitLoss[slot] = 0;
    const orders = this.#orders;
    const last = orders.lastTrade(order);
    if (last < 0) orders.setFirstTrade(order, slot);
    else this.#wordsOf(last)[(last & PAGE_MASK) * ROW_WORDS + NEXT] = slot;
    orders.setLastTrade(order, slot);
    return slot;
  }

  forget(slot: number): void {
    this.slotById.delete(this.id(slot));
    this.#slots.release(slot);
  }

  get created(): number {
    return this.#nextId;
  }

  get slots(): number {
    return this.#slots.size;
  }

  #modify(slot: number, now: number): void {
    this.#modifiedAt ??= this.#column((each) => this.createdAt(each));
    this.#modifiedAt[slot] = now;
  }

  /** Makes a column beside the rows, filled for each trade so far with what its row implies. */
  #column(read: (slot: number) => number): Float64Array {
    const column = new Float64Array(this.#capacity);
    for (let slot = 0; slot < this.slots; slot += 1) column[slot] = read(slot);
    return column;
  }

  #number(slot: number, column: number): number {
    return this.#pages[slot >> PAGE_SHIFT]?.[(slot & PAGE_MASK) * ROW + column] ?? 0;
  }

  #pageOf(slot: number): Float64Array {
    return defined(this.#pages[slot >> PAGE_SHIFT], 'a trade has a row');
  }

  #wordsOf(slot: number): Int32Array {
    return defined(this.#words[slot >> PAGE_SHIFT], 'a trade has a row');
  }

  get #capacity(): number {
    return this.#pages.length * PAGE_ROWS;
  }

  #grow(): void {
    const page = new Float64Array(PAGE_ROWS * ROW);
    this.#pages.push(page);
    this.#words.push(new Int32Array(page.buffer));
    if (this.#losings !== undefined) this.#losings = reaching(this.#losings, this.#capacity);
    if (this.#profitLoss !== undefined) this.#profitLoss = reaching(this.#profitLoss, this.#capacity);
    if (this.#modifiedAt !== undefined) this.#modifiedAt = reaching(this.#modifiedAt, this.#capacity);
  }
}

/**
 * A column long enough for `capacity` numbers. These columns are used long after their trades were made, and grow by
 * doubling.
 */
function reaching(column: Float64Array, capacity: number): Float64Array {
  return column.length >= capacity ? column : grownFloats(column, capacity * 2);
}
