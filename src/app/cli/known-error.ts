/** Everything that is thrown and that the user can do something about, as an error of the command line. */

import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { JournalFailure } from '../../journal/file/journal-failure.ts';
import { ImportFailure } from '../../recording/betfair/decompress/import-failure.ts';
import { TapeFailure } from '../../recording/tape/tape-failure.ts';
import { WorldLogFailure } from '../../sandbox/world-log/world-log-failure.ts';
import { CliError, isCliErrorCode } from './cli-error.ts';
import { journalError, recordingError, tapeError, worldError } from './data-error.ts';
import { packagedFile } from './own-command.ts';

/** Undefined for a fault of our own. */
export function knownError(error: unknown): CliError | undefined {
  const known = asKnown(error);
  return known === undefined ? undefined : withPackaged(known);
}

/** Documents and examples name files of the package as they lie in it: in a project they lie elsewhere. */
function withPackaged(error: CliError): CliError {
  const { code, where } = error.parts;
  if ((code !== 'TAPE_NOT_FOUND' && code !== 'STRATEGY_NOT_FOUND') || where === undefined) return error;
  const path = packagedFile(where);
  if (isAbsolute(where) || path === where || !existsSync(path)) return error;
  return new CliError({ ...error.parts, next: `It comes with oddsmith, and lies here: ${path}` });
}

function asKnown(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof OddsmithError && isCliErrorCode(error.code))
    return new CliError({ ...error.parts, code: error.code });
  if (error instanceof TapeFailure) return tapeError(error);
  if (error instanceof WorldLogFailure) return worldError(error);
  if (error instanceof JournalFailure) return journalError(error);
  return error instanceof ImportFailure ? recordingError(error.problem) : undefined;
}
