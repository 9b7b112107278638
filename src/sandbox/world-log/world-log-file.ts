/** The SQLite file of a sandbox's world: one row for each change, with a checksum and numbered without gaps. */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { type Instant, instant } from '../../core/number/units.ts';
import { DEFAULT_RULES, type Rules } from '../../matching/messages/rules.ts';
import { followed } from '../../recording/tape/path-kind.ts';
import type { Change } from '../world/change.ts';
import type { World } from '../world/world.ts';
import { WorldLogFailure, type WorldLogFailureCode } from './world-log-failure.ts';
import { changeOfText, textOfChange } from './world-log-text.ts';

/** "oddW" in ASCII; SQLite keeps it in the file's header. */
const APPLICATION_ID = 0x6f646457;
const FORMAT = 1;
/** Rows read at a time. */
const BATCH = 1024;
/**
 * Pages of 4 KiB that gather in the write-ahead log before they are copied into the file, since that waits for the
 * disk.
 */
const CHECKPOINT_PAGES = 4096;

const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE change (number INTEGER PRIMARY KEY, crc32 INTEGER NOT NULL, body TEXT NOT NULL);
`;

interface LogRow {
  readonly number: number;
  readonly crc32: number;
  readonly body: string;
}

/** The world's state when the file was last closed, which a replay must reproduce. */
interface Closing {
  readonly number: number;
  readonly at: Instant;
  readonly digest: string;
}

export class WorldFile {
  readonly isNew: boolean;
  readonly rules: Rules;
  readonly #path: string;
  readonly #database: Database.Database;
  readonly #insert: Database.Statement;
  #number = 0;
  #isBehind = false;

  /** @throws WorldLogFailure */
  static open(options: { readonly file: string; readonly now: Instant; readonly rules?: Partial<Rules> }): WorldFile {
    const { file, now, rules } = options;
    // better-sqlite3 throws another kind of error where the folder is missing.
    if (!existsSync(dirname(file)))
      throw new WorldLogFailure('WORLD_LOG_UNREADABLE', file, `there is no folder ${dirname(file)}`, 'make it first');
    const { kind, words } = followed(file);
    if (kind !== 'file' && kind !== 'nothing')
      throw new WorldLogFailure(
        'WORLD_LOG_UNREADABLE',
        file,
        kind === 'unreachable' ? words : `it is ${words}`,
        'choose another file',
      );
    const database = guarded(file, () => new Database(file, { timeout: 0 }));
    try {
      return guarded(file, () => new WorldFile(file, database, now, rules));
    } catch (failure) {
      database.close();
      throw failure;
    }
  }

  private constructor(path: string, database: Database.Database, now: Instant, rules: Partial<Rules> | undefined) {
    this.#path = path;
    this.#database = database;
    // The lock belongs to the operating system: it is held until the file is closed and ends with the process.
    database.pragma('locking_mode = EXCLUSIVE');
    this.isNew = this.#isEmpty();
    if (!this.isNew) this.#checkFormat();
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.exec('BEGIN EXCLUSIVE');
    if (this.isNew) this.#create(now, { ...DEFAULT_RULES, ...rules });
    database.exec('COMMIT');
    this.rules = JSON.parse(this.#meta('rules') ?? '{}') as Rules;
    this.#checkRules(rules);
    this.#insert = database.prepare('INSERT INTO change (number, crc32, body) VALUES (?, ?, ?)');
  }

  /** Makes every change again; a damaged last one is cut off. */
  replay(world: World): { readonly changes: number; readonly cut: string | undefined } {
    return guarded(this.#path, () => {
      const closing = this.#closing();
      const last = this.#lastNumber();
      const notes = new Map<string, number>();
      const overwritten: number[] = [];
      let cut: string | undefined;
      let changes = 0;
      for (const row of this.#rows()) {
        const change = this.#read(row, last);
        if (change === undefined) {
          cut = `change ${row.number}, the last one, was damaged and has been left out`;
          break;
        }
        this.#number = row.number;
        if (change !== 'emptied') {
          this.#remake(world, row.number, change);
          changes += 1;
          if (change.kind === 'setNote') noteAt(row.number, change.key, notes, overwritten);
        }
        if (row.number === closing?.number) this.#checkClosing(world, closing);
      }
      if (closing !== undefined && this.#number < closing.number && cut === undefined)
        throw this.#corrupt(`the changes after ${this.#number} are missing`);
      this.#tidy(overwritten, cut === undefined ? undefined : last);
      return { changes, cut };
    });
  }

  /** Writes a change. @throws WorldLogFailure WORLD_LOG_WRITE */
  append(change: Change): void {
    const body = textOfChange(change);
    if (this.#isBehind) throw this.#unwritten('changes that belong together were broken off');
    try {
      this.#insert.run(this.#number + 1, crc32(body), body);
    } catch (error) {
      throw this.#unwritten(messageOf(error));
    }
    this.#number += 1;
  }

  /**
   * Writes all changes that `work` makes in one transaction. If `work` throws, none is written, and none can be
   * afterwards, since the world is ahead of the file.
   */
  together<T>(work: () => T): T {
    if (this.#database.inTransaction) return work();
    try {
      return this.#database.transaction(work)();
    } catch (failure) {
      this.#isBehind = true;
      throw failure instanceof Database.SqliteError ? this.#unwritten(failure.message) : failure;
    }
  }

  /** @throws WorldLogFailure WORLD_LOG_WRITE: the file is closed all the same, and opens without the note */
  close(world: World): void {
    if (this.#isBehind) return this.abandon();
    const closing: Closing = { number: this.#number, at: world.exchange.now, digest: world.exchange.digest() };
    try {
      this.#setMeta('closing', JSON.stringify(closing));
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch (failure) {
      throw failure instanceof Database.SqliteError ? this.#unwritten(failure.message) : failure;
    } finally {
      this.#database.close();
    }
  }

  /** Closes the file without noting the world's state. */
  abandon(): void {
    this.#database.close();
  }

  #isEmpty(): boolean {
    const tables = this.#database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
    return tables === 0 && this.#database.pragma('application_id', { simple: true }) === 0;
  }

  #checkFormat(): void {
    const path = this.#path;
    if (this.#database.pragma('application_id', { simple: true }) !== APPLICATION_ID)
      throw new WorldLogFailure('NOT_A_WORLD_LOG', path, path, 'choose another file');
    const format = this.#database.pragma('user_version', { simple: true });
    if (format === FORMAT) return;
    const detail = `format ${format}, not ${FORMAT}`;
    throw new WorldLogFailure('WORLD_LOG_VERSION', path, detail, 'use the version that wrote it, or another file');
  }

  #create(now: Instant, rules: Rules): void {
    this.#database.pragma(`application_id = ${APPLICATION_ID}`);
    this.#database.pragma(`user_version = ${FORMAT}`);
    this.#database.exec(SCHEMA);
    this.#setMeta('created', String(now));
    this.#setMeta('rules', JSON.stringify(rules));
  }

  #checkRules(asked: Partial<Rules> | undefined): void {
    for (const [name, value] of Object.entries(asked ?? {})) {
      const kept: unknown = Object.entries(this.rules).find(([known]) => known === name)?.[1];
      if (JSON.stringify(kept) === JSON.stringify(value)) continue;
      const detail = `${name} is ${JSON.stringify(kept)}, not ${JSON.stringify(value)}`;
      throw new WorldLogFailure('WORLD_LOG_RULES', this.#path, detail, 'start without that rule, or with another file');
    }
  }

  #closing(): Closing | undefined {
    const text = this.#meta('closing');
    if (text === undefined) return undefined;
    const { number, at, digest } = JSON.parse(text) as Closing;
    return { number, at: instant(at), digest };
  }

  #lastNumber(): number {
    const last = this.#database.prepare('SELECT max(number) FROM change').pluck().get();
    return typeof last === 'number' ? last : 0;
  }

  *#rows(): IterableIterator<LogRow> {
    const select = this.#database.prepare(
      'SELECT number, crc32, body FROM change WHERE number > ? ORDER BY number LIMIT ?',
    );
    let before = 0;
    while (true) {
      const rows = select.all(before, BATCH) as LogRow[];
      for (const row of rows) {
        if (row.number !== before + 1) throw this.#corrupt(`change ${before + 1} is missing`);
        before = row.number;
        yield row;
      }
      if (rows.length < BATCH) return;
    }
  }

  /** The change of a row; undefined where it is the last row and damaged. */
  #read({ number, crc32: sum, body }: LogRow, last: number): Change | 'emptied' | undefined {
    if (crc32(body) === sum) return body === '' ? 'emptied' : changeOfText(body);
    if (number === last) return undefined;
    throw this.#corrupt(`change ${number} of ${last} is damaged`);
  }

  #remake(world: World, number: number, change: Change): void {
    const changed = world.apply(change);
    if (changed.kind === 'refused')
      throw this.#diverged(`change ${number} (${change.kind}) is refused now: ${changed.refusal.what}`);
  }

  #checkClosing(world: World, { number, at, digest }: Closing): void {
    world.advance(world.at(at));
    if (world.exchange.digest() !== digest) throw this.#diverged(`after ${number} changes`);
  }

  /** Removes the damaged last row and empties overwritten notes, in one transaction. */
  #tidy(overwritten: readonly number[], cutFrom: number | undefined): void {
    if (overwritten.length === 0 && cutFrom === undefined) return;
    const empty = this.#database.prepare("UPDATE change SET body = '', crc32 = 0 WHERE number = ?");
    this.#database.transaction(() => {
      for (const number of overwritten) empty.run(number);
      if (cutFrom !== undefined) this.#database.prepare('DELETE FROM change WHERE number >= ?').run(cutFrom);
    })();
  }

  #meta(name: string): string | undefined {
    const value = this.#database.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(name);
    return typeof value === 'string' ? value : undefined;
  }

  #setMeta(name: string, value: string): void {
    this.#database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(name, value);
  }

  #unwritten(detail: string): WorldLogFailure {
    return new WorldLogFailure('WORLD_LOG_WRITE', this.#path, detail, 'look at the disk, then start again');
  }

  #corrupt(detail: string): WorldLogFailure {
    return new WorldLogFailure('WORLD_LOG_CORRUPT', this.#path, detail, 'take a copy that is whole, or another file');
  }

  #diverged(detail: string): WorldLogFailure {
    return new WorldLogFailure('WORLD_LOG_DIVERGED', this.#path, detail, 'use the version that wrote it');
  }
}

/** Collects the numbers of notes that a later note of the same key replaced or removed. */
function noteAt(number: number, key: string, newest: Map<string, number>, overwritten: number[]): void {
  const before = newest.get(key);
  if (before !== undefined) overwritten.push(before);
  newest.set(key, number);
}

type FailureRule = readonly [sqlite: string, code: WorldLogFailureCode, next: string];

const UNREADABLE: FailureRule = ['', 'WORLD_LOG_UNREADABLE', 'check the path and its folder'];
const CODES: readonly FailureRule[] = [
  ['SQLITE_BUSY', 'WORLD_LOG_BUSY', 'stop that one, or choose another file'],
  ['SQLITE_NOTADB', 'NOT_A_WORLD_LOG', 'choose another file'],
  ['SQLITE_CORRUPT', 'WORLD_LOG_CORRUPT', 'take a copy that is whole, or another file'],
];

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorldLogFailure) throw error;
    if (!(error instanceof Database.SqliteError)) throw error;
    const [, code, next] = CODES.find(([prefix]) => error.code.startsWith(prefix)) ?? UNREADABLE;
    throw new WorldLogFailure(code, path, `${path} (${error.message})`, next);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
