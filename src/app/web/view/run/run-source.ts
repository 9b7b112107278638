/** Finds out what kind of run a directory holds, and reads it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STORE } from '../../../../sweep/statistics/tried-trials.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { hasRun } from '../../../parity/opened-run.ts';
import { checkRunDirectory, keptReport, REPORT_DATA } from '../../../run-report/kept-report.ts';
import { BacktestSource } from './backtest-source.ts';
import { LiveSource } from './live-source.ts';
import type { RunSource } from './viewed-run.ts';

/** `tapes`: those that were named in place of the run's own. @throws CliError, TapeFailure, JournalFailure */
export function runSourceOf(directory: string, tapes: readonly string[]): RunSource {
  checkRunDirectory(directory);
  if (existsSync(join(directory, STORE))) throw aSweep(directory);
  const data = join(directory, REPORT_DATA);
  if (existsSync(data)) return new BacktestSource({ directory, report: keptReport(data), tapes });
  if (hasRun(directory)) return new LiveSource({ directory, tapes });
  throw noRun(directory);
}

function aSweep(directory: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The directory holds a sweep: many runs, and not one.',
    where: directory,
    why: 'A view is of one run and its tapes.',
    next: `Play a trial of it again (oddsmith sweep rerun ${directory} --trial N), and name the directory that it prints.`,
  });
}

function noRun(directory: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The directory holds no run that can be viewed.',
    where: directory,
    why: `A backtest leaves ${REPORT_DATA} in its directory, a live or paper run its journal.`,
    next: 'Name the directory of one run, not the one that holds several. A backtest of an older version is run again.',
  });
}
