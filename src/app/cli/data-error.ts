/** What is wrong with tapes, recordings and journals, in the command line's block. */

import { recordingParts, sentence, tapeParts } from '../../backtest/library/error-codes.ts';
import type { JournalFailure } from '../../journal/file/journal-failure.ts';
import type { ImportProblem } from '../../recording/betfair/decompress/import-failure.ts';
import type { TapeFailure, TapeFailureCode } from '../../recording/tape/tape-failure.ts';
import type { WorldLogFailure } from '../../sandbox/world-log/world-log-failure.ts';
import { CliError } from './cli-error.ts';

/** The advice where the command line knows better than the tape what to do. */
const NEXT: Readonly<Partial<Record<TapeFailureCode, string>>> = {
  TAPE_EXISTS: 'Name another file with --tape, or give --append or --overwrite.',
};

export function tapeError(failure: TapeFailure): CliError {
  const next = NEXT[failure.code];
  return new CliError({ ...tapeParts(failure), ...(next === undefined ? {} : { next }) });
}

export function worldError(failure: WorldLogFailure): CliError {
  return new CliError({
    code: failure.code,
    what: sentence(failure.message),
    where: failure.path,
    next: sentence(failure.next),
  });
}

export function journalError({ code, what, where, why, next }: JournalFailure): CliError {
  return new CliError({ code, what: sentence(what), where, why: sentence(why), next: sentence(next) });
}

export function recordingError(problem: ImportProblem): CliError {
  return new CliError(recordingParts(problem));
}
