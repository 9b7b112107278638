/** A run's journal that lives in memory and outlives its writer: for simulated runs that are killed and started again. */

import Database from 'better-sqlite3';
import { assert, defined } from '../../../src/core/checks/assert.ts';
import type { Explanations } from '../../../src/journal/explain/explain-writer.ts';
import { baseOf, prepareTables } from '../../../src/journal/file/journal-database.ts';
import { recordsFrom, walkChain } from '../../../src/journal/file/journal-rows.ts';
import { baseText, genesis } from '../../../src/journal/file/journal-schema.ts';
import { rebuild } from '../../../src/journal/history/rebuild.ts';
import { Packing } from '../../../src/journal/past/packing.ts';
import { CHECKPOINT_AT, RunJournal } from '../../../src/journal/run-journal.ts';

/** No start needs what explains. */
const UNEXPLAINED: Explanations = { add: () => undefined, flush: () => undefined, close: () => undefined, newest: 0 };

/** Stands for the disk. */
export interface MemoryJournal {
  readonly database: Database.Database;
  /** Kills the journal opened before: what it had not committed is lost. */
  open(): RunJournal;
  close(): void;
}

export function memoryRunJournal({
  run,
  failureOf = (error) => error,
  checkpointAt = CHECKPOINT_AT,
}: {
  readonly run: string;
  readonly failureOf?: (error: unknown) => unknown;
  readonly checkpointAt?: number;
}): MemoryJournal {
  const database = new Database(':memory:');
  prepareTables(database, { run, base: baseText(genesis(run)) });
  let current: RunJournal | undefined;
  const open = (): RunJournal => {
    const isNew = current === undefined;
    current?.close();
    const base = defined(baseOf(database, run), 'memory keeps what was written');
    const { records, head, checkpoints, broken } = walkChain(database, base);
    assert(broken === undefined, 'memory keeps what was written');
    const packing = new Packing({
      ...{ database, base, checkpoints, file: undefined },
      beforeMove: () => undefined,
      onFault: (why) => assert(why === undefined, why ?? ''),
    });
    current = new RunJournal({
      ...{ database, run, head },
      opening: { state: isNew ? 'new' : 'whole', droppedRecords: 0, records },
      restored: records === 0 ? undefined : rebuild(run, recordsFrom(database, checkpoints.at(-1) ?? 1, records)),
      ...{ packing, explain: UNEXPLAINED, checkpointAt },
      acknowledged: () => undefined,
      failureOf,
      close: () => undefined,
    });
    return current;
  };
  return { database, open, close: () => database.close() };
}
