/** Writes a tape beside its target, and puts it in place only when it is complete. */

import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { assert, defined } from '../../core/checks/assert.ts';
import type { Segment } from '../segment/segment.ts';
import type { UpdateColumns } from '../segment/update.ts';
import type { RecordedDefinition } from './definition.ts';
import {
  type MarketKey,
  MarketPacker,
  type MarketRows,
  type MarketSummary,
  type MarketWriter,
} from './market-packer.ts';
import { PictureTable } from './picture-table.ts';
import { Tape } from './tape.ts';
import { contentSha256 } from './tape-content.ts';
import { TapeFailure } from './tape-failure.ts';
import {
  APPLICATION_ID,
  type MarketDescription,
  type MarketRow,
  SCHEMA,
  TAPE_FORMAT,
  type TapeRecording,
} from './tape-schema.ts';
import { checkTarget, hasRemains, newTapeFile, putInPlace, type TapeMode, writing } from './tape-target.ts';

interface Begun {
  readonly path: string;
  readonly partial: string;
  readonly mode: TapeMode;
  readonly database: Database.Database;
  /** Whether the partial file is a copy of a tape, to which markets are added. */
  readonly isThere: boolean;
}

/**
 * Markets may be written one after another or interleaved; updates of one market in the order of their publish times.
 * The same calls give the same bytes. `finish` puts the tape in place; until then the target is untouched, and
 * `discard` leaves nothing behind.
 */
export class TapeWriter implements MarketWriter, MarketRows {
  readonly #path: string;
  readonly #partial: string;
  readonly #mode: TapeMode;
  readonly #database: Database.Database;
  /** The open markets; the packer is undefined where another thread packs the market. */
  readonly #open = new Map<MarketKey, MarketPacker | undefined>();
  /** Open markets of which rows are stored. */
  readonly #stored = new Set<MarketKey>();
  readonly #ids = new Set<string>();
  readonly #pictures: PictureTable;
  readonly #insertSegment: Database.Statement;
  readonly #insertDefinition: Database.Statement;
  readonly #insertMarket: Database.Statement;
  #nextKey = 0;
  #nextPosition = 0;
  #discarded = false;

  /**
   * Opens a writer. @throws TapeFailure TAPE_EXISTS, TAPE_NOT_REPLACEABLE, TAPE_BUSY, TAPE_NOT_WRITABLE; for a tape to
   * append to, the same as `Tape.open`
   */
  static create(path: string, mode: TapeMode = 'new'): TapeWriter {
    checkTarget(path, mode);
    const partial = `${path}.partial`;
    const isThere = mode === 'append' && existsSync(path);
    if (isThere) Tape.open(path).close();
    return writing(path, () => {
      if (hasRemains(partial)) removeStale(partial, path);
      if (isThere) copyFileSync(path, partial);
      const database = newTapeFile(partial);
      try {
        return new TapeWriter({ path, partial, mode, database, isThere });
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  private constructor({ path, partial, mode, database, isThere }: Begun) {
    this.#path = path;
    this.#partial = partial;
    this.#mode = mode;
    this.#database = database;
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    if (!isThere) {
      database.pragma('page_size = 4096');
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${TAPE_FORMAT}`);
      database.exec(SCHEMA);
    }
    database.exec('BEGIN EXCLUSIVE');
    if (isThere) this.#continue();
    this.#pictures = new PictureTable(database);
    this.#insertSegment = database.prepare(
      `INSERT INTO segment (key, number, first_at, last_at, first_sequence, updates, events, largest, crc32, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertDefinition = database.prepare('INSERT INTO definition (key, number, definition) VALUES (?, ?, ?)');
    this.#insertMarket = database.prepare('INSERT INTO market VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  startMarket(): MarketKey {
    const key = this.startPacked();
    this.#open.set(key, new MarketPacker(key, this));
    return key;
  }

  /** Opens a market whose rows come packed, through `definition`, `segment` and `finishPacked`. */
  startPacked(): MarketKey {
    const key = this.#nextKey;
    this.#nextKey += 1;
    this.#open.set(key, undefined);
    return key;
  }

  addDefinition(key: MarketKey, definition: RecordedDefinition): number {
    return this.#packer(key).addDefinition(definition);
  }

  appendUpdate(key: MarketKey, update: UpdateColumns): void {
    this.#packer(key).append(update);
  }

  finishMarket(key: MarketKey, description: MarketDescription): void {
    this.#refuseTwice(description.facts.id);
    this.finishPacked(key, this.#packer(key).end(), description);
  }

  /**
   * Finishes a market whose rows came packed. @throws TapeFailure DUPLICATE_MARKET; the market is still open then, and
   * may be discarded
   */
  finishPacked(key: MarketKey, summary: MarketSummary, description: MarketDescription): void {
    const { id } = description.facts;
    this.#refuseTwice(id);
    this.#close(key);
    this.#ids.add(id);
    const { firstAt, lastAt, updates, events, segments, largest, sha256 } = summary;
    const row = [this.#nextPosition, key, id, firstAt, lastAt, updates, events, segments, largest, sha256];
    const text = JSON.stringify(description);
    this.#writing(() => this.#insertMarket.run(...row, text));
    this.#nextPosition += 1;
  }

  discardMarket(key: MarketKey): void {
    if (!this.#close(key)) return;
    this.#writing(() => {
      this.#database.prepare('DELETE FROM segment WHERE key = ?').run(key);
      this.#database.prepare('DELETE FROM definition WHERE key = ?').run(key);
      this.#pictures.remove(key);
    });
    this.#discarded = true;
  }

  definition(key: MarketKey, number: number, text: string): void {
    this.#stored.add(key);
    this.#writing(() => this.#insertDefinition.run(key, number, text));
  }

  segment(key: MarketKey, number: number, segment: Segment): void {
    this.#stored.add(key);
    const { firstAt, lastAt, firstSequence, updates, events, largest, bytes } = segment;
    const row = [key, number, firstAt, lastAt, firstSequence, updates, events, largest, crc32(bytes), bytes];
    this.#writing(() => this.#insertSegment.run(...row));
  }

  picture(key: MarketKey, number: number, picture: Segment): void {
    this.#writing(() => this.#pictures.add(key, number, picture));
  }

  /** Notes that the recorder of what is on this tape was killed, as the tape says that it is taken from. */
  markCut(recording: TapeRecording): void {
    this.#writing(() => this.#database.prepare('INSERT INTO tape VALUES (?, ?)').run('cut', JSON.stringify(recording)));
  }

  /** Changes the description of a finished market; returns whether there is such a market. */
  amend(id: string, change: (description: MarketDescription) => MarketDescription): boolean {
    if (!this.#ids.has(id)) return false;
    return this.#writing(() => {
      const row = this.#database.prepare('SELECT description FROM market WHERE id = ?').get(id) as MarketRow;
      const text = JSON.stringify(change(JSON.parse(row.description)));
      this.#database.prepare('UPDATE market SET description = ? WHERE id = ?').run(text, id);
      return true;
    });
  }

  /**
   * Puts the tape in place and returns the SHA-256 of its content. @throws TapeFailure, after which it may be discarded
   */
  finish(): string {
    assert(this.#open.size === 0, 'every market is finished or discarded before the tape is');
    return this.#writing(() => {
      const rows = this.#database.prepare('SELECT * FROM market ORDER BY position').all() as MarketRow[];
      const sha256 = contentSha256(rows);
      this.#database.prepare('INSERT OR REPLACE INTO tape VALUES (?, ?)').run('sha256', sha256);
      this.#database.exec('COMMIT');
      if (this.#discarded) this.#database.exec('VACUUM');
      this.#database.close();
      // An import takes long, so the target is checked again: something may have come to lie there meanwhile.
      checkTarget(this.#path, this.#mode);
      putInPlace(this.#partial, this.#path);
      return sha256;
    });
  }

  /** Removes everything written; the target stays as it was. */
  discard(): void {
    this.#database.close();
    rmSync(this.#partial, { force: true });
  }

  #writing<T>(work: () => T): T {
    return writing(this.#path, work);
  }

  #packer(key: MarketKey): MarketPacker {
    return defined(this.#open.get(key), `the tape writer packs no open market ${key}`);
  }

  /** Closes a market; returns whether rows of it were stored. */
  #close(key: MarketKey): boolean {
    assert(this.#open.delete(key), `the tape writer has no open market ${key}`);
    return this.#stored.delete(key);
  }

  #refuseTwice(id: string): void {
    if (!this.#ids.has(id)) return;
    throw new TapeFailure('DUPLICATE_MARKET', this.#path, id, 'leave one of the two sources out');
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

/** Removes a `.partial` that a killed process left; one that is locked belongs to a process at work. */
function removeStale(partial: string, path: string): void {
  const database = new Database(partial, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    database.exec('ROLLBACK');
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new TapeFailure('TAPE_BUSY', path, partial, 'wait for it, or choose another name');
    }
    // Any other error means that it is no complete database: the remains of a crash.
  } finally {
    database.close();
  }
  rmSync(partial, { force: true });
}
