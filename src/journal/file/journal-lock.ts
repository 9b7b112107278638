/**
 * Keeps a second process off a journal while this one lives. The lock belongs to the operating system, so it ends with
 * the process.
 */

import Database from 'better-sqlite3';
import { JournalFailure } from './journal-failure.ts';

export interface JournalLock {
  release(): void;
}

/**
 * Takes the lock: an exclusive transaction on a separate small SQLite file that is never committed. The journal itself
 * can still be read by others.
 * @throws JournalFailure JOURNAL_BUSY or JOURNAL_NOT_WRITABLE
 */
export function lockJournal(file: string): JournalLock {
  const path = `${file}.lock`;
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    // In any other mode the transaction would leave a rollback journal file beside the lock.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) {
      const why = 'it is locked by a daemon at work';
      throw new JournalFailure({
        code: 'JOURNAL_BUSY',
        where: file,
        why,
        next: 'stop that one first, or give this one a journal of its own',
      });
    }
    if (error.code.startsWith('SQLITE_NOTADB'))
      throw new JournalFailure({
        code: 'JOURNAL_NOT_WRITABLE',
        where: path,
        why: 'the lock beside the journal is no lock of ours',
        next: 'look what the file is, and move it away',
      });
    throw new JournalFailure({
      code: 'JOURNAL_NOT_WRITABLE',
      where: path,
      why: error.message,
      next: 'give the daemon the right to write into that folder',
    });
  }
}
