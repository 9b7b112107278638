/**
 * The SQLite database of a journal: creating it, opening it for writing, and turning errors of SQLite into
 * JournalFailure.
 */

import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { JournalFailure, type JournalFailureCode } from './journal-failure.ts';
import { flushToDisk, type JournalFiles, roomFault } from './journal-files.ts';
import {
  APPLICATION_ID,
  type Base,
  baseIn,
  genesis,
  JOURNAL_FORMAT,
  type JournalRow,
  OLDEST_FORMAT,
  PAGE_SIZE,
  SCHEMA,
} from './journal-schema.ts';

/** How long SQLite waits for another connection's write, in ms. */
const BUSY_MS = 1000;
/** 16 MiB of write-ahead log gather before they are copied into the file, since that waits for the disk. */
const CHECKPOINT_PAGES = 4096;
/** A daemon appends to its journal and does not read it again: the 16 MB of pages that the library keeps by default serve nobody. */
const CACHE_KIB = 1024;

/** `base`: what was packed. `migrated`: that the file was made of a journal of an older format. */
export type JournalMeta = Readonly<Record<'run' | 'base', string>> &
  Readonly<Partial<Record<'quarantine' | 'lost' | 'migrated' | 'explained', string>>>;

/**
 * Creates a journal with these rows. It is written under another name and renamed once complete, so that a crash leaves
 * nothing under `path`. Errors of SQLite and of the file system pass.
 */
export function createJournalFile(
  files: JournalFiles,
  path: string,
  meta: JournalMeta,
  rows: Iterable<JournalRow>,
): void {
  const { making } = files;
  for (const each of [making, `${making}-journal`, `${making}-wal`, `${making}-shm`]) rmSync(each, { force: true });
  // It holds what a person traded; its write-ahead log takes over who may read it.
  closeSync(openSync(making, 'wx', 0o600));
  const database = new Database(making);
  try {
    database.pragma(`page_size = ${PAGE_SIZE}`);
    prepareTables(database, meta);
    const insert = database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?)');
    database.transaction(() => {
      for (const { sequence, at, kind, body, checksum } of rows) insert.run(sequence, at, kind, body, checksum);
    })();
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
  flushToDisk(making);
  renameSync(making, path);
  flushToDisk(dirname(path));
}

/** Creates the tables of an empty database and writes its marks and meta data. */
export function prepareTables(database: Database.Database, meta: JournalMeta): void {
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.pragma(`user_version = ${JOURNAL_FORMAT}`);
  database.exec(SCHEMA);
  const insert = database.prepare('INSERT INTO journal VALUES (?, ?)');
  for (const [name, value] of Object.entries(meta)) insert.run(name, value);
}

/** Opens the database for the one process that holds the lock. Errors of SQLite pass. */
export function openForWriting(file: string): Database.Database {
  const database = new Database(file, { fileMustExist: true, timeout: BUSY_MS });
  try {
    database.pragma(`cache_size = -${CACHE_KIB}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    // Starts an empty write-ahead log, so that every frame behind a commit in it was written by this process.
    database.pragma('wal_checkpoint(TRUNCATE)');
    // SQLite silently opens a file read-only that it may not write, and fails at the first write only: this is one.
    database.transaction(() => database.prepare("UPDATE journal SET value = value WHERE name = 'run'").run())();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A value of the journal's meta data; undefined where it is missing. */
export function metaOf(database: Database.Database, name: keyof JournalMeta): string | undefined {
  const value = database.prepare('SELECT value FROM journal WHERE name = ?').pluck().get(name);
  return typeof value === 'string' ? value : undefined;
}

/** Undefined where it cannot be read. Nothing was ever packed of a journal of the oldest format. */
export function baseOf(database: Database.Database, run: string): Base | undefined {
  if (database.pragma('user_version', { simple: true }) === OLDEST_FORMAT) return genesis(run);
  return baseIn(metaOf(database, 'base') ?? '');
}

type AccessCode = Extract<JournalFailureCode, 'JOURNAL_NOT_WRITABLE' | 'JOURNAL_NOT_READABLE'>;

/**
 * The JournalFailure for an error of SQLite or of the file system; `access` where it names no other cause. Any other error
 * is a bug of oddsmith and is returned as it is.
 */
export function failureOf(files: JournalFiles, error: unknown, access: AccessCode = 'JOURNAL_NOT_WRITABLE'): unknown {
  if (error instanceof JournalFailure || !(error instanceof Error) || !('code' in error)) return error;
  if (typeof error.code !== 'string') return error;
  const { file } = files;
  const sqlite = error instanceof Database.SqliteError;
  if (!sqlite && !('syscall' in error)) return error;
  // Whether there is room is found out by writing, which a reader may not, and need not.
  const maybeFull = access === 'JOURNAL_NOT_WRITABLE' && MAYBE_FULL.test(error.code);
  const full = FULL.test(error.code) ? error.message : maybeFull ? roomFault(files) : undefined;
  if (full !== undefined)
    return new JournalFailure({ code: 'JOURNAL_FULL', where: file, why: full, next: NEXT.JOURNAL_FULL });
  const known = sqlite ? CODES.find(([sign]) => sign.test(error.code as string)) : undefined;
  const code = known?.[1] ?? access;
  const why = sqlite ? `${error.message} (${error.code})` : error.message;
  return new JournalFailure({ code, where: file, why, next: NEXT[code] });
}

/** Whether the failed commit wrote nothing, so that it may be tried again. */
export function mayRetry(error: unknown): boolean {
  if (!(error instanceof Database.SqliteError)) return false;
  return /^SQLITE_(FULL|BUSY|IOERR_WRITE|IOERR_SHM)/.test(error.code);
}

const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)/;
const MAYBE_FULL = /^SQLITE_(IOERR|CANTOPEN)/;
const CODES: readonly (readonly [RegExp, 'JOURNAL_BUSY' | 'JOURNAL_CORRUPT'])[] = [
  [/^SQLITE_BUSY/, 'JOURNAL_BUSY'],
  // A record with this sequence number exists already: another process wrote to the journal.
  [/^SQLITE_CONSTRAINT/, 'JOURNAL_BUSY'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'JOURNAL_CORRUPT'],
];
const NEXT: Readonly<
  Record<Extract<JournalFailureCode, 'JOURNAL_FULL' | 'JOURNAL_BUSY' | 'JOURNAL_CORRUPT'> | AccessCode, string>
> = {
  JOURNAL_FULL: 'make room, then start again: all that was committed is kept',
  JOURNAL_BUSY: 'end the other process that writes into the journal, then start again',
  JOURNAL_CORRUPT: 'stop the daemon and start it again: the opening says what is damaged',
  JOURNAL_NOT_READABLE: 'look at the disk and at the rights of the file: it is its owner’s alone',
  JOURNAL_NOT_WRITABLE: 'look at the disk and at the rights of the file, then start again',
};
