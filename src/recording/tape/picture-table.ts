/** The table of a tape's pictures: what stands in place of the segments before one, for readers that begin there. */

import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Segment } from '../segment/segment.ts';
import type { SegmentRow } from './tape-schema.ts';

/** The id says the market and the segment, so that the table needs no index of its own. Blobs stand last. */
const TABLE = `
CREATE TABLE IF NOT EXISTS picture (id INTEGER PRIMARY KEY, number INTEGER NOT NULL,
  first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, first_sequence INTEGER NOT NULL, updates INTEGER NOT NULL,
  events INTEGER NOT NULL, largest INTEGER NOT NULL, crc32 INTEGER NOT NULL, bytes BLOB NOT NULL);
`;
/** More segments than a market can have. */
const NUMBERS = 2 ** 24;

/** A row of the table without its picture. */
export type ListedPicture = Pick<SegmentRow, 'number' | 'last_at' | 'updates'>;

/**
 * Pictures are no part of a tape's content: neither its identity nor what its segments say depends on them. The table is made with the
 * first picture, so that a tape without any is what it was before there were pictures; older readers do not ask for it.
 */
export class PictureTable {
  readonly #database: Database.Database;
  #isThere: boolean;
  #insert: Database.Statement | undefined;
  #load: Database.Statement | undefined;
  #list: Database.Statement | undefined;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'picture'").get() !== undefined;
  }

  /** Files a picture of a market under the number of the segment before which it stands. */
  add(key: number, number: number, picture: Segment): void {
    if (!this.#isThere) this.#database.exec(TABLE);
    this.#isThere = true;
    this.#insert ??= this.#database.prepare('INSERT INTO picture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const { firstAt, lastAt, firstSequence, updates, events, largest, bytes } = picture;
    const id = key * NUMBERS + number;
    this.#insert.run(id, number, firstAt, lastAt, firstSequence, updates, events, largest, crc32(bytes), bytes);
  }

  remove(key: number): void {
    if (this.#isThere) this.#database.prepare(`DELETE FROM picture WHERE ${OF_MARKET}`).run(...idsOf(key));
  }

  load(key: number, number: number): SegmentRow | undefined {
    if (!this.#isThere) return undefined;
    this.#load ??= this.#database.prepare('SELECT * FROM picture WHERE id = ?');
    return this.#load.get(key * NUMBERS + number) as SegmentRow | undefined;
  }

  /** A market's pictures in their order, without what they show. */
  list(key: number): readonly ListedPicture[] {
    if (!this.#isThere) return [];
    this.#list ??= this.#database.prepare(
      `SELECT number, last_at, updates FROM picture WHERE ${OF_MARKET} ORDER BY id`,
    );
    return this.#list.all(...idsOf(key)) as ListedPicture[];
  }

  /** A market's pictures in their order; each is read when it is asked for. */
  *rows(key: number): Generator<SegmentRow, void, undefined> {
    for (const { number } of this.list(key)) {
      const row = this.load(key, number);
      if (row !== undefined) yield row;
    }
  }

  /** The keys of the markets that have pictures. */
  keys(): ReadonlySet<number> {
    if (!this.#isThere) return new Set();
    const ids = this.#database.prepare('SELECT id FROM picture').pluck().all() as number[];
    return new Set(ids.map((id) => Math.floor(id / NUMBERS)));
  }
}

const OF_MARKET = 'id BETWEEN ? AND ?';

function idsOf(key: number): readonly [number, number] {
  return [key * NUMBERS, key * NUMBERS + NUMBERS - 1];
}
