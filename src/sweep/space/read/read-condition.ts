/** Reads the condition of a space: its keys are those of the space, or fixed values of the configuration. */

import { type ConfigPath, pathText } from '../../../backtest/options/config-path.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { nearest } from '../../../core/collections/nearest.ts';
import type { ParamsSpec } from '../../../strategy/params.ts';
import { ConstraintError, type KeyOf, type Rule, readConstraint } from '../constraint-tree.ts';
import { type Dimension, numberOf, operandType } from '../dimension.ts';
import { declaredAt, paramOf, valueAt } from './config-key.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

export function readCondition(
  loaded: LoadedConfig<SweepConfig>,
  dimensions: readonly Dimension[],
  specs: readonly ParamsSpec[],
): Rule | undefined {
  const { where: text } = loaded.value.sweep;
  if (text === undefined) return undefined;
  try {
    return readConstraint(text, keysOf(loaded.value, dimensions, specs));
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    throw spaceError({
      what: `The condition "${text}" cannot be used.`,
      where: loaded.where(['sweep', 'where']),
      why: error.message,
      next: 'Write it of keys, numbers and durations with < <= > >= == !=, + - * / %, and, or, not, min, max, abs.',
    });
  }
}

function keysOf(config: SweepConfig, dimensions: readonly Dimension[], specs: readonly ParamsSpec[]): KeyOf {
  return (written) => {
    const isShort = written[0] === 'params' && specs.length === 1;
    const path: ConfigPath = isShort ? ['strategies', 0, ...written] : written;
    const key = pathText(path);
    const dimension = dimensions.find((each) => each.key === key);
    if (dimension !== undefined) return { kind: 'key', type: operandType(dimension), key };
    const value = fixedValue(config, path, specs);
    if (typeof value === 'number') return { kind: 'literal', type: 'number', value };
    if (typeof value === 'boolean') return { kind: 'literal', type: 'boolean', value };
    if (typeof value === 'string') return { kind: 'literal', type: 'text', value };
    const name = pathText(written);
    const near = nearest(
      name,
      dimensions.map((each) => each.written),
    );
    const keys = `The keys of the space are ${dimensions.map((each) => each.written).join(', ')}.`;
    return `"${name}" is neither a key of the space nor one value of the configuration. ${near === undefined ? keys : `Did you mean ${near}?`}`;
  };
}

/** A param as its strategy reads it, so that a duration is milliseconds; anything else as it is written. */
function fixedValue(config: SweepConfig, path: ConfigPath, specs: readonly ParamsSpec[]): unknown {
  const written = valueAt(config, path);
  if (paramOf(path) === undefined) return numberOf(written) ?? written;
  const declared = declaredAt(path, specs);
  return declared?.read(written ?? declared.default);
}
