/** Reads the space from the block `sweep` of a configuration; every value is judged by what it sets before anything is played. */

import { type ConfigPath, type LoadedConfig, pathText } from '../../../backtest/options/loaded-config.ts';
import { nearest } from '../../../core/collections/nearest.ts';
import { Random } from '../../../core/number/random.ts';
import type { Param, ParamsSpec } from '../../../strategy/params.ts';
import { readParams } from '../../../strategy/read-params.ts';
import { ConstraintError, type KeyOf, type Rule, readConstraint } from '../constraint-tree.ts';
import { type Dimension, labelAt, numberOf, operandType, rawOf } from '../dimension.ts';
import { fulfils, pointAt, randomPoint, type Space, sizeOf } from '../space.ts';
import { checkValues } from './check-values.ts';
import { declaredAt, fullKey, paramOf, pathOf, valueAt } from './config-key.ts';
import { readDimension } from './read-dimension.ts';
import { spaceError } from './space-error.ts';
import type { DimensionConfig, SearchConfig, SweepConfig } from './sweep-schema.ts';
import { TrialOptions } from './trial-options.ts';

export interface ReadSpace {
  readonly space: Space;
  readonly trialOptions: TrialOptions;
}

/** What no trial can have of its own, with the reason. */
const FIXED: Readonly<Record<string, string>> = {
  sweep: 'It is the sweep itself.',
  tapes: 'All trials are played on the same recordings; `markets` chooses from them.',
  out: 'It says where files are written and changes no result.',
  strategyTimeoutMs: 'It changes no result.',
  strategies:
    'A sweep is of fixed strategies: of them params and wallet can vary. Make one sweep for each strategy file.',
};

/** `specs` are the params that each strategy declares, in the order of the configuration. @throws OddsmithError CONFIG_… */
export function readSpace(loaded: LoadedConfig<SweepConfig>, specs: readonly ParamsSpec[]): ReadSpace {
  const dimensions: Dimension[] = [];
  for (const [written, config] of Object.entries(loaded.value.sweep.space)) {
    const where = (path: ConfigPath): string => loaded.where(['sweep', 'space', written, ...path]);
    checkShort(written, loaded.value.strategies.length, where([]));
    const path = pathOf(fullKey(written));
    const declared = path && declaredAt(path, specs);
    const dimension = readDimension(written, asWritten(written, config, { loaded, declared }), where, declared);
    checkKey(dimension, specs, where([]));
    checkOverlap(dimension, dimensions, where([]));
    checkGrid(dimension, loaded.value.sweep.search, where([]));
    dimensions.push(dimension);
  }
  const trialOptions = new TrialOptions(loaded, dimensions);
  for (const dimension of dimensions) checkValues(dimension, { loaded, specs, trialOptions, dimensions });
  checkParams(loaded, specs, dimensions);
  const condition = readCondition(loaded, dimensions, specs);
  const space: Space = { dimensions, condition };
  checkCondition(space, loaded.value.sweep.where, loaded.where(['sweep', 'where']));
  return { space, trialOptions };
}

function checkShort(written: string, strategies: number, where: string): void {
  if (!/^params(\.|\[)/.test(written) || strategies === 1) return;
  throw spaceError({
    what: `"${written}" does not say of which strategy.`,
    where,
    why: `params. is short for strategies[0].params. where there is one strategy, and there are ${strategies}.`,
    next: `Write strategies[0].${written}, or the number of another one.`,
  });
}

/** Values of a text param are texts: 007 is no 7. */
function asWritten(
  written: string,
  config: DimensionConfig,
  { loaded, declared }: { readonly loaded: LoadedConfig<SweepConfig>; readonly declared: Param<unknown> | undefined },
): DimensionConfig {
  if (declared?.kind !== 'text' || !('values' in config)) return config;
  const sourceAt = (index: number) => loaded.writtenNumber?.(['sweep', 'space', written, 'values', index]);
  return { ...config, values: config.values.map((raw, index) => sourceAt(index) ?? raw) };
}

function checkKey({ path, written }: Dimension, specs: readonly ParamsSpec[], where: string): void {
  const [first, index, part] = path;
  const param = paramOf(path);
  const isOfStrategy = first === 'strategies' && typeof index === 'number';
  if (isOfStrategy && index >= specs.length) {
    throw spaceError({
      what: `There is no ${pathText(path.slice(0, 2))}.`,
      where,
      why: `The configuration has ${specs.length} ${specs.length === 1 ? 'strategy' : 'strategies'}, numbered from 0.`,
      next: 'Correct the number.',
    });
  }
  const isWallet = isOfStrategy && part === 'wallet' && path.length === 3;
  if (param === undefined && !isWallet && Object.hasOwn(FIXED, String(first))) {
    throw spaceError({
      what: `${written} cannot vary in a sweep.`,
      where,
      why: FIXED[String(first)] ?? '',
      next: 'Set it in the configuration, outside of the space.',
    });
  }
  if (param !== undefined) checkParam(param, specs[param.strategy] ?? {}, where);
}

function checkParam({ name, strategy }: { name: string; strategy: number }, spec: ParamsSpec, where: string): void {
  if (Object.hasOwn(spec, name)) return;
  const known = Object.keys(spec);
  const near = nearest(name, known);
  throw spaceError({
    code: 'CONFIG_UNKNOWN_KEY',
    what: `The strategy has no param "${name}".`,
    where,
    why: known.length === 0 ? `strategies[${strategy}] has no params.` : `Its params are ${known.join(', ')}.`,
    next: near === undefined ? 'Name one of those.' : `Did you mean ${near}?`,
  });
}

function checkOverlap(dimension: Dimension, earlier: readonly Dimension[], where: string): void {
  const other = earlier.find(({ path }) => {
    const shorter = Math.min(path.length, dimension.path.length);
    return path.slice(0, shorter).every((step, index) => step === dimension.path[index]);
  });
  if (other === undefined) return;
  throw spaceError({
    what: `${dimension.written} and ${other.written} set the same part of the configuration.`,
    where,
    why: 'The one would overwrite the other.',
    next: 'Keep one of them.',
  });
}

function checkGrid({ kind, written }: Dimension, search: SearchConfig, where: string): void {
  const method = typeof search === 'string' ? search : search.method;
  const start = typeof search === 'object' && 'start' in search ? search.start : undefined;
  if (kind !== 'range' || (method !== 'grid' && start !== 'grid')) return;
  throw spaceError({
    what: `A grid has no end where ${written} is any number of a range.`,
    where,
    why: 'The search is a grid: it is what a sweep does that names none.',
    next: 'Give it a step, or a list of values; or search with { method: tpe, trials: 200 } or another method.',
  });
}

/** At most this many points are tried: all of a smaller space. */
const TRIES = 100_000;

/** Refuses a condition that no point of the space fulfils. @throws OddsmithError CONFIG_INVALID */
function checkCondition(space: Space, text: string | undefined, where: string): void {
  if (space.condition === undefined) return;
  const size = sizeOf(space);
  const isSmall = size !== undefined && size <= TRIES;
  const random = Random.fromSeed(1);
  for (let index = 0; index < (isSmall ? Number(size) : TRIES); index += 1) {
    if (fulfils(space, isSmall ? pointAt(space, BigInt(index)) : randomPoint(space, random))) return;
  }
  throw spaceError({
    what: 'No point of the space fulfils the condition.',
    where,
    why: isSmall ? `All ${size} points were tried: ${text}` : `${TRIES} random points were tried: ${text}`,
    next: 'Correct the condition, or widen the space where it is fulfilled.',
  });
}

/**
 * Refuses params that stay fixed and are not allowed, and params without a default that neither configuration nor space gives. What the
 * space sets was judged before. @throws OddsmithError CONFIG_INVALID and CONFIG_UNKNOWN_KEY, at the param
 */
function checkParams(
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

/** Reads the condition of a space: its keys are those of the space, or fixed values of the configuration. */
function readCondition(
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
