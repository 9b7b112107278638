/** Finds every kind of damage in a tape: an empty list means that the tape is whole. */

import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { TICK_COUNT } from '../core/number/ladder.ts';
import type { Segment } from './segment/segment.ts';
import { SegmentReader } from './segment/segment-reader.ts';
import { DEFINITION, LAST_PRICE, LEVEL, TRADE } from './segment/update.ts';
import { UpdateBuffer } from './segment/update-buffer.ts';
import type { RecordedDefinition } from './tape/definition.ts';
import { PicturePacker } from './tape/picture-packer.ts';
import { PictureTable } from './tape/picture-table.ts';
import { Tape } from './tape/tape.ts';
import { contentSha256, MarketHash } from './tape/tape-content.ts';
import { TapeFailure } from './tape/tape-failure.ts';
import type { MarketDescription, MarketRow, SegmentRow } from './tape/tape-schema.ts';

/** One piece of damage. `market` is the source's id; `segment` counts from 0 in its market. */
export interface TapeDamage {
  readonly what: string;
  readonly market?: string;
  readonly segment?: number;
}

/** Checks a tape. @throws TapeFailure where the file is no tape at all */
export function verifyTape(path: string): readonly TapeDamage[] {
  Tape.open(path).close();
  const database = new Database(path, { readonly: true });
  try {
    return new Verification(path, database).run();
  } finally {
    database.close();
  }
}

/** The longest list of damage: more would not help the user. */
const MOST_DAMAGE = 1000;

class Verification {
  readonly #path: string;
  readonly #database: Database.Database;
  readonly #damage: TapeDamage[] = [];
  readonly #reader = new SegmentReader();
  readonly #update = new UpdateBuffer();
  readonly #pictures: PictureTable;

  constructor(path: string, database: Database.Database) {
    this.#path = path;
    this.#database = database;
    this.#pictures = new PictureTable(database);
  }

  run(): readonly TapeDamage[] {
    try {
      this.#checkPages();
      const rows = this.#database.prepare('SELECT * FROM market ORDER BY position').all() as MarketRow[];
      rows.forEach((row, position) => {
        if (row.position !== position) this.#add({ what: `the markets are not numbered from 0: ${row.position}` });
        this.#checkMarket(row);
      });
      this.#checkOrphans(rows);
      this.#checkIdentity(rows);
    } catch (error) {
      if (!(error instanceof Database.SqliteError)) throw error;
      this.#add({ what: `SQLite cannot read the file: ${error.message}` });
    }
    return this.#damage;
  }

  #checkPages(): void {
    const answers = this.#database.pragma('integrity_check') as { integrity_check: string }[];
    for (const { integrity_check: answer } of answers) if (answer !== 'ok') this.#add({ what: `SQLite: ${answer}` });
  }

  #checkMarket(row: MarketRow): void {
    const description = parsed(row.description) as MarketDescription | undefined;
    if (description?.facts === undefined) return this.#add({ what: 'its description is not readable', market: row.id });
    if (description.facts.id !== row.id) this.#add({ what: 'the index names another market', market: row.id });
    const definitions = this.#checkDefinitions(row, description);
    const hash = new MarketHash();
    for (const text of definitions) hash.definition(text);
    const totals = { updates: 0, events: 0, segments: 0, largest: 0, lastAt: row.first_at, isSound: true };
    const pictures = new PictureCheck(this.#pictures, row.key);
    const segments = this.#database.prepare('SELECT * FROM segment WHERE key = ? ORDER BY number').iterate(row.key);
    for (const segment of segments as IterableIterator<SegmentRow>) {
      hash.segment(segment.bytes);
      this.#checkSegment(row, segment, { totals, definitions: definitions.length, description, pictures });
    }
    if (totals.isSound && pictures.isWrongAtEnd(totals.segments))
      this.#add({ what: 'the list of its changes is not that of its segments', market: row.id });
    const same =
      totals.updates === row.updates &&
      totals.events === row.events &&
      totals.segments === row.segments &&
      totals.largest === row.largest &&
      totals.lastAt === row.last_at;
    if (!same) this.#add({ what: 'its counts or times are not those of its segments', market: row.id });
    if (hash.digest() !== row.sha256) this.#add({ what: 'its hash is not that of its content', market: row.id });
  }

  #checkDefinitions(row: MarketRow, description: MarketDescription): readonly string[] {
    const rows = this.#database
      .prepare('SELECT number, definition FROM definition WHERE key = ? ORDER BY number')
      .all(row.key) as { number: number; definition: string }[];
    for (const [index, { number, definition }] of rows.entries()) {
      const outcomes = outcomesOf(definition);
      if (number !== index) this.#add({ what: `definition ${index} is missing`, market: row.id });
      if (outcomes === undefined) {
        this.#add({ what: `definition ${number} is not readable`, market: row.id });
      } else if (outcomes > description.facts.outcomes.length) {
        this.#add({ what: `definition ${number} has more outcomes than the market`, market: row.id });
      }
    }
    return rows.map(({ definition }) => definition);
  }

  #checkSegment(row: MarketRow, segment: SegmentRow, market: MarketTotals): void {
    const { totals } = market;
    const at = { market: row.id, segment: segment.number };
    if (segment.number !== totals.segments) this.#add({ what: 'a segment before it is missing', ...at });
    if (segment.first_sequence !== totals.updates) this.#add({ what: 'its first sequence is wrong', ...at });
    if (segment.first_at < totals.lastAt) this.#add({ what: 'it begins before the segment before it ends', ...at });
    if (totals.isSound && market.pictures.isWrong(segment.number))
      this.#add({ what: 'the picture before it is not what the segments before it make', ...at });
    const known = this.#damage.length;
    if (crc32(segment.bytes) !== segment.crc32) this.#add({ what: 'its checksum is wrong', ...at });
    else this.#checkUpdates(segment, market, at);
    // What a damaged segment makes of a market is no measure of its pictures.
    if (this.#damage.length > known) totals.isSound = false;
    totals.segments += 1;
    totals.updates += segment.updates;
    totals.events += segment.events;
    totals.largest = Math.max(totals.largest, segment.largest);
    totals.lastAt = segment.last_at;
  }

  #checkUpdates(segment: SegmentRow, market: MarketTotals, at: { market: string; segment: number }): void {
    const update = this.#update;
    this.#reader.open({
      firstAt: segment.first_at,
      firstSequence: segment.first_sequence,
      updates: segment.updates,
      bytes: segment.bytes,
    });
    if (!this.#reader.isWhole) return this.#add({ what: 'it does not hold the updates that the index says', ...at });
    let events = 0;
    let largest = 0;
    let lastAt = segment.first_at;
    let wrong = 0;
    while (this.#nextUpdate()) {
      if (update.publishedAt < lastAt) wrong += 1;
      lastAt = update.publishedAt;
      events += update.count;
      largest = Math.max(largest, update.count);
      for (let i = 0; i < update.count; i += 1) if (!isInRange(update, i, market)) wrong += 1;
      if (wrong === 0) market.pictures.append(update);
    }
    if (wrong > 0) this.#add({ what: `${wrong} events out of order or range`, ...at });
    if (events !== segment.events || largest !== segment.largest || lastAt !== segment.last_at) {
      this.#add({ what: 'the index disagrees with it', ...at });
    }
    if (!this.#reader.isSpent) this.#add({ what: 'it holds more than its updates', ...at });
  }

  /**
   * Reads the next update. An error of reading beyond the segment ends the segment; the counts then show what is
   * missing.
   */
  #nextUpdate(): boolean {
    try {
      return this.#reader.next(this.#update);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  /** Finds segments and definitions that belong to no market. */
  #checkOrphans(rows: readonly MarketRow[]): void {
    const keys = new Set(rows.map((row) => row.key));
    for (const table of ['segment', 'definition']) {
      const found = this.#database.prepare(`SELECT DISTINCT key FROM ${table}`).all() as { key: number }[];
      for (const { key } of found) if (!keys.has(key)) this.#add({ what: `a ${table} belongs to no market` });
    }
    for (const key of this.#pictures.keys()) if (!keys.has(key)) this.#add({ what: 'a picture belongs to no market' });
  }

  #checkIdentity(rows: readonly MarketRow[]): void {
    if (rows.some(({ description }) => parsed(description) === undefined)) return;
    const stored = this.#database.prepare("SELECT value FROM tape WHERE name = 'sha256'").get() as
      | { value: string }
      | undefined;
    // A tape that is being recorded has no identity yet.
    if (stored !== undefined && stored.value !== contentSha256(rows))
      this.#add({ what: "the tape's identity is not that of its markets" });
  }

  #add(damage: TapeDamage): void {
    if (this.#damage.length >= MOST_DAMAGE)
      throw new TapeFailure('TAPE_CORRUPT', this.#path, 'too much damage to list', 'import the recording again');
    this.#damage.push(damage);
  }
}

interface MarketTotals {
  readonly totals: {
    updates: number;
    events: number;
    segments: number;
    largest: number;
    lastAt: number;
    /** Whether all segments so far are whole. */
    isSound: boolean;
  };
  readonly pictures: PictureCheck;
  readonly definitions: number;
  readonly description: MarketDescription;
}

/** Compares a market's pictures with what its segments make. */
class PictureCheck {
  readonly #table: PictureTable;
  readonly #key: number;
  readonly #packer = new PicturePacker();
  /** The segments before which pictures stand. */
  readonly #numbers: ReadonlySet<number>;

  constructor(table: PictureTable, key: number) {
    this.#table = table;
    this.#key = key;
    this.#numbers = new Set(table.list(key).map(({ number }) => number));
  }

  append(update: UpdateBuffer): void {
    if (this.#numbers.size > 0) this.#packer.append(update);
  }

  isWrong(segment: number): boolean {
    return this.#numbers.has(segment) && !this.#isSame(segment, this.#packer.pack());
  }

  isWrongAtEnd(segments: number): boolean {
    const isStrange = Math.max(-1, ...this.#numbers) > segments;
    return this.#numbers.size > 0 && (isStrange || !this.#isSame(segments, this.#packer.end()));
  }

  #isSame(number: number, { bytes, ...head }: Segment): boolean {
    const row = this.#table.load(this.#key, number);
    if (row === undefined || Buffer.compare(row.bytes, bytes) !== 0 || row.crc32 !== crc32(bytes)) return false;
    const isOfPlace = row.first_sequence === head.firstSequence && row.updates === head.updates;
    return isOfPlace && row.first_at === head.firstAt && row.last_at === head.lastAt;
  }
}

function isInRange(update: UpdateBuffer, i: number, market: MarketTotals): boolean {
  const kind = update.kind[i];
  const amount = update.amount[i] as number;
  if (kind === DEFINITION) return amount < market.definitions;
  if ((update.outcome[i] as number) >= market.description.facts.outcomes.length) return false;
  if (!Number.isSafeInteger(amount) || amount < 0) return false;
  if (kind === TRADE && amount === 0) return false;
  if (kind !== TRADE && kind !== LEVEL && kind !== LAST_PRICE) return true;
  const tick = update.tick[i] as number;
  return tick >= 0 && tick < (market.description.prices?.length ?? TICK_COUNT);
}

/** The value of a JSON text; undefined for a text that is no JSON, which damage may leave. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How many outcomes a definition has; undefined where it is not readable. */
function outcomesOf(definition: string): number | undefined {
  const value = parsed(definition) as RecordedDefinition | undefined;
  return Array.isArray(value?.outcomes) ? value.outcomes.length : undefined;
}
