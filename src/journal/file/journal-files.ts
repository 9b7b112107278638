/** The files of a journal, and the few things done with whole files. */

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
  /** SQLite's write-ahead log, and its index, which is made anew from the log. */
  readonly wal: string;
  readonly shm: string;
  readonly head: string;
  readonly lock: string;
  /** A whole journal that is to take the place of a damaged one, and one that is still being made. */
  readonly fresh: string;
  readonly making: string;
}

/** One journal has one name, however it is reached, for its lock goes by the name. */
export function journalFiles(path: string): JournalFiles {
  const file = realPath(resolve(path));
  return {
    ...{ file, wal: `${file}-wal`, shm: `${file}-shm`, head: `${file}.head`, lock: `${file}.lock` },
    ...{ fresh: `${file}.fresh`, making: `${file}.making` },
  };
}

/** @throws JournalFailure JOURNAL_NOT_WRITABLE, before anything is touched */
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

/** Why no further page can be written, as the system says it; undefined where one can. */
export function roomFault({ file, wal, making }: JournalFiles): string | undefined {
  const probe = `${file}.probe`;
  let room: number | undefined;
  try {
    room = openSync(probe, 'w');
    // As far into a file as the longest is long, for a limit may be on the size of one.
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

/** The index of a log grows by so much at a time. */
const INDEX_SIZE = 32_768;
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A name is only sure to survive a loss of power once its folder is on disk. */
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
