/** Checks the options of `backtest()` against the blocks of the configuration, and makes a run's options of them. */

import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import { OWN_SCHEMAS } from '../../core/own-schemas.ts';
import type { LimitKey } from '../../risk/limits/limits.ts';
import type { StrategyPlugin } from '../../strategy/contract.ts';
import { shapeProblems } from '../../strategy/define-strategy.ts';
import { readParams } from '../../strategy/read-params.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import { BacktestConfigSchema } from '../options/backtest-schema.ts';
import { StrategyBlock, WalletBlock } from '../options/blocks.ts';
import { type ConfigPath, pathText } from '../options/loaded-config.ts';
import { resolveBacktest } from '../options/resolve-backtest.ts';
import { type Fault, faultsOf } from '../options/schema-faults.ts';
import { worldsOf } from '../options/worlds.ts';
import type { BacktestInput, LimitsInput } from './backtest-input.ts';
import type { ErrorCode } from './error-codes.ts';

export interface CheckedInput {
  readonly options: BacktestOptions;
  readonly hooks: Pick<BacktestInput, 'onProgress' | 'onConsole' | 'signal'> & { readonly jobs: number };
}

const { markets, feed, latency, inPlayDelay, commission, fills, fillRules, exchange, limits, isolate, seed, out } =
  BacktestConfigSchema.properties;
const { strategyTimeoutMs } = BacktestConfigSchema.properties;
const JOBS_MAX = 256;
const NoData = Type.Optional(Type.Unknown());
const Path = Type.String({ minLength: 1, title: 'a path' });

/** The configuration file's, but for where files are written and how a stuck strategy is watched: those are the command's. */
const InputSchema = Type.Object(
  {
    tape: Type.Optional(Path),
    tapes: Type.Optional(Type.Array(Path, { title: 'a list of paths, one at least', minItems: 1 })),
    strategies: Type.Array(StrategyBlock, { title: 'a list of strategies, one at least', minItems: 1 }),
    wallet: Type.Optional(WalletBlock),
    wallets: Type.Optional(
      Type.Record(Type.String(), WalletBlock, { title: 'a map of wallet names to wallets', minProperties: 1 }),
    ),
    markets,
    feed,
    latency,
    inPlayDelay,
    commission,
    fills,
    fillRules,
    exchange,
    limits,
    isolate,
    seed,
    prove: Type.Union([Type.Boolean(), Type.Integer({ minimum: 1, maximum: 1_000 })], {
      title: 'true, false or a number of instants from 1 to 1000',
      default: false,
    }),
    jobs: Type.Integer({ minimum: 1, maximum: JOBS_MAX, title: `a whole number from 1 to ${JOBS_MAX}`, default: 1 }),
    // Listed only so that they are no unknown keys and errors can name them: they are no data.
    onProgress: NoData,
    onConsole: NoData,
    signal: NoData,
  },
  { additionalProperties: false, title: 'a map of options' },
);

type CheckedData = Static<typeof InputSchema>;

/** Limits that can be set and that a program cannot give: there is none but the heartbeat, which a run sets itself. */
type NotOffered = Exclude<LimitKey, keyof LimitsInput | 'heartbeat'>;
interface EveryLimit {
  readonly limits?: (LimitsInput & Readonly<Record<NotOffered, never>>) | undefined;
}

/** @throws OddsmithError CONFIG_…, STRATEGY_SHAPE or STRATEGY_PARAM, with the path of the option */
export function checkInput(input: BacktestInput): CheckedInput {
  if (typeof input !== 'object' || input === null) throw invalid([], 'The options must be a map.');
  const { onProgress, onConsole, signal, strategies, ...rest } = input;
  checkFunction('onProgress', onProgress);
  checkFunction('onConsole', onConsole);
  if (signal !== undefined && typeof signal?.aborted !== 'boolean')
    throw invalid(['signal'], 'The value of signal must be an AbortSignal.');
  const named = namedStrategies(strategies);
  const blocks = Array.isArray(named) ? named.map(({ block }) => block) : strategies;
  const data = checkedData({
    ...copied(rest satisfies EveryLimit),
    ...(blocks === undefined ? {} : { strategies: blocks }),
  });
  const objects = Array.isArray(named) ? named : [];
  checkJobs(data, objects);
  return { options: optionsOf(data, objects), hooks: { onProgress, onConsole, signal, jobs: data.jobs } };
}

function optionsOf(data: CheckedData, named: readonly NamedStrategy[]): BacktestOptions {
  const { tape, wallet, prove, strategies, jobs: _jobs, ...config } = data;
  const tapes = oneOf({ key: 'tape', one: tape, keys: 'tapes', all: data.tapes });
  if (tapes === undefined)
    throw invalid(['tapes'], 'No tape is named.', 'Give tape: a path, or tapes: a list of paths.');
  const wallets = walletsOf(data);
  for (const [index, { plugin, block }] of named.entries()) if (plugin !== undefined) checkObject(plugin, block, index);
  const value = {
    ...config,
    strategies,
    wallets,
    tapes: [...tapes],
    out: out.default,
    strategyTimeoutMs: strategyTimeoutMs.default,
  };
  const where = (path: ConfigPath): string => pathText(path);
  const options = resolveBacktest({ value, where }, { strategies: [], tapes: [], params: {}, prove });
  checkWorlds(options, named);
  return {
    ...options,
    strategies: options.strategies.map((choice, index) => withPlugin(choice, named[index]?.plugin)),
  };
}

/** What one object remembers in its closure would reach from one world of the run into the others, which are played side by side. */
function checkWorlds(options: BacktestOptions, named: readonly NamedStrategy[]): void {
  const worlds = worldsOf(options);
  const index = named.findIndex(({ plugin }) => typeof plugin === 'object');
  if (index < 0 || worlds.length === 1) return;
  throw invalid(
    ['strategies', index],
    `One object cannot be run in ${worlds.length} worlds.`,
    "Give a function that makes the strategy, which is called once for each world: () => defineStrategy({ … }). Or play the central world alone: fills: 'central'.",
    `Each bound of the fills (${worlds.join(', ')}) is a world of its own, and what the object keeps outside of its state would be shared by all of them.`,
  );
}

/** Threads play pieces, and a function cannot be sent to one. */
function checkJobs({ jobs, isolate }: CheckedData, named: readonly NamedStrategy[]): void {
  if (jobs === 1) return;
  if (isolate === 'none')
    throw invalid(
      ['jobs'],
      `A run that is one piece has no work for ${jobs} threads.`,
      "Set isolate to 'event', 'market' or 'strategy', or leave jobs out.",
    );
  const index = named.findIndex(({ plugin }) => plugin !== undefined);
  if (index < 0) return;
  throw invalid(
    ['strategies', index],
    'A strategy that is given as an object cannot be sent to threads.',
    'Give it as a file: { file, params, wallet }, or leave jobs out.',
  );
}

function withPlugin(
  choice: BacktestOptions['strategies'][number],
  plugin: NamedStrategy['plugin'],
): BacktestOptions['strategies'][number] {
  return plugin === undefined ? choice : { ...choice, file: '', plugin };
}

function walletsOf({ wallet, wallets }: CheckedData): NonNullable<CheckedData['wallets']> {
  if (wallet !== undefined && wallets !== undefined) throw both('wallet', 'wallets');
  if (wallets !== undefined) return wallets;
  return { main: wallet ?? { balance: 10_000, unlimited: false } };
}

function oneOf<T>(given: { key: string; one: T | undefined; keys: string; all: readonly T[] | undefined }) {
  const { key, one, keys, all } = given;
  if (one !== undefined && all !== undefined) throw both(key, keys);
  return one === undefined ? all : [one];
}

function checkFunction(key: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function')
    throw invalid([key], `The value of ${key} must be a function.`);
}

/** Defaults are filled into a copy: what the caller gave stays as it is. */
function copied(rest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copies: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined) continue;
    try {
      copies[key] = structuredClone(value);
    } catch (error) {
      throw invalid([key], `The value of ${key} must be data.`, undefined, String(error));
    }
  }
  return copies;
}

function checkedData(data: unknown): CheckedData {
  const ajv = new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, useDefaults: true, code: { optimize: false } });
  const validate = ajv.compile<CheckedData>(InputSchema);
  if (validate(data)) return data;
  const [first, ...others] = faultsOf(validate.errors ?? []);
  if (first === undefined) throw new Error('a schema refused a value without saying why');
  throw faultError(first, others);
}

function faultError({ kind, path, what, why, next }: Fault, others: readonly Fault[]): OddsmithError<ErrorCode> {
  const also = others.map((other) => `also ${pathText(other.path)}: ${other.what}`);
  const reasons = [...(why === undefined ? [] : [why]), ...also];
  return new OddsmithError({
    code: kind === 'unknownKey' ? 'CONFIG_UNKNOWN_KEY' : 'CONFIG_INVALID',
    what,
    where: pathText(path),
    ...(reasons.length === 0 ? {} : { why: reasons.join('\n') }),
    next,
  });
}

function both(one: string, several: string): OddsmithError<ErrorCode> {
  return invalid([several], `Both ${one} and ${several} are given.`, `Give ${one} or ${several}.`);
}

function invalid(path: ConfigPath, what: string, next?: string, why?: string): OddsmithError<ErrorCode> {
  return new OddsmithError({
    code: 'CONFIG_INVALID',
    what,
    where: pathText(path),
    ...(why === undefined ? {} : { why }),
    next: next ?? 'Change the value, or leave the option out to get its default.',
  });
}

type GivenPlugin = StrategyPlugin | (() => StrategyPlugin);

interface NamedStrategy {
  /** The strategy, or what makes one; undefined for a file. */
  readonly plugin: GivenPlugin | undefined;
  /** What the schema judges. */
  readonly block: Readonly<Record<string, unknown>>;
}

/** Stands for the file of an object, which has none, until the schema has judged the rest. */
const NO_FILE = 'object';

/**
 * Each strategy as a block of the configuration, with the plugin where it is given as an object. What is no list of maps is left to the
 * schema, which says so.
 */
function namedStrategies(strategies: unknown): readonly NamedStrategy[] | undefined {
  if (!Array.isArray(strategies)) return undefined;
  return strategies.map((each: unknown, index) => named(each, index));
}

function named(each: unknown, index: number): NamedStrategy {
  if (typeof each === 'function') return { plugin: each as () => StrategyPlugin, block: { file: NO_FILE } };
  if (typeof each !== 'object' || each === null || !('plugin' in each)) {
    if (typeof each !== 'object' || each === null || 'file' in each) return { plugin: undefined, block: blockOf(each) };
    return { plugin: each as StrategyPlugin, block: { file: NO_FILE } };
  }
  const { plugin, ...block } = each;
  if ('file' in block || 'files' in block) {
    const key = 'file' in block ? 'file' : 'files';
    throw new OddsmithError<ErrorCode>({
      code: 'CONFIG_INVALID',
      what: `Both plugin and ${key} are given.`,
      where: pathText(['strategies', index, key]),
      next: 'Give plugin for a strategy that is an object, or file for one that is loaded.',
    });
  }
  return { plugin: plugin as GivenPlugin, block: { file: NO_FILE, ...block } };
}

/** A copy, into which defaults are filled. */
function blockOf(each: unknown): Readonly<Record<string, unknown>> {
  return typeof each === 'object' && each !== null ? { ...each } : (each as Readonly<Record<string, unknown>>);
}

/** @throws OddsmithError STRATEGY_SHAPE or STRATEGY_PARAM */
function checkObject(given: GivenPlugin, { params }: NamedStrategy['block'], index: number): void {
  const plugin = typeof given === 'function' ? given() : given;
  const problems = shapeProblems(plugin);
  if (problems.length > 0) {
    throw new OddsmithError<ErrorCode>({
      code: 'STRATEGY_SHAPE',
      what: problems.join(' '),
      where: pathText(['strategies', index]),
      why: 'What is given there is no strategy.',
      next: 'Give what defineStrategy({ name, params, watches, signals, state, decide }) returns, a function that returns it, or { plugin, params, wallet }.',
    });
  }
  const values = readParams(plugin.params, params as Readonly<Record<string, unknown>> | undefined);
  if (values.kind === 'values') return;
  const [first] = values.problems;
  throw new OddsmithError<ErrorCode>({
    code: 'STRATEGY_PARAM',
    what: values.problems.map(({ message }) => message).join(' '),
    where: pathText(['strategies', index, 'params', first?.param ?? '']),
    next: 'Correct the parameters that are given beside the plugin.',
  });
}
