/** Keeps a second coordinator off the directory of a sweep. The lock belongs to the operating system, so it ends with the process. */

import Database from 'better-sqlite3';
import { storeError } from './store-error.ts';

export interface SweepLock {
  release(): void;
}

/**
 * An exclusive transaction on a small SQLite file of its own, which is never committed; the store itself can be read meanwhile.
 * @throws OddsmithError SWEEP_BUSY or SWEEP_NOT_WRITABLE
 */
export function lockSweep(path: string): SweepLock {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { timeout: 0 });
    // In any other mode the transaction would leave a rollback journal beside the lock.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    const held = database;
    return { release: () => held.close() };
  } catch (error) {
    database?.close();
    throw storeError(path, error);
  }
}
