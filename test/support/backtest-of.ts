/** Backtests of strategy files over the sample recording, in the central world, unless a test names others. */

import { runBacktest } from '../../src/backtest/backtest-run.ts';
import type { BacktestHooks, BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { SAMPLE_TAPE } from './places.ts';
import { OPTIONS } from './scripted-run.ts';

export function backtestOf(
  files: readonly string[],
  change: Partial<BacktestOptions> = {},
  hooks: Partial<BacktestHooks> = {},
): Promise<BacktestResult> {
  const strategies = files.map((file) => ({ file, params: {}, wallet: 'main' }));
  const options = { ...OPTIONS, fills: 'central', strategies, tapes: [SAMPLE_TAPE], ...change } as const;
  return runBacktest(options, { onProgress: () => {}, signal: new AbortController().signal, ...hooks });
}

/** The `markets` of a backtest that plays these alone. */
export function onlyMarkets(...ids: readonly string[]): BacktestOptions['markets'] {
  return { ids, types: [], events: [] };
}
