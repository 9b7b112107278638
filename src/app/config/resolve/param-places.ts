/** Finds where a person wrote the params of each strategy: in the configuration, or as a flag of the command, which wins. */

import type { StrategyChoice } from '../../../backtest/options/backtest-options.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { ParamPlaces } from '../../../strategy/read-params.ts';

/** The strategies of `loaded`, or others that flags named in their place; each with the places of its params. */
export function withParamPlaces(
  strategies: readonly StrategyChoice[],
  loaded: Pick<LoadedConfig<unknown>, 'where'>,
  flags: ParamPlaces = {},
): readonly StrategyChoice[] {
  return strategies.map((choice, index) => {
    const places = Object.keys(choice.params).map((name) => [
      name,
      flags[name] ?? loaded.where(['strategies', index, 'params', name]),
    ]);
    return { ...choice, paramPlaces: Object.fromEntries(places) };
  });
}
