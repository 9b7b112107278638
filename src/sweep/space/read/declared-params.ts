/** What the strategies of a configuration declare as their params. */

import type { StrategyChoice } from '../../../backtest/options/backtest-options.ts';
import { strategyError } from '../../../loader/strategy-error.ts';
import { loadStrategy } from '../../../loader/strategy-loader.ts';
import type { ParamsSpec } from '../../../strategy/params.ts';

type Choice = Required<Pick<StrategyChoice, 'file' | 'files'>>;

/** The parameters in the order of the configuration. @throws OddsmithError STRATEGY_… */
export async function declaredParams(strategies: readonly Choice[]): Promise<readonly ParamsSpec[]> {
  const specs: ParamsSpec[] = [];
  for (const { file, files } of strategies) {
    const loaded = await loadStrategy(file, {}, { files: { paths: files }, anyParams: true });
    if (loaded.kind === 'fault') throw strategyError(loaded.fault);
    specs.push(loaded.plugin.params ?? {});
  }
  return specs;
}
