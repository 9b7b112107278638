/** Reads a file that the user named. */

import { readFileSync } from 'node:fs';
import { CliError } from './cli-error.ts';

/** `role` says what the file is, for the error. */
export function readTextFile(path: string, role: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new CliError({
      code: missing ? 'FILE_NOT_FOUND' : 'FILE_NOT_READABLE',
      what: missing ? `There is no ${role} at this path.` : `The ${role} cannot be read.`,
      where: path,
      ...(missing || !(error instanceof Error) ? {} : { why: error.message }),
      next: 'Check the path; it is relative to the directory in which oddsmith was started.',
    });
  }
}
