/** Writes what a run leaves behind: result.json, orders.csv, fills.csv, report.html with its data, and what was refused and plotted, in a directory of its own. */

import { join } from 'node:path';
import { shellWord } from '../../recording/tape/recording-hint.ts';
import { type PackedReport, packedReport, reportPage } from '../../report/html/html.ts';
import { fillsCsv, ordersCsv, plotsCsv, refusalsCsv } from '../../result/columns/csv.ts';
import { backtestJsonLine } from '../../result/columns/result-json.ts';
import type { BacktestResult } from '../../result/result.ts';
import { CliError } from '../cli/cli-error.ts';
import { makeDirectory } from '../cli/out-directory.ts';
import { ownCommand } from '../cli/own-command.ts';
import { NotReplaceable, replaceFile } from '../cli/replace-file.ts';
import { REPORT_DATA } from '../run-report/kept-report.ts';
import { webBundle } from '../web/web-bundle.ts';

export const OTHER_DIRECTORY = 'Name another directory with --out.';

export interface WrittenRun {
  readonly directory: string;
  /** What could not be written, and why; undefined where all of it was. */
  readonly fault: CliError | undefined;
}

/** Says where the user finds what a run left, its page last. */
export function writtenWords(directory: string): string {
  const view = `${ownCommand()} view ${shellWord(directory)}`;
  return `\nAny ladder at any instant, with the orders in it:\n  ${view}\nOrders and fills: ${directory}\nReport, to open in a browser: ${join(directory, 'report.html')}\n`;
}

export interface FilesChoice {
  readonly out: string;
  /** First part of the directory's name. */
  readonly prefix: string;
  /** Whether result.json holds every order and fill. */
  readonly rows: boolean;
  /** Files beside those that every run leaves. */
  readonly more: readonly RunFile[];
}

/** Its name, and its content in pieces. */
export type RunFile = readonly [name: string, pieces: () => Iterable<string | Uint8Array>];

/**
 * The directory's name is made of the seed and the transcript's hash, so that the same run writes to the same place. As many of the
 * files are written as can be; what could not is returned and not thrown, so that the result can still be printed. Nothing here is
 * asynchronous: while a strategy hangs, the thread's event loop does not run.
 */
export function writeRunFiles(result: BacktestResult, { out, prefix, rows, more }: FilesChoice): WrittenRun {
  const directory = join(out, `${prefix}-${result.seed}-${result.transcriptSha256.slice(0, 10)}`);
  try {
    makeDirectory(directory, OTHER_DIRECTORY);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { directory, fault: unwritten(directory, [error.parts.why ?? error.message]) };
  }
  const reasons: string[] = [];
  for (const [name, pieces] of [...filesOf(result, rows), ...more]) {
    try {
      replaceFile(join(directory, name), pieces());
    } catch (error) {
      if (!(error instanceof NotReplaceable) && !(error instanceof Error && 'syscall' in error)) throw error;
      reasons.push(`${name}: ${error.message}`);
    }
  }
  return { directory, fault: reasons.length === 0 ? undefined : unwritten(directory, reasons) };
}

function filesOf(result: BacktestResult, rows: boolean): readonly RunFile[] {
  let made: PackedReport | undefined;
  const report = (): PackedReport => {
    made ??= packedReport(result);
    return made;
  };
  return [
    ['result.json', () => backtestJsonLine(result, { rows })],
    ['report.html', () => [reportPage(report(), webBundle('report'))]],
    ['orders.csv', () => ordersCsv(result.orderRows)],
    ['fills.csv', () => fillsCsv(result.fillRows)],
    [REPORT_DATA, () => [report().packed]],
    ...(result.orders.refused === 0 ? [] : [refusalsFile(result)]),
    ...(result.plots.length === 0 ? [] : [plotsFile(result)]),
  ];
}

function refusalsFile({ refused }: BacktestResult): RunFile {
  return ['refusals.csv', () => refusalsCsv(refused)];
}

function plotsFile({ plots }: BacktestResult): RunFile {
  return ['plots.csv', () => plotsCsv(plots)];
}

function unwritten(directory: string, reasons: readonly string[]): CliError {
  return new CliError({
    code: 'FILE_NOT_WRITABLE',
    what: 'The run could not be written whole; its result was printed.',
    where: directory,
    why: `Not written: ${reasons.join('; ')}.`,
    next: 'Make room, or name another directory with --out, and run it again: the same run gives the same result.',
  });
}
