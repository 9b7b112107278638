/** Makes the options of a backtest from an assignment, in the way in which the backtest command makes its own. */

import { Ajv, type ValidateFunction } from 'ajv';
import { stringify } from 'yaml';
import type { BacktestOptions } from '../../../backtest/options/backtest-options.ts';
import { type BacktestConfig, BacktestConfigSchema } from '../../../backtest/options/backtest-schema.ts';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { resolveBacktest } from '../../../backtest/options/resolve-backtest.ts';
import { type Fault, faultsOf } from '../../../backtest/options/schema-faults.ts';
import { assert, defined } from '../../../core/checks/assert.ts';
import { OWN_SCHEMAS } from '../../../core/own-schemas.ts';
import { type Assignment, type Dimension, rawOf } from '../dimension.ts';
import { paramOf, setAt } from './config-key.ts';
import { spaceError } from './space-error.ts';
import type { SweepConfig } from './sweep-schema.ts';

const NO_FLAGS = { strategies: [], tapes: [], params: {} };

export class TrialOptions {
  readonly #loaded: LoadedConfig<SweepConfig>;
  readonly #dimensions: readonly Dimension[];
  readonly #validate: ValidateFunction<BacktestConfig>;

  constructor(loaded: LoadedConfig<SweepConfig>, dimensions: readonly Dimension[]) {
    this.#loaded = loaded;
    this.#dimensions = dimensions;
    const ajv = new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, useDefaults: true });
    this.#validate = ajv.compile<BacktestConfig>(BacktestConfigSchema);
  }

  /** @throws OddsmithError CONFIG_… and USAGE, as the backtest command does */
  optionsOf(assignment: Assignment): BacktestOptions {
    return resolveBacktest(this.#loadedOf(assignment), NO_FLAGS);
  }

  /** A whole backtest configuration with the values of a trial: `oddsmith backtest` plays that trial of it. */
  yamlOf(assignment: Assignment): string {
    return stringify(this.#loadedOf(assignment).value);
  }

  #loadedOf(assignment: Assignment): LoadedConfig<BacktestConfig> {
    const { sweep, ...backtest } = this.#loaded.value;
    const tree: Record<string, unknown> = structuredClone(backtest);
    for (const dimension of this.#dimensions) {
      const label = defined(assignment[dimension.key], `an assignment has a value for ${dimension.key}`);
      const isSet = setAt(tree, dimension.path, structuredClone(rawOf(dimension, label)));
      assert(isSet, `${dimension.key} was checked when the space was read`);
    }
    const where = (path: readonly (string | number)[]): string => this.#where(path);
    if (this.#validate(tree)) return { value: tree, where };
    throw this.#fault(faultsOf(this.#validate.errors ?? []), where);
  }

  /** What the space sets stands in the space. */
  #where(path: readonly (string | number)[]): string {
    const dimension = this.#dimensions.find((each) => startsWith(path, each.path) || startsWith(each.path, path));
    return this.#loaded.where(dimension === undefined ? path : ['sweep', 'space', dimension.written]);
  }

  #fault([first]: readonly Fault[], where: (path: readonly (string | number)[]) => string): Error {
    const { kind, path, what, why, next } = defined(first, 'a schema says why it refuses a value');
    return spaceError({
      code: kind === 'unknownKey' ? 'CONFIG_UNKNOWN_KEY' : 'CONFIG_INVALID',
      what,
      where: where(path),
      ...(why === undefined ? {} : { why }),
      next: next.replace('leave the key out to get its default', 'take it out of the space'),
    });
  }
}

function startsWith(path: readonly (string | number)[], head: readonly (string | number)[]): boolean {
  return head.every((step, index) => path[index] === step);
}

/** The params of an assignment as flags of `oddsmith backtest`; the other keys as a configuration has them. */
export function flagsOf(assignment: Assignment, dimensions: readonly Dimension[]): readonly string[] {
  return dimensions.flatMap((dimension) => {
    const param = paramOf(dimension.path);
    const value = JSON.stringify(rawOf(dimension, defined(assignment[dimension.key], 'an assignment is whole')));
    const isPlain = /^"[\w.-]+"$/.test(value) && !/^"(?:[\d.+-]|true|false|null)/.test(value);
    return param === undefined ? [] : ['--param', `${param.name}=${isPlain ? value.slice(1, -1) : value}`];
  });
}
