/** Runs a backtest with progress, writes its files and prints its result. */

import type { BacktestResult } from '../report/result.ts';
import { backtestJson } from '../report/result-json.ts';
import { resultTable } from '../report/table.ts';
import type { BacktestOptions } from './backtest-options.ts';
import { runBacktest } from './backtest-run.ts';
import type { CommandContext } from './command-context.ts';
import { inkOf } from './ink.ts';
import { checkWritable } from './out-directory.ts';
import { startProgress } from './progress.ts';
import { OTHER_DIRECTORY, writeRunFiles } from './run-files.ts';
import { keepHeapSmall } from './small-heap.ts';
import { paintFor } from './terminal.ts';

export interface ReportChoices {
  /** First part of the run directory's name. */
  readonly prefix: string;
  readonly json: boolean;
}

export async function runAndReport(
  context: CommandContext,
  options: BacktestOptions,
  choices: ReportChoices,
): Promise<{ readonly result: BacktestResult; readonly directory: string }> {
  const { terminal } = context;
  // Before the run: hours of replay must not end at a full stop here.
  checkWritable(options.out, OTHER_DIRECTORY);
  keepHeapSmall();
  const progress = startProgress(terminal, { unit: 'updates', silent: choices.json, now: () => performance.now() });
  let result: BacktestResult;
  try {
    result = await runBacktest(options, {
      onProgress: ({ done, total, at }) =>
        progress.update(done, total, new Date(at).toISOString().slice(0, 16).replace('T', ' ')),
      signal: terminal.signal,
    });
  } finally {
    progress.stop();
  }
  const directory = await writeRunFiles(result, options.out, choices.prefix);
  terminal.out(choices.json ? `${backtestJson(result)}\n` : resultTable(result, inkOf(paintFor(terminal.colourOut))));
  return { result, directory };
}
