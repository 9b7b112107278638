/** `backtest()`: runs a backtest from typed options and gives its result as typed data. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { StrategyHalted } from '../../result/result.ts';
import type { BacktestProgress } from '../options/backtest-options.ts';
import { AbortedError } from './aborted-error.ts';
import type { BacktestInput } from './backtest-input.ts';
import { asOddsmithError, type ErrorCode } from './error-codes.ts';
import { type BacktestRun, backtestRun } from './result-tables.ts';

/**
 * Replays tapes through strategies and the simulated exchange, and gives what became of them. It touches nothing of the process: it prints nothing, listens to no signals and keeps nothing for the next call, so that several may
 * run one after the other and side by side.
 *
 * @throws OddsmithError with one of `ERROR_CODES`; AbortedError, with the result until then, where `signal` is aborted
 *
 * @example
 * const { summary } = await backtest({ tape: 'data/august.tape', strategies: [{ file: 'strategies/favourite-scalp.ts' }] });
 * console.log(summary.total.central.profitNet);
 */
export async function backtest(input: BacktestInput): Promise<BacktestRun> {
  // Loaded when they are needed: they take as long to load as a short backtest, and a program that only reads a tape needs none of them.
  const { checkInput } = await import('./check-input.ts');
  const { runBacktest } = await import('../backtest-run.ts');
  const { options, hooks } = checkInput(input);
  const { onProgress, onConsole, jobs, signal = new AbortController().signal } = hooks;
  if (signal.aborted) throw new AbortedError<BacktestRun>('backtest', signal);
  let last: BacktestProgress = { done: 0, total: 0, at: 0 };
  const tell = (progress: BacktestProgress): void => {
    last = progress;
    onProgress?.({ part: partOf(progress), ...progress });
  };
  try {
    const watching = onConsole === undefined ? {} : { onWords: onConsole };
    const result = await runBacktest(options, { onProgress: tell, signal, sliceMs: SLICE_MS, jobs, ...watching });
    const stuck = result.halts.find(({ code }) => code === 'STRATEGY_STUCK');
    if (stuck !== undefined && result.interrupted && !signal.aborted) throw stuckError(stuck);
    const run = backtestRun(result);
    if (result.interrupted) throw new AbortedError('backtest', signal, run);
    if (partOf(last) < 1) onProgress?.({ ...last, part: 1 });
    return run;
  } catch (error) {
    throw asOddsmithError(error);
  }
}

/** The run ended over it. Found in threads alone: what has no end in this thread is the program's own. */
function stuckError({ what, where, why, next }: StrategyHalted): OddsmithError<ErrorCode> {
  return new OddsmithError({ code: 'STRATEGY_STUCK', what, where, why, next });
}

/** Between two turns of the event loop, in which a signal may be aborted. */
const SLICE_MS = 50;

function partOf({ done, total }: { readonly done: number; readonly total: number }): number {
  return total === 0 ? 0 : Math.min(1, done / total);
}
