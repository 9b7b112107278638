/** Runs a backtest with progress, writes its files and prints its result. */

import { runBacktest } from '../../backtest/backtest-run.ts';
import type { BacktestOptions, BegunRun } from '../../backtest/options/backtest-options.ts';
import { watchGuests } from '../../backtest/pieces/guest-watch.ts';
import { fitted } from '../../report/text/fitted.ts';
import { resultTable } from '../../report/text/table.ts';
import { backtestJsonLine } from '../../result/columns/result-json.ts';
import type { BacktestResult } from '../../result/result.ts';
import { printable } from '../../words/printable.ts';
import { chunked } from '../cli/chunked.ts';
import { EXIT, type ExitCode, errorBlock } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { checkWritable } from '../cli/out-directory.ts';
import { type Progress, startProgress } from '../cli/progress.ts';
import { inkOf, paintFor } from '../cli/terminal.ts';
import { OTHER_DIRECTORY, type RunFile, writeRunFiles } from './run-files.ts';
import { keepHeapSmall } from './small-heap.ts';

export interface ReportChoices {
  /** First part of the run directory's name. */
  readonly prefix: string;
  readonly json: boolean;
  /** Whether the JSON holds every order and fill. */
  readonly rows: boolean;
  /** The number of threads that play its pieces. */
  readonly jobs?: number | undefined;
  /** Whether orders, fills, markets and outcomes are written as Parquet too. */
  readonly parquet: boolean;
  /** Printed last, unless the output is JSON. */
  readonly closingWords: (result: BacktestResult, directory: string) => string;
  /** Receives the result before it is printed. */
  readonly onResult?: ((result: BacktestResult) => void) | undefined;
}

/**
 * The result is printed even if its files cannot be written. With `json` that failure is in the printed object, under `error`, and
 * gives the exit code; otherwise it is thrown, after everything else.
 */
export async function runAndReport(
  context: CommandContext,
  options: BacktestOptions,
  choices: ReportChoices,
): Promise<void> {
  const { terminal } = context;
  // Checked before the run, so that hours of replay are not lost because their files cannot be written.
  checkWritable(options.out, OTHER_DIRECTORY);
  keepHeapSmall();
  // Loaded before the run, since nothing can be loaded while a strategy hangs.
  const parquet = choices.parquet ? await import('./parquet-files.ts') : undefined;
  const progress = startProgress(terminal, { unit: 'updates', silent: choices.json, now: () => performance.now() });
  const report = (result: BacktestResult): void =>
    tell({ context, options, choices, progress, parquetFiles: parquet?.parquetFiles }, result);
  let result: BacktestResult;
  try {
    result = await runBacktest(options, {
      onProgress: ({ done, total, at }) =>
        progress.update(done, total, new Date(at).toISOString().slice(0, 16).replace('T', ' ')),
      onWords: (line) => terminal.note(`${line}\n`),
      signal: terminal.signal,
      mark: terminal.thread?.mark,
      watchGuests,
      jobs: choices.jobs,
      onBegun: (begun) => watch({ context, options, choices }, begun, report),
    });
  } finally {
    progress.stop();
  }
  report(result);
}

interface Report {
  readonly context: CommandContext;
  readonly options: BacktestOptions;
  readonly choices: ReportChoices;
}

/**
 * Begins to watch: a strategy that hangs is halted, or ends the run with its result so far, as one does that keeps a signal from taking
 * effect.
 */
function watch({ context, options }: Report, begun: BegunRun, report: (result: BacktestResult) => void): void {
  const plan = {
    limitMs: options.strategyTimeoutMs,
    strategies: begun.strategies,
    exitCode: EXIT.usage,
    consequence: 'What was replayed is lost.',
  };
  context.terminal.thread?.watch(plan, (inquiry) => {
    const answer = begun.asked(inquiry);
    if (answer === undefined) return undefined;
    if (answer.kind === 'again') return answer.goOn;
    report(answer.result);
    return context.exitCode;
  });
}

interface Telling extends Report {
  readonly progress: Progress;
  readonly parquetFiles: ((result: BacktestResult) => readonly RunFile[]) | undefined;
}

function tell({ context, options, choices, progress, parquetFiles }: Telling, result: BacktestResult): void {
  const { terminal } = context;
  const { json, rows, prefix, closingWords, onResult } = choices;
  progress.stop();
  onResult?.(result);
  const { directory, fault } = writeRunFiles(result, {
    out: options.out,
    prefix,
    rows,
    more: parquetFiles?.(result) ?? [],
  });
  context.exitCode = json && fault !== undefined ? fault.exitCode : exitCodeOf(result);
  if (json) {
    for (const piece of chunked(backtestJsonLine(result, { rows, error: fault?.parts }))) terminal.out(piece);
    return;
  }
  terminal.out(resultTable(result, inkOf(paintFor(terminal.colourOut)), terminal.columnsOut));
  for (const halt of result.halts) terminal.note(`\n${fitted(errorBlock(halt), terminal.columnsNote)}\n`);
  if (fault !== undefined) throw fault;
  terminal.note(closingWords(result, printable(directory)));
}

/** A strategy that hangs ends a run as a signal does; the error then names the strategy. */
function exitCodeOf({ halts, interrupted }: BacktestResult): ExitCode {
  if (halts.some(({ code }) => code === 'STRATEGY_STUCK')) return EXIT.usage;
  if (interrupted) return EXIT.interrupted;
  return halts.length > 0 ? EXIT.usage : EXIT.done;
}
