/** The open journal of a run: appends and commits records, and says what was found at its opening. */

import type Database from 'better-sqlite3';
import { AssertionFailure, assert } from '../core/checks/assert.ts';
import { explains, type Journal, type JournalRecord } from '../core/run/journal.ts';
import type { RunState } from '../core/run/run-state.ts';
import type { Explanations } from './explain/explain-writer.ts';
import { mayRetry } from './file/journal-database.ts';
import { JournalFailure } from './file/journal-failure.ts';
import type { Acknowledged } from './file/journal-head.ts';
import { chainedRow, type JournalRow } from './file/journal-schema.ts';
import { foldRecord } from './history/rebuild.ts';
import { draftOf, newDraft, type RunDraft, stateOf } from './history/run-draft.ts';
import type { Packing } from './past/packing.ts';

/** The state in which the journal was found. */
export interface JournalOpening {
  /**
   * `new`: created now. `whole`: every record ever committed is there. `tornTail`: the process died during its last
   * commit, which had not returned, so that nothing depends on it. `acceptedCorrupt`: damaged, and the operator chose
   * to continue with the readable part.
   */
  readonly state: 'new' | 'whole' | 'tornTail' | 'acceptedCorrupt';
  /** Number of records that were dropped. */
  readonly droppedRecords: number;
  /** Path to which the damaged file was moved. */
  readonly quarantine?: string;
  /** Number of records of the run so far, those included that were packed. */
  readonly records: number;
  /** The place of the journal of an older format from which this one goes on; set once, when it was made. */
  readonly migratedFrom?: string;
}

/** What a RunJournal is built on. */
export interface JournalStore {
  readonly database: Database.Database;
  readonly run: string;
  readonly opening: JournalOpening;
  /** Checksum of the last record. */
  readonly head: string;
  readonly restored: RunState | undefined;
  readonly explain: Explanations;
  readonly packing: Packing;
  readonly checkpointAt: number;
  /** Called with the last record after each commit. */
  acknowledged(last: Omit<Acknowledged, 'run' | 'base'>): void;
  /** Turns an error of writing into a JournalFailure. */
  failureOf(error: unknown): unknown;
  close(): void;
}

/** With this many uncommitted records `append` commits by itself: one input may cause any number of records. */
const COMMIT_AT = 10_000;
/**
 * Records behind a checkpoint at which the next one is made. A checkpoint holds all open orders, so it is made the more
 * seldom the more there are, and takes a fixed part of what is written at most.
 */
export const CHECKPOINT_AT = 10_000;
const CHECKPOINT_PER_ORDER = 4;

export class RunJournal implements Journal {
  readonly run: string;
  readonly opening: JournalOpening;
  /** The run's state after its last record; undefined where there is no record. */
  readonly restored: RunState | undefined;
  readonly #store: JournalStore;
  readonly #write: () => void;
  #waiting: JournalRow[] = [];
  #sequence: number;
  #lastAt = 0;
  /** The state after the last record appended: a checkpoint holds it. */
  readonly #draft: RunDraft;
  /** Checksums of the last record appended and of the last one committed. */
  #chain: string;
  #head: string;
  /** The newest file of explanations that the journal has noted. */
  #explained: number;
  /** The failure of a commit after which it is unknown what reached the disk: nothing may be written after it. */
  #failure: unknown;
  #isClosed = false;

  constructor(store: JournalStore) {
    this.#store = store;
    this.run = store.run;
    this.opening = store.opening;
    this.restored = store.restored;
    this.#sequence = store.opening.records;
    this.#draft = store.restored === undefined ? newDraft(store.run) : draftOf(store.restored);
    this.#chain = store.head;
    this.#head = store.head;
    this.#explained = store.explain.newest;
    const insert = store.database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?)');
    const note = store.database.prepare("INSERT OR REPLACE INTO journal VALUES ('explained', ?)");
    this.#write = store.database.transaction(() => {
      if (this.#explained !== store.explain.newest) note.run(String(store.explain.newest));
      for (const { sequence, at, kind, body, checksum } of this.#waiting)
        insert.run(sequence, at, kind, body, checksum);
    }).immediate;
  }

  /**
   * Checksum of the last committed record. It depends on all records before it: equal journals of one run have equal
   * heads.
   */
  get head(): string {
    return this.#head;
  }

  /** Number of committed records, those included that were packed. */
  get records(): number {
    return this.#sequence - this.#waiting.length;
  }

  /**
   * Adds a record, in memory until the next commit. One that explains goes into a file of its own. @throws JournalFailure of an earlier commit after which none can
   * follow, and that of `commit` where very many records wait
   */
  append(at: number, record: JournalRecord): void {
    assert(Number.isSafeInteger(at), `a record is of a whole millisecond, got ${at}`);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.length >= COMMIT_AT) this.commit();
    this.#lastAt = at;
    if (explains(record)) return this.#store.explain.add(this.#sequence, at, record);
    const before = { sequence: this.#sequence, checksum: this.#chain };
    const row = chainedRow(before, { at, kind: record.kind, body: JSON.stringify(record) });
    this.#waiting.push(row);
    this.#sequence = row.sequence;
    this.#chain = row.checksum;
    foldRecord(this.#draft, at, record);
  }

  /**
   * Writes all appended records, or none. After JOURNAL_FULL and JOURNAL_BUSY they are kept, and a later commit may
   * succeed.
   * @throws JournalFailure JOURNAL_FULL, JOURNAL_BUSY, JOURNAL_NOT_WRITABLE or JOURNAL_CORRUPT
   */
  commit(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.length > 0) this.#commitWaiting();
    // What explains a step is written after what the step may not forget: nothing is explained that never was.
    this.#store.explain.flush();
  }

  /**
   * Keeps the journal short, and so a start quick: one step of a few milliseconds, or a checkpoint. To be called again and
   * again between other work.
   */
  compact(): void {
    if (this.#failure !== undefined || this.#waiting.length > 0 || this.#store.packing.step()) return;
    const behind = this.#sequence - this.#store.packing.newest;
    if (behind < Math.max(this.#store.checkpointAt, CHECKPOINT_PER_ORDER * this.#draft.orders.size)) return;
    this.append(this.#lastAt, { kind: 'checkpoint', state: stateOf(this.#draft) });
    try {
      this.#commitWaiting();
    } catch (error) {
      // The checkpoint waits for the next commit, which says what keeps it from being written.
      if (!(error instanceof JournalFailure)) throw error;
    }
  }

  #commitWaiting(): void {
    try {
      this.#write();
    } catch (error) {
      const failure = this.#store.failureOf(error);
      if (!mayRetry(error)) this.#failure = failure;
      throw failure;
    }
    const { lastClient } = this.#draft;
    for (const { kind, sequence } of this.#waiting)
      if (kind === 'checkpoint') this.#store.packing.checkpointed(sequence);
    this.#waiting = [];
    this.#explained = this.#store.explain.newest;
    this.#head = this.#chain;
    this.#store.acknowledged({ sequence: this.#sequence, checksum: this.#head, lastClient });
  }

  /** Closes the files and releases the lock. Records that were not committed are lost. Further calls do nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#failure = new AssertionFailure('the journal is closed');
    this.#store.close();
  }
}
