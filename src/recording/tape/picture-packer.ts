/** Follows a market while it is written, and packs pictures of it, with which a reader may begin in the middle of its recording. */

import type { Instant } from '../../core/number/units.ts';
import { type Segment, SegmentWriter } from '../segment/segment.ts';
import { DEFINITION, type RecordSink, recordColumns, type UpdateColumns } from '../segment/update.ts';
import { UpdateBuffer } from '../segment/update-buffer.ts';

/**
 * At most one of this many bytes of segments is of pictures, and at least so many bytes stand before a picture: less is read whole in a
 * millisecond.
 */
const SEGMENTS_BY_PICTURES = 30;
const BEFORE_PICTURES_MIN = 64 * 1024;
/** About how many bytes an event of a picture takes. */
const EVENT_BYTES = 4;

/** An update that changed the definition, or the market's first one. */
interface Change {
  readonly at: Instant;
  /** Indexes of the definitions, in their order; none where the first update has no definition. */
  readonly definitions: readonly number[];
}

/**
 * A picture stands for all updates before it, packed as a segment: the market's first update and those that changed its definition, of
 * which it has the definitions alone, and then one update with everything that the last of them left (levels, traded volume by outcome
 * and price, last prices, starting prices). Its `firstSequence` is how many updates it leaves out. So it is read like any segment, and means what its events mean.
 *
 * Where a market has pictures, its last one stands behind its last segment and has the changes of the whole market, without prices.
 */
export class PicturePacker {
  readonly #book = new PictureBook();
  readonly #changes: Change[] = [];
  readonly #segment = new SegmentWriter();
  readonly #update = new UpdateBuffer();
  #updates = 0;
  #lastAt = 0 as Instant;
  #bytes = 0;

  /** Whether any picture was packed. */
  get hasPictures(): boolean {
    return this.#bytes > 0;
  }

  /** Follows the market's next update. */
  append(update: UpdateColumns): void {
    if (this.#updates === 0 || (update.count > 0 && update.kind[0] === DEFINITION))
      this.#changes.push(changeOf(update));
    recordColumns(update, this.#book);
    this.#updates += 1;
    this.#lastAt = update.publishedAt;
  }

  /**
   * Whether the market is to have a picture as it is now, between two of its segments; those before it have so many bytes. It is not where
   * pictures would take more than their share, nor where one would leave nothing out.
   */
  isDue(written: number): boolean {
    const events = this.#book.events + this.#changes.length;
    const share = written / SEGMENTS_BY_PICTURES - this.#bytes;
    return written >= BEFORE_PICTURES_MIN && events * EVENT_BYTES <= share && this.#updates > this.#changes.length;
  }

  /** A picture of the market as it is now. */
  pack(): Segment {
    this.#update.start(this.#lastAt);
    this.#book.writeTo(this.#update);
    return this.#packed(this.#updates - this.#changes.length - 1, this.#update);
  }

  /** What stands behind the last segment of a market that has pictures. */
  end(): Segment {
    return this.#packed(this.#updates - this.#changes.length);
  }

  /** `leftOut`: how many of the updates so far are not in it. */
  #packed(leftOut: number, picture?: UpdateColumns): Segment {
    const segment = this.#segment;
    const buffer = new UpdateBuffer();
    for (const [index, { at, definitions }] of this.#changes.entries()) {
      buffer.start(at);
      for (const definition of definitions) buffer.definition(definition);
      segment.append(buffer, leftOut + index);
    }
    if (picture !== undefined) segment.append(picture, leftOut + this.#changes.length);
    const packed = segment.pack();
    this.#bytes += packed.bytes.length;
    return packed;
  }
}

function changeOf({ publishedAt, count, kind, amount }: UpdateColumns): Change {
  const definitions: number[] = [];
  for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) definitions.push(amount[i] ?? 0);
  return { at: publishedAt, definitions };
}

/** What a replay's recorded book keeps, in little room: a file may hold hundreds of markets. */
class PictureBook implements RecordSink {
  /** Stakes by row (outcome × 2 + side) and tick. */
  readonly #levels = new TickRows();
  /** Traded volume by outcome and tick. */
  readonly #traded = new TickRows();
  /** The last tick of each outcome; undefined where there was none. */
  readonly #lastTicks: (number | undefined)[] = [];
  /** Thousandths by outcome × STARTING_PRICES + which; undefined where there was none. */
  readonly #startingPrices: (number | undefined)[] = [];

  /** How many events it takes to say what it holds. */
  get events(): number {
    return this.#levels.count + this.#traded.count + this.#lastTicks.length + this.#startingPrices.length;
  }

  setLevel(outcome: number, side: number, tick: number, stake: number): void {
    this.#levels.set(outcome * 2 + side, tick, stake);
  }

  addTraded(outcome: number, tick: number, stake: number): void {
    this.#traded.set(outcome, tick, this.#traded.at(outcome, tick) + stake);
  }

  setLastTick(outcome: number, tick: number): void {
    this.#lastTicks[outcome] = tick;
  }

  setStartingPrice(outcome: number, which: number, thousandths: number): void {
    this.#startingPrices[outcome * STARTING_PRICES + which] = thousandths;
  }

  writeTo(update: UpdateBuffer): void {
    this.#traded.forEach((outcome, tick, stake) => {
      update.trade(outcome, tick, stake);
    });
    this.#levels.forEach((row, tick, stake) => {
      update.level(row >> 1, row & 1, tick, stake);
    });
    for (const [outcome, tick] of this.#lastTicks.entries()) if (tick !== undefined) update.lastPrice(outcome, tick);
    for (const [at, thousandths] of this.#startingPrices.entries())
      if (thousandths !== undefined)
        update.startingPrice(Math.floor(at / STARTING_PRICES), at % STARTING_PRICES, thousandths);
  }
}

/** NEAR, FAR and RECONCILED. */
const STARTING_PRICES = 3;

/** Amounts by row and tick, of which most are zero. */
class TickRows {
  readonly #rows: Float64Array[] = [];
  /** How many amounts are not zero. */
  count = 0;

  at(row: number, tick: number): number {
    return this.#rows[row]?.[tick] ?? 0;
  }

  set(row: number, tick: number, amount: number): void {
    const amounts = this.#rows[row];
    if (amounts === undefined || tick >= amounts.length) return this.#setFar(row, tick, amount);
    const before = amounts[tick] ?? 0;
    amounts[tick] = amount;
    if (before === 0) this.count += amount === 0 ? 0 : 1;
    else if (amount === 0) this.count -= 1;
  }

  forEach(visit: (row: number, tick: number, amount: number) => void): void {
    for (let row = 0; row < this.#rows.length; row += 1) {
      const amounts = this.#rows[row] ?? NO_VOLUMES;
      for (let tick = 0; tick < amounts.length; tick += 1) {
        const amount = amounts[tick] ?? 0;
        if (amount !== 0) visit(row, tick, amount);
      }
    }
  }

  #setFar(row: number, tick: number, amount: number): void {
    if (amount === 0) return;
    const amounts = this.#rows[row] ?? NO_VOLUMES;
    const wider = new Float64Array(Math.max(tick + 16, amounts.length * 2));
    wider.set(amounts);
    wider[tick] = amount;
    this.#rows[row] = wider;
    this.count += 1;
  }
}

const NO_VOLUMES = new Float64Array(0);
