/** Follows a daemon's journal row by row while it writes, as another process may: read-only, and closed at each kill. */

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JournalRecord } from '../../../src/core/run/journal.ts';

export interface TailedRow {
  readonly sequence: number;
  readonly at: number;
  readonly record: JournalRecord;
}

interface RawRow {
  readonly sequence: number;
  readonly at: number;
  readonly body: string;
  readonly checksum: string;
}

const BUSY_MS = 2_000;

export class JournalTail {
  readonly #path: string;
  #database: Database.Database | undefined;
  #rows: Database.Statement<[number], RawRow> | undefined;
  /** By sequence, from 1 on: what was once seen must stay. */
  readonly checksums: string[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /** The rows that were committed since the last call. */
  next(): readonly TailedRow[] {
    if (this.#rows === undefined && !this.#open()) return [];
    const rows = this.#rows?.all(this.checksums.length) ?? [];
    return rows.map(({ sequence, at, body, checksum }) => {
      if (sequence !== this.checksums.length + 1)
        throw new Error(`record ${sequence} follows record ${this.checksums.length}`);
      this.checksums.push(checksum);
      return { sequence, at, record: JSON.parse(body) as JournalRecord };
    });
  }

  /** So that the next daemon finds the journal as a dead one left it. */
  close(): void {
    this.#rows = undefined;
    this.#database?.close();
    this.#database = undefined;
  }

  /** The journal is made under another name, so that it is whole once it is there. */
  #open(): boolean {
    if (!existsSync(this.#path)) return false;
    this.#database = new Database(this.#path, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    this.#rows = this.#database.prepare(
      'SELECT sequence, at, body, checksum FROM record WHERE sequence > ? ORDER BY sequence',
    );
    return true;
  }
}
