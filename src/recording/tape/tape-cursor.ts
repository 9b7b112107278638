/** Merges the updates of many markets in order of time, holding one segment of each open market in memory. */

import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Instant } from '../../core/number/units.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import type { PendingUpdate, RecordSink, UpdateColumns } from '../segment/update.ts';
import { UpdateBuffer } from '../segment/update-buffer.ts';
import { PictureTable } from './picture-table.ts';
import { TapeFailure } from './tape-failure.ts';
import type { MarketRow, SegmentRow } from './tape-schema.ts';

interface MarketPosition {
  readonly market: number;
  readonly row: MarketRow;
  reader: SegmentReader | undefined;
  /** Reads the picture with which the market begins; until it is spent there is no other reader. */
  picture: PictureReading | undefined;
  nextSegment: number;
  /** Publish time of the next update; before the first segment is read, the market's first publish time. */
  at: number;
}

interface PictureReading {
  readonly reader: SegmentReader;
  /** How many updates of the market it leaves out. */
  readonly leftOut: number;
}

/** Reads updates one after another. Every call returns the same object, valid until the next call. */
export class TapeCursor {
  readonly #path: string;
  readonly #from: number;
  readonly #to: number;
  readonly #load: Database.Statement;
  /** A binary heap by (time, market). */
  readonly #heap: MarketPosition[] = [];
  readonly #spare: SegmentReader[] = [];
  readonly #update: UpdateBuffer;
  readonly #pending: TapeUpdate;
  readonly #pictureOf: ((market: number) => number | undefined) | undefined;
  #pictures: PictureTable | undefined;
  #leftOut = 0;

  constructor(
    database: Database.Database,
    path: string,
    rows: readonly MarketRow[],
    range: {
      readonly from: number;
      readonly to: number;
      readonly pictureOf?: ((market: number) => number | undefined) | undefined;
    },
  ) {
    this.#path = path;
    this.#from = range.from;
    this.#to = range.to;
    this.#pictureOf = range.pictureOf;
    this.#load = database.prepare('SELECT * FROM segment WHERE key = ? AND number = ?');
    this.#update = new UpdateBuffer(rows.reduce((most, row) => Math.max(most, row.largest), 1));
    this.#pending = new TapeUpdate(path, this.#update);
    for (const row of rows) {
      const track = {
        market: row.position,
        row,
        reader: undefined,
        picture: undefined,
        nextSegment: 0,
        at: row.first_at,
      };
      if (row.last_at >= this.#from && this.#skip(track)) this.#push(track);
    }
  }

  /** The next update with its events decoded; undefined at the end. @throws TapeFailure TAPE_CORRUPT */
  next(): UpdateColumns | undefined {
    return this.nextPending()?.columns();
  }

  /** The next update without decoding its events; undefined at the end. @throws TapeFailure TAPE_CORRUPT */
  nextPending(): PendingUpdate | undefined {
    if (this.#pending.isGiven) this.#moveOn();
    const track = this.#heap[0];
    if (track === undefined || track.at >= this.#to) return undefined;
    const reader = track.picture?.reader ?? track.reader ?? this.#begin(track);
    const { picture } = track;
    this.#leftOut = picture !== undefined && reader.left === 1 ? picture.leftOut : 0;
    this.#pending.hold(track.market, reader, reader.nextAt, reader.isNextDefinition);
    return this.#pending;
  }

  /** How many updates of its market the update that `nextPending` returned last stands for, beside itself: the state that a picture shows. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /**
   * The next update, if it only changes prices and stands in a segment that is open; otherwise undefined, and
   * `nextPending` returns it. The rare cases are kept out of this function: V8 compiles it without code that has not
   * run yet, and throws the compiled code away when such code runs.
   */
  nextPrices(): PendingUpdate | undefined {
    const pending = this.#pending;
    const heap = this.#heap;
    let track = heap[0];
    if (track?.reader === undefined) return undefined;
    if (pending.isGiven) {
      if (track.reader.left === 0) return undefined;
      pending.letGo();
      track.at = track.reader.nextAt;
      if (heap.length > 1) {
        this.#sink(0);
        track = heap[0] as MarketPosition;
      }
    }
    const { reader, at } = track;
    if (reader === undefined || at >= this.#to || reader.isNextDefinition) return undefined;
    pending.hold(track.market, reader, at, false);
    return pending;
  }

  /** Moves past the update returned last, which may not have been read. */
  #moveOn(): void {
    this.#pending.letGo();
    const track = this.#heap[0] as MarketPosition;
    if (!this.#advance(track)) this.#removeTop();
    else if (this.#heap.length > 1) this.#sink(0);
  }

  /** Moves a new market to its first update at or after `from`; returns false where it has none. */
  #skip(track: MarketPosition): boolean {
    if (track.at >= this.#from) return track.row.updates > 0;
    const index = this.#load.database
      .prepare('SELECT number FROM segment WHERE key = ? AND last_at >= ? ORDER BY number LIMIT 1')
      .get(track.row.key, this.#from) as { number: number } | undefined;
    if (index === undefined) return false;
    track.nextSegment = index.number;
    const reader = this.#open(track);
    while (track.at < this.#from) {
      reader.next(this.#update);
      if (!this.#advance(track)) return false;
    }
    return true;
  }

  /** Sets the time of the market's next update; returns false at its end. */
  #advance(track: MarketPosition): boolean {
    if (track.picture !== undefined) return this.#advancePicture(track, track.picture);
    const { reader } = track;
    if (reader !== undefined && reader.left > 0) {
      track.at = reader.nextAt;
      return true;
    }
    if (reader?.isSpent === false)
      throw corrupt(this.#path, `${segmentName(track, track.nextSegment - 1)} ${NOT_ITS_UPDATES}`);
    if (track.nextSegment === track.row.segments) return false;
    this.#open(track);
    return true;
  }

  #open(track: MarketPosition): SegmentReader {
    const read = () => this.#load.get(track.row.key, track.nextSegment) as SegmentRow | undefined;
    const row = readRows(this.#path, read);
    const reader = track.reader ?? this.#spare.pop() ?? new SegmentReader();
    const { first_at: at } = this.#readInto(reader, row, segmentName(track, track.nextSegment));
    track.reader = reader;
    track.nextSegment += 1;
    track.at = at;
    return reader;
  }

  #readInto(reader: SegmentReader, row: SegmentRow | undefined, where: string): SegmentRow {
    if (row === undefined) throw corrupt(this.#path, `${where} is missing`);
    if (crc32(row.bytes) !== row.crc32) throw corrupt(this.#path, `${where} has a wrong checksum`);
    reader.open({ firstAt: row.first_at, firstSequence: row.first_sequence, updates: row.updates, bytes: row.bytes });
    if (!reader.isWhole) throw corrupt(this.#path, `${where} ${NOT_ITS_UPDATES}`);
    return row;
  }

  /** Opens what a market begins with: a picture, where one is asked for, or its first segment. */
  #begin(track: MarketPosition): SegmentReader {
    const number = track.nextSegment === 0 ? this.#pictureOf?.(track.market) : undefined;
    if (number === undefined) return this.#open(track);
    const row = readRows(this.#path, () => {
      this.#pictures ??= new PictureTable(this.#load.database);
      return this.#pictures.load(track.row.key, number);
    });
    const reader = this.#spare.pop() ?? new SegmentReader();
    const { first_sequence: leftOut } = this.#readInto(reader, row, pictureName(track, number));
    track.picture = { reader, leftOut };
    track.nextSegment = number;
    return reader;
  }

  /** Moves to the next update of a picture, or from it to the segment before which it stands. */
  #advancePicture(track: MarketPosition, { reader }: PictureReading): boolean {
    if (reader.left > 0) {
      track.at = reader.nextAt;
      return true;
    }
    if (!reader.isSpent) throw corrupt(this.#path, `${pictureName(track, track.nextSegment)} ${NOT_ITS_UPDATES}`);
    this.#spare.push(reader);
    track.picture = undefined;
    this.#open(track);
    return true;
  }

  #push(track: MarketPosition): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(track);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!before(track, heap[parent] as MarketPosition)) break;
      heap[place] = heap[parent] as MarketPosition;
      place = parent;
    }
    heap[place] = track;
  }

  #removeTop(): void {
    const heap = this.#heap;
    const done = heap[0] as MarketPosition;
    if (done.reader !== undefined) this.#spare.push(done.reader);
    const last = heap.pop() as MarketPosition;
    if (heap.length === 0) return;
    heap[0] = last;
    this.#sink(0);
  }

  #sink(start: number): void {
    const heap = this.#heap;
    const size = heap.length;
    const track = heap[start] as MarketPosition;
    let place = start;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1] as MarketPosition, heap[child] as MarketPosition)) child += 1;
      if (!before(heap[child] as MarketPosition, track)) break;
      heap[place] = heap[child] as MarketPosition;
      place = child;
    }
    heap[place] = track;
  }
}

/** The current update: its events are in the buffer, or still to be read. */
class TapeUpdate implements PendingUpdate {
  market = 0;
  publishedAt = 0 as Instant;
  isDefinition = false;
  readonly #buffer: UpdateBuffer;
  /** Whether it was returned, and the cursor has not moved past it yet. */
  isGiven = false;
  #reader: SegmentReader | undefined;
  #isRead = false;
  readonly #path: string;

  constructor(path: string, buffer: UpdateBuffer) {
    this.#path = path;
    this.#buffer = buffer;
  }

  columns(): UpdateColumns {
    try {
      if (!this.#isRead) this.#reader?.events(this.#buffer);
    } catch (error) {
      throw this.#fault(error);
    }
    this.#isRead = true;
    return this.#buffer;
  }

  recordInto(sink: RecordSink): void {
    if (this.#isRead || this.#reader === undefined) return this.#buffer.recordInto(sink);
    this.#isRead = true;
    try {
      this.#reader.record(sink);
    } catch (error) {
      throw this.#fault(error);
    }
  }

  /** An error of reading beyond a segment is not our bug: the segment's checksum is right, but its content is not. */
  #fault(error: unknown): unknown {
    if (!(error instanceof RangeError)) return error;
    return corrupt(this.#path, `update ${this.sequence} of the market in place ${this.market} ${NOT_ITS_UPDATES}`);
  }

  /** Becomes the reader's next update, published at `at`. */
  hold(market: number, reader: SegmentReader, at: number, isDefinition: boolean): void {
    if (this.#reader !== reader || this.market !== market) this.#readFrom(market, reader);
    this.publishedAt = at as Instant;
    this.isDefinition = isDefinition;
    reader.step();
    this.#isRead = false;
    this.isGiven = true;
  }

  #readFrom(market: number, reader: SegmentReader): void {
    this.market = market;
    this.#reader = reader;
    this.#buffer.market = market;
  }

  get sequence(): number {
    return this.#reader === undefined ? 0 : this.#reader.sequence;
  }

  letGo(): void {
    if (!this.#isRead) this.columns();
    this.isGiven = false;
  }
}

function segmentName({ row }: MarketPosition, segment: number): string {
  return `market ${row.id}, segment ${segment}`;
}

function pictureName({ row }: MarketPosition, segment: number): string {
  return `market ${row.id}, the picture before segment ${segment}`;
}

const NOT_ITS_UPDATES = 'does not hold the updates that its index says';

function before(a: MarketPosition, b: MarketPosition): boolean {
  return a.at < b.at || (a.at === b.at && a.market < b.market);
}

function corrupt(path: string, detail: string): TapeFailure {
  return new TapeFailure('TAPE_CORRUPT', path, detail, 'import the recording again; `tape verify` lists all damage');
}

/**
 * Reads rows of a tape that is open. What SQLite cannot read of it, as where its end is gone, is damage to the tape. @throws TapeFailure
 * TAPE_CORRUPT
 */
export function readRows<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    const detail = `${path} (${error.message})`;
    throw new TapeFailure('TAPE_CORRUPT', path, detail, 'import the recording again; `tape verify` lists all damage');
  }
}
