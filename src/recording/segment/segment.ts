/**
 * Packs a run of one market's updates for a tape, as delta-coded columns of variable-length integers.
 * `segment-reader.ts` reads them.
 */

import { assert } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import {
  CODE_DEFINITION,
  CODE_LAST_PRICE,
  CODE_LEVEL,
  CODE_STARTING_PRICE,
  CODE_TRADE,
  LEVEL_UNIT,
  OUTCOME_ESCAPE,
  PREDICTORS,
  TRADE_PREDICTOR,
  TRADE_UNIT,
} from './segment-codes.ts';
import { DEFINITION, LAST_PRICE, LEVEL, STARTING_PRICE, TRADE, type UpdateColumns } from './update.ts';

/** A segment's place in its market and what it holds; kept beside the bytes, in the index. */
export interface SegmentHeader {
  readonly firstSequence: number;
  readonly updates: number;
  readonly events: number;
  /** The number of events of the largest update. */
  readonly largest: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

export interface Segment extends SegmentHeader {
  readonly bytes: Uint8Array;
}

/**
 * Layout of a segment: six lengths as unsigned integers, then six columns.
 *   times     unsigned: publish time minus that of the update before (0 for the first)
 *   receipts  signed: receipt minus publish time; the column is empty where all are 0
 *   counts    unsigned: events of the update
 *   heads     a byte per event: code (3 bits) and outcome (5 bits); outcome 31 says that an unsigned rest follows
 *   ticks     signed: difference from the last tick of the same outcome and (resting side | trade or last price)
 *   amounts   unsigned: 2 × amount ÷ unit where the unit divides it, else 2 × amount + 1; definition indexes and
 *             starting prices as they are
 */
export class SegmentWriter {
  readonly #times = new ByteColumn();
  readonly #receipts = new ByteColumn();
  readonly #counts = new ByteColumn();
  readonly #heads = new ByteColumn();
  readonly #ticks = new ByteColumn();
  readonly #amounts = new ByteColumn();
  readonly #columns = [this.#times, this.#receipts, this.#counts, this.#heads, this.#ticks, this.#amounts] as const;
  #predictors = new Int16Array(PREDICTORS * 32);
  #anyReceipt = false;
  #firstSequence = 0;
  #updates = 0;
  #events = 0;
  #largest = 0;
  #firstAt = 0 as Instant;
  #lastAt = 0 as Instant;

  get updates(): number {
    return this.#updates;
  }

  get events(): number {
    return this.#events;
  }

  append(update: UpdateColumns, sequence: number): void {
    if (this.#updates === 0) {
      this.#firstSequence = sequence;
      this.#firstAt = update.publishedAt;
      this.#lastAt = update.publishedAt;
    }
    assert(update.publishedAt >= this.#lastAt, 'updates of a market are appended in the order of their publish times');
    this.#times.unsigned(update.publishedAt - this.#lastAt);
    this.#receipts.signed(update.receivedAt - update.publishedAt);
    this.#counts.unsigned(update.count);
    if (update.receivedAt !== update.publishedAt) this.#anyReceipt = true;
    for (let i = 0; i < update.count; i += 1) this.#event(update, i);
    this.#lastAt = update.publishedAt;
    this.#updates += 1;
    this.#events += update.count;
    this.#largest = Math.max(this.#largest, update.count);
  }

  /** Packs what was appended and starts the next segment. */
  pack(): Segment {
    if (!this.#anyReceipt) this.#receipts.clear();
    const lengths = new ByteColumn();
    let size = 0;
    for (const column of this.#columns) {
      lengths.unsigned(column.length);
      size += column.length;
    }
    const bytes = new Uint8Array(lengths.length + size);
    let offset = lengths.copyTo(bytes, 0);
    for (const column of this.#columns) offset = column.copyTo(bytes, offset);
    const segment: Segment = {
      firstSequence: this.#firstSequence,
      updates: this.#updates,
      events: this.#events,
      largest: this.#largest,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
      bytes,
    };
    this.#reset();
    return segment;
  }

  #event(update: UpdateColumns, i: number): void {
    const kind = update.kind[i] as number;
    const outcome = update.outcome[i] as number;
    const side = update.side[i] as number;
    const amount = update.amount[i] as number;
    assert(Number.isSafeInteger(amount) && amount >= 0, 'amounts on a tape are whole and not negative');
    const code = codeOf(kind, side);
    if (outcome < OUTCOME_ESCAPE) this.#heads.byte(code | (outcome << 3));
    else {
      this.#heads.byte(code | (OUTCOME_ESCAPE << 3));
      this.#heads.unsigned(outcome - OUTCOME_ESCAPE);
    }
    if (kind === TRADE || kind === LEVEL || kind === LAST_PRICE) {
      const at = this.#predictor(outcome, kind === LEVEL ? side : TRADE_PREDICTOR);
      const tick = update.tick[i] as number;
      assert(tick >= 0, 'ticks on a tape are not negative');
      this.#ticks.signed(tick - (this.#predictors[at] as number));
      this.#predictors[at] = tick;
    }
    if (kind === LEVEL || kind === TRADE) {
      const unit = kind === LEVEL ? LEVEL_UNIT : TRADE_UNIT;
      this.#amounts.unsigned(amount % unit === 0 ? (amount / unit) * 2 : amount * 2 + 1);
    } else if (kind !== LAST_PRICE) this.#amounts.unsigned(amount);
  }

  #predictor(outcome: number, slot: number): number {
    const at = outcome * PREDICTORS + slot;
    if (at >= this.#predictors.length) {
      const wider = new Int16Array(at * 2);
      wider.set(this.#predictors);
      this.#predictors = wider;
    }
    return at;
  }

  #reset(): void {
    for (const column of this.#columns) column.clear();
    this.#predictors.fill(0);
    this.#anyReceipt = false;
    this.#updates = 0;
    this.#events = 0;
    this.#largest = 0;
  }
}

function codeOf(kind: number, side: number): number {
  if (kind === LEVEL) {
    assert(side === 0 || side === 1, 'a level rests on one of two sides');
    return CODE_LEVEL + side;
  }
  if (kind === STARTING_PRICE) {
    assert(side >= 0 && side <= 2, 'a starting price is near, far or reconciled');
    return CODE_STARTING_PRICE + side;
  }
  if (kind === TRADE) return CODE_TRADE;
  if (kind === LAST_PRICE) return CODE_LAST_PRICE;
  assert(kind === DEFINITION, 'an event has one of five kinds');
  return CODE_DEFINITION;
}

const SEVEN_BITS = 128;

/** A growing column of integers up to 2⁵³, from which segments are packed: seven bits at a time, lowest first; signed ones zig-zagged. */
class ByteColumn {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  unsigned(value: number): void {
    if (value < SEVEN_BITS) {
      this.byte(value);
      return;
    }
    let rest = value;
    while (rest >= SEVEN_BITS) {
      this.byte((rest % SEVEN_BITS) + SEVEN_BITS);
      rest = Math.floor(rest / SEVEN_BITS);
    }
    this.byte(rest);
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Copies the column to `target` at `offset` and returns the offset behind it. */
  copyTo(target: Uint8Array, offset: number): number {
    target.set(this.#bytes.subarray(0, this.#length), offset);
    return offset + this.#length;
  }

  #grow(): void {
    const wider = new Uint8Array(this.#bytes.length * 2);
    wider.set(this.#bytes);
    this.#bytes = wider;
  }
}
