/** The file that is left behind when oddsmith itself is at fault. */

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageVersion } from '../../package/running-package.ts';

/** Returns the file's path; undefined if the file could not be written. The name is made of the fault, so that one fault gives one file. */
export function writeBugReport(error: unknown, args: readonly string[]): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const text = [
    `oddsmith ${packageVersion()}, Node ${process.version}, ${process.platform} ${process.arch}`,
    `arguments: ${JSON.stringify(args)}`,
    '',
    stack,
    ...causesOf(error),
    '',
  ]
    .join('\n')
    .replaceAll(CREDENTIALS, '$1…@');
  // Looked up here, since no command should load it at its start for a fault that it never has.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const name = `oddsmith-bug-${createHash('sha256').update(stack).digest('hex').slice(0, 12)}.txt`;
  const file = join(tmpdir(), name);
  try {
    writeFileSync(file, text);
    return file;
  } catch {
    // The block on the terminal still says what happened; a full disk must not hide it.
    return undefined;
  }
}

/** The user and password of an address, wherever it stands: an argument, or the text of an error. */
const CREDENTIALS = /(\b[a-z]+:\/\/)[^\s"'/]*@/g;

function causesOf(error: unknown): readonly string[] {
  const lines: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause instanceof Error && lines.length < 10) {
    lines.push(`caused by: ${cause.stack ?? cause.message}`);
    cause = cause.cause;
  }
  return lines;
}
