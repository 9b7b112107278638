/** The journal of a run that is going on: appends, commits, and what was found when it was opened. */

import type Database from 'better-sqlite3';
import { AssertionFailure, assert } from '../core/checks/assert.ts';
import type { Journal, JournalRecord } from '../core/run/journal.ts';
import type { RunState } from '../core/run/run-state.ts';
import { mayRetry } from './file/journal-database.ts';
import type { Acknowledged } from './file/journal-head.ts';
import { chained, type JournalRow } from './file/journal-schema.ts';

/** What the journal was found to be. */
export interface JournalOpening {
  /**
   * `new`: made now. `whole`: every record that was ever committed is there. `tornTail`: the process died in the middle
   * of its last commit, which had not returned, so that nothing rests on it. `acceptedCorrupt`: damaged, and the operator
   * said to go on with what could be read.
   */
  readonly state: 'new' | 'whole' | 'tornTail' | 'acceptedCorrupt';
  /** Records that were found and not kept. */
  readonly droppedRecords: number;
  /** Where the damaged file was put. */
  readonly quarantine?: string;
  /** In the journal now. */
  readonly records: number;
}

/** What a RunJournal stands on. */
export interface JournalStore {
  readonly database: Database.Database;
  readonly run: string;
  readonly opening: JournalOpening;
  /** Checksum of the last record. */
  readonly head: string;
  readonly restored: RunState | undefined;
  /** Told of the last record after each commit. */
  acknowledged(last: Omit<Acknowledged, 'run'>): void;
  /** What an error of writing means here. */
  failureOf(error: unknown): unknown;
  close(): void;
}

/** So many records are not left to wait for the next commit: a turn may tell of any number of things. */
const COMMIT_AT = 10_000;

export class RunJournal implements Journal {
  readonly run: string;
  readonly opening: JournalOpening;
  /** What the run knew when its last record was written; undefined where there is none. */
  readonly restored: RunState | undefined;
  readonly #store: JournalStore;
  readonly #write: () => void;
  #waiting: JournalRow[] = [];
  #sequence: number;
  #lastClient: number;
  /** Of the last record appended, and of the last one committed. */
  #chain: string;
  #head: string;
  /** Of a commit of which nobody knows what reached the disk: nothing may follow it. */
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

  /** Checksum of the last record committed, tied to all before it: equal journals of one run have equal heads. */
  get head(): string {
    return this.#head;
  }

  /** Records committed. */
  get records(): number {
    return this.#sequence - this.#waiting.length;
  }

  /** @throws JournalFailure of an earlier commit, where none can follow it; where very many records wait, that of `commit` */
  append(at: number, record: JournalRecord): void {
    assert(Number.isSafeInteger(at), `a record is of a whole millisecond, got ${at}`);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.length >= COMMIT_AT) this.commit();
    const row = { sequence: this.#sequence + 1, at, kind: record.kind, body: JSON.stringify(record) };
    const checksum = chained(this.#chain, row);
    this.#waiting.push({ ...row, checksum });
    this.#sequence += 1;
    this.#chain = checksum;
    if (record.kind === 'sent' || record.kind === 'adopted')
      this.#lastClient = Math.max(this.#lastClient, record.client);
  }

  /**
   * All records appended, or none. After JOURNAL_FULL and JOURNAL_BUSY they still wait, and a later commit may succeed.
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

  /** Lets go of the journal, once. What was not committed is lost. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#failure = new AssertionFailure('the journal is closed');
    this.#store.close();
  }
}
