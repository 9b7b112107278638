/** A run's journal that lives in memory and outlives its writer: for simulated runs that are killed and started again. */

import Database from 'better-sqlite3';
import { assert } from '../../../src/core/checks/assert.ts';
import { prepareTables } from '../../../src/journal/file/journal-database.ts';
import { recordsFrom, walkChain } from '../../../src/journal/file/journal-rows.ts';
import { RunJournal } from '../../../src/journal/run-journal.ts';
import { rebuild } from '../../../src/journal/state/rebuild.ts';

/** Stands for the disk. */
export interface MemoryJournal {
  /** Kills the journal opened before: what it had not committed is lost. */
  open(): RunJournal;
  close(): void;
}

export function memoryRunJournal({ run }: { readonly run: string }): MemoryJournal {
  const database = new Database(':memory:');
  prepareTables(database, { run });
  let current: RunJournal | undefined;
  const open = (): RunJournal => {
    const isNew = current === undefined;
    current?.close();
    const { records, head, checkpoint, broken } = walkChain(database, run);
    assert(broken === undefined, 'memory keeps what was written');
    current = new RunJournal({
      ...{ database, run, head },
      opening: { state: isNew ? 'new' : 'whole', droppedRecords: 0, records },
      restored: records === 0 ? undefined : rebuild(run, recordsFrom(database, Math.max(1, checkpoint), records)),
      acknowledged: () => undefined,
      failureOf: (error) => error,
      close: () => undefined,
    });
    return current;
  };
  return { open, close: () => database.close() };
}
