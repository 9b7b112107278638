/** Draws the page of a run's report from the files of its directory, whatever kind of run it was. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Comparison, comparisonInWords, comparisonOf } from '../../../report/comparison.ts';
import { type ComparedRun, comparisonPage } from '../../../report/html/comparison-page.ts';
import { type PackedReport, reportPage } from '../../../report/html/html.ts';
import { STORE } from '../../../sweep/statistics/tried-trials.ts';
import { CliError } from '../../cli/cli-error.ts';
import { writePage } from '../../output/write-page.ts';
import { checkRunDirectory, keptReport, REPORT_DATA } from '../../run-report/kept-report.ts';
import { webBundle } from '../../web/web-bundle.ts';

export interface DrawnReport {
  readonly file: string;
  readonly kind: PackedReport['facts']['kind'] | 'sweep';
}

interface Drawing {
  readonly directory: string;
  readonly out: string | undefined;
  readonly signal: AbortSignal;
}

/** @throws CliError, JournalFailure or TapeFailure */
export async function drawReport({ directory, out, signal }: Drawing): Promise<DrawnReport> {
  checkRunDirectory(directory);
  const file = out ?? join(directory, 'report.html');
  if (existsSync(join(directory, STORE))) {
    const { sweepReport } = await import('./sweep-report.ts');
    writePage(file, sweepReport(directory), '--out');
    return { file, kind: 'sweep' };
  }
  const report = await reportIn(directory, signal);
  writePage(file, reportPage(report, webBundle('report')), '--out');
  return { file, kind: report.facts.kind };
}

export interface DrawnComparison {
  readonly file: string;
  /** What it says first. */
  readonly sentences: readonly string[];
  readonly comparison: Comparison;
}

/** Two runs beside each other; without `out` the page lies in the directory of the second. @throws as `drawReport` */
export async function drawComparison(
  directories: readonly [first: string, second: string],
  { out, signal }: Pick<Drawing, 'out' | 'signal'>,
): Promise<DrawnComparison> {
  const runs: ComparedRun[] = [];
  for (const directory of directories) {
    checkRunDirectory(directory);
    if (existsSync(join(directory, STORE)))
      throw new CliError({
        code: 'USAGE',
        what: 'A sweep cannot be compared with a run.',
        where: directory,
        next: 'Name the directories of two runs; `oddsmith sweep rerun` makes one of a trial.',
      });
    runs.push({ directory, facts: (await reportIn(directory, signal)).facts });
  }
  const [first, second] = runs as [ComparedRun, ComparedRun];
  const { currency } = first.facts.result;
  if (second.facts.result.currency !== currency)
    throw new CliError({
      code: 'USAGE',
      what: 'Runs in two currencies cannot be compared.',
      where: directories[1],
      why: `The first is in ${currency}, the second in ${second.facts.result.currency}.`,
      next: 'Run one of them again with wallets in the currency of the other.',
    });
  const comparison = comparisonOf(first.facts, second.facts);
  const file = out ?? join(directories[1], 'comparison.html');
  writePage(file, comparisonPage([first, second], comparison, webBundle('report').style), '--out');
  return { file, comparison, sentences: comparisonInWords(comparison, currency) };
}

async function reportIn(directory: string, signal: AbortSignal): Promise<PackedReport> {
  const data = join(directory, REPORT_DATA);
  if (existsSync(data)) return keptReport(data);
  const { hasRun, withRunOf } = await import('../../parity/opened-run.ts');
  if (!hasRun(directory)) throw nothingToDraw(directory);
  const { runReport } = await import('../../run-report/run-report.ts');
  return await withRunOf(directory, (opened) => runReport({ ...opened, signal }));
}

function nothingToDraw(directory: string): CliError {
  const newest = newestIn(directory);
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The directory holds no run that a report can be drawn of.',
    where: directory,
    why: `A backtest leaves ${REPORT_DATA} in its directory, a live or paper run its journal.`,
    next:
      newest === undefined
        ? 'Name the directory of one run, not the one that holds several. A backtest of an older version is run again.'
        : `Name the directory of one run; the newest that lies in this one: oddsmith report ${newest}.`,
  });
}

/** People name the directory that holds their runs. Undefined where it holds none. */
function newestIn(directory: string): string | undefined {
  const runs = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(directory, entry.name))
    .flatMap((path) => {
      const made = statSync(join(path, REPORT_DATA), { throwIfNoEntry: false });
      return made === undefined ? [] : [{ path, at: made.mtimeMs }];
    });
  return runs.sort((a, b) => b.at - a.at)[0]?.path;
}
