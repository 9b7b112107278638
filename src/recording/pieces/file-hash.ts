/** The SHA-256 of a file's bytes, read a part at a time. */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const PART_BYTES = 1 << 20;

export interface FileHash {
  readonly sha256: string;
  readonly bytes: number;
}

/** @throws an error of the system's */
export function hashFile(path: string): FileHash {
  const hash = createHash('sha256');
  const part = Buffer.allocUnsafe(PART_BYTES);
  const file = openSync(path, 'r');
  try {
    let bytes = 0;
    for (;;) {
      const read = readSync(file, part, 0, PART_BYTES, -1);
      if (read === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(part.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(file);
  }
}
