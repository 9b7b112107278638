/** Reads the journal of a run record by record, also while another process writes it. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JournalRecord } from '../core/run/journal.ts';
import { failureOf, metaOf } from './file/journal-database.ts';
import { JournalFailure } from './file/journal-failure.ts';
import { type JournalFiles, journalFiles } from './file/journal-files.ts';
import { readJournalHead } from './file/journal-head.ts';
import { damageIn } from './file/journal-rows.ts';
import { chainedChecksum, genesisChecksum, type JournalRow } from './file/journal-schema.ts';
import { requireJournal } from './repair/journal-inspection.ts';
import type { TimedRecord } from './state/rebuild.ts';

export interface KeptRecord extends TimedRecord {
  /** Counts up from 1 without gaps. */
  readonly sequence: number;
}

export interface JournalReader {
  readonly run: string;
  /**
   * All records committed so far and those committed during reading. Each is checked against the chain of checksums.
   * @throws JournalFailure JOURNAL_CORRUPT, after the last good record
   */
  records(): IterableIterator<KeptRecord>;
  close(): void;
}

/**
 * Records read at a time. Between two reads no statement is open, so that a slow reader does not keep the writer's log
 * from being copied into its file.
 */
const BATCH = 1024;
const SELECT = 'SELECT sequence, at, kind, body, checksum FROM record WHERE sequence > ? ORDER BY sequence LIMIT ?';

/**
 * Opens a journal for reading. @throws JournalFailure JOURNAL_NOT_FOUND, NOT_A_JOURNAL, JOURNAL_NEWER or
 * JOURNAL_CORRUPT
 */
export function readJournal(path: string): JournalReader {
  const files = journalFiles(path);
  if (!existsSync(files.file))
    throw new JournalFailure({
      code: 'JOURNAL_NOT_FOUND',
      where: files.file,
      why: 'no file has this name',
      next: "give the path of a run's journal",
    });
  return guarded(files, 1, () => {
    const database = openForReading(files);
    try {
      requireJournal(database, files.file);
      const run = metaOf(database, 'run');
      if (run === undefined) throw corrupt(files, 1, 'the name of its run is missing');
      return { run, records: () => recordsOf(files, database, run), close: () => database.close() };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/**
 * In a folder that may not be written SQLite cannot create the index of the log. If there is no log, a copy of the file
 * in memory is opened instead.
 */
function openForReading({ file, wal }: JournalFiles): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    database.pragma('user_version');
    return database;
  } catch (error) {
    database.close();
    const isStill = (statSync(wal, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (!isStill || !(error instanceof Database.SqliteError) || !/CANTOPEN|READONLY/.test(error.code)) throw error;
    return inMemory(readFileSync(file));
  }
}

/**
 * Opens a copy in memory. The two header bytes that say that there may be a log (SQLite's file format, section 1.3) are
 * set to say that there is none.
 */
function inMemory(file: Buffer): Database.Database {
  file.fill(1, 18, 20);
  return new Database(file, { readonly: true });
}

function* recordsOf(files: JournalFiles, database: Database.Database, run: string): IterableIterator<KeptRecord> {
  const select = guarded(files, 1, () => database.prepare(SELECT));
  // Read before the first record: the writer may add records meanwhile, but never removes one.
  const acknowledged = existsSync(files.head) ? (readJournalHead(files.head)?.sequence ?? 0) : 0;
  let head = genesisChecksum(run);
  let last = 0;
  for (;;) {
    const rows = guarded(files, last + 1, () => select.all(last, BATCH) as JournalRow[]);
    for (const row of rows) {
      if (row.sequence !== last + 1) throw corrupt(files, last + 1, `record ${last + 1} is missing`);
      if (chainedChecksum(head, row) !== row.checksum)
        throw corrupt(files, row.sequence, `record ${row.sequence} does not match its checksum`);
      head = row.checksum;
      last = row.sequence;
      yield { sequence: last, at: row.at, record: JSON.parse(row.body) as JournalRecord };
    }
    if (rows.length < BATCH) break;
  }
  if (last < acknowledged) throw corrupt(files, last + 1, `${acknowledged - last} records at its end are lost`);
}

function guarded<T>(files: JournalFiles, sequence: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = damageIn(error);
    throw why === undefined ? failureOf(files, error) : corrupt(files, sequence, why);
  }
}

function corrupt({ file }: JournalFiles, sequence: number, why: string): JournalFailure {
  return new JournalFailure({
    code: 'JOURNAL_CORRUPT',
    where: `${file}, record ${sequence}`,
    why,
    sequence,
    next: 'the records before it are good; starting the daemon says what can be done',
  });
}
