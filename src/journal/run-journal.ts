/** The open journal of a run: appends and commits records, and says what was found at its opening. */

import type Database from 'better-sqlite3';
import { AssertionFailure, assert } from '../core/checks/assert.ts';
import type { Journal, JournalRecord } from '../core/run/journal.ts';
import type { RunState } from '../core/run/run-state.ts';
import { mayRetry } from './file/journal-database.ts';
import type { Acknowledged } from './file/journal-head.ts';
import { chainedChecksum, type JournalRow } from './file/journal-schema.ts';

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
  /** Number of records in the journal now. */
  readonly records: number;
}

/** What a RunJournal is built on. */
export interface JournalStore {
  readonly database: Database.Database;
  readonly run: string;
  readonly opening: JournalOpening;
  /** Checksum of the last record. */
  readonly head: string;
  readonly restored: RunState | undefined;
  /** Called with the last record after each commit. */
  acknowledged(last: Omit<Acknowledged, 'run'>): void;
  /** Turns an error of writing into a JournalFailure. */
  failureOf(error: unknown): unknown;
  close(): void;
}

/** With this many uncommitted records `append` commits by itself: one input may cause any number of records. */
const COMMIT_AT = 10_000;

export class RunJournal implements Journal {
  readonly run: string;
  readonly opening: JournalOpening;
  /** The run's state after its last record; undefined where there is no record. */
  readonly restored: RunState | undefined;
  readonly #store: JournalStore;
  readonly #write: () => void;
  #waiting: JournalRow[] = [];
  #sequence: number;
  #lastClient: number;
  /** Checksums of the last record appended and of the last one committed. */
  #chain: string;
  #head: string;
  /** The failure of a commit after which it is unknown what reached the disk: nothing may be written after it. */
  #failure: unknown;
  #isClosed = false;

  constructor(store: JournalStore) {
    this.#store = store;
    this.run = store.run;
    this.opening = store.opening;
    this.restored = store.restored;
    this.#sequence = store.opening.records;
    this.#lastClient = store.restored?.lastClient ?? 0;
    this.#chain = store.head;
    this.#head = store.head;
    const insert = store.database.prepare('INSERT INTO record VALUES (?, ?, ?, ?, ?)');
    this.#write = store.database.transaction(() => {
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

  /** Number of committed records. */
  get records(): number {
    return this.#sequence - this.#waiting.length;
  }

  /**
   * Adds a record, in memory until the next commit. @throws JournalFailure of an earlier commit after which none can
   * follow, and that of `commit` where very many records wait
   */
  append(at: number, record: JournalRecord): void {
    assert(Number.isSafeInteger(at), `a record is of a whole millisecond, got ${at}`);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.length >= COMMIT_AT) this.commit();
    const row = { sequence: this.#sequence + 1, at, kind: record.kind, body: JSON.stringify(record) };
    const checksum = chainedChecksum(this.#chain, row);
    this.#waiting.push({ ...row, checksum });
    this.#sequence += 1;
    this.#chain = checksum;
    if (record.kind === 'sent' || record.kind === 'adopted')
      this.#lastClient = Math.max(this.#lastClient, record.client);
  }

  /**
   * Writes all appended records, or none. After JOURNAL_FULL and JOURNAL_BUSY they are kept, and a later commit may
   * succeed.
   * @throws JournalFailure JOURNAL_FULL, JOURNAL_BUSY, JOURNAL_NOT_WRITABLE or JOURNAL_CORRUPT
   */
  commit(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.length === 0) return;
    try {
      this.#write();
      this.#waiting = [];
      this.#head = this.#chain;
      this.#store.acknowledged({ sequence: this.#sequence, checksum: this.#head, lastClient: this.#lastClient });
    } catch (error) {
      const failure = this.#store.failureOf(error);
      if (!mayRetry(error)) this.#failure = failure;
      throw failure;
    }
  }

  /** Closes the files and releases the lock. Records that were not committed are lost. Further calls do nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#failure = new AssertionFailure('the journal is closed');
    this.#store.close();
  }
}
