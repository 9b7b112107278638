/** The orders the machine remembers, each a row of numbers by slot, with their lists by market and by position. */

import { type SideIndex, sideIndex } from '../../core/side.ts';
import { GROWTH, SlotPool } from '../columns/columns.ts';
import { IdTable } from '../columns/id-table.ts';
import { UNMATCHED } from '../messages/codes.ts';
import type { PlaceRequest } from '../messages/command.ts';

const FIRST_CAPACITY = 256;
/** Numbers (doubles) in a row, and 32-bit words in a row. */
const WIDTH = 12;
/**
 * Ends a list of slots; it is the only negative value in one. V8 reads a module's constants from memory each time they
 * are named, and multiplies by the value it read; so the functions that every order passes through spell out `< 0`, -1
 * and the column numbers, which the compiler can fold.
 */
export const NONE = -1;
/**
 * What an order asks for, packed into one number because its parts are needed together: the side in bit 0, the tick in
 * the next nine bits, then the outcome. Only a removal changes it, and only the tick.
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

/**
 * The fields that a match or a cancellation touches lie together, because orders are far more than the processor's
 * caches hold. A row is twelve doubles (the numbers in brackets), of which five are used as two 32-bit words each:
 *
 *     [0] id              [1] stake         [2] unmatched stake   [3] voided stake   [4] modifiedAt
 *     [5] position, terms  [6] marks, last trade  [7] next and previous live order of the position
 *     [8] next order of the market, of the position  [9] commission rate, first trade  [10] createdAt  [11] due
 *
 * The marks hold the status in the lowest four bits, cancelUnmatched (16), keepWhenInPlay (32), and the reason from 256
 * on.
 */
export class Orders {
  readonly slotById = new IdTable();
  readonly referenceBySlot = new Map<number, string>();
  rows = new Float64Array(FIRST_CAPACITY * WIDTH);
  /** The memory of `rows`, read as 32-bit words. */
  words = new Int32Array(this.rows.buffer);
  readonly #slots = new SlotPool();
  #nextId = 0;

  /** Creates an Unmatched order with a new id, no trades, and in no list yet. Returns its slot. */
  create(request: PlaceRequest, position: number, rate: number, now: number): number {
    const slot = this.#slots.acquire();
    if (slot * 12 >= this.rows.length) this.#grow();
    const id = this.#nextId;
    this.#nextId = id + 1;
    this.slotById.set(id, slot);
    const { rows, words } = this;
    const at = slot * 12;
    rows[at] = id;
    rows[at + 1] = request.stake;
    rows[at + 2] = request.stake;
    rows[at + 3] = 0;
    rows[at + 4] = now;
    const marks = (request.matchBehavior === 'CancelUnmatched' ? 16 : 0) | (request.keepWhenInPlay ? 32 : 0);
    words[at * 2 + 10] = position;
    words[at * 2 + 11] = termsOf(request.outcome, sideIndex(request.side), request.tick);
    words[at * 2 + 12] = UNMATCHED | marks;
    words[at * 2 + 13] = -1;
    words[at * 2 + 16] = -1;
    words[at * 2 + 17] = -1;
    words[at * 2 + 18] = rate;
    words[at * 2 + 19] = -1;
    rows[at + 10] = now;
    rows[at + 11] = Number.NaN;
    return slot;
  }

  id(slot: number): number {
    return this.rows[slot * 12] ?? 0;
  }

  stake(slot: number): number {
    return this.rows[slot * 12 + 1] ?? 0;
  }

  unmatched(slot: number): number {
    return this.rows[slot * 12 + 2] ?? 0;
  }

  setUnmatched(slot: number, stake: number): void {
    this.rows[slot * 12 + 2] = stake;
  }

  voided(slot: number): number {
    return this.rows[slot * 12 + 3] ?? 0;
  }

  setVoided(slot: number, stake: number): void {
    this.rows[slot * 12 + 3] = stake;
  }

  modifiedAt(slot: number): number {
    return this.rows[slot * 12 + 4] ?? 0;
  }

  setModifiedAt(slot: number, at: number): void {
    this.rows[slot * 12 + 4] = at;
  }

  position(slot: number): number {
    return this.words[slot * 24 + 10] ?? -1;
  }

  terms(slot: number): number {
    return this.words[slot * 24 + 11] ?? 0;
  }

  outcome(slot: number): number {
    return outcomeOf(this.terms(slot));
  }

  side(slot: number): SideIndex {
    return sideOfTerms(this.terms(slot));
  }

  tick(slot: number): number {
    return tickOf(this.terms(slot));
  }

  /** Changes the price at which the order rests. */
  moveTo(slot: number, tick: number): void {
    const terms = this.terms(slot);
    this.words[slot * 24 + 11] = termsOf(outcomeOf(terms), sideOfTerms(terms), tick);
  }

  status(slot: number): number {
    return (this.words[slot * 24 + 12] ?? 0) & 15;
  }

  setStatus(slot: number, status: number): void {
    const { words } = this;
    words[slot * 24 + 12] = ((words[slot * 24 + 12] ?? 0) & ~15) | status;
  }

  cancelsUnmatched(slot: number): boolean {
    return ((this.words[slot * 24 + 12] ?? 0) & 16) !== 0;
  }

  /** From now on, what is left of the order after its matching is cancelled. */
  cancelUnmatched(slot: number): void {
    const { words } = this;
    words[slot * 24 + 12] = (words[slot * 24 + 12] ?? 0) | 16;
  }

  keepsWhenInPlay(slot: number): boolean {
    return ((this.words[slot * 24 + 12] ?? 0) & 32) !== 0;
  }

  /** The code of the order's cancellation reason plus one; 0 where it has none. */
  reason(slot: number): number {
    return (this.words[slot * 24 + 12] ?? 0) >> 8;
  }

  /**
   * Sets the status, and the reason unless it is 0 (coded as `reason` returns it): with 0 the order keeps its reason.
   */
  change(slot: number, status: number, reason: number, at: number): void {
    const { words } = this;
    const marks = words[slot * 24 + 12] ?? 0;
    words[slot * 24 + 12] = reason === 0 ? (marks & ~15) | status : (marks & 0xf0) | status | (reason << 8);
    this.rows[slot * 12 + 4] = at;
  }

  firstTrade(slot: number): number {
    return this.words[slot * 24 + 19] ?? -1;
  }

  lastTrade(slot: number): number {
    return this.words[slot * 24 + 13] ?? -1;
  }

  setFirstTrade(slot: number, trade: number): void {
    this.words[slot * 24 + 19] = trade;
  }

  setLastTrade(slot: number, trade: number): void {
    this.words[slot * 24 + 13] = trade;
  }

  /** The next of the position's orders with unmatched stake; their order in this list is arbitrary. */
  liveNext(slot: number): number {
    return this.words[slot * 24 + 14] ?? -1;
  }

  livePrevious(slot: number): number {
    return this.words[slot * 24 + 15] ?? -1;
  }

  setLiveNext(slot: number, next: number): void {
    this.words[slot * 24 + 14] = next;
  }

  setLivePrevious(slot: number, previous: number): void {
    this.words[slot * 24 + 15] = previous;
  }

  /** The next younger order of the same market; NONE for the youngest. */
  marketNext(slot: number): number {
    return this.words[slot * 24 + 16] ?? -1;
  }

  setMarketNext(slot: number, next: number): void {
    this.words[slot * 24 + 16] = next;
  }

  /** The next younger order of the same position; NONE for the youngest. */
  positionNext(slot: number): number {
    return this.words[slot * 24 + 17] ?? -1;
  }

  setPositionNext(slot: number, next: number): void {
    this.words[slot * 24 + 17] = next;
  }

  /** The id of the order's commission rate; NONE where it has none. */
  rate(slot: number): number {
    return this.words[slot * 24 + 18] ?? -1;
  }

  createdAt(slot: number): number {
    return this.rows[slot * 12 + 10] ?? 0;
  }

  /** When the order's in-play delay ends, in ms; NaN for an order without one. */
  due(slot: number): number {
    return this.rows[slot * 12 + 11] ?? Number.NaN;
  }

  delayUntil(slot: number, due: number): void {
    this.rows[slot * 12 + 11] = due;
  }

  forget(slot: number): void {
    this.slotById.delete(this.id(slot));
    if (this.referenceBySlot.size > 0) this.referenceBySlot.delete(slot);
    this.#slots.release(slot);
  }

  get created(): number {
    return this.#nextId;
  }

  /** One more than the highest slot ever given out. */
  get slots(): number {
    return this.#slots.size;
  }

  get remembered(): number {
    return this.#slots.inUse;
  }

  #grow(): void {
    const rows = new Float64Array(this.rows.length * GROWTH);
    rows.set(this.rows);
    this.rows = rows;
    this.words = new Int32Array(rows.buffer);
  }
}
