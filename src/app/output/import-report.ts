/** What an import did, for people and as JSON. */

import { packageVersion } from '../../package/running-package.ts';
import { describePlace, type ImportProblem } from '../../recording/betfair/decompress/import-failure.ts';
import type { FileReport } from '../../recording/betfair/file-import.ts';
import { type ImportReport, problemsOf } from '../../recording/betfair/import.ts';
import type { MarketReport, OnError } from '../../recording/betfair/market/recording-import.ts';
import { count, plural } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';

export function importJson(report: ImportReport, tape: string, elapsedMs: number): string {
  const { files, ...totals } = report;
  const updatesPerSecond = perSecond(report, elapsedMs);
  return `${JSON.stringify({ command: 'import', version: packageVersion(), tape, ...totals, files, elapsedMs, updatesPerSecond })}\n`;
}

export function importText(
  report: ImportReport,
  { tape, onError }: { readonly tape: string; readonly onError: OnError },
  elapsedMs: number,
): string {
  const numbers = numberWidths(report.files);
  const lines = [headLine(numbers), ...report.files.flatMap((file) => fileLines(file, numbers)).map(printable)];
  if (onError === 'fail' && report.faulty > 0) lines.push('', faultyText(report));
  if (report.interrupted) lines.push('interrupted: the tape holds the files above');
  lines.push(
    '',
    printable(tape),
    `  markets    ${count(report.markets)}${report.named > 0 ? `, ${count(report.named)} of them named by catalogues` : ''}`,
    `  updates    ${count(report.updatesImported)} of ${count(report.updatesRead)} read`,
    `  sha256     ${report.sha256}`,
    `  time       ${(elapsedMs / 1000).toFixed(1)} s, ${count(perSecond(report, elapsedMs))} updates/s`,
  );
  return `${lines.join('\n')}\n`;
}

function faultyText({ faulty, files }: ImportReport): string {
  const which = files.length === 1 ? 'The file has' : `${count(faulty)} of ${count(files.length)} files have`;
  return `${which} faults: what has them was left out, all else is on the tape. --on-error skip keeps what is whole of it.`;
}

function perSecond(report: ImportReport, elapsedMs: number): number {
  return Math.round((report.updatesRead * 1000) / Math.max(1, elapsedMs));
}

/** How many markets and updates a file gave. */
function countsOf(file: FileReport): readonly [markets: string, updates: string] {
  const markets = file.recordings.flatMap((recording) => recording.markets);
  const imported = markets.filter((market) => market.outcome === 'imported');
  return [count(imported.length), count(imported.reduce((sum, market) => sum + market.updates, 0))];
}

const HEADS = ['markets', 'updates'] as const;

function numberWidths(files: readonly FileReport[]): readonly number[] {
  return HEADS.map((head, at) =>
    files.reduce((most, file) => Math.max(most, countsOf(file)[at]?.length ?? 0), head.length),
  );
}

/** Numbers at the right of their columns, and behind them the file, whose name may be long. */
function row(numbers: readonly string[], widths: readonly number[], text: string): string {
  return `${numbers.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  ')}  ${text}`;
}

function headLine(widths: readonly number[]): string {
  return row(HEADS, widths, 'file');
}

function fileLines(file: FileReport, widths: readonly number[]): string[] {
  const markets = file.recordings.flatMap((recording) => recording.markets);
  const badLines = file.recordings.reduce((sum, recording) => sum + recording.badLines, 0);
  const bad = badLines === 0 ? '' : `, ${plural(badLines, 'bad line')}`;
  const { catalogueMarkets } = file;
  const catalogue = catalogueMarkets === undefined ? '' : `, catalogue of ${plural(catalogueMarkets, 'market')}`;
  return [
    row(countsOf(file), widths, `${file.file}${catalogue}${bad}`),
    ...problemsOf(file).map(problemLine),
    ...reasonLines(markets),
  ];
}

function problemLine(problem: ImportProblem): string {
  const why = problem.why === undefined ? '' : ` (${problem.why})`;
  return `  ${problem.code} ${describePlace(problem)}: ${problem.what}${why}`;
}

/** One line for each reason why markets were left out, refused, or imported without being tradable. */
function reasonLines(markets: readonly MarketReport[]): readonly string[] {
  const idsByReason = new Map<string, string[]>();
  for (const { id, outcome, reason } of markets) {
    if (reason === undefined) continue;
    const key = `${outcome === 'imported' ? 'imported, not tradable' : outcome}: ${reason}`;
    idsByReason.set(key, [...(idsByReason.get(key) ?? []), id]);
  }
  return [...idsByReason].map(([reason, ids]) => {
    const shown = ids.slice(0, 3).join(', ');
    return `  ${reason} (${shown}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''})`;
  });
}
