/** The orders the machine remembers, as columns by slot, with their lists by market and by position. */

import type { SideIndex } from '../core/side.ts';
import { GROWTH, grownBytes, grownFloats, grownInts, SlotPool } from './columns.ts';
import { IdTable, NO_SLOT } from './id-table.ts';

const FIRST_CAPACITY = 256;
/**
 * End of a list of slots, the only negative one. The engine reads a module's constants from memory each time they are
 * named, and multiplies by what it read: what every order passes through says `< 0`, -1, and numbers that it can fold.
 */
export const NONE = -1;
/**
 * What an order never changes, in one number, because whoever needs one part of it needs the others: the side in the first
 * bit, the tick in the next nine, then the outcome.
 */
export function termsOf(outcome: number, side: SideIndex, tick: number): number {
  return (outcome << 10) | (tick << 1) | side;
}

export function outcomeOf(terms: number): number {
  return terms >>> 10;
}

export function tickOf(terms: number): number {
  return (terms >> 1) & 511;
}

export function sideOfTerms(terms: number): SideIndex {
  return (terms & 1) as SideIndex;
}

export class Orders {
  readonly slotById = new IdTable();
  readonly referenceBySlot = new Map<number, string>();
  id = new Float64Array(FIRST_CAPACITY);
  stake = new Float64Array(FIRST_CAPACITY);
  unmatched = new Float64Array(FIRST_CAPACITY);
  voided = new Float64Array(FIRST_CAPACITY);
  createdAt = new Float64Array(FIRST_CAPACITY);
  modifiedAt = new Float64Array(FIRST_CAPACITY);
  /** When the delay ends; NaN for an order that had none. Empty as long as no order had any. */
  due = new Float64Array(0);
  position = new Int32Array(FIRST_CAPACITY);
  rate = new Int32Array(FIRST_CAPACITY);
  /** Outcome, side and tick, as `termsOf` packs them. */
  terms = new Int32Array(FIRST_CAPACITY);
  status = new Uint8Array(FIRST_CAPACITY);
  /** One more than the reason's code; 0 for none. */
  reason = new Uint8Array(FIRST_CAPACITY);
  keepWhenInPlay = new Uint8Array(FIRST_CAPACITY);
  cancelUnmatched = new Uint8Array(FIRST_CAPACITY);
  firstTrade = new Int32Array(FIRST_CAPACITY);
  lastTrade = new Int32Array(FIRST_CAPACITY);
  /** The next younger order of the market, and of the position. */
  marketNext = new Int32Array(FIRST_CAPACITY);
  positionNext = new Int32Array(FIRST_CAPACITY);
  /** The position's orders with unmatched stake, in no promised order. */
  liveNext = new Int32Array(FIRST_CAPACITY);
  livePrevious = new Int32Array(FIRST_CAPACITY);
  readonly #slots = new SlotPool();
  #nextId = 0;

  /** A slot with a new id, no trades and no links; the caller fills the rest. */
  create(): number {
    const slot = this.#slots.take();
    if (slot >= this.id.length) this.#grow(this.id.length * GROWTH);
    this.id[slot] = this.#nextId;
    this.slotById.set(this.#nextId, slot);
    this.#nextId += 1;
    this.voided[slot] = 0;
    this.reason[slot] = 0;
    this.firstTrade[slot] = -1;
    this.lastTrade[slot] = -1;
    this.marketNext[slot] = -1;
    this.positionNext[slot] = -1;
    if (this.due.length > 0) this.due[slot] = Number.NaN;
    return slot;
  }

  delayUntil(slot: number, due: number): void {
    if (this.due.length === 0) this.due = new Float64Array(this.id.length).fill(Number.NaN);
    this.due[slot] = due;
  }

  outcome(slot: number): number {
    return outcomeOf(this.terms[slot] ?? 0);
  }

  side(slot: number): SideIndex {
    return sideOfTerms(this.terms[slot] ?? 0);
  }

  tick(slot: number): number {
    return tickOf(this.terms[slot] ?? 0);
  }

  forget(slot: number): void {
    this.slotById.delete(this.id[slot] ?? NO_SLOT);
    if (this.referenceBySlot.size > 0) this.referenceBySlot.delete(slot);
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

  /** The columns that make an order, for the digest. */
  numbers(): readonly Float64Array[] {
    return [this.id, this.stake, this.unmatched, this.voided, this.createdAt, this.modifiedAt];
  }

  #grow(capacity: number): void {
    this.#growFloats(capacity);
    this.position = grownInts(this.position, capacity);
    this.rate = grownInts(this.rate, capacity);
    this.terms = grownInts(this.terms, capacity);
    this.status = grownBytes(this.status, capacity);
    this.reason = grownBytes(this.reason, capacity);
    this.keepWhenInPlay = grownBytes(this.keepWhenInPlay, capacity);
    this.cancelUnmatched = grownBytes(this.cancelUnmatched, capacity);
    this.firstTrade = grownInts(this.firstTrade, capacity);
    this.lastTrade = grownInts(this.lastTrade, capacity);
    this.marketNext = grownInts(this.marketNext, capacity);
    this.positionNext = grownInts(this.positionNext, capacity);
    this.liveNext = grownInts(this.liveNext, capacity);
    this.livePrevious = grownInts(this.livePrevious, capacity);
  }

  #growFloats(capacity: number): void {
    this.id = grownFloats(this.id, capacity);
    this.stake = grownFloats(this.stake, capacity);
    this.unmatched = grownFloats(this.unmatched, capacity);
    this.voided = grownFloats(this.voided, capacity);
    this.createdAt = grownFloats(this.createdAt, capacity);
    this.modifiedAt = grownFloats(this.modifiedAt, capacity);
    if (this.due.length > 0) this.due = grownFloats(this.due, capacity);
  }
}
