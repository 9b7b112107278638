/** The orders the machine remembers, each a row of numbers by slot, with their lists by market and by position. */

import type { Money } from '../../core/number/units.ts';
import { type SideIndex, sideIndex } from '../../core/side.ts';
import { GROWTH, SlotPool } from '../columns/columns.ts';
import { IdTable } from '../columns/id-table.ts';
import { UNMATCHED } from '../messages/codes.ts';
import type { PlaceRequest } from '../messages/command.ts';
import {
  CANCEL_UNMATCHED_BIT,
  CREATED_AT,
  DUE,
  FIRST_TRADE,
  FLAG_BITS,
  ID,
  KEEP_WHEN_IN_PLAY_BIT,
  LAST_TRADE,
  LIVE_NEXT,
  LIVE_PREVIOUS,
  MARKET_NEXT,
  MARKS,
  MODIFIED_AT,
  NONE,
  POSITION,
  POSITION_NEXT,
  RATE,
  REASON_SHIFT,
  ROW,
  ROW_WORDS,
  STAKE,
  STATUS_BITS,
  TERMS,
  UNMATCHED_STAKE,
  VOIDED_STAKE,
} from './order-columns.ts';

const FIRST_CAPACITY = 256;
/**
 * What an order asks for, packed into one number because its parts are needed together: the side in bit 0, the tick in
 * the next nine bits, then the outcome. Only a removal changes it, and only the tick.
 */
function termsOf(outcome: number, side: SideIndex, tick: number): number {
  return (outcome << 10) | (tick << 1) | side;
}

/** The outcome index in an order's terms. */
export function outcomeOf(terms: number): number {
  return terms >>> 10;
}

/** The tick in an order's terms. */
export function tickOf(terms: number): number {
  return (terms >> 1) & 511;
}

/** The side in an order's terms. */
export function sideOfTerms(terms: number): SideIndex {
  return (terms & 1) as SideIndex;
}

/** The orders by slot; order-columns.ts describes their rows. */
export class Orders {
  readonly slotById = new IdTable();
  readonly referenceBySlot = new Map<number, string>();
  /** Of the few orders that match nothing unless they match so much. */
  readonly minFillBySlot = new Map<number, Money>();
  /** Of the few orders with matched stake that is void: how much of their voided stake that is. */
  readonly voidedMatchedBySlot = new Map<number, Money>();
  rows = new Float64Array(FIRST_CAPACITY * ROW);
  /** The memory of `rows`, read as 32-bit words. */
  words = new Int32Array(this.rows.buffer);
  readonly #slots = new SlotPool();
  #nextId = 0;

  /** Creates an Unmatched order with a new id, no trades, and in no list yet. Returns its slot. */
  create(request: PlaceRequest, position: number, rate: number, now: number): number {
    const slot = this.#slots.acquire();
    if (slot * ROW >= this.rows.length) this.#grow();
    const id = this.#nextId;
    this.#nextId = id + 1;
    this.slotById.set(id, slot);
    const { rows, words } = this;
    const first = slot * ROW;
    rows[first + ID] = id;
    rows[first + STAKE] = request.stake;
    rows[first + UNMATCHED_STAKE] = request.stake;
    rows[first + VOIDED_STAKE] = 0;
    rows[first + MODIFIED_AT] = now;
    const marks =
      (request.matchBehavior === 'CancelUnmatched' ? CANCEL_UNMATCHED_BIT : 0) |
      (request.keepWhenInPlay ? KEEP_WHEN_IN_PLAY_BIT : 0);
    words[first * 2 + POSITION] = position;
    words[first * 2 + TERMS] = termsOf(request.outcome, sideIndex(request.side), request.tick);
    words[first * 2 + MARKS] = UNMATCHED | marks;
    words[first * 2 + LAST_TRADE] = NONE;
    words[first * 2 + MARKET_NEXT] = NONE;
    words[first * 2 + POSITION_NEXT] = NONE;
    words[first * 2 + RATE] = rate;
    words[first * 2 + FIRST_TRADE] = NONE;
    rows[first + CREATED_AT] = now;
    rows[first + DUE] = Number.NaN;
    return slot;
  }

  id(slot: number): number {
    return this.rows[slot * ROW + ID] ?? 0;
  }

  stake(slot: number): number {
    return this.rows[slot * ROW + STAKE] ?? 0;
  }

  unmatched(slot: number): number {
    return this.rows[slot * ROW + UNMATCHED_STAKE] ?? 0;
  }

  setUnmatched(slot: number, stake: number): void {
    this.rows[slot * ROW + UNMATCHED_STAKE] = stake;
  }

  voided(slot: number): number {
    return this.rows[slot * ROW + VOIDED_STAKE] ?? 0;
  }

  setVoided(slot: number, stake: number): void {
    this.rows[slot * ROW + VOIDED_STAKE] = stake;
  }

  modifiedAt(slot: number): number {
    return this.rows[slot * ROW + MODIFIED_AT] ?? 0;
  }

  setModifiedAt(slot: number, at: number): void {
    this.rows[slot * ROW + MODIFIED_AT] = at;
  }

  /** What was matched and is not void. */
  matched(slot: number): number {
    return this.stake(slot) - this.unmatched(slot) - this.voided(slot);
  }

  /** Makes a part of the matched stake void. */
  voidMatched(slot: number, stake: number): void {
    this.setVoided(slot, this.voided(slot) + stake);
    this.voidedMatchedBySlot.set(slot, ((this.voidedMatchedBySlot.get(slot) ?? 0) + stake) as Money);
  }

  position(slot: number): number {
    return this.words[slot * ROW_WORDS + POSITION] ?? NONE;
  }

  terms(slot: number): number {
    return this.words[slot * ROW_WORDS + TERMS] ?? 0;
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
    this.words[slot * ROW_WORDS + TERMS] = termsOf(outcomeOf(terms), sideOfTerms(terms), tick);
  }

  status(slot: number): number {
    return (this.words[slot * ROW_WORDS + MARKS] ?? 0) & STATUS_BITS;
  }

  setStatus(slot: number, status: number): void {
    const { words } = this;
    words[slot * ROW_WORDS + MARKS] = ((words[slot * ROW_WORDS + MARKS] ?? 0) & ~STATUS_BITS) | status;
  }

  cancelsUnmatched(slot: number): boolean {
    return ((this.words[slot * ROW_WORDS + MARKS] ?? 0) & CANCEL_UNMATCHED_BIT) !== 0;
  }

  /** From now on, what is left of the order after its matching is cancelled. */
  cancelUnmatched(slot: number): void {
    const { words } = this;
    words[slot * ROW_WORDS + MARKS] = (words[slot * ROW_WORDS + MARKS] ?? 0) | CANCEL_UNMATCHED_BIT;
  }

  keepsWhenInPlay(slot: number): boolean {
    return ((this.words[slot * ROW_WORDS + MARKS] ?? 0) & KEEP_WHEN_IN_PLAY_BIT) !== 0;
  }

  /** From now on, the order stays when its market turns in play, or does not. */
  keepWhenInPlay(slot: number, keeps: boolean): void {
    const { words } = this;
    const marks = (words[slot * ROW_WORDS + MARKS] ?? 0) & ~KEEP_WHEN_IN_PLAY_BIT;
    words[slot * ROW_WORDS + MARKS] = keeps ? marks | KEEP_WHEN_IN_PLAY_BIT : marks;
  }

  /** The code of the order's cancellation reason plus one; 0 where it has none. */
  reason(slot: number): number {
    return (this.words[slot * ROW_WORDS + MARKS] ?? 0) >> REASON_SHIFT;
  }

  /**
   * Sets the status, and the reason unless it is 0 (coded as `reason` returns it): with 0 the order keeps its reason.
   */
  change(slot: number, status: number, reason: number, at: number): void {
    const { words } = this;
    const marks = words[slot * ROW_WORDS + MARKS] ?? 0;
    words[slot * ROW_WORDS + MARKS] =
      reason === 0 ? (marks & ~STATUS_BITS) | status : (marks & FLAG_BITS) | status | (reason << REASON_SHIFT);
    this.rows[slot * ROW + MODIFIED_AT] = at;
  }

  firstTrade(slot: number): number {
    return this.words[slot * ROW_WORDS + FIRST_TRADE] ?? NONE;
  }

  lastTrade(slot: number): number {
    return this.words[slot * ROW_WORDS + LAST_TRADE] ?? NONE;
  }

  setFirstTrade(slot: number, trade: number): void {
    this.words[slot * ROW_WORDS + FIRST_TRADE] = trade;
  }

  setLastTrade(slot: number, trade: number): void {
    this.words[slot * ROW_WORDS + LAST_TRADE] = trade;
  }

  /** The next of the position's orders with unmatched stake; their order in this list is arbitrary. */
  liveNext(slot: number): number {
    return this.words[slot * ROW_WORDS + LIVE_NEXT] ?? NONE;
  }

  livePrevious(slot: number): number {
    return this.words[slot * ROW_WORDS + LIVE_PREVIOUS] ?? NONE;
  }

  setLiveNext(slot: number, next: number): void {
    this.words[slot * ROW_WORDS + LIVE_NEXT] = next;
  }

  setLivePrevious(slot: number, previous: number): void {
    this.words[slot * ROW_WORDS + LIVE_PREVIOUS] = previous;
  }

  /** The next younger order of the same market; NONE for the youngest. */
  marketNext(slot: number): number {
    return this.words[slot * ROW_WORDS + MARKET_NEXT] ?? NONE;
  }

  setMarketNext(slot: number, next: number): void {
    this.words[slot * ROW_WORDS + MARKET_NEXT] = next;
  }

  /** The next younger order of the same position; NONE for the youngest. */
  positionNext(slot: number): number {
    return this.words[slot * ROW_WORDS + POSITION_NEXT] ?? NONE;
  }

  setPositionNext(slot: number, next: number): void {
    this.words[slot * ROW_WORDS + POSITION_NEXT] = next;
  }

  /** The id of the order's commission rate; NONE where it has none. */
  rate(slot: number): number {
    return this.words[slot * ROW_WORDS + RATE] ?? NONE;
  }

  createdAt(slot: number): number {
    return this.rows[slot * ROW + CREATED_AT] ?? 0;
  }

  /** When the order's in-play delay ends, in ms; NaN for an order without one. */
  due(slot: number): number {
    return this.rows[slot * ROW + DUE] ?? Number.NaN;
  }

  delayUntil(slot: number, due: number): void {
    this.rows[slot * ROW + DUE] = due;
  }

  forget(slot: number): void {
    this.slotById.delete(this.id(slot));
    if (this.referenceBySlot.size > 0) this.referenceBySlot.delete(slot);
    if (this.minFillBySlot.size > 0) this.minFillBySlot.delete(slot);
    if (this.voidedMatchedBySlot.size > 0) this.voidedMatchedBySlot.delete(slot);
    this.#slots.release(slot);
  }

  get created(): number {
    return this.#nextId;
  }

  /** One more than the highest slot ever given out. */
  get slots(): number {
    return this.#slots.size;
  }

  #grow(): void {
    const rows = new Float64Array(this.rows.length * GROWTH);
    rows.set(this.rows);
    this.rows = rows;
    this.words = new Int32Array(rows.buffer);
  }
}
