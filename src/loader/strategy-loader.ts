/** Loads a strategy from a file anywhere, on the running copy of oddsmith, or says what is wrong with it and where. */

import { basename, dirname, resolve } from 'node:path';
import { describeThrown } from '../core/checks/thrown.ts';
import type { Guest } from '../engine/guest/guest.ts';
import type { StrategyPlugin } from '../strategy/contract.ts';
import { shapeProblems } from '../strategy/define-strategy.ts';
import type { ParamsSpec, ParamValues } from '../strategy/params.ts';
import { type ParamPlaces, type ParamProblem, readParams } from '../strategy/read-params.ts';
import type { Say } from './realm/strategy-console.ts';
import type { FileGrant } from './realm/strategy-files.ts';
import { guestRequire } from './realm/strategy-modules.ts';
import { StrategyRealm } from './realm/strategy-realm.ts';
import { bundleStrategy, type StrategyBundle } from './strategy-loader-bundle.ts';
import type { StrategyFault } from './strategy-loader-fault.ts';
import { LIBRARY_FUNCTION } from './strategy-loader-library.ts';
import { StackReader } from './strategy-loader-place.ts';
import { thrownAdvice } from './thrown-advice.ts';

export interface LoadedStrategy {
  readonly kind: 'loaded';
  readonly plugin: StrategyPlugin;
  readonly params: ParamValues<ParamsSpec>;
  /** Absolute. */
  readonly file: string;
  /** The SHA-256 of the strategy's code and of all that it imports but oddsmith: its identity in results. */
  readonly sha256: string;
  /** The files it was made of, to watch for changes. */
  readonly files: readonly string[];
  /** The declared signals with absolute paths. */
  readonly signals: readonly { readonly name: string; readonly file: string }[];
  /** Names it where something goes wrong while it runs. */
  readonly guest: Guest;
  /** Turns what the strategy threw later into a fault with the user's own line. */
  faultOf(thrown: unknown): StrategyFault;
}

export type LoadResult = LoadedStrategy | { readonly kind: 'fault'; readonly fault: StrategyFault };

export interface LoadChoice {
  /** Receives each line that the strategy writes to its console; absent: the lines are dropped. */
  readonly say?: Say;
  /** How long the file's own code may take while it is loaded, ms. */
  readonly timeoutMs?: number;
  /** Files and directories that it may read; none by default. */
  readonly files?: FileGrant;
  /** How far its `Date` is ahead of the machine's, for a proof. */
  readonly clockShiftMs?: number;
  /** The places where a person wrote the params. */
  readonly paramPlaces?: ParamPlaces | undefined;
  /** Values that the strategy does not allow are no fault, and it has no params then: to learn what it declares. */
  readonly anyParams?: boolean;
}

const LOAD_TIMEOUT_MS = 10_000;
const NO_FILES: FileGrant = { paths: [] };

/**
 * `params` as configured or given on the command line. Each call bundles and loads the file anew, into a realm of its own, the same
 * way for every kind of run.
 */
export async function loadStrategy(
  path: string,
  params: Readonly<Record<string, unknown>> = {},
  choice: LoadChoice = {},
): Promise<LoadResult> {
  const bundle = await bundleStrategy(path, (choice.files ?? NO_FILES).paths.length > 0);
  return bundle.kind === 'fault' ? bundle : loadBundled(bundle, params, choice);
}

/** What was bundled once, loaded anew into a realm of its own: nothing a module remembers reaches from one load into the next. */
export function loadBundled(
  bundle: StrategyBundle,
  params: Readonly<Record<string, unknown>>,
  {
    say = () => undefined,
    timeoutMs = LOAD_TIMEOUT_MS,
    files = NO_FILES,
    clockShiftMs = 0,
    anyParams = false,
    paramPlaces,
  }: LoadChoice,
): LoadResult {
  const { file, sha256 } = bundle;
  const scriptName = `${file}.${sha256.slice(0, 8)}.js`;
  const stacks = new StackReader({ scriptName, map: bundle.map, files: bundle.files });
  const realm = new StrategyRealm({ scriptName, sha256, say, clockShiftMs, library: bundle.realmText });
  // Its exports are read in there too, because a getter is code of the strategy.
  const entered = realm.enter(() => readExport(bundle, { realm, params, paramPlaces, files, anyParams }), timeoutMs);
  if (entered.kind === 'timeout') return fault(timeoutFault(file, timeoutMs));
  if (entered.kind === 'threw') return fault(loadFault(file, entered.thrown, { stacks, realm }));
  const read = entered.value;
  if (read.kind === 'fault') return read;
  const { plugin } = read;
  return {
    kind: 'loaded',
    plugin,
    params: read.params,
    file,
    sha256,
    files: bundle.files,
    signals: (plugin.signals ?? []).map((signal) => ({ name: signal.name, file: resolve(dirname(file), signal.file) })),
    guest: {
      windows: realm.inside.windows,
      describe: (thrown) => stacks.stackOf(thrown) ?? describeThrown(thrown).text,
      isFrom: (thrown, promise) => realm.hasMade(promise, thrown) ?? stacks.isIn(thrown),
    },
    faultOf: (thrown) => throwFault({ file, thrown, stacks, when: `The strategy '${plugin.name}' threw.` }),
  };
}

type ReadExport =
  | { readonly kind: 'read'; readonly plugin: StrategyPlugin; readonly params: ParamValues<ParamsSpec> }
  | (LoadResult & { readonly kind: 'fault' });

function readExport(
  bundle: StrategyBundle,
  at: {
    readonly realm: StrategyRealm;
    readonly params: Readonly<Record<string, unknown>>;
    readonly paramPlaces: ParamPlaces | undefined;
    readonly files: FileGrant;
    readonly anyParams: boolean;
  },
): ReadExport {
  const { file } = bundle;
  const exported = evaluate(bundle, at);
  if (exported === undefined) return fault(noDefaultExport(file));
  if (!isPlugin(exported)) return fault(shapeFault(file, shapeProblems(exported)));
  const plugin = ownPlugin(exported);
  // Checked again, because a getter that is read a second time may give something else.
  if (!isPlugin(plugin)) return fault(shapeFault(file, shapeProblems(plugin)));
  const given = at.realm.given(at.params);
  const values = readParams(plugin.params, given, at.paramPlaces);
  if (values.kind === 'problems')
    return at.anyParams ? { kind: 'read', plugin, params: {} } : fault(paramFault(file, plugin, values.problems));
  return { kind: 'read', plugin, params: values.values };
}

function evaluate(
  bundle: StrategyBundle,
  { realm, files }: { readonly realm: StrategyRealm; readonly files: FileGrant },
): unknown {
  const map = Buffer.from(bundle.map).toString('base64');
  // Modules are strict, in whatever form they are bundled: a write to what cannot be written must throw and not be passed over.
  const script = `'use strict';\n${bundle.code}\n//# sourceMappingURL=data:application/json;base64,${map}`;
  const module = realm.inside.newModule();
  const run = realm.compile(script, ['module', 'exports', 'require', LIBRARY_FUNCTION]);
  const require = realm.given(guestRequire(bundle.file, { imports: bundle.imports, files }));
  run(module, module.exports, require, realm.imported);
  return defaultOf(module.exports);
}

/** What the strategy changes in its own plugin later changes nothing here. Its methods are still called on the plugin. */
export function ownPlugin(plugin: StrategyPlugin): StrategyPlugin {
  const { name, params, watches, signals, state, decide, run } = plugin;
  return Object.freeze({
    name,
    ...(params && { params }),
    ...(watches && { watches: boundTo(plugin, watches) }),
    ...(signals && { signals: Array.from(signals, (signal) => ({ name: signal.name, file: signal.file })) }),
    ...(state && { state: boundTo(plugin, state) }),
    ...(decide && { decide: boundTo(plugin, decide) }),
    ...(run && { run: boundTo(plugin, run) }),
  });
}

/** Binds by our own `bind`: the realm's may have been replaced. */
function boundTo<Args extends readonly unknown[], Result>(
  plugin: StrategyPlugin,
  method: (...args: Args) => Result,
): (...args: Args) => Result {
  return Function.prototype.bind.call(method, plugin);
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

function fault(found: StrategyFault): LoadResult & { readonly kind: 'fault' } {
  return { kind: 'fault', fault: found };
}

function timeoutFault(file: string, timeoutMs: number): StrategyFault {
  return {
    code: 'STRATEGY_LOAD_TIMEOUT',
    what: `The file was still running ${timeoutMs / 1_000} s after its loading began.`,
    file,
    why: 'What stands at its top level, or a getter of what it exports, is in an endless loop or takes too long.',
    next: 'Let the file only declare; prepare large data before, and import it as JSON.',
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

function loadFault(
  file: string,
  thrown: unknown,
  { stacks, realm }: { readonly stacks: StackReader; readonly realm: StrategyRealm },
): StrategyFault {
  if (realm.inside.isShapeError(thrown)) {
    return { ...shapeFault(file, thrown.problems), ...stacks.placeOf(thrown) };
  }
  return throwFault({ file, thrown, stacks, when: 'The file threw while it was loaded.' });
}

export function shapeFault(file: string, problems: readonly string[]): StrategyFault {
  return {
    code: 'STRATEGY_SHAPE',
    what: problems.join(' '),
    file,
    why: 'What the file exports by default is not a strategy.',
    next: 'Export defineStrategy({ name, params, watches, signals, state, decide }); only name and decide are needed.',
  };
}

export function paramFault(file: string, plugin: StrategyPlugin, problems: readonly ParamProblem[]): StrategyFault {
  const known = Object.entries(plugin.params ?? {}).map(([name, { allowed }]) => `${name} (${allowed})`);
  return {
    code: 'STRATEGY_PARAM',
    what: problems.map(({ message }) => message).join(' '),
    file,
    why: `The strategy '${plugin.name}'${file === '' ? '' : ` of ${basename(file)}`} declares ${known.length === 0 ? 'no params' : known.join(', ')}.`,
    next: 'Correct params in the configuration, or --param on the command line.',
    where: problems[0]?.where,
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
    why: describeThrown(about.thrown).text,
    next: thrownAdvice(describeThrown(about.thrown).text),
    ...(stack === undefined ? {} : { stack }),
  };
}
