/** Reads a segment's packed columns back into updates; `segment.ts` says how they are laid out. */

import { AGAINST, FOR } from '../core/side.ts';
import type { Instant } from '../core/units.ts';
import { COLUMNS, LEVEL_UNIT, OUTCOME_ESCAPE, PREDICTORS, TRADE_PREDICTOR, TRADE_UNIT } from './segment.ts';
import { DEFINITION, LAST_PRICE, LEVEL, type RecordSink, STARTING_PRICE, TRADE } from './update.ts';
import type { UpdateBuffer } from './update-buffer.ts';

/** Kind and side of each head code. */
const KIND_OF_CODE = Uint8Array.of(
  DEFINITION,
  TRADE,
  LEVEL,
  LEVEL,
  LAST_PRICE,
  STARTING_PRICE,
  STARTING_PRICE,
  STARTING_PRICE,
);
const SIDE_OF_CODE = Uint8Array.of(0, 0, 0, 1, 0, 0, 1, 2);
/** Whether events of the code have a tick, and what divides their amounts (0: no amount, 1: as it is). */
const TICKED = Uint8Array.of(0, 1, 1, 1, 1, 0, 0, 0);
/** Which of an outcome's predictors its ticks follow. */
const SLOT_OF_CODE = Uint8Array.of(0, TRADE_PREDICTOR, 0, 1, TRADE_PREDICTOR, 0, 0, 0);
const UNIT_OF_CODE = Float64Array.of(1, TRADE_UNIT, LEVEL_UNIT, LEVEL_UNIT, 0, 1, 1, 1);

/** Reads a segment update by update, straight from its bytes into a buffer; reused for the next segment. */
export class SegmentReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #kept = new Uint8Array(0);
  #predictors = new Int16Array(PREDICTORS * 32);
  #left = 0;
  #sequence = 0;
  #publishedAt = 0;
  #time = 0;
  #receipt = 0;
  /** Where each column ends. */
  #ends: readonly number[] = [];
  #count = 0;
  #head = 0;
  #tick = 0;
  #amount = 0;
  #end = 0;
  #hasReceipts = false;

  open(segment: { firstAt: number; firstSequence: number; updates: number; bytes: Uint8Array }): void {
    this.#bytes = this.#copied(segment.bytes);
    this.#predictors.fill(0);
    this.#left = segment.updates;
    this.#sequence = segment.firstSequence;
    this.#publishedAt = segment.firstAt;
    this.#end = 0;
    const lengths = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < COLUMNS; i += 1) lengths[i] = this.#lengthAtEnd();
    const starts = [this.#end];
    for (const length of lengths) starts.push((starts.at(-1) as number) + length);
    this.#ends = starts.slice(1);
    this.#time = starts[0] as number;
    this.#receipt = starts[1] as number;
    this.#count = starts[2] as number;
    this.#head = starts[3] as number;
    this.#tick = starts[4] as number;
    this.#amount = starts[5] as number;
    this.#hasReceipts = (lengths[1] as number) > 0;
    if (this.#left > 0) this.#readTime();
  }

  /** What a segment was read into dies at once; kept until its last update, it would outlive many collections. */
  #copied(bytes: Uint8Array): Uint8Array {
    if (this.#kept.length < bytes.length) this.#kept = new Uint8Array(2 * bytes.length);
    this.#kept.set(bytes);
    return this.#kept.subarray(0, bytes.length);
  }

  /** Whether every column was read to its end, and not beyond it. */
  get isSpent(): boolean {
    const ends = this.#ends;
    const at = [this.#time, this.#receipt, this.#count, this.#head, this.#tick, this.#amount];
    return this.#left === 0 && at.every((position, column) => position === ends[column]);
  }

  /** How many updates are not read yet. */
  get left(): number {
    return this.#left;
  }

  /** Publish time of the next update; of the last one at the end. */
  get nextAt(): number {
    return this.#publishedAt;
  }

  /** Fills the buffer with the next update; false at the end. */
  next(into: UpdateBuffer): boolean {
    if (!this.head(into)) return false;
    this.events(into);
    return true;
  }

  /**
   * Fills in all but the events, of which there are `into.count`; false at the end. Before the next head they must be read:
   * by `events` or by `record`.
   */
  head(into: UpdateBuffer): boolean {
    if (this.#left === 0) return false;
    const publishedAt = this.#publishedAt as Instant;
    into.publishedAt = publishedAt;
    into.receivedAt = (this.#hasReceipts ? publishedAt + this.#nextReceipt() : publishedAt) as Instant;
    into.sequence = this.#sequence;
    this.#sequence += 1;
    this.#left -= 1;
    const count = this.#nextCount();
    into.count = count;
    if (this.#left > 0) this.#readTime();
    return true;
  }

  /** Whether the update whose head was read begins with a definition. */
  isDefinition(count: number): boolean {
    return count > 0 && KIND_OF_CODE[(this.#bytes[this.#head] ?? 0) & 7] === DEFINITION;
  }

  #readTime(): void {
    const bytes = this.#bytes;
    let at = this.#time;
    let byte = bytes[at++] as number;
    let delta = byte & 127;
    for (let scale = SCALE; byte > 127; scale *= SCALE) {
      byte = bytes[at++] as number;
      delta += (byte & 127) * scale;
    }
    this.#time = at;
    this.#publishedAt += delta;
  }

  /** The hot loop: all positions are locals, bytes up to four long are read without floating-point steps. */
  events(into: UpdateBuffer): void {
    const { count } = into;
    if (count > into.kind.length) into.reserve(count);
    const bytes = this.#bytes;
    const { kind, outcome, side, tick, amount } = into;
    let predictors = this.#predictors;
    let head = this.#head;
    let ticks = this.#tick;
    let amounts = this.#amount;
    for (let i = 0; i < count; i += 1) {
      const first = bytes[head++] as number;
      const code = first & 7;
      let of = first >> 3;
      if (of === OUTCOME_ESCAPE) {
        of = this.#farOutcome(head);
        head = this.#head;
      }
      kind[i] = KIND_OF_CODE[code] as number;
      side[i] = SIDE_OF_CODE[code] as number;
      outcome[i] = of;
      if (TICKED[code] === 1) {
        let byte = bytes[ticks++] as number;
        let coded = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[ticks++] as number;
          coded |= (byte & 127) << shift;
        }
        const at = of * PREDICTORS + (SLOT_OF_CODE[code] as number);
        if (at >= predictors.length) predictors = this.#widenPredictors(at);
        const value = (predictors[at] as number) + ((coded >>> 1) ^ -(coded & 1));
        predictors[at] = value;
        tick[i] = value;
      } else tick[i] = 0;
      const unit = UNIT_OF_CODE[code] as number;
      if (unit === 0) {
        amount[i] = 0;
        continue;
      }
      let byte = bytes[amounts++] as number;
      let coded = byte & 127;
      for (let shift = 7; byte > 127 && shift < INTEGER_BITS; shift += 7) {
        byte = bytes[amounts++] as number;
        coded |= (byte & 127) << shift;
      }
      if (byte > 127) {
        const value = this.#large(coded, amounts);
        amounts = this.#amount;
        if (unit === 1) amount[i] = value;
        else amount[i] = value % 2 === 0 ? (value / 2) * unit : (value - 1) / 2;
      } else if (unit === 1) amount[i] = coded;
      else amount[i] = (coded & 1) === 0 ? (coded >> 1) * unit : coded >> 1;
    }
    this.#head = head;
    this.#tick = ticks;
    this.#amount = amounts;
  }

  /** The same straight into a book, without columns. */
  record(count: number, sink: RecordSink): void {
    const bytes = this.#bytes;
    let predictors = this.#predictors;
    let head = this.#head;
    let ticks = this.#tick;
    let amounts = this.#amount;
    for (let i = 0; i < count; i += 1) {
      const first = bytes[head++] as number;
      const code = first & 7;
      let of = first >> 3;
      if (of === OUTCOME_ESCAPE) {
        of = this.#farOutcome(head);
        head = this.#head;
      }
      let tick = 0;
      if (TICKED[code] === 1) {
        let byte = bytes[ticks++] as number;
        let coded = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[ticks++] as number;
          coded |= (byte & 127) << shift;
        }
        const at = of * PREDICTORS + (SLOT_OF_CODE[code] as number);
        if (at >= predictors.length) predictors = this.#widenPredictors(at);
        tick = (predictors[at] as number) + ((coded >>> 1) ^ -(coded & 1));
        predictors[at] = tick;
      }
      // Codes as literals: the engine does not fold a module's constants, and this is the hottest code of a replay.
      if (code === 4) {
        sink.setLastTick(of, tick);
        continue;
      }
      let byte = bytes[amounts++] as number;
      let coded = byte & 127;
      for (let shift = 7; byte > 127 && shift < INTEGER_BITS; shift += 7) {
        byte = bytes[amounts++] as number;
        coded |= (byte & 127) << shift;
      }
      const unit = code === 1 ? TRADE_UNIT : LEVEL_UNIT;
      let amount = (coded & 1) === 0 ? (coded >> 1) * unit : coded >> 1;
      if (byte > 127) {
        const large = this.#large(coded, amounts);
        amounts = this.#amount;
        amount = large % 2 === 0 ? (large / 2) * unit : (large - 1) / 2;
      }
      if (code === 1) sink.addTraded(of, tick, amount);
      else if (code === 2) sink.setLevel(of, FOR, tick, amount);
      else if (code === 3) sink.setLevel(of, AGAINST, tick, amount);
    }
    this.#head = head;
    this.#tick = ticks;
    this.#amount = amounts;
  }

  /** An outcome beyond what a head holds; leaves `#head` behind it. */
  #farOutcome(at: number): number {
    let of = OUTCOME_ESCAPE;
    let shift = 0;
    let byte: number;
    this.#head = at;
    do {
      byte = this.#bytes[this.#head++] as number;
      of += (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return of;
  }

  /** The rest of an amount beyond what integers hold; leaves `#amount` behind it. */
  #large(low: number, at: number): number {
    let value = low;
    let byte: number;
    let scale = 2 ** INTEGER_BITS;
    this.#amount = at;
    do {
      byte = this.#bytes[this.#amount++] as number;
      value += (byte & 127) * scale;
      scale *= SCALE;
    } while (byte > 127);
    return value;
  }

  #widenPredictors(at: number): Int16Array<ArrayBuffer> {
    const wider = new Int16Array(at * 2);
    wider.set(this.#predictors);
    this.#predictors = wider;
    return wider;
  }

  #lengthAtEnd(): number {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = this.#bytes[this.#end++] ?? 0;
      value += (byte & 127) * scale;
      scale *= SCALE;
    } while (byte > 127);
    return value;
  }

  #nextCount(): number {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = this.#bytes[this.#count++] as number;
      value += (byte & 127) * scale;
      scale *= SCALE;
    } while (byte > 127);
    return value;
  }

  #nextReceipt(): number {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = this.#bytes[this.#receipt++] as number;
      value += (byte & 127) * scale;
      scale *= SCALE;
    } while (byte > 127);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

const SCALE = 128;
/** So many bits of a number are read by shifts. */
const INTEGER_BITS = 28;
