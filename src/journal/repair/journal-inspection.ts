/** Inspects a journal without changing it: whether all committed records are there and as they were written. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { RunState } from '../../core/run/run-state.ts';
import { baseOf, metaOf } from '../file/journal-database.ts';
import { JournalFailure } from '../file/journal-failure.ts';
import type { JournalFiles } from '../file/journal-files.ts';
import { type Acknowledged, readJournalHead } from '../file/journal-head.ts';
import { type ChainWalk, damageIn, recordsFrom, walkChain } from '../file/journal-rows.ts';
import { APPLICATION_ID, type Base, JOURNAL_FORMAT, OLDEST_FORMAT } from '../file/journal-schema.ts';
import { rawRows } from '../file/raw-rows.ts';
import { walFrames } from '../file/wal-frames.ts';
import { rebuild } from '../history/rebuild.ts';

export interface Damage {
  readonly why: string;
  readonly sequence: number | undefined;
}

/** The readable part of a damaged journal. */
export interface DamagedJournal {
  readonly kind: 'damaged';
  readonly damage: Damage;
  /** The run's name as stored in the file. */
  readonly run: string | undefined;
  readonly acknowledged: Acknowledged | undefined;
  /** What was packed before its first record; undefined where that is not known. */
  readonly base: Base | undefined;
  /** Sequence number of the last of the records from the first on that are as they were written; 0 where there is none. */
  readonly goodRecords: number;
}

export interface CompleteJournal {
  readonly kind: 'whole';
  readonly run: string;
  readonly format: number;
  readonly base: Base;
  /** Sequence number of the last record, and of the newest checkpoints. */
  readonly records: number;
  readonly checkpoints: readonly number[];
  readonly head: string;
  readonly restored: RunState | undefined;
  /** Number of records of a last commit that was cut off by a crash; undefined where nothing was cut off. */
  readonly torn: number | undefined;
}

/**
 * Reads and checks the whole journal, and rebuilds the run's state. Errors of the file system and SQLite's refusals to
 * read pass.
 * @throws JournalFailure NOT_A_JOURNAL, JOURNAL_NEWER
 */
export function inspectJournal(files: JournalFiles): CompleteJournal | DamagedJournal {
  const acknowledged = existsSync(files.head) ? readJournalHead(files.head) : undefined;
  const damaged = (why: string, { run, base, walk, sequence }: Partial<Inspection> = {}): DamagedJournal => ({
    kind: 'damaged',
    run,
    acknowledged,
    base: base ?? acknowledged?.base,
    goodRecords: walk?.records ?? 0,
    damage: { why, sequence: sequence ?? walk?.broken?.sequence },
  });
  const size = statSync(files.file, { throwIfNoEntry: false })?.size ?? 0;
  // SQLite would take an empty file for a new database and discard its log.
  if (size === 0) return damaged(existsSync(files.file) ? 'the file is empty' : 'the file itself is missing');
  const database = new Database(files.file, { readonly: true, fileMustExist: true, timeout: 1000 });
  try {
    const found = inspectDatabase(database, files, acknowledged);
    if (typeof found === 'string') return damaged(found);
    const { run, format, base, walk } = found;
    const why = walk.broken?.why ?? startFault(walk, base) ?? endFault(files, run, walk, acknowledged);
    if (why !== undefined) return damaged(why, found);
    const { records, head, checkpoints } = walk;
    const from = checkpoints.at(-1) ?? 1;
    const restored = records === 0 ? undefined : rebuild(run, recordsFrom(database, from, records));
    const torn = tornRecords(files, records);
    return { kind: 'whole', run, format, base, records, checkpoints, head, restored, torn };
  } catch (error) {
    const why = damageIn(error);
    if (why === undefined) throw error;
    return damaged(why);
  } finally {
    database.close();
  }
}

interface Inspection {
  readonly run: string;
  readonly format: number;
  readonly base: Base;
  readonly walk: ChainWalk;
  readonly sequence?: number;
}

/** Checks format, run and chain. A text says what is damaged. */
function inspectDatabase(
  database: Database.Database,
  files: JournalFiles,
  acknowledged: Acknowledged | undefined,
): Inspection | string {
  const wrong = formatFault(database, files.file, acknowledged !== undefined);
  if (wrong !== undefined) return wrong;
  const run = metaOf(database, 'run');
  if (run === undefined) return 'the name of its run is missing';
  const base = baseOf(database, run);
  if (base === undefined) return 'what was packed of it is not said';
  const format = Number(database.pragma('user_version', { simple: true }));
  const fault = pageFault(database, format);
  if (fault !== undefined) return fault;
  return { run, format, base, walk: walkChain(database, base, acknowledged?.sequence) };
}

/** Whether a page counts as free and is in use: it would be written over one day. */
function pageFault(database: Database.Database, format: number): string | undefined {
  // Nothing was ever deleted from a journal of the oldest format, and it may be so long that to check it takes minutes.
  if (format === OLDEST_FORMAT)
    return database.pragma('freelist_count', { simple: true }) === 0
      ? undefined
      : 'pages are marked free, and none ever was';
  const found = String(database.pragma('quick_check(1)', { simple: true }));
  return found === 'ok' ? undefined : `SQLite finds it damaged: ${found}`;
}

/** What was packed is known by the checkpoint that stands for it. */
function startFault({ checkpoints }: ChainWalk, base: Base): string | undefined {
  return base.sequence > 0 && checkpoints.length === 0 ? 'the checkpoint for what was packed is missing' : undefined;
}

function formatFault(database: Database.Database, file: string, isOurs: boolean): string | undefined {
  const { application, format } = marksOf(database);
  if (application === APPLICATION_ID && (format === JOURNAL_FORMAT || format === OLDEST_FORMAT)) return undefined;
  // A journal of these formats has a head beside it: then it is the mark itself that is damaged.
  if (isOurs) return `it is marked ${application}, format ${format}`;
  requireJournal(database, file);
  return `it is of format ${format}, which never was`;
}

/** @throws JournalFailure NOT_A_JOURNAL or JOURNAL_NEWER */
export function requireJournal(database: Database.Database, file: string): void {
  const { application, format } = marksOf(database);
  if (application !== APPLICATION_ID)
    throw new JournalFailure({
      code: 'NOT_A_JOURNAL',
      where: file,
      why: 'another program wrote it',
      next: 'choose another file',
    });
  if (Number(format) > JOURNAL_FORMAT)
    throw new JournalFailure({
      code: 'JOURNAL_NEWER',
      where: file,
      why: `it is of format ${format}, and this version reads up to ${JOURNAL_FORMAT}`,
      next: 'use the version that wrote it, or a later one',
    });
}

function marksOf(database: Database.Database): { readonly application: unknown; readonly format: unknown } {
  return {
    application: database.pragma('application_id', { simple: true }),
    format: database.pragma('user_version', { simple: true }),
  };
}

/** Checks against the head whether the end of the journal is missing, which SQLite cannot see. */
function endFault(
  { head }: JournalFiles,
  run: string,
  { records, headAt }: ChainWalk,
  acknowledged: Acknowledged | undefined,
): string | undefined {
  if (acknowledged === undefined) {
    if (existsSync(head)) return `${head} cannot be read, which tells how far the journal went`;
    return records === 0 ? undefined : `${head} is missing, which tells how far the journal went`;
  }
  if (acknowledged.run !== run) return `${head} is of the run ${acknowledged.run}, the journal of ${run}`;
  if (records < acknowledged.sequence) {
    const lost = acknowledged.sequence - records;
    return `it ends with record ${records}, and ${lost} after it were committed: its log is lost, or it is an older copy`;
  }
  return headAt === acknowledged.checksum
    ? undefined
    : `record ${acknowledged.sequence} is not the one that was committed`;
}

function tornRecords({ wal }: JournalFiles, records: number): number | undefined {
  if (!existsSync(wal)) return undefined;
  const { rest, isContinued } = walFrames(readFileSync(wal));
  const sequences = [...rawRows(rest, () => undefined)].map(({ sequence }) => sequence);
  const lost = new Set(sequences.filter((sequence) => sequence > records));
  return lost.size > 0 || isContinued ? lost.size : undefined;
}
