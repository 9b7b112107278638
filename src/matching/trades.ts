/** The trades the machine remembers, as columns by slot: one per matched piece of an order. */

import { GROWTH, grownFloats, grownInts, SlotPool } from './columns.ts';
import { IdTable, NO_SLOT } from './id-table.ts';
import { NONE, type Orders } from './orders.ts';

const FIRST_CAPACITY = 256;

export class Trades {
  readonly slotById = new IdTable();
  id = new Float64Array(FIRST_CAPACITY);
  order = new Int32Array(FIRST_CAPACITY);
  price = new Float64Array(FIRST_CAPACITY);
  stake = new Float64Array(FIRST_CAPACITY);
  /**
   * What the backer's side of the bet is booked at: profit if the outcome wins, and stake if it loses. They are
   * stake × (price − 1) and the stake, but for the few 10⁻⁶ by which a cross match is shortened.
   */
  winnings = new Float64Array(FIRST_CAPACITY);
  losings = new Float64Array(FIRST_CAPACITY);
  /** 0 until settled. */
  profitLoss = new Float64Array(FIRST_CAPACITY);
  createdAt = new Float64Array(FIRST_CAPACITY);
  modifiedAt = new Float64Array(FIRST_CAPACITY);
  /** The next younger trade of the same order. */
  next = new Int32Array(FIRST_CAPACITY);
  readonly #slots = new SlotPool();
  #nextId = 0;

  /** Appends a trade to an order; `winnings` and `losings` as booked. Returns its slot. */
  add(orders: Orders, order: number, now: number, price: number, stake: number, winnings: number): number {
    const slot = this.#slots.take();
    if (slot >= this.id.length) this.#grow(this.id.length * GROWTH);
    this.id[slot] = this.#nextId;
    this.slotById.set(this.#nextId, slot);
    this.#nextId += 1;
    this.order[slot] = order;
    this.price[slot] = price;
    this.stake[slot] = stake;
    this.winnings[slot] = winnings;
    this.losings[slot] = stake;
    this.profitLoss[slot] = 0;
    this.createdAt[slot] = now;
    this.modifiedAt[slot] = now;
    this.next[slot] = NONE;
    const last = orders.lastTrade[order] ?? NONE;
    if (last === NONE) orders.firstTrade[order] = slot;
    else this.next[last] = slot;
    orders.lastTrade[order] = slot;
    return slot;
  }

  forget(slot: number): void {
    this.slotById.delete(this.id[slot] ?? NO_SLOT);
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

  #grow(capacity: number): void {
    this.id = grownFloats(this.id, capacity);
    this.order = grownInts(this.order, capacity);
    this.price = grownFloats(this.price, capacity);
    this.stake = grownFloats(this.stake, capacity);
    this.winnings = grownFloats(this.winnings, capacity);
    this.losings = grownFloats(this.losings, capacity);
    this.profitLoss = grownFloats(this.profitLoss, capacity);
    this.createdAt = grownFloats(this.createdAt, capacity);
    this.modifiedAt = grownFloats(this.modifiedAt, capacity);
    this.next = grownInts(this.next, capacity);
  }
}
