/** What an import ends with that left files out: an error that holds the report of the others. */

import { defined } from '../../core/checks/assert.ts';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { type ImportReport, problemsOf } from '../../recording/betfair/import.ts';
import { count } from '../../words/numbers.ts';
import { type ErrorCode, recordingParts } from './error-codes.ts';

/**
 * What an import ends with where files have faults and others have none: the others are on the tape. It says what is wrong with the
 * first one, and its code is that of this fault.
 *
 * @example
 * const report = await importRecordings({ files: ['recordings'], out: 'data/august.tape' }).catch((error: unknown) => {
 *   if (error instanceof FaultyFilesError) return error.report;
 *   throw error;
 * });
 */
export class FaultyFilesError extends OddsmithError<ErrorCode> {
  /** What the other files brought, and what is wrong with these (`problems`). */
  readonly report: ImportReport;

  /** `report` has at least one problem. */
  constructor(report: ImportReport) {
    const [problem] = report.files.flatMap(problemsOf);
    super({
      ...recordingParts(defined(problem, 'a file with a fault has a problem')),
      next: `The tape holds what the other files gave: ${count(report.faulty)} of ${count(report.files.length)} have faults. \`onError: 'skip'\` keeps what is whole of them.`,
    });
    this.report = report;
  }
}
