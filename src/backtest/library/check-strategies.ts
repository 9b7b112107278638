/** Strategies as `backtest()` takes them: each as a block of the configuration, with the plugin where it is given as an object. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { StrategyPlugin } from '../../strategy/contract.ts';
import { shapeProblems } from '../../strategy/define-strategy.ts';
import { readParams } from '../../strategy/read-params.ts';
import { pathText } from '../options/config-path.ts';
import type { ErrorCode } from './error-codes.ts';

type GivenPlugin = StrategyPlugin | (() => StrategyPlugin);

export interface NamedStrategy {
  /** The strategy, or what makes one; undefined for a file. */
  readonly plugin: GivenPlugin | undefined;
  /** What the schema judges. */
  readonly block: Readonly<Record<string, unknown>>;
}

/** Stands for the file of an object, which has none, until the schema has judged the rest. */
const NO_FILE = 'object';

/** What is no list of maps is left to the schema, which says so. */
export function namedStrategies(strategies: unknown): readonly NamedStrategy[] | undefined {
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
export function checkObject(given: GivenPlugin, { params }: NamedStrategy['block'], index: number): void {
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
