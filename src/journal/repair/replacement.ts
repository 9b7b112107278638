/** Puts a new journal in place of one that was damaged, or that is of an older format. */

import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { defined } from '../../core/checks/assert.ts';
import { baseOf, metaOf } from '../file/journal-database.ts';
import { flushToDisk, type JournalFiles } from '../file/journal-files.ts';
import { JournalHead } from '../file/journal-head.ts';
import { recordIn, walkChain } from '../file/journal-rows.ts';
import { genesis } from '../file/journal-schema.ts';

export interface Replaced {
  /** `migrated`: the earlier one was whole, and of an older format. */
  readonly kind: 'accepted' | 'migrated';
  /** Where the earlier one is now. */
  readonly movedTo: string;
  /** Number of records that existed and are lost, as far as it can be known. */
  readonly lost: number;
}

/**
 * Moves the earlier files aside and the new journal, which is complete, into their place; undefined where there is no new
 * journal. Each step may be repeated after a crash, by this process or by the next.
 */
export function finishReplacement(files: JournalFiles): Replaced | undefined {
  const { file, wal, shm, head, fresh, past } = files;
  if (!existsSync(fresh)) return undefined;
  const { run, kind, movedTo, lost, acknowledged } = readFresh(fresh);
  moveOnce(file, movedTo);
  // The log stays beside its file under the new name, so that SQLite still reads both together. A process that only
  // looked at the file leaves an empty log, which is removed.
  if (statSync(wal, { throwIfNoEntry: false })?.size === 0) rmSync(wal);
  moveOnce(wal, `${movedTo}-wal`);
  moveOnce(head, `${movedTo}.head`);
  // A new journal that begins with the run's first record does not continue what was packed.
  if (acknowledged.base.sequence === 0)
    for (const part of ['', '-wal']) moveOnce(`${past}${part}`, `${movedTo}.past${part}`);
  rmSync(shm, { force: true });
  JournalHead.create(head, { run, ...acknowledged });
  renameSync(fresh, file);
  flushToDisk(dirname(file));
  return { kind, movedTo, lost };
}

function readFresh(fresh: string) {
  const database = new Database(fresh, { fileMustExist: true });
  try {
    const run = defined(metaOf(database, 'run'), 'a fresh journal is made with its run');
    const movedTo = defined(metaOf(database, 'quarantine'), 'a fresh journal says where the earlier one goes');
    const base = baseOf(database, run) ?? genesis(run);
    const { records, head, lastBody } = walkChain(database, base);
    const record = lastBody === '' ? undefined : recordIn(lastBody);
    const lastClient = record?.kind === 'checkpoint' ? record.state.lastClient : 0;
    const kind: Replaced['kind'] = metaOf(database, 'migrated') === undefined ? 'accepted' : 'migrated';
    const acknowledged = { sequence: records, checksum: head, lastClient, base };
    return { run, kind, movedTo, lost: Number(metaOf(database, 'lost')), acknowledged };
  } finally {
    database.close();
  }
}

/** Renames a file unless the new name exists: then it was moved before the process died. */
function moveOnce(from: string, to: string): void {
  if (existsSync(from) && !existsSync(to)) renameSync(from, to);
}
