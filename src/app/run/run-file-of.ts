/** Makes the run file, which holds what a replay of the run's tapes needs to know. */

import { resolve } from 'node:path';
import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import { packageVersion } from '../../package/running-package.ts';
import { writtenDurations } from '../../strategy/written-durations.ts';
import { keptSideWords } from '../../words/side-words.ts';
import type { RunFile, RunStrategy } from './run-file.ts';
import type { RunOptions } from './run-options.ts';
import type { StartedStrategy } from './strategy-instances.ts';

/** Options of the simulated exchange; for a live run, what its replay assumes of the real one. */
export const FILL_RULES: BacktestOptions['fillRules'] = {
  cancellations: 'pro-rata',
  hiddenVolume: 'through-queue',
  refill: 'never',
  levelsOutOfSight: { maxAgeMs: 1_000 },
  crossMatching: 'rounded',
};

export function runFileOf(options: RunOptions, started: readonly StartedStrategy[]): RunFile {
  const { mode, currency, wallets, settings, paper } = options;
  const { heartbeat: _heartbeat, ...limits } = options.limits;
  return {
    format: 1,
    version: packageVersion(),
    mode,
    ...keptSideWords(),
    fillRules: FILL_RULES,
    ...paper,
    intentsMax: settings.intentsMax,
    strategies: started.map(runStrategyOf),
    wallets: wallets.map(({ name, balance }) => ({ name, currency, balance: mode === 'live' ? 'unlimited' : balance })),
    // Lowered as the bot lowers it.
    limits: { ...limits, staleMs: Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, settings.freshness.prices) },
  };
}

export function runStrategyOf({ name, choice, loaded }: StartedStrategy): RunStrategy {
  const { plugin, file, sha256, params } = loaded;
  return {
    ...{ name, file, params: choice.params },
    paramsUsed: { ...params, ...writtenDurations(plugin.params ?? {}, params) },
    ...{ sha256, wallet: choice.wallet },
    ...(choice.files && { files: choice.files.map((path) => resolve(path)) }),
  };
}
