/** Writes a page to a file that its reader named. */

import { dirname } from 'node:path';
import { CliError } from '../cli/cli-error.ts';
import { makeDirectory } from '../cli/out-directory.ts';
import { NotReplaceable, replaceFile } from '../cli/replace-file.ts';

/** `option`: where the file was named, such as `--out`. @throws CliError FILE_NOT_WRITABLE */
export function writePage(file: string, page: string, option: string): void {
  const next = `Name another file with ${option}.`;
  try {
    makeDirectory(dirname(file), next);
    replaceFile(file, [page]);
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (!(error instanceof NotReplaceable) && !(error instanceof Error && 'syscall' in error)) throw error;
    const what = 'The page cannot be written.';
    throw new CliError({ code: 'FILE_NOT_WRITABLE', what, where: file, why: error.message, next });
  }
}
