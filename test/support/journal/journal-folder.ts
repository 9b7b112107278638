/** Real journals in folders of their own, copied, damaged and read back. */

import { copyFileSync, existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import type { JournalFailure } from '../../../src/journal/file/journal-failure.ts';
import { openRunJournal, type RunJournalOptions } from '../../../src/journal/open-run-journal.ts';
import { readJournal } from '../../../src/journal/read-journal.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

/** The journal itself, and what makes it whole. */
export const PARTS = ['', '-wal', '.head'] as const;

/** A folder that is gone after the tests of the file; each call gives the path of a journal in a new one. */
export function journalFolder(): () => string {
  const root = temporaryDirectory('journal');
  return () => join(mkdtempSync(join(root, 'run-')), 'journal.db');
}

export function open(file: string, over: Partial<RunJournalOptions> = {}): RunJournal {
  return openRunJournal({ file, acceptCorrupt: false, ...over });
}

/** The records in commits of `each`; the journal stays open. */
export function written(file: string, records: readonly TimedRecord[], each = 3): RunJournal {
  const journal = open(file, { run: 'r1' });
  records.forEach(({ at, record }, index) => {
    journal.append(at, record);
    if (index % each === each - 1) journal.commit();
  });
  journal.commit();
  return journal;
}

/** The files as they are now, as a kill at this moment would leave them: the index of the log is no part of them. */
export function copyJournal(from: string, to: string): void {
  for (const part of PARTS) if (existsSync(`${from}${part}`)) copyFileSync(`${from}${part}`, `${to}${part}`);
}

export function recordsOf(file: string): readonly TimedRecord[] {
  const reader = readJournal(file);
  try {
    return [...reader.records()].map(({ at, record }) => ({ at, record }));
  } finally {
    reader.close();
  }
}

/** What opening it is refused with; undefined where it opens, which it then does not stay. */
export function refusalOf(work: () => RunJournal): JournalFailure | undefined {
  try {
    work().close();
    return undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'JournalFailure') return error as JournalFailure;
    throw error;
  }
}

/** Names of the files beside the journal, without its own name; not SQLite's log where it is empty, nor its index. */
export function filesBeside(file: string): readonly string[] {
  const name = basename(file);
  return readdirSync(dirname(file))
    .map((each) => each.slice(name.length))
    .filter((part) => part !== '-shm' && !(part === '-wal' && statSync(`${file}-wal`).size === 0))
    .sort();
}

/** Records that the journal itself holds: what was packed is not among them. */
export function rowsIn(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    return Number(database.prepare('SELECT count(*) FROM record').pluck().get());
  } finally {
    database.close();
  }
}
