/** The trades the machine remembers, each a row of numbers by slot: one per matched piece of an order. */

import { defined } from '../../core/checks/assert.ts';
import { grownFloats, SlotPool } from '../columns/columns.ts';
import { IdTable } from '../columns/id-table.ts';
import type { EventLog } from '../messages/event-log.ts';
import type { Orders } from './orders.ts';

/** Rows of a page, and numbers of a row: written out where every trade passes, see NONE of the orders. */
const PAGE_ROWS = 512;
const WIDTH = 6;

/**
 * A row is six doubles: id, price, stake, winnings, createdAt, and as two 32-bit words the order and its next trade. Rows are
 * kept in pages, so that trades that grow in number copy nothing, leave no garbage, and take no more memory than they fill.
 */
export class Trades {
  readonly slotById = new IdTable();
  readonly #pages: Float64Array[] = [];
  /** The same memory. */
  readonly #words: Int32Array[] = [];
  readonly #slots = new SlotPool();
  /** Columns that say nothing of their own until a trade differs: see their readers. */
  #losings: Float64Array | undefined;
  #profitLoss: Float64Array | undefined;
  #modifiedAt: Float64Array | undefined;
  readonly #orders: Orders;
  readonly #log: EventLog;
  #nextId = 0;

  /** Trades are linked to their orders, and made at the log's time. */
  constructor(orders: Orders, log: EventLog) {
    this.#orders = orders;
    this.#log = log;
  }

  id(slot: number): number {
    return this.#pages[slot >> 9]?.[(slot & 511) * 6] ?? 0;
  }

  /** That of a cross match may be far beyond the ladder, and beyond 2³¹. */
  price(slot: number): number {
    return this.#pages[slot >> 9]?.[(slot & 511) * 6 + 1] ?? 0;
  }

  stake(slot: number): number {
    return this.#pages[slot >> 9]?.[(slot & 511) * 6 + 2] ?? 0;
  }

  /** What the backer's side of the bet wins: stake × (price − 1), but for what a cross match is shortened by. */
  winnings(slot: number): number {
    return this.#pages[slot >> 9]?.[(slot & 511) * 6 + 3] ?? 0;
  }

  /** What it loses: the stake, but for the few 10⁻⁶ by which a cross match is shortened. */
  losings(slot: number): number {
    return this.#losings === undefined ? this.stake(slot) : (this.#losings[slot] ?? 0);
  }

  /** 0 until settled. */
  profitLoss(slot: number): number {
    return this.#profitLoss?.[slot] ?? 0;
  }

  createdAt(slot: number): number {
    return this.#pages[slot >> 9]?.[(slot & 511) * 6 + 4] ?? 0;
  }

  /** When it was made, until it is repriced or settled. */
  modifiedAt(slot: number): number {
    return this.#modifiedAt === undefined ? this.createdAt(slot) : (this.#modifiedAt[slot] ?? 0);
  }

  /** The order's slot. */
  order(slot: number): number {
    return this.#words[slot >> 9]?.[(slot & 511) * 12 + 10] ?? -1;
  }

  /** The next younger trade of the same order. */
  next(slot: number): number {
    return this.#words[slot >> 9]?.[(slot & 511) * 12 + 11] ?? -1;
  }

  wins(slot: number, winnings: number): void {
    this.#pageOf(slot)[(slot & 511) * 6 + 3] = winnings;
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
    this.#pageOf(slot)[(slot & 511) * 6 + 1] = price;
    this.wins(slot, winnings);
    this.#modify(slot, now);
  }

  /** Appends a trade to an order, by its slot; `winnings` as booked. Returns the trade's slot. */
  add(order: number, price: number, stake: number, winnings: number): number {
    const slot = this.#slots.take();
    if (slot >> 9 === this.#pages.length) this.#grow();
    const id = this.#nextId;
    this.#nextId = id + 1;
    this.slotById.set(id, slot);
    const rows = this.#pageOf(slot);
    const words = this.#wordsOf(slot);
    const at = (slot & 511) * 6;
    const { now } = this.#log;
    rows[at] = id;
    rows[at + 1] = price;
    rows[at + 2] = stake;
    rows[at + 3] = winnings;
    rows[at + 4] = now;
    words[at * 2 + 10] = order;
    words[at * 2 + 11] = -1;
    if (this.#losings !== undefined) this.#losings[slot] = stake;
    if (this.#modifiedAt !== undefined) this.#modifiedAt[slot] = now;
    if (this.#profitLoss !== undefined) this.#profitLoss[slot] = 0;
    const orders = this.#orders;
    const last = orders.lastTrade(order);
    if (last < 0) orders.setFirstTrade(order, slot);
    else this.#wordsOf(last)[(last & 511) * 12 + 11] = slot;
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

  get remembered(): number {
    return this.#slots.inUse;
  }

  #modify(slot: number, now: number): void {
    this.#modifiedAt ??= this.#column((each) => this.createdAt(each));
    this.#modifiedAt[slot] = now;
  }

  /** A column beside the rows, which says of each trade so far what the rows say. */
  #column(read: (slot: number) => number): Float64Array {
    const column = new Float64Array(this.#capacity);
    for (let slot = 0; slot < this.slots; slot += 1) column[slot] = read(slot);
    return column;
  }

  #pageOf(slot: number): Float64Array {
    return defined(this.#pages[slot >> 9], 'a trade has a row');
  }

  #wordsOf(slot: number): Int32Array {
    return defined(this.#words[slot >> 9], 'a trade has a row');
  }

  get #capacity(): number {
    return this.#pages.length * PAGE_ROWS;
  }

  #grow(): void {
    const page = new Float64Array(PAGE_ROWS * WIDTH);
    this.#pages.push(page);
    this.#words.push(new Int32Array(page.buffer));
    if (this.#losings !== undefined) this.#losings = reaching(this.#losings, this.#capacity);
    if (this.#profitLoss !== undefined) this.#profitLoss = reaching(this.#profitLoss, this.#capacity);
    if (this.#modifiedAt !== undefined) this.#modifiedAt = reaching(this.#modifiedAt, this.#capacity);
  }
}

/** These columns are read and written long after their trades were made, and grow by doubling. */
function reaching(column: Float64Array, capacity: number): Float64Array {
  return column.length >= capacity ? column : grownFloats(column, capacity * 2);
}
