/** Whether what was given as a tape is a recording that must be imported first, told by its first bytes. */

import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

export interface RecordingHint {
  /** What it is, as a clause. */
  readonly what: string;
  readonly next: string;
}

const HEAD_BYTES = 512;
const TAR_MAGIC_AT = 257;

/** Beginnings of packed files and archives, in which recordings come; what is in them only the import can tell. */
const PACKED: readonly (readonly [magic: string, at: number, name: string])[] = [
  ['BZh', 0, 'bz2'],
  ['\x1f\x8b', 0, 'gzip'],
  ['\x28\xb5\x2f\xfd', 0, 'zstd'],
  ['PK\x03\x04', 0, 'zip'],
  ['ustar', TAR_MAGIC_AT, 'tar'],
];

/** Undefined where it is neither, and where it cannot be read. */
export function recordingHint(path: string): RecordingHint | undefined {
  const head = headOf(path);
  if (head === undefined) return undefined;
  if (/^\s*\{\s*"op"\s*:\s*"mcm"/.test(head)) return hint(path, "it is a recording of Betfair's stream");
  const packed = PACKED.find(([magic, at]) => head.startsWith(magic, at));
  return packed && hint(path, `it is packed (${packed[2]}), as recordings are`);
}

/** A directory given as a tape holds tapes, or recordings. */
export function directoryHint(path: string): RecordingHint {
  const tapes = namesIn(path)
    .filter((name) => name.endsWith('.tape'))
    .sort();
  const [first] = tapes;
  if (first === undefined) return hint(path, 'it is a directory');
  const rest = tapes.length === 1 ? '' : `, and the others of its ${tapes.length} tapes`;
  return { what: 'it is a directory', next: `name the tape in it: ${join(path, first)}${rest}` };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // What is in it then no hint can say.
    return [];
  }
}

function hint(path: string, what: string): RecordingHint {
  const next = `import it first, then name the tape that this makes: oddsmith import betfair ${shellWord(path)} --tape data/first.tape`;
  return { what, next };
}

/** The path in the form in which a shell takes it for one word. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

function headOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0)).toString('latin1');
    } finally {
      closeSync(file);
    }
  } catch {
    // It is no tape in any case, and that is what is reported.
    return undefined;
  }
}
