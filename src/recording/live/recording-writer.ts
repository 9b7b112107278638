/**
 * Writes a tape while it is recorded: what was committed can be read by others at once, and survives a kill of the
 * process.
 */

import { rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { assert, defined } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import { type Segment, SegmentWriter } from '../segment/segment.ts';
import type { UpdateColumns } from '../segment/update.ts';
import type { RecordedDefinition } from '../tape/definition.ts';
import { named } from '../tape/path-kind.ts';
import { contentSha256, MarketHash } from '../tape/tape-content.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import {
  APPLICATION_ID,
  type MarketDescription,
  type MarketRow,
  SCHEMA,
  TAPE_FORMAT,
  type TapeRecording,
} from '../tape/tape-schema.ts';
import { checkTarget, newTapeFile, putInPlace, writing } from '../tape/tape-target.ts';

/** The suffix under which an unfinished tape lies beside its target, with its write-ahead log. */
export const UNFINISHED = '.unfinished';

/** A segment is closed at the first of these limits. Until then it lies on the tape in pieces, one for each commit. */
const SEGMENT_EVENTS = 4096;
const SEGMENT_UPDATES = 4096;
const SEGMENT_PIECES = 256;
/**
 * Staggers the limit by market, so that markets written at each commit do not all close their segments at the same one.
 */
const STAGGER = 128;
/**
 * What is written is not read again: the 16 MB of pages that the library keeps by default would fill within the first half
 * hour and serve nobody.
 */
const CACHE_KIB = 1024;

interface OpenMarket {
  readonly key: number;
  readonly description: () => MarketDescription;
  /** The updates since the last commit, and those since the last closed segment. */
  readonly piece: SegmentWriter;
  readonly whole: SegmentWriter;
  /** The hash of the closed segments, and the hash with the pieces after them. */
  wholeHash: MarketHash;
  hash: MarketHash;
  isChanged: boolean;
  definitions: number;
  updates: number;
  events: number;
  segments: number;
  pieces: number;
  largest: number;
  firstAt: number;
  lastAt: number;
}

/**
 * One transaction is open all the time, so that no second recorder can write; it does not block readers. A commit
 * survives the death of the process; if the machine loses power, the log since its last checkpoint may be lost.
 */
export class RecordingWriter {
  readonly path: string;
  readonly #unfinished: string;
  readonly #database: Database.Database;
  readonly #startedAt: Instant;
  readonly #markets: OpenMarket[] = [];
  readonly #statements: Readonly<Record<'piece' | 'dropPieces' | 'definition' | 'market' | 'word', Database.Statement>>;

  /** Creates the file of a new tape. @throws TapeFailure TAPE_EXISTS, TAPE_BUSY or TAPE_NOT_WRITABLE */
  static create(path: string, now: Instant): RecordingWriter {
    checkTarget(path, 'new');
    checkTarget(`${path}${UNFINISHED}`, 'new');
    return writing(path, () => new RecordingWriter(path, now));
  }

  private constructor(path: string, now: Instant) {
    this.path = path;
    this.#unfinished = `${path}${UNFINISHED}`;
    this.#startedAt = now;
    const database = newTapeFile(this.#unfinished);
    this.#database = database;
    database.pragma('page_size = 4096');
    database.pragma(`cache_size = -${CACHE_KIB}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${TAPE_FORMAT}`);
    database.exec('BEGIN IMMEDIATE');
    database.exec(SCHEMA);
    this.#statements = {
      piece: database.prepare(
        `INSERT INTO segment (key, number, first_at, last_at, first_sequence, updates, events, largest, crc32, bytes)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      dropPieces: database.prepare('DELETE FROM segment WHERE key = ? AND number >= ?'),
      definition: database.prepare('INSERT INTO definition (key, number, definition) VALUES (?, ?, ?)'),
      market: database.prepare('INSERT OR REPLACE INTO market VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
      word: database.prepare('INSERT OR REPLACE INTO tape VALUES (?, ?)'),
    };
    this.commit(now);
  }

  /** Adds a market and returns its key. `description` is called at each commit that has something new of the market. */
  startMarket(description: () => MarketDescription): number {
    const key = this.#markets.length;
    const wholeHash = new MarketHash();
    this.#markets.push({
      key,
      description,
      wholeHash,
      hash: wholeHash.copy(),
      isChanged: true,
      piece: new SegmentWriter(),
      whole: new SegmentWriter(),
      definitions: 0,
      updates: 0,
      events: 0,
      segments: 0,
      pieces: 0,
      largest: 0,
      firstAt: 0,
      lastAt: 0,
    });
    return key;
  }

  /** Adds a definition; returns its index, for the `amount` of a DEFINITION event. */
  addDefinition(key: number, definition: RecordedDefinition): number {
    const market = this.#market(key);
    const text = JSON.stringify(definition);
    writing(this.path, () => this.#statements.definition.run(key, market.definitions, text));
    market.wholeHash.definition(text);
    market.hash.definition(text);
    market.isChanged = true;
    market.definitions += 1;
    return market.definitions - 1;
  }

  /** Appends an update. Its `market` and `sequence` are ignored; publish times of a market must not decrease. */
  appendUpdate(key: number, update: UpdateColumns): void {
    const market = this.#market(key);
    assert(market.updates === 0 || update.publishedAt >= market.lastAt, 'a market is written in order of time');
    if (market.updates === 0) market.firstAt = update.publishedAt;
    market.lastAt = update.publishedAt;
    market.piece.append(update, market.updates);
    market.whole.append(update, market.updates);
    market.updates += 1;
    market.events += update.count;
    market.largest = Math.max(market.largest, update.count);
    market.isChanged = true;
    if (market.whole.events >= SEGMENT_EVENTS || market.whole.updates >= SEGMENT_UPDATES) this.#closeSegment(market);
  }

  /** Notes that a market's description has changed. */
  redescribe(key: number): void {
    this.#market(key).isChanged = true;
  }

  /** Puts everything up to now on the tape. @throws TapeFailure TAPE_NOT_WRITABLE */
  commit(now: Instant): void {
    const recording: TapeRecording = { startedAt: this.#startedAt, committedAt: now };
    writing(this.path, () => {
      for (const market of this.#markets) if (market.isChanged) this.#save(market);
      this.#statements.word.run('recording', JSON.stringify(recording));
      this.#database.exec('COMMIT');
      this.#database.exec('BEGIN IMMEDIATE');
    });
  }

  /**
   * Puts the tape in place and returns its path and identity. Where another process reads the unfinished file at that
   * moment, or something has come to lie at its place, it stays under the unfinished name, complete, until it is
   * sealed.
   */
  finish(): { readonly path: string; readonly sha256: string } {
    return writing(this.path, () => {
      for (const market of this.#markets) {
        this.#closeSegment(market);
        this.#save(market);
      }
      return finishTape(this.#database, this.path);
    });
  }

  get markets(): number {
    return this.#markets.length;
  }

  get updates(): number {
    return this.#markets.reduce((sum, { updates }) => sum + updates, 0);
  }

  #market(key: number): OpenMarket {
    return defined(this.#markets[key], `the recording has no market ${key}`);
  }

  #save(market: OpenMarket): void {
    if (market.piece.updates > 0) this.#addPiece(market);
    const { key, firstAt, lastAt, updates, events, segments, pieces, largest, hash } = market;
    const description = market.description();
    const sha256 = hash.copy().digest();
    const { id } = description.facts;
    const text = JSON.stringify(description);
    const count = segments + pieces;
    this.#statements.market.run(key, key, id, firstAt, lastAt, updates, events, count, largest, sha256, text);
    market.isChanged = false;
  }

  #addPiece(market: OpenMarket): void {
    const piece = market.piece.pack();
    this.#insert(market, market.segments + market.pieces, piece);
    market.hash.segment(piece.bytes);
    market.pieces += 1;
    if (market.pieces >= SEGMENT_PIECES - (market.key % STAGGER)) this.#closeSegment(market);
  }

  /** Replaces the pieces of a segment by the whole segment. */
  #closeSegment(market: OpenMarket): void {
    if (market.whole.updates === 0) return;
    writing(this.path, () => {
      if (market.pieces > 0) this.#statements.dropPieces.run(market.key, market.segments);
      const whole = market.whole.pack();
      this.#insert(market, market.segments, whole);
      market.wholeHash.segment(whole.bytes);
    });
    market.hash = market.wholeHash.copy();
    market.piece.pack();
    market.segments += 1;
    market.pieces = 0;
    market.isChanged = true;
  }

  #insert(market: OpenMarket, number: number, segment: Segment): void {
    const { firstAt, lastAt, firstSequence, updates, events, largest, bytes } = segment;
    const sum = crc32(bytes);
    this.#statements.piece.run(
      market.key,
      number,
      firstAt,
      lastAt,
      firstSequence,
      updates,
      events,
      largest,
      sum,
      bytes,
    );
  }
}

/**
 * Finishes a tape whose recorder was killed; undefined where it was killed before the first commit, which leaves
 * nothing.
 * @throws TapeFailure TAPE_BUSY where a recorder is at work, TAPE_NOT_REPLACEABLE where the file is another program's,
 * TAPE_NOT_WRITABLE
 */
export function sealRecording(path: string): { readonly path: string; readonly sha256: string } | undefined {
  return writing(path, () => {
    const unfinished = `${path}${UNFINISHED}`;
    const { kind, words } = named(unfinished);
    if (kind !== 'file') throw foreign(unfinished, `it is ${words}`);
    const database = new Database(unfinished, { timeout: 0, fileMustExist: true });
    try {
      database.exec('BEGIN IMMEDIATE');
      if (isForeign(database)) throw foreign(unfinished, 'it is no tape of oddsmith');
      if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tape'").get() === undefined) {
        database.close();
        for (const each of [unfinished, `${unfinished}-wal`, `${unfinished}-shm`]) rmSync(each, { force: true });
        return undefined;
      }
      database.prepare("UPDATE tape SET name = 'cut' WHERE name = 'recording'").run();
    } catch (error) {
      database.close();
      throw error;
    }
    return finishTape(database, path);
  });
}

/**
 * Whether a database is another program's. One without tables may have been left by a recorder that was killed at once.
 */
function isForeign(database: Database.Database): boolean {
  const tables = database.prepare('SELECT count(*) FROM sqlite_master').pluck().get();
  return tables !== 0 && database.pragma('application_id', { simple: true }) !== APPLICATION_ID;
}

function foreign(unfinished: string, why: string): TapeFailure {
  const next = 'move it away: what a killed recorder leaves has this name';
  return new TapeFailure('TAPE_NOT_REPLACEABLE', unfinished, why, next);
}

/** Ends the open transaction, closes the database and renames the file to its final place. */
function finishTape(database: Database.Database, path: string): { readonly path: string; readonly sha256: string } {
  const unfinished = `${path}${UNFINISHED}`;
  const rows = database.prepare('SELECT * FROM market ORDER BY position').all() as MarketRow[];
  const sha256 = contentSha256(rows);
  database.prepare('INSERT OR REPLACE INTO tape VALUES (?, ?)').run('sha256', sha256);
  database.prepare("DELETE FROM tape WHERE name = 'recording'").run();
  database.exec('COMMIT');
  const isAlone = isLeftAlone(database);
  database.close();
  if (!isAlone || named(path).kind !== 'nothing') return { path: unfinished, sha256 };
  putInPlace(unfinished, path);
  return { path, sha256 };
}

/** Takes the write-ahead log into the file; returns false while another process reads it. */
function isLeftAlone(database: Database.Database): boolean {
  try {
    database.pragma('busy_timeout = 0');
    return database.pragma('journal_mode = DELETE', { simple: true }) === 'delete';
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
