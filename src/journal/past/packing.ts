/**
 * Moves records that a checkpoint stands for out of a journal, a few at a time: packed beside it first, then deleted. A
 * process may die between any two steps: what was packed twice is the same, and no record leaves before it is packed.
 */

import Database from 'better-sqlite3';
import { type Base, baseText, type JournalRow } from '../file/journal-schema.ts';
import { moveAside, PastFile } from './past-file.ts';

export interface PackingParts {
  readonly database: Database.Database;
  /** Path of the packed records; undefined where they are kept nowhere. */
  readonly file: string | undefined;
  readonly base: Base;
  /** Sequences of the newest checkpoints, at most two, rising. */
  readonly checkpoints: readonly number[];
  /** Called before records leave the journal: all that was acknowledged must be known after a loss of power, too. */
  readonly beforeMove: () => void;
  /** Called when packing fails, and with undefined when it works again. */
  readonly onFault: (why: string | undefined) => void;
}

/** So few that a step takes some milliseconds. */
const STEP_RECORDS = 512;
/** Steps that are left out after one that failed. */
const PAUSE_STEPS = 240;
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|ERROR$)/;

export class Packing {
  readonly #parts: PackingParts;
  readonly #select: Database.Statement<[number, number], JournalRow>;
  readonly #move: (last: Base) => void;
  #past: PastFile | undefined;
  #base: Base;
  #checkpoints: readonly number[];
  #pause = 0;
  #hasFault = false;

  constructor(parts: PackingParts) {
    const { database, base, checkpoints } = parts;
    this.#parts = parts;
    this.#base = base;
    this.#checkpoints = checkpoints;
    this.#select = database.prepare(
      `SELECT sequence, at, kind, body, checksum FROM record WHERE sequence > ? AND sequence < ? ORDER BY sequence LIMIT ${STEP_RECORDS}`,
    );
    const setBase = database.prepare("UPDATE journal SET value = ? WHERE name = 'base'");
    const remove = database.prepare('DELETE FROM record WHERE sequence <= ?');
    this.#move = database.transaction((last: Base) => {
      setBase.run(baseText(last));
      remove.run(last.sequence);
    }).immediate;
  }

  /** The last record that left the journal. */
  get base(): Base {
    return this.#base;
  }

  /** Sequence of the newest checkpoint, or of the last record that left. */
  get newest(): number {
    return this.#checkpoints.at(-1) ?? this.#base.sequence;
  }

  /** A checkpoint was committed. */
  checkpointed(sequence: number): void {
    this.#checkpoints = [...this.#checkpoints.slice(-1), sequence];
  }

  /**
   * Whether some records left. Those behind the last checkpoint but one stay: where the newest one is damaged, the state
   * can be read from the one before.
   */
  step(): boolean {
    if (this.#pause > 0) {
      this.#pause -= 1;
      return false;
    }
    const [older, newest] = this.#checkpoints;
    if (older === undefined || newest === undefined || this.#base.sequence + 1 >= older) return false;
    try {
      const rows = this.#select.all(this.#base.sequence, older);
      const last = rows.at(-1);
      if (last === undefined) return false;
      this.#pack(rows);
      this.#parts.beforeMove();
      this.#move(last);
      this.#base = { sequence: last.sequence, checksum: last.checksum };
      if (this.#hasFault) this.#parts.onFault(undefined);
      this.#hasFault = false;
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  close(): void {
    this.#past?.close();
    this.#past = undefined;
  }

  #pack(rows: readonly JournalRow[]): void {
    const { file } = this.#parts;
    if (file === undefined) return;
    try {
      this.#past ??= new PastFile(file);
      this.#past.put({ before: this.#base, rows });
    } catch (error) {
      this.close();
      if (!(error instanceof Database.SqliteError) || !DAMAGE.test(error.code)) throw error;
      const name = moveAside(file);
      this.#parts.onFault(`${file} was damaged (${error.message}); it is ${name} now, and a new one is begun`);
      this.#past = new PastFile(file);
      this.#past.put({ before: this.#base, rows });
    }
  }

  /** Nothing is lost by it: the records stay where they are, and the next commit says by itself what ails the journal. */
  #failed(error: unknown): void {
    if (!(error instanceof Error && ('syscall' in error || error instanceof Database.SqliteError))) throw error;
    this.close();
    this.#pause = PAUSE_STEPS;
    if (!this.#hasFault) this.#parts.onFault(error.message);
    this.#hasFault = true;
  }
}
