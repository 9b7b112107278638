/** The run's journal as one process writes it: where the process can be killed, and what of it is durable is known. */

import type { Journal, JournalRecord, TimedRecord } from '../../../src/core/run/journal.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import type { BotProcess } from './bot-process.ts';
import type { KillPoint } from './scenario.ts';
import type { Story } from './story.ts';

export interface JournalTap {
  appended(at: number, record: JournalRecord): void;
  /** These are durable from now on. */
  committed(records: readonly TimedRecord[]): void;
  /** Whether kill points still count. */
  mayKill(): boolean;
  /** The process was killed at this kind of record. */
  killedAt(record: JournalRecord['kind'], when: 'lost' | 'kept'): void;
}

export class KeptJournal implements Journal {
  readonly #journal: RunJournal;
  readonly #process: BotProcess;
  readonly #story: Story;
  readonly #tap: JournalTap;
  readonly #kill: (KillPoint & { readonly kind: 'record' }) | undefined;
  #seen = 0;
  #dies = false;
  #waiting: TimedRecord[] = [];

  constructor(parts: {
    readonly journal: RunJournal;
    readonly process: BotProcess;
    readonly story: Story;
    readonly tap: JournalTap;
    readonly kill: KillPoint | undefined;
  }) {
    this.#journal = parts.journal;
    this.#process = parts.process;
    this.#story = parts.story;
    this.#tap = parts.tap;
    this.#kill = parts.kill?.kind === 'record' ? parts.kill : undefined;
  }

  append(at: number, record: JournalRecord): void {
    if (!this.#process.isAlive) return;
    this.#journal.append(at, record);
    this.#waiting.push({ at, record });
    this.#story.count(`record ${record.kind}`);
    if (record.kind === 'strategyHalted') this.#story.count(`halted ${record.strategy}`);
    this.#story.tell(() => `.. ${this.#process.number} ${JSON.stringify(record)}`);
    this.#tap.appended(at, record);
    const kill = this.#kill;
    if (kill === undefined || record.kind !== kill.record || !this.#tap.mayKill()) return;
    this.#seen += 1;
    if (this.#seen !== kill.nth) return;
    if (kill.when === 'kept') this.#dies = true;
    else this.#die(kill);
  }

  commit(): void {
    if (!this.#process.isAlive || this.#waiting.length === 0) return;
    this.#journal.commit();
    const records = this.#waiting;
    this.#waiting = [];
    this.#tap.committed(records);
    this.#journal.compact();
    if (this.#dies && this.#kill !== undefined && this.#tap.mayKill()) this.#die(this.#kill);
  }

  #die({ record, when }: KillPoint & { readonly kind: 'record' }): void {
    this.#process.kill();
    this.#tap.killedAt(record, when);
  }
}
