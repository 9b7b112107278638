/** The paths of a journal's files, and operations on whole files. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { JournalFailure } from './journal-failure.ts';
import { PAGE_SIZE } from './journal-schema.ts';

export interface JournalFiles {
  readonly file: string;
  /** SQLite's write-ahead log, and the log's index, which SQLite rebuilds from the log. */
  readonly wal: string;
  readonly shm: string;
  readonly head: string;
  readonly lock: string;
  /** A complete journal that is to replace a damaged one, and a journal that is still being written. */
  readonly fresh: string;
  readonly making: string;
  /** What was packed of the run; the journal of format 1 that the run went on from. Neither is needed for a start. */
  readonly past: string;
  readonly older: string;
  /** Folder of what explains the run. */
  readonly explain: string;
}

/**
 * The files of the journal at `path`. Symbolic links are resolved: the lock is found by the file's name, so a journal
 * must have one name only.
 */
export function journalFiles(path: string): JournalFiles {
  const file = realPath(resolve(path));
  return {
    file,
    wal: `${file}-wal`,
    shm: `${file}-shm`,
    head: `${file}.head`,
    lock: `${file}.lock`,
    fresh: `${file}.fresh`,
    making: `${file}.making`,
    past: `${file}.past`,
    older: `${file}.format-1`,
    explain: `${file}.explain`,
  };
}

/** Checks access rights before anything is written. @throws JournalFailure JOURNAL_NOT_WRITABLE */
export function requireWritable({ file, wal, head, lock }: JournalFiles): void {
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw notWritable(file, `there is no folder ${folder}`, 'make it first');
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw notWritable(file, 'it is a folder', 'name a file in it');
  requireAccess(folder, constants.W_OK | constants.X_OK);
  for (const each of [file, wal, head, lock])
    if (existsSync(each)) requireAccess(each, constants.R_OK | constants.W_OK);
}

/**
 * The system's message why no further page can be written; undefined where one can. Tries it with a file of its own.
 */
export function roomFault({ file, wal, making }: JournalFiles): string | undefined {
  const probe = `${file}.probe`;
  let room: number | undefined;
  try {
    room = openSync(probe, 'w');
    // Written at the offset at which the longest of the files ends, since there may be a limit on a file's size.
    const sizes = [file, wal, making].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    const written = writeSync(
      room,
      Buffer.alloc(PAGE_SIZE, 1),
      0,
      PAGE_SIZE,
      Math.max(INDEX_SIZE - PAGE_SIZE, ...sizes),
    );
    fsyncSync(room);
    return written === PAGE_SIZE ? undefined : `no more than ${written} bytes can be written`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_ROOM.has(error.code)) return error.message;
    return undefined;
  } finally {
    if (room !== undefined) closeSync(room);
    rmSync(probe, { force: true });
  }
}

/** Bytes by which the index of the log grows at a time. */
const INDEX_SIZE = 32_768;
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Waits until a file or folder is on disk. A new or renamed file survives a loss of power only once its folder is on
 * disk.
 */
export function flushToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

function requireAccess(path: string, mode: number): void {
  try {
    accessSync(path, mode);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw notWritable(path, why, 'give the daemon the right to read and write it, or choose another place');
  }
}

function notWritable(where: string, why: string, next: string): JournalFailure {
  return new JournalFailure({ code: 'JOURNAL_NOT_WRITABLE', where, why, next });
}
