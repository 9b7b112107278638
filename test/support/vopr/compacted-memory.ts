/** The journal of a simulated run, which is compacted all the while; each start must find in it the state of all that was ever committed. */

import { isDeepStrictEqual } from 'node:util';
import type { JournalRecord, TimedRecord } from '../../../src/core/run/journal.ts';
import { rebuild } from '../../../src/journal/history/rebuild.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import { type MemoryJournal, memoryRunJournal } from '../journal/memory-run-journal.ts';

export interface CompactedMemoryParts {
  readonly run: string;
  /** A process starts from a journal that some records have left. */
  readonly onCompacted: () => void;
  /** A process would start from another state than that of all records. */
  readonly onForgotten: (what: string) => void;
}

/** So few that a short life has several checkpoints. */
const CHECKPOINT_AT = 20;

export class CompactedMemory {
  readonly #parts: CompactedMemoryParts;
  readonly #memory: MemoryJournal;
  readonly #records: TimedRecord[] = [];

  constructor(parts: CompactedMemoryParts) {
    this.#parts = parts;
    this.#memory = memoryRunJournal({ run: parts.run, checkpointAt: CHECKPOINT_AT });
  }

  /** Kills the process that wrote into it before. */
  open(): RunJournal {
    const journal = this.#memory.open();
    const { run, onCompacted, onForgotten } = this.#parts;
    const held = Number(this.#memory.database.prepare('SELECT count(*) FROM record').pluck().get());
    if (held < journal.records) onCompacted();
    const all = this.#records.length === 0 ? undefined : asKept(rebuild(run, this.#records));
    const found = journal.restored && asKept(journal.restored);
    if (!isDeepStrictEqual(found, all)) onForgotten(`${JSON.stringify(found)} is not ${JSON.stringify(all)}`);
    return journal;
  }

  /** The records, once they are remembered. */
  remembered(records: readonly TimedRecord[]): readonly JournalRecord[] {
    // A checkpoint is what is judged.
    this.#records.push(...records.filter(({ record }) => record.kind !== 'checkpoint'));
    return records.map(({ record }) => record);
  }

  close(): void {
    this.#memory.close();
  }
}

/** What is absent and what is undefined are the same. */
function asKept(state: object): unknown {
  return JSON.parse(JSON.stringify(state));
}
