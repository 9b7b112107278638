/** Writes a tape beside its target, and puts it in place only when it is whole. */

import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { assert, present } from '../core/assert.ts';
import type { RecordedDefinition } from './definition.ts';
import { type Segment, SegmentWriter } from './segment.ts';
import { contentSha256, MarketHash } from './tape-content.ts';
import { TapeFailure } from './tape-failure.ts';
import { APPLICATION_ID, type MarketDescription, type MarketRow, SCHEMA, TAPE_FORMAT } from './tape-schema.ts';
import type { UpdateColumns } from './update.ts';

/** What to do where the target exists: refuse, replace it, or add to it. */
export type TapeMode = 'new' | 'overwrite' | 'append';

/** A segment is closed at the first of these; small enough to page, large enough to be read in one go. */
const SEGMENT_EVENTS = 4096;
const SEGMENT_UPDATES = 4096;

interface OpenMarket {
  readonly key: number;
  readonly segment: SegmentWriter;
  readonly hash: MarketHash;
  definitions: number;
  updates: number;
  events: number;
  segments: number;
  largest: number;
  firstAt: number;
  lastAt: number;
}

/** A market being written. The same key names it in every call. */
export type MarketKey = number;

/**
 * Markets may be written one after another or interleaved; updates of one market in the order of their publish times.
 * The same calls give the same bytes. `finish` puts the tape in place; until then the target is untouched, and
 * `discard` leaves nothing behind.
 */
export class TapeWriter {
  readonly #path: string;
  readonly #partial: string;
  readonly #database: Database.Database;
  readonly #open = new Map<MarketKey, OpenMarket>();
  readonly #ids = new Set<string>();
  readonly #insertSegment: Database.Statement;
  readonly #insertDefinition: Database.Statement;
  #nextKey = 0;
  #nextPosition = 0;
  #discarded = false;

  /** @throws TapeFailure TAPE_EXISTS or TAPE_BUSY */
  static create(path: string, mode: TapeMode = 'new'): TapeWriter {
    if (mode === 'new' && existsSync(path)) {
      throw new TapeFailure('TAPE_EXISTS', path, path, 'choose another name, or ask for appending or overwriting');
    }
    const partial = `${path}.partial`;
    if (existsSync(partial)) removeStale(partial, path);
    if (mode === 'append' && existsSync(path)) copyFileSync(path, partial);
    return new TapeWriter(path, partial);
  }

  private constructor(path: string, partial: string) {
    this.#path = path;
    this.#partial = partial;
    const appended = existsSync(partial);
    const database = new Database(partial);
    this.#database = database;
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    if (!appended) {
      database.pragma('page_size = 4096');
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${TAPE_FORMAT}`);
      database.exec(SCHEMA);
    }
    database.exec('BEGIN EXCLUSIVE');
    if (appended) this.#continue();
    this.#insertSegment = database.prepare(
      `INSERT INTO segment (key, number, first_at, last_at, first_sequence, updates, events, largest, crc32, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertDefinition = database.prepare('INSERT INTO definition (key, number, definition) VALUES (?, ?, ?)');
  }

  /** Opens a market for writing. What it is is said at the end, by `finishMarket`. */
  startMarket(): MarketKey {
    const key = this.#nextKey;
    this.#nextKey += 1;
    this.#open.set(key, {
      key,
      segment: new SegmentWriter(),
      hash: new MarketHash(),
      definitions: 0,
      updates: 0,
      events: 0,
      segments: 0,
      largest: 0,
      firstAt: 0,
      lastAt: 0,
    });
    return key;
  }

  /** Adds a definition and returns its index, for the `amount` of a DEFINITION event. */
  addDefinition(key: MarketKey, definition: RecordedDefinition): number {
    const market = this.#market(key);
    const text = JSON.stringify(definition);
    this.#insertDefinition.run(key, market.definitions, text);
    market.hash.definition(text);
    market.definitions += 1;
    return market.definitions - 1;
  }

  /** Appends one update; its `market` and `sequence` are ignored, the writer counts itself. */
  appendUpdate(key: MarketKey, update: UpdateColumns): void {
    const market = this.#market(key);
    assert(market.updates === 0 || update.publishedAt >= market.lastAt, 'a market is written in order of time');
    if (market.updates === 0) market.firstAt = update.publishedAt;
    market.lastAt = update.publishedAt;
    market.segment.append(update, market.updates);
    market.updates += 1;
    market.events += update.count;
    if (market.segment.events >= SEGMENT_EVENTS || market.segment.updates >= SEGMENT_UPDATES) this.#flush(market);
  }

  /** @throws TapeFailure DUPLICATE_MARKET; the market is still open then, and may be discarded */
  finishMarket(key: MarketKey, description: MarketDescription): void {
    const market = this.#market(key);
    const { id } = description.facts;
    if (this.#ids.has(id)) {
      throw new TapeFailure('DUPLICATE_MARKET', this.#path, id, 'leave one of the two sources out');
    }
    if (market.segment.updates > 0) this.#flush(market);
    this.#ids.add(id);
    this.#open.delete(key);
    this.#database
      .prepare('INSERT INTO market VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        this.#nextPosition,
        key,
        id,
        market.firstAt,
        market.lastAt,
        market.updates,
        market.events,
        market.segments,
        market.largest,
        market.hash.digest(),
        JSON.stringify(description),
      );
    this.#nextPosition += 1;
  }

  /** Forgets a market that was started and not finished. */
  discardMarket(key: MarketKey): void {
    const market = this.#market(key);
    this.#open.delete(key);
    if (market.segments === 0 && market.definitions === 0) return;
    this.#database.prepare('DELETE FROM segment WHERE key = ?').run(key);
    this.#database.prepare('DELETE FROM definition WHERE key = ?').run(key);
    this.#discarded = true;
  }

  /** How many markets have been finished. */
  get markets(): number {
    return this.#nextPosition;
  }

  /** Puts the tape in place and returns the SHA-256 of its content. */
  finish(): string {
    assert(this.#open.size === 0, 'every market is finished or discarded before the tape is');
    const rows = this.#database.prepare('SELECT * FROM market ORDER BY position').all() as MarketRow[];
    const sha256 = contentSha256(rows);
    this.#database.prepare('INSERT OR REPLACE INTO tape VALUES (?, ?)').run('sha256', sha256);
    this.#database.exec('COMMIT');
    if (this.#discarded) this.#database.exec('VACUUM');
    this.#database.close();
    flushToDisk(this.#partial);
    try {
      renameSync(this.#partial, this.#path);
    } catch (error) {
      rmSync(this.#partial, { force: true });
      throw error;
    }
    flushToDisk(dirname(this.#path));
    return sha256;
  }

  /** Leaves nothing behind; the target stays as it was. */
  discard(): void {
    this.#database.close();
    rmSync(this.#partial, { force: true });
  }

  #market(key: MarketKey): OpenMarket {
    return present(this.#open.get(key), `the tape writer has no open market ${key}`);
  }

  #flush(market: OpenMarket): void {
    const segment: Segment = market.segment.take();
    const { firstAt, lastAt, firstSequence, updates, events, largest, bytes } = segment;
    this.#insertSegment.run(
      market.key,
      market.segments,
      firstAt,
      lastAt,
      firstSequence,
      updates,
      events,
      largest,
      crc32(bytes),
      bytes,
    );
    market.hash.segment(bytes);
    market.segments += 1;
    market.largest = Math.max(market.largest, largest);
  }

  #continue(): void {
    const rows = this.#database.prepare('SELECT id, key, position FROM market ORDER BY position').all() as MarketRow[];
    for (const row of rows) {
      this.#ids.add(row.id);
      this.#nextKey = Math.max(this.#nextKey, row.key + 1);
      this.#nextPosition = row.position + 1;
    }
  }
}

/** A `.partial` is left by a process that was killed; one that is locked belongs to a process at work. */
function removeStale(partial: string, path: string): void {
  const database = new Database(partial, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    database.exec('ROLLBACK');
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new TapeFailure('TAPE_BUSY', path, partial, 'wait for it, or choose another name');
    }
    // Anything else means that it is no whole database: the remains of a crash.
  } finally {
    database.close();
  }
  rmSync(partial, { force: true });
}

function flushToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
