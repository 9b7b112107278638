/** Reads the data of a report that a backtest left in its directory. */

import { readFileSync, statSync } from 'node:fs';
import { followed } from '../../recording/tape/path-kind.ts';
import { type PackedReport, unpackedReport } from '../../report/html/html.ts';
import { proposeSideWords } from '../../words/side-words.ts';
import { CliError } from '../cli/cli-error.ts';

/** Beside a run's other files: `oddsmith report` draws the page from it. */
export const REPORT_DATA = 'report-data.gz';

/** @throws CliError RUN_NOT_FOUND */
export function checkRunDirectory(directory: string): void {
  const { kind, words } = followed(directory);
  if (kind === 'directory') return;
  throw new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'There is no directory of a run at this path.',
    where: directory,
    why: `What is there: ${words}.`,
    next: 'Name a directory that `oddsmith backtest` wrote (the last line that it prints names it), or `dir` of the configuration of a live or paper run.',
  });
}

/** A run holds 5 MB at most. What is far larger was not written by one, and is not unpacked. */
const LARGEST = 64 * 1024 * 1024;

/** @throws CliError REPORT_DATA_NOT_READABLE */
export function keptReport(path: string): PackedReport {
  try {
    const { kind, words } = followed(path);
    if (kind !== 'file') throw new Error(`it is ${words}`);
    if (statSync(path).size > LARGEST) throw new Error('it is too large to be the data of a report');
    const report = unpackedReport(readFileSync(path));
    proposeSideWords(report.facts.sides);
    return report;
  } catch (error) {
    throw new CliError({
      code: 'REPORT_DATA_NOT_READABLE',
      what: 'The data of the report cannot be read.',
      where: path,
      why: error instanceof Error ? error.message : String(error),
      next: 'Run the backtest again: the same run gives the same report.',
    });
  }
}
