/** The trades the machine remembers, as columns by slot: one per matched piece of an order. */

import { GROWTH, grownFloats, grownInts, SlotPool } from './columns.ts';
import { IdTable, NO_SLOT } from './id-table.ts';
import { NONE, type Orders } from './orders.ts';

const FIRST_CAPACITY = 256;
const NOTHING = new Float64Array(0);

export class Trades {
  readonly slotById = new IdTable();
  id = new Float64Array(FIRST_CAPACITY);
  order = new Int32Array(FIRST_CAPACITY);
  /** That of a cross match may be far beyond the ladder, and beyond 2³¹. */
  price = new Float64Array(FIRST_CAPACITY);
  stake = new Float64Array(FIRST_CAPACITY);
  /** What the backer's side of the bet wins: stake × (price − 1), but for what a cross match is shortened by. */
  winnings = new Float64Array(FIRST_CAPACITY);
  createdAt = new Float64Array(FIRST_CAPACITY);
  /** The next younger trade of the same order. */
  next = new Int32Array(FIRST_CAPACITY);
  readonly #slots = new SlotPool();
  /** Columns that say nothing of their own until a trade differs: see their getters. */
  #losings: Float64Array | undefined;
  #profitLoss: Float64Array | undefined;
  #modifiedAt: Float64Array | undefined;
  #nextId = 0;

  /** What it loses: the stake, but for the few 10⁻⁶ by which a cross match is shortened. */
  get losings(): Float64Array {
    return this.#losings ?? this.stake;
  }

  /** 0 until settled. */
  get profitLoss(): Float64Array {
    return this.#profitLoss ?? NOTHING;
  }

  /** When it was made, until it is repriced or settled. */
  get modifiedAt(): Float64Array {
    return this.#modifiedAt ?? this.createdAt;
  }

  loses(slot: number, losings: number): void {
    this.#losings ??= this.stake.slice();
    this.#losings[slot] = losings;
  }

  settle(slot: number, profitLoss: number, now: number): void {
    this.#profitLoss ??= new Float64Array(this.id.length);
    this.#profitLoss[slot] = profitLoss;
    this.#modify(slot, now);
  }

  reprice(slot: number, price: number, winnings: number, now: number): void {
    this.price[slot] = price;
    this.winnings[slot] = winnings;
    this.#modify(slot, now);
  }

  /** Appends a trade to an order; `winnings` as booked. Returns its slot. */
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
    this.createdAt[slot] = now;
    this.next[slot] = -1;
    if (this.#losings !== undefined) this.#losings[slot] = stake;
    if (this.#modifiedAt !== undefined) this.#modifiedAt[slot] = now;
    if (this.#profitLoss !== undefined) this.#profitLoss[slot] = 0;
    const last = orders.lastTrade[order] ?? NONE;
    if (last < 0) orders.firstTrade[order] = slot;
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

  #modify(slot: number, now: number): void {
    this.#modifiedAt ??= this.createdAt.slice();
    this.#modifiedAt[slot] = now;
  }

  #grow(capacity: number): void {
    this.id = grownFloats(this.id, capacity);
    this.order = grownInts(this.order, capacity);
    this.price = grownFloats(this.price, capacity);
    this.stake = grownFloats(this.stake, capacity);
    this.winnings = grownFloats(this.winnings, capacity);
    if (this.#losings !== undefined) this.#losings = grownFloats(this.#losings, capacity);
    if (this.#profitLoss !== undefined) this.#profitLoss = grownFloats(this.#profitLoss, capacity);
    if (this.#modifiedAt !== undefined) this.#modifiedAt = grownFloats(this.#modifiedAt, capacity);
    this.createdAt = grownFloats(this.createdAt, capacity);
    this.next = grownInts(this.next, capacity);
  }
}
