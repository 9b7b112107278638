/** What is wrong with tapes and recordings, in the command line's block. */

import { describePlace, type ImportProblem } from '../recording/betfair/import-failure.ts';
import type { TapeFailure } from '../recording/tape-failure.ts';
import { CliError, type CliErrorParts } from './cli-error.ts';

export function tapeError(failure: TapeFailure): CliError {
  return new CliError({
    code: failure.code,
    what: sentence(failure.message),
    where: failure.path,
    next: sentence(failure.next),
  });
}

export function recordingError(problem: ImportProblem): CliError {
  return new CliError(recordingParts(problem));
}

export function recordingParts(problem: ImportProblem): CliErrorParts {
  return {
    code: problem.code,
    what: sentence(problem.what),
    where: describePlace(problem),
    ...(problem.why === undefined ? {} : { why: sentence(problem.why) }),
    next: sentence(problem.next),
  };
}

function sentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}
