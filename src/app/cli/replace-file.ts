/** Writes a file beside its place and moves it there when it is complete: the file that was there before stays until then. */

import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { named } from '../../recording/tape/path-kind.ts';
import { chunked } from './chunked.ts';

/**
 * Only a regular file is replaced: a link is followed and kept, and a pipe or device cannot be replaced.
 * @throws what the pieces throw; an error of the system's, or one that says what lies there
 */
export function replaceFile(path: string, pieces: Iterable<string | Uint8Array>): void {
  checkReplaceable(path);
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeNew(partial, pieces);
    renameSync(partial, path);
  } catch (error) {
    // A file that another process put there under that name is not ours to remove.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) rmSync(partial, { force: true });
    throw error;
  }
}

function writeNew(path: string, pieces: Iterable<string | Uint8Array>): void {
  const file = openSync(path, 'wx');
  try {
    for (const piece of chunked(pieces)) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      // One call may write only a part of it.
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
  } finally {
    closeSync(file);
  }
}

export class NotReplaceable extends Error {
  override readonly name = 'NotReplaceable';
}

/** @throws NotReplaceable */
export function checkReplaceable(path: string): void {
  const { kind, words } = named(path);
  if (kind === 'nothing' || kind === 'file') return;
  throw new NotReplaceable(kind === 'unreachable' ? words : `${path} is ${words}`);
}
