/** Reads a segment's packed columns back into updates; `segment.ts` describes the layout. */

import type { Instant } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import { KIND_OF_CODE, SIDE_OF_CODE, SLOT_OF_CODE, TICKED, UNIT_OF_CODE } from './code-tables.ts';
import {
  CODE_LAST_PRICE,
  CODE_LEVEL,
  CODE_STARTING_PRICE,
  CODE_TRADE,
  CODE_WITHOUT_SIDE,
  CODES_WITH_TICK,
  COLUMNS,
  CONTINUATION_BITS,
  HALF_LEVEL,
  HALF_TRADE,
  LEVEL_UNIT,
  OUTCOME_ESCAPE,
  PREDICTOR_OF_CODE,
  PREDICTORS,
  TRADE_UNIT,
} from './segment-codes.ts';
import type { RecordSink } from './update.ts';
import type { UpdateBuffer } from './update-buffer.ts';

/** Reads a segment update by update, straight from its bytes into a buffer. The reader is reused for the next segment. */
export class SegmentReader {
  /** A copy of the segment, with room behind it so that four bytes can be read at once. */
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #predictors = new Int16Array(PREDICTORS * 32);
  /**
   * For each update, its publish time, receipt (where any differs), and how many events come before it; read when the segment is opened.
   */
  #times = new Float64Array(0);
  #receipts = new Float64Array(0);
  #events = new Float64Array(1);
  #updates = 0;
  /** How many updates were stepped to. */
  #done = 0;
  #firstSequence = 0;
  /** The places where the columns end. */
  #ends: readonly number[] = [];
  #time = 0;
  #receipt = 0;
  #count = 0;
  #head = 0;
  #tick = 0;
  #amount = 0;
  #end = 0;
  #hasReceipts = false;
  #isWhole = false;

  /** Opens a segment; afterwards `isWhole` says whether it can be read. */
  open(segment: { firstAt: number; firstSequence: number; updates: number; bytes: Uint8Array }): void {
    this.#copy(segment.bytes);
    this.#predictors.fill(0);
    this.#firstSequence = segment.firstSequence;
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
    this.#done = 0;
    // An update takes more than a byte: a damaged index must not make us allocate all memory.
    this.#updates = Math.min(segment.updates, segment.bytes.length);
    const events = this.#readHeads(segment.firstAt);
    const isFilled = starts[COLUMNS] === segment.bytes.length && this.#updates === segment.updates;
    this.#isWhole = isFilled && events <= (lengths[3] as number);
  }

  /** Whether the columns fill the segment and there are heads for all events, so that nothing is read beyond it. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /**
   * Copies the segment, so that the array it was loaded into can be collected at once; kept until the last update, it
   * would survive many collections.
   */
  #copy(bytes: Uint8Array): void {
    const { length } = bytes;
    if (this.#bytes.length < length + WORD) {
      this.#bytes = new Uint8Array(2 * length + WORD);
      this.#view = new DataView(this.#bytes.buffer);
    }
    this.#bytes.set(bytes);
    this.#bytes.fill(0, length, length + WORD);
  }

  /** Reads the columns of times and counts of updates; returns how many events there are. */
  #readHeads(firstAt: number): number {
    const updates = this.#updates;
    if (this.#times.length < updates) {
      this.#times = new Float64Array(updates);
      this.#events = new Float64Array(updates + 1);
    }
    this.#time = this.#readSums(this.#time, this.#times, 0, firstAt);
    this.#count = this.#readSums(this.#count, this.#events, 1, 0);
    if (this.#hasReceipts) this.#readReceipts();
    return this.#events[updates] as number;
  }

  /**
   * Writes for each update the sum of its number and all before it into `into` from `place` on, beginning with `first`;
   * returns where the column ends. One function for both columns: called for the second alone, V8 would not see a
   * number of several bytes before it compiles this, and would have to compile it again.
   */
  #readSums(start: number, into: Float64Array, place: number, first: number): number {
    const updates = this.#updates;
    const bytes = this.#bytes;
    let sum = first;
    let at = start;
    for (let i = 0; i < updates; i += 1) {
      let byte = bytes[at++] ?? 0;
      sum += byte & 127;
      for (let scale = SCALE; byte > 127; scale *= SCALE) {
        byte = bytes[at++] ?? 0;
        sum += (byte & 127) * scale;
      }
      into[place + i] = sum;
    }
    return at;
  }

  #readReceipts(): void {
    const updates = this.#updates;
    if (this.#receipts.length < updates) this.#receipts = new Float64Array(updates);
    for (let i = 0; i < updates; i += 1) this.#receipts[i] = (this.#times[i] as number) + this.#nextReceipt();
  }

  /** Whether every column was read to its end, and not beyond it. */
  get isSpent(): boolean {
    const ends = this.#ends;
    const at = [this.#time, this.#receipt, this.#count, this.#head, this.#tick, this.#amount];
    return this.left === 0 && at.every((position, column) => position === ends[column]);
  }

  /** How many updates are not read yet. */
  get left(): number {
    return this.#updates - this.#done;
  }

  /** Publish time of the next update; there must be one. */
  get nextAt(): number {
    return this.#times[this.#done] as number;
  }

  /** The sequence number, in its market, of the update stepped to. */
  get sequence(): number {
    return this.#firstSequence + this.#done - 1;
  }

  #eventsOf(update: number): number {
    return (this.#events[update + 1] as number) - (this.#events[update] as number);
  }

  /** Fills the buffer with the next update; returns false at the end. */
  next(into: UpdateBuffer): boolean {
    if (this.#done === this.#updates) return false;
    this.step();
    this.events(into);
    return true;
  }

  /** Goes to the next update. Before the next step, its events must be read by `events` or `record`. */
  step(): void {
    this.#done += 1;
  }

  /** Whether the next update begins with a definition; there must be a next one. */
  get isNextDefinition(): boolean {
    return this.#eventsOf(this.#done) > 0 && ((this.#bytes[this.#head] as number) & 7) === 0;
  }

  /**
   * Fills the buffer with the update stepped to. All positions are local variables, numbers up to four bytes long are
   * read without floating-point arithmetic, and amounts are read as in `record`.
   */
  events(into: UpdateBuffer): void {
    const count = this.#fillHead(into);
    if (count > into.kind.length) into.reserve(count);
    const bytes = this.#bytes;
    const view = this.#view;
    const { kind, outcome, side, tick, amount } = into;
    let predictors = this.#predictors;
    let head = this.#head;
    let ticks = this.#tick;
    let amounts = this.#amount;
    for (let i = 0; i < count; i += 1) {
      const first = bytes[head++] as number;
      const code = first & 7;
      let outcomeIndex = first >> 3;
      if (outcomeIndex === OUTCOME_ESCAPE) {
        outcomeIndex = this.#farOutcome(head);
        head = this.#head;
      }
      kind[i] = KIND_OF_CODE[code] as number;
      side[i] = SIDE_OF_CODE[code] as number;
      outcome[i] = outcomeIndex;
      if (TICKED[code] === 1) {
        let byte = bytes[ticks++] as number;
        let coded = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[ticks++] as number;
          coded |= (byte & 127) << shift;
        }
        const at = outcomeIndex * PREDICTORS + (SLOT_OF_CODE[code] as number);
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
      const word = view.getInt32(amounts, true);
      const tops = ~word & CONTINUATION_BITS;
      const top = tops & ((~tops + 1) | 0);
      const bits = word & ((top - 1) | 0);
      const coded = (bits & 0x7f) | ((bits >> 1) & 0x3f80) | ((bits >> 2) & 0x1fc000) | ((bits >> 3) & 0xfe00000);
      if (top !== 0) amounts += ((31 - Math.clz32(top)) >> 3) + 1;
      else {
        const value = this.#large(coded, amounts + 4);
        amounts = this.#amount;
        if (unit === 1) amount[i] = value;
        else amount[i] = value % 2 === 0 ? (value / 2) * unit : (value - 1) / 2;
        continue;
      }
      if (unit === 1) amount[i] = coded;
      else amount[i] = (coded & 1) === 0 ? (coded >> 1) * unit : coded >> 1;
    }
    this.#head = head;
    this.#tick = ticks;
    this.#amount = amounts;
  }

  /** Fills in everything of the update stepped to except its events; returns how many events it has. */
  #fillHead(into: UpdateBuffer): number {
    const at = this.#done - 1;
    const publishedAt = this.#times[at] as Instant;
    const count = this.#eventsOf(at);
    into.publishedAt = publishedAt;
    into.receivedAt = this.#hasReceipts ? (this.#receipts[at] as Instant) : publishedAt;
    into.sequence = this.#firstSequence + at;
    into.count = count;
    return count;
  }

  /**
   * Reads the events of the update stepped to straight into a book, without columns. This is the hottest code of a
   * replay. The length of an amount is computed from four bytes at once, since a processor cannot predict it: the lowest
   * top bit that is not set marks the number's last byte. Half a unit is added to an amount and taken off again: V8,
   * having seen only small amounts so far, would take them for 31-bit integers, compile for those, and throw the code
   * away at the first large one.
   */
  record(sink: RecordSink): void {
    const count = this.#eventsOf(this.#done - 1);
    const bytes = this.#bytes;
    const view = this.#view;
    let predictors = this.#predictors;
    let head = this.#head;
    let ticks = this.#tick;
    let amounts = this.#amount;
    for (let i = 0; i < count; i += 1) {
      const first = bytes[head++] as number;
      const code = first & 7;
      let outcome = first >> 3;
      if (outcome === OUTCOME_ESCAPE) {
        outcome = this.#farOutcome(head);
        head = this.#head;
      }
      let tick = 0;
      if (((CODES_WITH_TICK >> code) & 1) === 1) {
        let byte = bytes[ticks++] as number;
        let coded = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = bytes[ticks++] as number;
          coded |= (byte & 127) << shift;
        }
        const at = outcome * PREDICTORS + ((PREDICTOR_OF_CODE >> (code << 1)) & 3);
        if (at >= predictors.length) predictors = this.#widenPredictors(at);
        tick = (predictors[at] as number) + ((coded >>> 1) ^ -(coded & 1));
        predictors[at] = tick;
        if (code === CODE_LAST_PRICE) {
          sink.setLastTick(outcome, tick);
          continue;
        }
      }
      const word = view.getInt32(amounts, true);
      const tops = ~word & CONTINUATION_BITS;
      const top = tops & ((~tops + 1) | 0);
      const bits = word & ((top - 1) | 0);
      const coded = (bits & 0x7f) | ((bits >> 1) & 0x3f80) | ((bits >> 2) & 0x1fc000) | ((bits >> 3) & 0xfe00000);
      let isExact = (coded & 1) === 1;
      let amount = coded >> 1;
      if (top === 0) {
        const large = this.#large(coded, amounts + 4);
        amounts = this.#amount;
        isExact = large % 2 === 1;
        amount = isExact ? (large - 1) / 2 : large / 2;
      } else amounts += ((31 - Math.clz32(top)) >> 3) + 1;
      if ((code & CODE_WITHOUT_SIDE) === CODE_LEVEL) {
        const side = (code & 1) as SideIndex;
        sink.setLevel(outcome, side, tick, isExact ? amount : (amount + 0.5) * LEVEL_UNIT - HALF_LEVEL);
      } else if (code === CODE_TRADE)
        sink.addTraded(outcome, tick, isExact ? amount : (amount + 0.5) * TRADE_UNIT - HALF_TRADE);
      else if (code >= CODE_STARTING_PRICE)
        // Its amount is no number of units: the number as it was coded is put together again.
        sink.setStartingPrice(outcome, code - CODE_STARTING_PRICE, 2 * amount + (isExact ? 1 : 0));
    }
    this.#head = head;
    this.#tick = ticks;
    this.#amount = amounts;
  }

  /** Reads an outcome too large for a head; leaves `#head` behind it. */
  #farOutcome(at: number): number {
    let outcomeIndex = OUTCOME_ESCAPE;
    let shift = 0;
    let byte: number;
    this.#head = at;
    do {
      byte = this.#bytes[this.#head++] as number;
      outcomeIndex += (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return outcomeIndex;
  }

  /** Reads the rest of an amount that is too large for integer arithmetic; leaves `#amount` behind it. */
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

  #nextReceipt(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#receipt++] ?? 0;
    let value = byte & 127;
    for (let scale = SCALE; byte > 127; scale *= SCALE) {
      byte = bytes[this.#receipt++] ?? 0;
      value += (byte & 127) * scale;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

const SCALE = 128;
/** How many bits of a number are read by shifts. */
const INTEGER_BITS = 28;
/** How many bytes of a number are read at once. */
const WORD = 4;
