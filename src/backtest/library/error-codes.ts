/** Every code with which a call of the library can fail, and what it means. */

import { type ErrorParts, OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { STRATEGY_FAULT_CODES } from '../../loader/strategy-loader-fault.ts';
import {
  describePlace,
  IMPORT_FAILURE_CODES,
  ImportFailure,
  type ImportFailureCode,
  type ImportProblem,
} from '../../recording/betfair/decompress/import-failure.ts';
import { TAPE_FAILURE_CODES, TapeFailure, type TapeFailureCode } from '../../recording/tape/tape-failure.ts';

/**
 * Codes of the `OddsmithError` with which calls of this entry fail, and what each means. A code keeps its meaning from
 * version to version.
 */
export const ERROR_CODES = {
  CONFIG_INVALID: 'an option is missing, or its value cannot be; `where` is the path of the option',
  CONFIG_UNKNOWN_KEY: 'there is no such option; `where` is its path',
  NO_MARKETS: 'no market of the tapes is left to replay, or the tape has no market with this id',
  LOOKAHEAD: 'with `prove`: a strategy decided otherwise when the future was removed or altered',
  PROOF_FILES: 'with `prove`: a strategy depends on files, or on the environment',
  PROOF_IDS:
    'with `prove`: a strategy that is given as an object decides by ids or by the year, as if its code held results',
  STRATEGY_STUCK: 'with `jobs`: promises of a strategy went on without end between its calls, and its thread was ended',
  SIGNAL_NOT_FOUND: 'there is no signal file at this path',
  SIGNAL_ROW: 'a line of a signal file is no row',
  ABORTED: 'the signal was aborted; `partial` holds what was done until then',
  TAPE_CLOSED: 'the tape was closed before it was read',
  ...STRATEGY_FAULT_CODES,
  ...TAPE_FAILURE_CODES,
  ...IMPORT_FAILURE_CODES,
} as const;

/** A key of `ERROR_CODES`. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Failures of tapes and recordings as an `OddsmithError`; everything else as it is. */
export function asOddsmithError(error: unknown): unknown {
  if (error instanceof TapeFailure) return new OddsmithError<ErrorCode>(tapeParts(error), { cause: error });
  if (error instanceof ImportFailure)
    return new OddsmithError<ErrorCode>(recordingParts(error.problem), { cause: error });
  return error;
}

export function tapeParts({ code, message, path, next }: TapeFailure): ErrorParts<TapeFailureCode> {
  return { code, what: sentence(message.replace(`: ${path}`, '')), where: path, next: sentence(next) };
}

export function recordingParts(problem: ImportProblem): ErrorParts<ImportFailureCode> {
  const { code, what, why, next } = problem;
  return {
    code,
    what: sentence(what),
    where: describePlace(problem),
    ...(why === undefined ? {} : { why: sentence(why) }),
    next: sentence(next),
  };
}

/** The parts of tape and recording failures are clauses; those of an `OddsmithError` are sentences. */
export function sentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}
