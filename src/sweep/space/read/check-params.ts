/** Whether the params that stay fixed are allowed, and whether those without a default are given by configuration or space. */

import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import type { ParamsSpec } from '../../../strategy/params.ts';
import { readParams } from '../../../strategy/read-params.ts';
import { type Dimension, labelAt, rawOf } from '../dimension.ts';
import { paramOf } from './config-key.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

/** What the space sets was judged before. @throws OddsmithError CONFIG_INVALID and CONFIG_UNKNOWN_KEY, at the param */
export function checkParams(
  { value, where }: LoadedConfig<SweepConfig>,
  specs: readonly ParamsSpec[],
  dimensions: readonly Dimension[],
): void {
  for (const [index, spec] of specs.entries()) {
    const given = { ...value.strategies[index]?.params };
    const places = Object.fromEntries(
      Object.keys(given).map((name) => [name, where(['strategies', index, 'params', name])]),
    );
    for (const dimension of dimensions) {
      const param = paramOf(dimension.path);
      if (param?.strategy === index) given[param.name] = rawOf(dimension, labelAt(dimension, 0));
    }
    const read = readParams(spec, given, places);
    if (read.kind === 'values') continue;
    for (const { param, message } of read.problems) {
      throw spaceError({
        code: Object.hasOwn(spec, param) ? 'CONFIG_INVALID' : 'CONFIG_UNKNOWN_KEY',
        what: message,
        where: where(['strategies', index, 'params', param]),
        next: 'Correct params in the configuration, or vary it in the space.',
      });
    }
  }
}
