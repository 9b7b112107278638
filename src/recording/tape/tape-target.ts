/** What a tape may be written over: nothing, or another tape of ours. */

import { closeSync, fsyncSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { type FoundPath, followed, named } from './path-kind.ts';
import { TapeFailure } from './tape-failure.ts';
import { APPLICATION_ID } from './tape-schema.ts';

/** What to do where the target exists: refuse, replace it, or add to it. */
export type TapeMode = 'new' | 'overwrite' | 'append';

/**
 * Checks that a tape may be written to a path. A link is refused instead of followed: writing would replace the link,
 * and what it leads to would stay.
 * @throws TapeFailure TAPE_EXISTS, TAPE_NOT_REPLACEABLE, TAPE_BUSY or TAPE_NOT_WRITABLE
 */
export function checkTarget(path: string, mode: TapeMode): void {
  const there = named(path);
  if (there.kind === 'nothing') return checkFolder(path);
  refuseUnlessFile(path, there);
  if (mode === 'new')
    throw new TapeFailure('TAPE_EXISTS', path, path, 'choose another name, or ask for appending or overwriting');
  const head = writing(path, () => headOf(path));
  if (head === 'other' || head === 'empty') throw notReplaceable(path, 'it is no tape of oddsmith');
  if (head === 'recording')
    throw new TapeFailure('TAPE_BUSY', path, 'it is being recorded, or its recorder was killed', OTHER_NAME);
}

/**
 * Whether a killed process left a partial tape beside the target; its name alone does not prove that.
 * @throws TapeFailure TAPE_NOT_REPLACEABLE or TAPE_NOT_WRITABLE
 */
export function hasRemains(partial: string): boolean {
  const there = named(partial);
  if (there.kind === 'nothing') return false;
  refuseUnlessFile(partial, there);
  if (writing(partial, () => headOf(partial)) === 'other')
    throw notReplaceable(partial, 'it is no tape of oddsmith, and a tape that is being written would have this name');
  return true;
}

/** Whether a file begins as our tapes do, whatever has become of the rest. */
export function isOurs(path: string): boolean {
  const head = headOf(path);
  return head === 'tape' || head === 'recording';
}

/** Runs `work`, translating errors of writing. @throws TapeFailure where the file system or SQLite refuses */
export function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureOfWriting(path, error);
  }
}

/** A new tape may be read and written by whom the umask lets in: SQLite itself makes files that only their owner may write. */
export function newTapeFile(path: string): Database.Database {
  closeSync(openSync(path, 'a'));
  return new Database(path);
}

/** Renames a closed tape to its final place, after all of it is on the disk. */
export function putInPlace(from: string, to: string): void {
  flushToDisk(from);
  renameSync(from, to);
  flushToDisk(dirname(to));
}

/** Waits until a file, or the names in a directory, are on the disk. */
export function flushToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const OTHER_NAME = 'choose another name, or move it away';

/** Turns an error that is no bug of ours into a TapeFailure; returns any other error as it is. */
function failureOfWriting(path: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isSqlite = error instanceof Database.SqliteError;
  if (!isSqlite && !('syscall' in error)) return error;
  const code = isSqlite ? error.code : '';
  if (code.startsWith('SQLITE_BUSY'))
    return new TapeFailure('TAPE_BUSY', path, path, 'wait for it, or choose another name');
  const why = `${path} (${error.message})`;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return new TapeFailure('TAPE_CORRUPT', path, why, 'import the recording again');
  return new TapeFailure('TAPE_NOT_WRITABLE', path, why, 'make room, mend the disk, or choose another place');
}

/**
 * Checks that the folder exists: SQLite's driver throws an error of its own kind where it is missing. @throws TapeFailure
 * TAPE_NOT_WRITABLE
 */
export function checkFolder(path: string): void {
  const folder = followed(dirname(path));
  if (folder.kind === 'directory') return;
  const why = folder.kind === 'unreachable' ? folder.words : `${dirname(path)} is ${folder.words}`;
  throw new TapeFailure('TAPE_NOT_WRITABLE', path, why, 'choose another place');
}

function refuseUnlessFile(path: string, { kind, words }: FoundPath): void {
  if (kind === 'file') return;
  if (kind === 'unreachable') throw new TapeFailure('TAPE_NOT_WRITABLE', path, words, 'choose another name');
  throw notReplaceable(path, `it is ${words}`);
}

function notReplaceable(path: string, why: string): TapeFailure {
  return new TapeFailure('TAPE_NOT_REPLACEABLE', path, why, OTHER_NAME);
}

const MAGIC = 'SQLite format 3\0';
/** The place of the write version in SQLite's file header (file format, section 1.3). */
const WRITE_VERSION_AT = 18;
const WITH_LOG = 2;
const APPLICATION_ID_AT = 68;
const HEAD_BYTES = 100;

/** What a file is, judged by its first bytes alone, so that a damaged tape can be replaced too. */
function headOf(path: string): 'empty' | 'tape' | 'recording' | 'other' {
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, 'r');
  try {
    const size = readSync(file, head, 0, HEAD_BYTES, 0);
    if (size === 0) return 'empty';
    if (size < HEAD_BYTES || head.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'other';
  } finally {
    closeSync(file);
  }
  if (head.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) return 'other';
  return head[WRITE_VERSION_AT] === WITH_LOG ? 'recording' : 'tape';
}
