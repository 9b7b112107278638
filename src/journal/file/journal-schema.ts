/**
 * The format of a journal on disk: tables, version, and the checksum that ties every record to all records before it.
 */

import { hash } from 'node:crypto';

/** "oddJ" in ASCII; SQLite keeps it in the file's header. */
export const APPLICATION_ID = 0x6f64644a;
/**
 * Format 1 had what explains among its records, and kept every record for ever. It is read as it is; a start moves it
 * aside and goes on in format 2.
 */
export const JOURNAL_FORMAT = 2;
export const OLDEST_FORMAT = 1;
/** Bytes of a page. Salvage reads pages of this size where the file's own header is lost. */
export const PAGE_SIZE = 4096;

export const SCHEMA = `
  CREATE TABLE journal (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE record (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER record_stays BEFORE DELETE ON record
    WHEN OLD.sequence > (SELECT CAST(value AS INTEGER) FROM journal WHERE name = 'base')
    BEGIN SELECT RAISE(ABORT, 'a journal only grows, but for what was packed'); END;
  CREATE TRIGGER record_keeps BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
`;

/**
 * A row. `body` is the whole record as JSON; `kind` repeats the record's kind for people who look with sqlite3. `at` is
 * in ms UTC on the run's clock.
 */
export interface JournalRow {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly body: string;
  readonly checksum: string;
}

/** The last record before the first one that a journal holds: those up to it were packed. */
export interface Base {
  /** 0 where nothing was packed. */
  readonly sequence: number;
  readonly checksum: string;
}

/** Characters of a checksum: 128 bits in hexadecimal. */
export const CHECKSUM_LENGTH = 32;

/**
 * The checksum that the first record is tied to. It contains the run's name, so that no record can be moved into the
 * journal of another run.
 */
export function genesisChecksum(run: string): string {
  // The same in each format: the chain of a run goes on over a change of it.
  return hash('sha256', `oddsmith journal 1\n${run}`, 'hex').slice(0, CHECKSUM_LENGTH);
}

export function genesis(run: string): Base {
  return { sequence: 0, checksum: genesisChecksum(run) };
}

/** The journal's meta data keep it so. */
export function baseText({ sequence, checksum }: Base): string {
  return `${sequence} ${checksum}`;
}

export function baseIn(text: string): Base | undefined {
  const [, sequence, checksum] = /^(\d+) ([0-9a-f]{32})$/.exec(text) ?? [];
  return checksum === undefined ? undefined : { sequence: Number(sequence), checksum };
}

/**
 * The checksum of a record: SHA-256 over the previous checksum and all columns, cut to 128 bits. It detects a record
 * that was changed, removed, added, swapped or taken from another journal. It does not detect a journal that is cut off
 * between two records: for that there is the JournalHead.
 */
export function chainedChecksum(before: string, { sequence, at, kind, body }: Omit<JournalRow, 'checksum'>): string {
  return hash('sha256', `${before}\n${sequence}\n${at}\n${kind}\n${body}`, 'hex').slice(0, CHECKSUM_LENGTH);
}

/** The row that follows on another, or on the base. */
export function chainedRow(before: Base, { at, kind, body }: Pick<JournalRow, 'at' | 'kind' | 'body'>): JournalRow {
  const row = { sequence: before.sequence + 1, at, kind, body };
  return { ...row, checksum: chainedChecksum(before.checksum, row) };
}
