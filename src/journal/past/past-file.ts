/** The file beside a journal in which its packed records stand: compressed, checked, and needed by no start. */

import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { Base, JournalRow } from '../file/journal-schema.ts';

/** Records that follow on each other, without a gap. */
export interface Packet {
  /** The record before its first one. */
  readonly before: Base;
  readonly rows: readonly JournalRow[];
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS packet (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL,
    before TEXT NOT NULL,
    body BLOB NOT NULL
  ) STRICT;
`;
const OWNER_FILE = 0o600;
const BUSY_MS = 1_000;
const CACHE_KIB = 1_024;
/** A packet is read whole; one that claims more is damaged. */
const PACKET_BYTES_MAX = 1 << 30;

export class PastFile {
  readonly #database: Database.Database;
  readonly #put: Database.Statement;

  /** Creates the file where it is missing. Errors of SQLite and of the file system pass. */
  constructor(file: string) {
    closeSync(openSync(file, 'a', OWNER_FILE));
    this.#database = new Database(file, { timeout: BUSY_MS });
    try {
      this.#database.pragma(`cache_size = -${CACHE_KIB}`);
      this.#database.pragma('journal_mode = WAL');
      // A packet is on the disk before its records leave the journal.
      this.#database.pragma('synchronous = FULL');
      this.#database.exec(SCHEMA);
      // A packet whose records did not leave the journal any more is written again, with more of them perhaps.
      this.#put = this.#database.prepare('INSERT OR REPLACE INTO packet VALUES (?, ?, ?, ?)');
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  put({ before, rows }: Packet): void {
    const lines = rows.map(({ sequence, at, kind, body, checksum }) => [sequence, at, kind, body, checksum]);
    const first = before.sequence + 1;
    const body = gzipSync(JSON.stringify(lines));
    this.#put.run(first, before.sequence + rows.length, before.checksum, body);
  }

  close(): void {
    this.#database.close();
  }
}

/** Gives a damaged file another name, so that a new one can be begun; its name. */
export function moveAside(file: string): string {
  let number = 1;
  while (existsSync(`${file}.corrupt-${number}`)) number += 1;
  const name = `${file}.corrupt-${number}`;
  renameSync(file, name);
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${name}-wal`);
  return name;
}

export class PastReader {
  readonly #database: Database.Database;
  readonly #next: Database.Statement<[number], RawPacket>;

  constructor(file: string) {
    this.#database = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    try {
      this.#next = this.#database.prepare(
        'SELECT first, before, body FROM packet WHERE last > ? ORDER BY first LIMIT 1',
      );
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The packet with the record behind that sequence, or the first one after it. Its rows are not checked. */
  after(sequence: number): Packet | undefined {
    const found = this.#next.get(sequence);
    if (found === undefined) return undefined;
    const { first, before, body } = found;
    const text = gunzipSync(body, { maxOutputLength: PACKET_BYTES_MAX }).toString();
    const rows = (JSON.parse(text) as RawRow[]).map(rowOf);
    return { before: { sequence: first - 1, checksum: before }, rows };
  }

  close(): void {
    this.#database.close();
  }
}

interface RawPacket {
  readonly first: number;
  readonly before: string;
  readonly body: Buffer;
}

type RawRow = [sequence: number, at: number, kind: string, body: string, checksum: string];

function rowOf([sequence, at, kind, body, checksum]: RawRow): JournalRow {
  return { sequence, at, kind, body, checksum };
}
