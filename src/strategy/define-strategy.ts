/** Declares a strategy and checks its shape at the place of the declaration. */

import type { StrategyPlugin } from './contract.ts';
import type { ParamsSpec } from './params.ts';

/** The plugin does not have the shape of the contract; `problems` lists everything that is wrong, in sentences. */
export class StrategyShapeError extends Error {
  override readonly name = 'StrategyShapeError';
  readonly problems: readonly string[];
  readonly #isOurs = true;

  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }

  /** Reads no property of the value, which may be a strategy's proxy. */
  static is(thrown: unknown): thrown is StrategyShapeError {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/**
 * Declares a strategy: the default export of a strategy file. It returns the plugin itself, with `params` and `state` typed in `decide`.
 *
 * @throws StrategyShapeError where it is not shaped as a strategy, with all that is wrong in one message
 *
 * @example
 * export default defineStrategy({
 *   name: 'back-the-first',
 *   params: { stake: param.stake({ default: 2 }) },
 *   decide: ({ market, orders, params }) =>
 *     market.tradable && orders.length === 0 ? market.outcomes.slice(0, 1).map((o) => back(o, { stake: params.stake })) : [],
 * });
 */
export function defineStrategy<const P extends ParamsSpec = Record<never, never>, S = unknown>(
  plugin: StrategyPlugin<P, S>,
): StrategyPlugin<P, S> {
  const problems = shapeProblems(plugin);
  if (problems.length > 0) throw new StrategyShapeError(problems);
  return plugin;
}

const KEYS = ['name', 'params', 'watches', 'signals', 'state', 'decide', 'run'];
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const PARAM_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** What is wrong with a plugin, each as a sentence; empty where nothing is wrong. */
export function shapeProblems(plugin: unknown): readonly string[] {
  return problemsOf(plugin).map(printable);
}

/** Replaces control characters: texts of a strategy must not control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, ' ');
}

function problemsOf(plugin: unknown): readonly string[] {
  if (!isRecord(plugin)) return [`A strategy is an object, not ${nameOf(plugin)}.`];
  return [
    ...nameProblems(plugin['name']),
    ...verbProblems(plugin),
    ...paramsProblems(plugin['params']),
    ...signalsProblems(plugin['signals']),
    ...Object.keys(plugin)
      .filter((key) => !KEYS.includes(key))
      .map((key) => `A strategy has no '${key}': it has ${KEYS.join(', ')}.`),
  ];
}

function nameProblems(name: unknown): readonly string[] {
  if (typeof name === 'string' && NAME.test(name)) return [];
  return [`'name' must be lower-case letters and digits joined by dashes, such as 'my-scalper', not ${nameOf(name)}.`];
}

function verbProblems(plugin: Readonly<Record<string, unknown>>): readonly string[] {
  const problems: string[] = [];
  const decides = plugin['decide'] !== undefined;
  const runs = plugin['run'] !== undefined;
  if (!decides && !runs) problems.push("A strategy needs 'decide' (or 'run', the stream form).");
  if (decides && runs) problems.push("A strategy has either 'decide' or 'run', not both.");
  for (const verb of ['decide', 'run', 'watches', 'state']) {
    const value = plugin[verb];
    if (value !== undefined && typeof value !== 'function')
      problems.push(`'${verb}' must be a function, not ${nameOf(value)}.`);
  }
  return problems;
}

function paramsProblems(params: unknown): readonly string[] {
  if (params === undefined) return [];
  if (!isRecord(params)) return [`'params' must be an object, not ${nameOf(params)}.`];
  return Object.entries(params).flatMap(([name, declared]) => {
    if (!PARAM_NAME.test(name)) return [`The param name '${name}' must be letters and digits, starting with a letter.`];
    if (isRecord(declared) && typeof declared['read'] === 'function') return [];
    return [
      `The param '${name}' must be declared with param.number, param.stake and the like, not ${nameOf(declared)}.`,
    ];
  });
}

function signalsProblems(signals: unknown): readonly string[] {
  if (signals === undefined) return [];
  if (!Array.isArray(signals)) return [`'signals' must be a list, not ${nameOf(signals)}.`];
  const sources: readonly unknown[] = signals;
  const names = sources.map((source) => (isRecord(source) ? source['name'] : undefined));
  return sources.flatMap((source, at) => {
    if (!isRecord(source) || typeof source['name'] !== 'string' || typeof source['file'] !== 'string') {
      return [`'signals[${at}]' must be { name, file }.`];
    }
    return names.indexOf(source['name']) < at ? [`The signal '${source['name']}' is declared twice.`] : [];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
