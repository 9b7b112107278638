/** A journal on disk: its tables, its version, and the checksum that ties every record to all those before it. */

import { hash } from 'node:crypto';

/** "oddJ". */
export const APPLICATION_ID = 0x6f64644a;
export const JOURNAL_FORMAT = 1;
/** Bytes. Salvage reads pages by this size where the file's own header is lost. */
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
  CREATE TRIGGER record_stays BEFORE DELETE ON record BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
  CREATE TRIGGER record_keeps BEFORE UPDATE ON record BEGIN SELECT RAISE(ABORT, 'a journal only grows'); END;
`;

/** `body` is the whole record as JSON; `kind` repeats the record's, for those who look with sqlite3. */
export interface JournalRow {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly body: string;
  readonly checksum: string;
}

/** 128 bits in hex. */
export const CHECKSUM_LENGTH = 32;

/** What the first record is tied to, so that no record can be taken into another run's journal. */
export function genesis(run: string): string {
  return hash('sha256', `oddsmith journal ${JOURNAL_FORMAT}\n${run}`, 'hex').slice(0, CHECKSUM_LENGTH);
}

/**
 * SHA-256 over the checksum before and all columns, cut to 128 bits. It finds a record that is changed, missing, added,
 * swapped or out of another journal; not the end of a journal that is cut off whole, for which there is the JournalHead.
 */
export function chained(before: string, { sequence, at, kind, body }: Omit<JournalRow, 'checksum'>): string {
  return hash('sha256', `${before}\n${sequence}\n${at}\n${kind}\n${body}`, 'hex').slice(0, CHECKSUM_LENGTH);
}
