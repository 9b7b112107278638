/** Everything that is thrown and that the user can do something about, as an error of the command line. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { JournalFailure } from '../../journal/file/journal-failure.ts';
import { ImportFailure } from '../../recording/betfair/decompress/import-failure.ts';
import { TapeFailure } from '../../recording/tape/tape-failure.ts';
import { WorldLogFailure } from '../../sandbox/world-log/world-log-failure.ts';
import { CliError, isCliErrorCode } from './cli-error.ts';
import { journalError, recordingError, tapeError, worldError } from './data-error.ts';

/** Undefined for a fault of our own. */
export function knownError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof OddsmithError && isCliErrorCode(error.code))
    return new CliError({ ...error.parts, code: error.code });
  if (error instanceof TapeFailure) return tapeError(error);
  if (error instanceof WorldLogFailure) return worldError(error);
  if (error instanceof JournalFailure) return journalError(error);
  return error instanceof ImportFailure ? recordingError(error.problem) : undefined;
}
