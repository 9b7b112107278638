/** Loads a strategy from a file anywhere, on the running copy of oddsmith, or says what is wrong with it and where. */

import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import type { StrategyPlugin } from '../strategy/contract.ts';
import { StrategyShapeError, shapeProblems } from '../strategy/define-strategy.ts';
import type { ParamsSpec, ParamValues } from '../strategy/params.ts';
import { readParams } from '../strategy/read-params.ts';
import { bundleStrategy, type StrategyBundle } from './strategy-loader-bundle.ts';
import { messageOf, type StrategyFault } from './strategy-loader-fault.ts';
import { LIBRARY_FUNCTION, libraryValue } from './strategy-loader-library.ts';
import { StackReader } from './strategy-loader-place.ts';

export interface LoadedStrategy {
  readonly kind: 'loaded';
  readonly plugin: StrategyPlugin;
  readonly params: ParamValues<ParamsSpec>;
  /** Absolute. */
  readonly file: string;
  /** Of the strategy's code and all it imports but oddsmith: its identity in results. */
  readonly sha256: string;
  /** The files it was made of, to watch for changes. */
  readonly files: readonly string[];
  /** The declared signals with absolute paths. */
  readonly signals: readonly { readonly name: string; readonly file: string }[];
  /** Turns what the strategy threw later into a fault with the user's own line. */
  faultOf(thrown: unknown): StrategyFault;
}

export type LoadResult = LoadedStrategy | { readonly kind: 'fault'; readonly fault: StrategyFault };

/** `params` as configured or given on the command line. Each call loads the file anew. */
export async function loadStrategy(path: string, params: Readonly<Record<string, unknown>> = {}): Promise<LoadResult> {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return fault(notFound(file));
  const bundle = await bundleStrategy(file);
  if (bundle.kind === 'fault') return bundle;

  const scriptName = `${file}.${bundle.sha256.slice(0, 8)}.js`;
  const stacks = new StackReader({ scriptName, map: bundle.map, files: bundle.files });
  const evaluated = evaluate(bundle, { file, scriptName });
  if (evaluated.kind === 'threw') return fault(loadFault(file, evaluated.thrown, stacks));

  const plugin = evaluated.exported;
  if (plugin === undefined) return fault(noDefaultExport(file));
  if (!isPlugin(plugin)) return fault(shapeFault(file, shapeProblems(plugin)));
  const values = readParams(plugin.params, params);
  if (values.kind === 'problems') return fault(paramFault(file, plugin, values.problems));
  return {
    kind: 'loaded',
    plugin,
    params: values.values,
    file,
    sha256: bundle.sha256,
    files: bundle.files,
    signals: (plugin.signals ?? []).map((signal) => ({ name: signal.name, file: resolve(dirname(file), signal.file) })),
    faultOf: (thrown) => throwFault({ file, thrown, stacks, when: `The strategy '${plugin.name}' threw.` }),
  };
}

type Evaluated =
  | { readonly kind: 'exported'; readonly exported: unknown }
  | { readonly kind: 'threw'; readonly thrown: unknown };

function evaluate(bundle: StrategyBundle, names: { readonly file: string; readonly scriptName: string }): Evaluated {
  const map = Buffer.from(bundle.map).toString('base64');
  const script = `${bundle.code}\n//# sourceMappingURL=data:application/json;base64,${map}`;
  const module: { exports: unknown } = { exports: {} };
  try {
    const parameters = ['module', 'exports', 'require', LIBRARY_FUNCTION];
    const run = compileFunction(script, parameters, { filename: names.scriptName });
    run(module, module.exports, createRequire(names.file), libraryValue);
  } catch (thrown) {
    return { kind: 'threw', thrown };
  }
  return { kind: 'exported', exported: defaultOf(module.exports) };
}

/** A CommonJS strategy assigns module.exports itself. */
function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null) return exported;
  if ('default' in exported) return exported.default;
  return '__esModule' in exported || Object.keys(exported).length === 0 ? undefined : exported;
}

function isPlugin(exported: unknown): exported is StrategyPlugin {
  return shapeProblems(exported).length === 0;
}

function fault(found: StrategyFault): LoadResult {
  return { kind: 'fault', fault: found };
}

function notFound(file: string): StrategyFault {
  return {
    code: 'STRATEGY_NOT_FOUND',
    what: 'There is no strategy file at this path.',
    file,
    why: 'Nothing is there, or it is a directory.',
    next: 'Check the path; it is relative to the directory in which oddsmith was started.',
  };
}

function noDefaultExport(file: string): StrategyFault {
  return {
    code: 'STRATEGY_NO_DEFAULT_EXPORT',
    what: 'The file has no default export.',
    file,
    line: 1,
    column: 1,
    why: 'A strategy is what its file exports by default.',
    next: 'Write: export default defineStrategy({ name, decide }).',
  };
}

function loadFault(file: string, thrown: unknown, stacks: StackReader): StrategyFault {
  if (thrown instanceof StrategyShapeError) {
    return { ...shapeFault(file, thrown.problems), ...stacks.placeOf(thrown) };
  }
  return throwFault({ file, thrown, stacks, when: 'The file threw while it was loaded.' });
}

function shapeFault(file: string, problems: readonly string[]): StrategyFault {
  return {
    code: 'STRATEGY_SHAPE',
    what: problems.join(' '),
    file,
    why: 'What the file exports by default is not a strategy.',
    next: 'Export defineStrategy({ name, params, watches, signals, state, decide }); only name and decide are needed.',
  };
}

function paramFault(
  file: string,
  plugin: StrategyPlugin,
  problems: readonly { readonly message: string }[],
): StrategyFault {
  const known = Object.entries(plugin.params ?? {}).map(([name, { allowed }]) => `${name} (${allowed})`);
  return {
    code: 'STRATEGY_PARAM',
    what: problems.map(({ message }) => message).join(' '),
    file,
    why: `The strategy '${plugin.name}' declares ${known.length === 0 ? 'no params' : known.join(', ')}.`,
    next: 'Correct params in the configuration, or --param on the command line.',
  };
}

function throwFault(about: {
  readonly file: string;
  readonly thrown: unknown;
  readonly stacks: StackReader;
  readonly when: string;
}): StrategyFault {
  const stack = about.stacks.stackOf(about.thrown);
  return {
    code: 'STRATEGY_THROW',
    what: about.when,
    file: about.file,
    ...about.stacks.placeOf(about.thrown),
    why: messageOf(about.thrown),
    next: 'Correct the line. A strategy that throws while it runs is halted and its orders are cancelled.',
    ...(stack === undefined ? {} : { stack }),
  };
}
