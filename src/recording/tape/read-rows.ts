/** Reads rows of a tape that is open: what SQLite cannot read of it, as where its end is gone, is damage to the tape. */

import Database from 'better-sqlite3';
import { TapeFailure } from './tape-failure.ts';

/** What `read` gives. @throws TapeFailure TAPE_CORRUPT */
export function readRows<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    const detail = `${path} (${error.message})`;
    throw new TapeFailure('TAPE_CORRUPT', path, detail, 'import the recording again; `tape verify` lists all damage');
  }
}
