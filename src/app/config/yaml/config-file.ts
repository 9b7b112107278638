/** Reads a configuration file that the user named. */

import { readFileSync } from 'node:fs';
import { requireFile } from '../../../recording/tape/path-kind.ts';
import { CliError } from '../../cli/cli-error.ts';

export function readConfigFile(path: string): string {
  try {
    requireFile(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new CliError({
      code: missing ? 'CONFIG_NOT_FOUND' : 'CONFIG_NOT_READABLE',
      what: missing ? 'There is no configuration at this path.' : 'The configuration cannot be read.',
      where: path,
      ...(missing || !(error instanceof Error) ? {} : { why: error.message }),
      next: 'Check the path; it is relative to the directory in which oddsmith was started.',
    });
  }
}
