/** Reads the journal of a run record by record, also while another process writes it. */

import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { TimedRecord } from '../core/run/journal.ts';
import { type Explained, ExplainReader } from './explain/explain-reader.ts';
import { failureOf, metaOf } from './file/journal-database.ts';
import { JournalFailure } from './file/journal-failure.ts';
import { type JournalFiles, journalFiles } from './file/journal-files.ts';
import { readJournalHead } from './file/journal-head.ts';
import { damageIn, recordIn } from './file/journal-rows.ts';
import { keptRows } from './past/kept-rows.ts';
import { requireJournal } from './repair/journal-inspection.ts';

export interface KeptRecord extends TimedRecord {
  /** Counts up from 1; what explains has the number of the record that it follows on. */
  readonly sequence: number;
}

/** A span of the run's clock of which not all can be read any more; from its beginning, or to its end, where one is infinite. */
export interface LostSpan {
  /** `records`: all of the run. `explanations`: decisions and refusals. */
  readonly of: 'records' | 'explanations';
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

export interface JournalReader {
  readonly run: string;
  /**
   * All records committed so far and those committed during reading, also those that were packed, and what explains them
   * in between. Each is checked. @throws JournalFailure JOURNAL_CORRUPT, after the last good record of the journal itself
   */
  records(): IterableIterator<KeptRecord>;
  /** What is lost of that which `records` has read so far. */
  readonly lost: readonly LostSpan[];
  close(): void;
}

/**
 * Opens a journal for reading. @throws JournalFailure JOURNAL_NOT_FOUND, NOT_A_JOURNAL, JOURNAL_NEWER,
 * JOURNAL_NOT_READABLE or JOURNAL_CORRUPT
 */
export function readJournal(path: string): JournalReader {
  const files = journalFiles(path);
  return guarded(files, 1, () => {
    requireFile(files);
    const database = openForReading(files);
    try {
      requireJournal(database, files.file);
      const run = metaOf(database, 'run');
      if (run === undefined) throw corrupt(files, 1, 'the name of its run is missing');
      const reading = { files, database, run, lost: [] as LostSpan[] };
      const { lost } = reading;
      return { run, lost, records: () => recordsOf(reading), close: () => database.close() };
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** SQLite would take an empty file for a new database and remove its log, and does not say which right is missing. */
function requireFile(files: JournalFiles): void {
  const { file } = files;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.size > 0) return accessSync(file, constants.R_OK);
  if (found?.isFile() === true) throw corrupt(files, 1, 'the file is empty');
  throw new JournalFailure({
    code: found === undefined ? 'JOURNAL_NOT_FOUND' : 'NOT_A_JOURNAL',
    where: file,
    why: found === undefined ? 'no file has this name' : 'what has this name is no file',
    next: "give the path of a run's journal",
  });
}

/**
 * SQLite cannot create the index of the log in a folder that may not be written. If there is no log, a copy of the file
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

interface Reading {
  readonly files: JournalFiles;
  readonly database: Database.Database;
  readonly run: string;
  readonly lost: LostSpan[];
}

/** What explains stands behind the record that it follows on; behind a record that was not read yet it is not read either. */
function* recordsOf(reading: Reading): IterableIterator<KeptRecord> {
  const { files, database, lost } = reading;
  lost.length = 0;
  const explanations = new ExplainReader(files.explain, Number(metaOf(database, 'explained') ?? 0));
  const lines = guarded(files, 1, () => explanations.lines());
  const next = (): Explained | undefined => guarded(files, 1, () => lines.next().value);
  let line = next();
  let last = 0;
  const until = function* (sequence: number): IterableIterator<KeptRecord> {
    for (; line !== undefined && line.after < sequence; line = next())
      yield { sequence: line.after, at: line.at, record: line.record };
  };
  for (const record of chainedRecords(reading)) {
    yield* until(record.sequence);
    yield record;
    last = record.sequence;
  }
  yield* until(last + 1);
  for (const { from, to, isRemoved } of explanations.unexplained) {
    const why = isRemoved ? 'files of explanations were removed' : 'lines are damaged, or could not be written';
    lost.push({ of: 'explanations', from, to, why });
  }
}

function* chainedRecords({ files, database, run, lost }: Reading): IterableIterator<KeptRecord> {
  // Read before the first record: the writer may add records meanwhile, and packs them before it removes them.
  const acknowledged = existsSync(files.head) ? (readJournalHead(files.head)?.sequence ?? 0) : 0;
  let last = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let missing: string | undefined;
  const rows = guarded(files, 1, () =>
    keptRows({
      files,
      database,
      run,
      onMissing: ({ after, next, why }) => {
        missing = `records ${after + 1} to ${next - 1}: ${why}`;
        last = next - 1;
      },
    }),
  );
  for (;;) {
    const step = guarded(files, last + 1, () => rows.next());
    if (step.done === true) {
      if (step.value !== undefined) throw corrupt(files, step.value.sequence, step.value.why);
      break;
    }
    const { sequence, at, body } = step.value;
    if (missing !== undefined) lost.push({ of: 'records', from: lastAt, to: at, why: missing });
    missing = undefined;
    [last, lastAt] = [sequence, at];
    yield { sequence, at, record: guarded(files, sequence, () => recordIn(body)) };
  }
  if (last < acknowledged) throw corrupt(files, last + 1, `${acknowledged - last} records at its end are lost`);
}

function guarded<T>(files: JournalFiles, sequence: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = damageIn(error);
    throw why === undefined ? failureOf(files, error, 'JOURNAL_NOT_READABLE') : corrupt(files, sequence, why);
  }
}

function corrupt({ file }: JournalFiles, sequence: number, why: string): JournalFailure {
  return new JournalFailure({
    code: 'JOURNAL_CORRUPT',
    where: `${file}, record ${sequence}`,
    why,
    sequence,
    next: `${sequence > 1 ? 'the records before it are good; ' : ''}starting the daemon says what can be done`,
  });
}
