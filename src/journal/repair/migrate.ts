/** Makes a journal of this format of one of the oldest format, which stays beside it as it is. */

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { JournalRecord } from '../../core/run/journal.ts';
import { createJournalFile, openForWriting } from '../file/journal-database.ts';
import { JournalFailure } from '../file/journal-failure.ts';
import type { JournalFiles } from '../file/journal-files.ts';
import { baseText, chainedRow } from '../file/journal-schema.ts';
import type { CompleteJournal } from './journal-inspection.ts';

/**
 * Writes a journal that goes on from the state that the earlier one leads to: its first record is a checkpoint, chained
 * to the last record of the earlier one. `finishReplacement` puts it into place. @throws JournalFailure JOURNAL_CORRUPT
 */
export function migrate(files: JournalFiles, { run, records, head, restored }: CompleteJournal): void {
  if (existsSync(files.older)) throw wentOn(files);
  const base = { sequence: records, checksum: head };
  // Its log is copied into it, as far as nobody reads it: what is left of the log is moved along with it.
  openForWriting(files.file).close();
  const state: JournalRecord | undefined = restored === undefined ? undefined : { kind: 'checkpoint', state: restored };
  const rows =
    state === undefined
      ? []
      : [chainedRow(base, { at: lastAt(files.file), kind: state.kind, body: JSON.stringify(state) })];
  const meta = { run, base: baseText(base), quarantine: files.older, lost: '0', migrated: '1' };
  createJournalFile(files, files.fresh, meta, rows);
}

function lastAt(file: string): number {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return Number(database.prepare('SELECT at FROM record ORDER BY sequence DESC LIMIT 1').pluck().get());
  } finally {
    database.close();
  }
}

function wentOn({ file, older }: JournalFiles): JournalFailure {
  return new JournalFailure({
    code: 'JOURNAL_CORRUPT',
    where: file,
    why: `it is of format 1, and the run went on from a journal of format 1 before, which is ${older}`,
    next: 'an older copy was put back: take back the newest journal of the run, or begin a new run in another directory',
  });
}
