/** What is kept of a sweep: `trials.sqlite`, with one writer. Rows are found by the keys of their units, whoever asked for them. */

import Database from 'better-sqlite3';
import type { ErrorParts } from '../../core/checks/oddsmith-error.ts';
import { canonical } from '../../core/collections/canonical.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import type { UnitResult } from '../engine/engine.ts';
import type { Assignment } from '../space/dimension.ts';
import { storeError, strangeStore } from './store-error.ts';
import { APPLICATION_ID, SCHEMA, STORE_FORMAT } from './store-schema.ts';

/** `begun` stays where a sweep was given up. */
export type TrialState = 'begun' | 'played' | 'pruned' | 'failed';

export interface StoredTrial {
  readonly number: number;
  readonly assignment: Assignment;
  readonly state: TrialState;
  /** Keys of its units, in the order of the event groups. */
  readonly keys: readonly string[];
  /** The fold whose own search proposed it, from 1: its units are those in sample. Absent: the search over all events did. */
  readonly fold?: number | undefined;
}

/** A fold that has a search of its own. */
export interface StoredFold {
  /** The number of the fold, from 1. */
  readonly fold: number;
  /** The span from the first start to the last end of the events that it is judged on, ms UTC. */
  readonly from: number;
  readonly to: number;
  /** Numbers of events. */
  readonly inSample: number;
  readonly outOfSample: number;
  readonly leftOut: number;
  /** Whether its search has come to its end. */
  readonly isSearched: boolean;
  /** The best one; undefined where none has a value, and while it is searched. */
  readonly trial: number | undefined;
  /** Keys of the units out of sample of that trial. */
  readonly keys: readonly string[];
}

export interface StoredFailure {
  readonly key: string;
  readonly error: ErrorParts;
  readonly deaths: number;
  /** Whether the configuration is not played any more. */
  readonly isAside: boolean;
}

/** A sweep as it was configured once; trials are numbered within it. */
export interface StoredConfiguration {
  readonly id: number;
  /** What `describe` gave when it was first played. */
  readonly description: unknown;
}

/** One look at the events that a sweep holds out. */
export interface HoldoutOpening {
  readonly configuration: number;
  readonly trial: number;
  /** Events that start then or later are held out, ms UTC. */
  readonly heldFrom: number;
  readonly at: number;
}

const KEY_BYTES = 32;
/** Trials that are read at once. */
const PAGE = 256;

export class TrialStore {
  readonly #path: string;
  readonly #database: Database.Database;
  readonly #find: Database.Statement<[Buffer], { row: Uint8Array }>;
  readonly #isKnown: Database.Statement;
  readonly #failure: Database.Statement;
  readonly #insert: Database.Statement;
  readonly #fail: Database.Statement;
  readonly #trial: Database.Statement;
  readonly #page: Database.Statement;

  /** Opens or makes the store. `isReadOnly` needs one that is there. @throws OddsmithError SWEEP_NOT_FOUND, NOT_A_SWEEP or SWEEP_VERSION */
  static open(path: string, { isReadOnly }: { readonly isReadOnly: boolean }): TrialStore {
    const { kind, words } = followed(path);
    if (kind !== 'file' && (isReadOnly || kind !== 'nothing')) throw strangeStore(path, { kind, words });
    let database: Database.Database | undefined;
    try {
      database = new Database(path, { readonly: isReadOnly, fileMustExist: isReadOnly });
      return new TrialStore(path, database, isReadOnly);
    } catch (error) {
      database?.close();
      throw storeError(path, error);
    }
  }

  private constructor(path: string, database: Database.Database, isReadOnly: boolean) {
    this.#path = path;
    this.#database = database;
    if (!isReadOnly) {
      database.pragma('journal_mode = WAL');
      // A row that is lost with the machine's power is computed again; one that is committed survives the process.
      database.pragma('synchronous = NORMAL');
      if (database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0) database.exec(SCHEMA);
    }
    // A reader sees what was kept when it began, whatever a sweep writes meanwhile: it reads trials more than once.
    if (isReadOnly) database.exec('BEGIN');
    checkFormat(path, database);
    this.#find = database.prepare('SELECT row FROM unit WHERE key = ?');
    this.#isKnown = database.prepare(
      'SELECT 1 FROM unit WHERE key = ? UNION ALL SELECT 1 FROM failure WHERE key = ? AND aside LIMIT 1',
    );
    this.#failure = database.prepare('SELECT key, error, deaths, aside FROM failure WHERE key = ?');
    this.#insert = database.prepare(
      `INSERT INTO unit (key, row, elapsed_ms) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET computed = computed + 1`,
    );
    this.#fail = database.prepare(
      `INSERT INTO failure (key, error, deaths, aside) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET error = excluded.error, deaths = excluded.deaths, aside = excluded.aside`,
    );
    this.#trial = database.prepare(
      `INSERT INTO trial (configuration, number, assignment, state, keys, fold) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET assignment = excluded.assignment, state = excluded.state, keys = excluded.keys, fold = excluded.fold`,
    );
    this.#page = database.prepare(
      `SELECT number, assignment, state, keys, fold FROM trial WHERE configuration = ? AND number > ? ORDER BY number LIMIT ?`,
    );
  }

  /** The packed row of a unit, if it was computed before. */
  row(key: string): Uint8Array | undefined {
    return this.#find.get(Buffer.from(key, 'hex'))?.row;
  }

  /** Whether a unit has a row, or is set aside: it is not to be played. */
  isKnown(key: string): boolean {
    const bytes = Buffer.from(key, 'hex');
    return this.#isKnown.get(bytes, bytes) !== undefined;
  }

  /** Commits all of them or none. @throws OddsmithError SWEEP_FULL, SWEEP_NOT_WRITABLE or SWEEP_CORRUPT */
  keep(results: readonly UnitResult[]): void {
    this.#commit(() => {
      for (const result of results) {
        const key = Buffer.from(result.key, 'hex');
        if (result.kind === 'played') this.#insert.run(key, result.row, result.elapsedMs);
        else this.#fail.run(key, JSON.stringify(result.error), 0, 1);
      }
    });
  }

  keepFailure({ key, error, deaths, isAside }: StoredFailure): void {
    this.#commit(() => this.#fail.run(Buffer.from(key, 'hex'), JSON.stringify(error), deaths, Number(isAside)));
  }

  #commit(write: () => void): void {
    try {
      this.#database.transaction(write)();
    } catch (error) {
      throw storeError(this.#path, error);
    }
  }

  failure(key: string): StoredFailure | undefined {
    const row = this.#failure.get(Buffer.from(key, 'hex'));
    return row === undefined ? undefined : failureOf(row as FailureRow);
  }

  /** The first ones in the order of their keys: there may be as many as there are units. */
  failures(count: number): readonly StoredFailure[] {
    const rows = this.#database.prepare('SELECT key, error, deaths, aside FROM failure LIMIT ?').all(count);
    return (rows as FailureRow[]).map(failureOf);
  }

  countAside(): number {
    return this.#database.prepare('SELECT count(*) FROM failure WHERE aside').pluck().get() as number;
  }

  /** Units that failed get another chance. */
  forgetFailures(): void {
    this.#database.exec('DELETE FROM failure');
  }

  /** The configuration of this description: a new one, or the one that was played before. */
  configuration(description: unknown, at: number): StoredConfiguration {
    const text = canonical(description);
    this.#database
      .prepare(
        'INSERT INTO configuration (description, begun_at, last_at) VALUES (?, ?, ?) ON CONFLICT (description) DO UPDATE SET last_at = excluded.last_at',
      )
      .run(text, at, at);
    const { id } = this.#database.prepare('SELECT id FROM configuration WHERE description = ?').get(text) as {
      id: number;
    };
    return { id, description };
  }

  /** The configuration that was played last. */
  latest(): StoredConfiguration | undefined {
    const row = this.#database
      .prepare('SELECT id, description FROM configuration ORDER BY last_at DESC, id DESC LIMIT 1')
      .get();
    if (row === undefined) return undefined;
    const { id, description } = row as { id: number; description: string };
    return { id, description: JSON.parse(description) };
  }

  keepTrials(configuration: number, trials: readonly StoredTrial[]): void {
    this.#commit(() => {
      for (const { number, assignment, state, keys, fold } of trials)
        this.#trial.run(configuration, number, canonical(assignment), state, packedKeys(keys), fold ?? 0);
    });
  }

  /** The searches of a configuration have ended: trials from this number on are of an earlier time, when something was otherwise. */
  endTrials(configuration: number, count: number): void {
    this.#commit(() =>
      this.#database.prepare('DELETE FROM trial WHERE configuration = ? AND number >= ?').run(configuration, count),
    );
  }

  keepFold(configuration: number, each: StoredFold): void {
    const { fold, from, to, inSample, outOfSample, leftOut, isSearched, trial, keys } = each;
    const facts = [from, to, inSample, outOfSample, leftOut, Number(isSearched), trial ?? null, packedKeys(keys)];
    this.#commit(() =>
      this.#database
        .prepare('INSERT OR REPLACE INTO fold VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(configuration, fold, ...facts),
    );
  }

  /** Those that have a search of their own, in order. */
  folds(configuration: number): readonly StoredFold[] {
    const rows = this.#database
      .prepare(
        `SELECT fold, begins_at AS "from", ends_at AS "to", inside AS inSample, outside AS outOfSample, left_out AS leftOut, searched,
         trial, keys FROM fold WHERE configuration = ? ORDER BY fold`,
      )
      .all(configuration) as FoldRow[];
    return rows.map(({ searched, trial, keys, ...facts }) => ({
      ...facts,
      isSearched: searched === 1,
      trial: trial ?? undefined,
      keys: keysOf(keys),
    }));
  }

  /** The trials in order of number. Some are read at a time, however many there are; each time those that are there by then. */
  *trials(configuration: number): Generator<StoredTrial> {
    let last = -1;
    for (;;) {
      const rows = this.#page.all(configuration, last, PAGE) as TrialRow[];
      for (const row of rows) {
        yield trialOf(row);
        last = row.number;
      }
      if (rows.length < PAGE) return;
    }
  }

  trial(configuration: number, number: number): StoredTrial | undefined {
    const [row] = this.#page.all(configuration, number - 1, 1) as TrialRow[];
    return row?.number === number ? trialOf(row) : undefined;
  }

  /** How many there are: the number after the last one. */
  trialsEnd(configuration: number): number {
    return this.#database
      .prepare('SELECT coalesce(max(number) + 1, 0) FROM trial WHERE configuration = ?')
      .pluck()
      .get(configuration) as number;
  }

  /** The number of trials by what became of them: trials of the search over all events, or of the folds' own searches. */
  countTrials(configuration: number, { inFolds }: { readonly inFolds: boolean }): ReadonlyMap<TrialState, number> {
    const which = `configuration = ? AND fold ${inFolds ? '>' : '='} 0`;
    const rows = this.#database
      .prepare(`SELECT state, count(*) FROM trial WHERE ${which} GROUP BY state ORDER BY min(number)`)
      .raw()
      .all(configuration);
    return new Map(rows as [TrialState, number][]);
  }

  /** The number of trials that were ever begun over all configurations, and how many of them differ in what they assign. */
  tried(): { readonly trials: number; readonly different: number } {
    return this.#database
      .prepare(`SELECT count(*) AS trials, count(DISTINCT assignment) AS different FROM (${EVER})`)
      .get() as { trials: number; different: number };
  }

  /** All that were ever played here, the first one first. */
  configurations(): readonly StoredConfiguration[] {
    const rows = this.#database.prepare('SELECT id, description FROM configuration ORDER BY id').all();
    return (rows as { id: number; description: string }[]).map(({ id, description }) => ({
      id,
      description: JSON.parse(description),
    }));
  }

  /**
   * How many trials of some configurations differ in what they assign, whatever became of them: those of searches over all events, or
   * those of the folds' own searches, where the same values in another fold are another trial.
   */
  countDifferent(configurations: readonly number[], { inFolds }: { readonly inFolds: boolean }): number {
    const marks = configurations.map(() => '?').join(', ');
    const which = `configuration IN (${marks}) AND fold ${inFolds ? '>' : '='} 0`;
    return this.#database
      .prepare(`SELECT count(*) FROM (SELECT DISTINCT fold, assignment FROM (${EVER}) WHERE ${which})`)
      .pluck()
      .get(...configurations) as number;
  }

  /** Written down before anything of the hold-out is computed, and never removed. */
  keepOpening({ configuration, trial, heldFrom, at }: HoldoutOpening): void {
    this.#database
      .prepare('INSERT INTO opening (configuration, trial, held_from, opened_at) VALUES (?, ?, ?, ?)')
      .run(configuration, trial, heldFrom, at);
  }

  /** The first one first. */
  openings(): readonly HoldoutOpening[] {
    return this.#database
      .prepare('SELECT configuration, trial, held_from AS heldFrom, opened_at AS at FROM opening ORDER BY id')
      .all() as HoldoutOpening[];
  }

  /** How many rows there are, and how often one was computed. */
  counts(): { readonly units: number; readonly computed: number } {
    return this.#database
      .prepare('SELECT count(*) AS units, coalesce(sum(computed), 0) AS computed FROM unit')
      .get() as { units: number; computed: number };
  }

  close(): void {
    this.#database.close();
  }
}

/** Each trial that was ever begun. */
const EVER =
  'SELECT configuration, fold, assignment FROM trial UNION ALL SELECT configuration, fold, assignment FROM earlier';

interface FailureRow {
  readonly key: Buffer;
  readonly error: string;
  readonly deaths: number;
  readonly aside: number;
}

interface TrialRow {
  readonly number: number;
  readonly assignment: string;
  readonly state: TrialState;
  readonly keys: Buffer;
  readonly fold: number;
}

interface FoldRow extends Omit<StoredFold, 'isSearched' | 'trial' | 'keys'> {
  readonly searched: number;
  readonly trial: number | null;
  readonly keys: Buffer;
}

function packedKeys(keys: readonly string[]): Buffer {
  return Buffer.from(keys.join(''), 'hex');
}

function failureOf({ key, error, deaths, aside }: FailureRow): StoredFailure {
  return { key: key.toString('hex'), error: JSON.parse(error), deaths, isAside: aside === 1 };
}

function trialOf({ number, assignment, state, keys, fold }: TrialRow): StoredTrial {
  const proposedBy = fold === 0 ? undefined : fold;
  return { number, assignment: JSON.parse(assignment), state, keys: keysOf(keys), fold: proposedBy };
}

function keysOf(packed: Buffer): readonly string[] {
  return Array.from({ length: packed.length / KEY_BYTES }, (_, index) =>
    packed.toString('hex', index * KEY_BYTES, (index + 1) * KEY_BYTES),
  );
}

function checkFormat(path: string, database: Database.Database): void {
  const id = database.pragma('application_id', { simple: true });
  const format = database.pragma('user_version', { simple: true });
  if (id !== APPLICATION_ID) throw strangeStore(path, { kind: 'foreign' });
  if (format !== STORE_FORMAT) throw strangeStore(path, { kind: 'format', format: Number(format) });
}
