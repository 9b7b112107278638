/** The directory that pieces are written into: made beside its place, and moved there when it is complete. */

import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { named } from '../tape/path-kind.ts';
import { TapeFailure } from '../tape/tape-failure.ts';
import { checkFolder, flushToDisk, writing } from '../tape/tape-target.ts';

/**
 * A database that the process at work has locked: the lock of a process that was killed is gone. It also proves that a directory is ours to remove.
 */
const LOCK_FILE = '.oddsmith-split';

export class PiecesDirectory {
  readonly #target: string;
  /** A directory that holds pieces until all of them are there. */
  readonly path: string;
  readonly #lock: Database.Database;

  /** @throws TapeFailure PIECES_EXIST, TAPE_BUSY, TAPE_NOT_WRITABLE */
  static begin(target: string): PiecesDirectory {
    checkFolder(target);
    const path = `${target}.partial`;
    return writing(target, () => {
      removeRemains(path, target);
      mkdirSync(path);
      return new PiecesDirectory(target, path);
    });
  }

  private constructor(target: string, path: string) {
    this.#target = target;
    this.path = path;
    this.#lock = lock(path);
  }

  /** @throws TapeFailure PIECES_EXIST, where something came to lie there meanwhile; TAPE_NOT_WRITABLE */
  putInPlace(): void {
    writing(this.#target, () => {
      this.#lock.close();
      rmSync(join(this.path, LOCK_FILE));
      flushToDisk(this.path);
      requireFree(this.#target);
      renameSync(this.path, this.#target);
      flushToDisk(dirname(this.#target));
    });
  }

  discard(): void {
    this.#lock.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** An empty directory is as good as none. @throws TapeFailure PIECES_EXIST */
export function requireFree(target: string): void {
  const { kind, words } = named(target);
  if (kind === 'nothing') return;
  if (kind === 'unreachable') throw new TapeFailure('TAPE_NOT_WRITABLE', target, words, OTHER);
  if (kind !== 'directory') throw new TapeFailure('PIECES_EXIST', target, `it is ${words}`, OTHER);
  if (writing(target, () => readdirSync(target)).length > 0)
    throw new TapeFailure('PIECES_EXIST', target, 'it is not empty, and does not hold these pieces whole', OTHER);
}

const OTHER = 'choose another directory, or move it away';

function lock(path: string): Database.Database {
  const database = new Database(join(path, LOCK_FILE), { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('CREATE TABLE IF NOT EXISTS split (made INTEGER)');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What a killed process left; a directory that is locked belongs to a process at work. */
function removeRemains(path: string, target: string): void {
  const { kind, words } = named(path);
  if (kind === 'nothing') return;
  if (kind !== 'directory') throw new TapeFailure('PIECES_EXIST', path, `it is ${words}`, OTHER);
  const isOurs = named(join(path, LOCK_FILE)).kind === 'file';
  if (!isOurs) {
    // A process may have been killed between making the directory and its lock.
    if (readdirSync(path).length === 0) return rmdirSync(path);
    const why = 'pieces that are being written would have this name, and it holds something else';
    throw new TapeFailure('PIECES_EXIST', path, why, OTHER);
  }
  try {
    lock(path).close();
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new TapeFailure('TAPE_BUSY', target, path, 'wait for it, or choose another name');
    // Any other error means that it is no complete database: the remains of a crash.
  }
  rmSync(path, { recursive: true });
}
