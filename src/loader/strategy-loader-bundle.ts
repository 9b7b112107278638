/** Bundles a strategy file and all it imports into one script, or says where it is wrong. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  BuildFailure,
  BuildOptions,
  Message,
  Metafile,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  Plugin,
  PluginBuild,
} from 'esbuild';
import { followed } from '../recording/tape/path-kind.ts';
import { libraryText } from './library-text.ts';
import { FILES_REFUSED, MODULE_REFUSED, modulesPlugin } from './realm/strategy-modules.ts';
import type { Place, StrategyFault } from './strategy-loader-fault.ts';
import { libraryPlugin, usedNames } from './strategy-loader-library.ts';

/** Plain data: made once, it can be sent to other threads and loaded there as often as wanted. */
export interface StrategyBundle {
  readonly kind: 'bundle';
  /** The strategy file, absolute. */
  readonly file: string;
  /** A CommonJS script. */
  readonly code: string;
  /** A source map whose sources are file URLs. */
  readonly map: string;
  /** SHA-256 of the code: it does not depend on where the files lie, nor on comments and white space. */
  readonly sha256: string;
  /** The strategy file and every file bundled with it, absolute. */
  readonly files: readonly string[];
  /** Modules of Node that it imports. */
  readonly imports: readonly string[];
  /** The script of what of oddsmith and RxJS it uses, and of what stands around it in its realm. */
  readonly realmText: string;
}

export type BundleResult = StrategyBundle | { readonly kind: 'fault'; readonly fault: StrategyFault };

/**
 * CommonJS, since it can be loaded, reloaded and forgotten at will; a module once imported stays for ever. Whether files are granted
 * decides whether `fs` may be imported.
 */
export async function bundleStrategy(path: string, isGrantedFiles: boolean): Promise<BundleResult> {
  const file = resolve(path);
  if (followed(file).kind !== 'file') return { kind: 'fault', fault: notFound(file) };
  const files = { entry: file, dir: dirname(file), own: new OwnFiles(file) };
  // Loaded when it is needed: a thread that only runs bundles does without it.
  const { build } = await import('esbuild');
  try {
    const plugins = [libraryPlugin(), modulesPlugin(isGrantedFiles), files.own.plugin()];
    const result = await build({ ...OPTIONS, entryPoints: [file], absWorkingDir: files.dir, plugins });
    const fault = importMetaFault(files, result.warnings);
    if (fault !== undefined) return { kind: 'fault', fault };
    const text = (end: string) => result.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
    const code = text('.js');
    const realmText = await libraryText(usedNames(code));
    return bundleOf(files, { code, map: text('.map'), metafile: result.metafile, realmText });
  } catch (failure) {
    const first = isBuildFailure(failure) ? failure.errors[0] : undefined;
    if (first === undefined) throw failure;
    return { kind: 'fault', fault: buildFault(files, first) };
  }
}

/** Rules of our own wherever it lies: modules are strict, classes have fields as the language says, unused imports go. */
const OPTIONS = {
  outfile: 'strategy.js',
  bundle: true,
  write: false,
  format: 'cjs',
  banner: { js: '"use strict";' },
  tsconfigRaw: '{}',
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
  minifyWhitespace: true,
  legalComments: 'none',
  sourcemap: 'external',
  metafile: true,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The files to which the bundler's own names lead. */
interface Files {
  readonly entry: string;
  readonly dir: string;
  readonly own: OwnFiles;
}

function pathOf({ own, dir }: Files, shown: string): string {
  return own.fileOf(shown) ?? resolve(dir, shown);
}

function bundleOf(
  files: Files,
  built: { readonly code: string; readonly map: string; readonly metafile: Metafile; readonly realmText: string },
): StrategyBundle {
  const map: { sources: string[] } = JSON.parse(built.map);
  map.sources = map.sources.map((source) => pathToFileURL(pathOf(files, source)).href);
  return {
    kind: 'bundle',
    file: files.entry,
    code: built.code,
    map: JSON.stringify(map),
    sha256: createHash('sha256').update(withoutPlaces(built.code, files.dir)).digest('hex'),
    files: inputFiles(files, built.metafile),
    realmText: built.realmText,
    imports: Object.values(built.metafile.outputs).flatMap(({ imports }) =>
      imports.flatMap(({ path, external }) => (external === true ? [path] : [])),
    ),
  };
}

/** Modules of packages are labelled by their path from `node_modules` on, which is the same in every project. */
function withoutPlaces(code: string, dir: string): string {
  return code.replaceAll(/(\b__commonJS\(\{")(?!own:)((?:[^"\\]|\\.)*)/g, (_, head: string, label: string) => {
    const packaged = /^.*[/\\]node_modules[/\\](.+)$/.exec(resolve(dir, label))?.[1];
    return `${head}${packaged ?? label}`;
  });
}

function inputFiles({ own, dir }: Files, metafile: Metafile): readonly string[] {
  const packages = Object.keys(metafile.inputs).filter((input) => !/^[a-z]+:/.test(input));
  return [...own.files, ...packages.map((input) => resolve(dir, input))];
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

function buildFault(files: Files, { text, location, notes }: Message): StrategyFault {
  const place = location === null ? { file: files.entry } : placeInFile(files, location);
  const missingExport = /^No matching export in "(?:running:|own:)?(.+)" for import "(.+)"$/.exec(text);
  if (missingExport !== null) {
    const [, module = '', name = ''] = missingExport;
    const hint = notes.map((note) => note.text).find((note) => note.startsWith('Did you mean'));
    return {
      code: 'STRATEGY_IMPORT',
      what: name === 'default' ? `'${module}' has no default export.` : `'${module}' has no export '${name}'.`,
      ...place,
      why: 'The name is misspelt, or it belongs to another module.',
      next: hint ?? `Import a name that '${module}' exports.`,
    };
  }
  const internal = /^"(.+)" is internal/.exec(text);
  if (internal !== null) return internalFault(internal[1] ?? '', place);
  const refused = MODULE_REFUSED.exec(text);
  if (refused !== null) return refusedModuleFault(refused[1] ?? '', place);
  const reading = FILES_REFUSED.exec(text);
  if (reading !== null) return filesFault(reading[1] ?? '', place);
  const missingModule = /^(?:Could not resolve|There is no entry) "(.+)"/.exec(text);
  if (missingModule !== null) return missingModuleFault(missingModule[1] ?? '', place);
  return syntaxFault(text, place);
}

function internalFault(module: string, place: Place): StrategyFault {
  return {
    code: 'STRATEGY_IMPORT',
    what: `'${module}' is one of oddsmith's own files.`,
    ...place,
    why: 'It would bring a second copy of the library into the process, which knows nothing of the first.',
    next: "Import from 'oddsmith' only.",
  };
}

function refusedModuleFault(module: string, place: Place): StrategyFault {
  return {
    code: 'STRATEGY_IMPORT',
    what: `'${module}' is no module for a strategy.`,
    ...place,
    why: 'A strategy decides at once from what it is given: it has no process, no timers, no threads and no network.',
    next: 'Bring outside data in as a signal with availableAt, or import it as JSON.',
  };
}

function filesFault(module: string, place: Place): StrategyFault {
  return {
    code: 'STRATEGY_IMPORT',
    what: `'${module}' reads files, and none are granted to this strategy.`,
    ...place,
    why: 'A file may hold what was not known yet: a result that rests on one is no result unless somebody asked for it.',
    next: "Declare the file as a signal with availableAt, import it as JSON, or grant it: 'files: [PATH]' beside the strategy's 'file:' in the configuration, --grant-files PATH on the command line.",
  };
}

function missingModuleFault(module: string, place: Place): StrategyFault {
  const next = module.startsWith('oddsmith/')
    ? "Import from 'oddsmith' or 'oddsmith/testing': there are no other entries."
    : module.startsWith('.')
      ? 'Check the path: it is relative to the importing file.'
      : `Install '${module}' in the project of the strategy.`;
  return {
    code: 'STRATEGY_IMPORT',
    what: `The module '${module}' was not found.`,
    ...place,
    why: 'Nothing at that path, nor a package of that name, can be imported from here; aliases of a tsconfig.json are not read.',
    next,
  };
}

function syntaxFault(text: string, place: Place): StrategyFault {
  const isAwait = text.startsWith('Top-level await');
  return {
    code: 'STRATEGY_SYNTAX',
    what: isAwait ? 'The file awaits at its top level.' : `${text}.`,
    ...place,
    why: isAwait
      ? 'A strategy is loaded at once, and decides without waiting.'
      : 'The file cannot be parsed from here on.',
    next: isAwait ? 'Bring outside data in as a signal, or import it as JSON.' : 'Correct the line and run again.',
  };
}

/** esbuild only warns, and the URL would be undefined at run time. */
function importMetaFault(files: Files, warnings: readonly Message[]): StrategyFault | undefined {
  const warning = warnings.find(({ id }) => id === 'empty-import-meta');
  if (warning?.location == null) return undefined;
  return {
    code: 'STRATEGY_IMPORT',
    what: "The file uses 'import.meta'.",
    ...placeInFile(files, warning.location),
    why: 'A strategy is bundled before it runs, so it has no address of its own.',
    next: "Import data as JSON (import model from './model.json'), or declare it as a signal.",
  };
}

/** esbuild counts columns in bytes from 0. */
function placeInFile(files: Files, location: NonNullable<Message['location']>): Place {
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { file: pathOf(files, location.file), line: location.line, column: before.length + 1 };
}

function isBuildFailure(failure: unknown): failure is BuildFailure {
  return failure instanceof Error && 'errors' in failure && Array.isArray(failure.errors);
}

const NAMESPACE = 'own';
const ASKED = Symbol('asked');

/**
 * Gives the bundler the strategy's own files under names that do not show where they lie, so that the same strategy is the
 * same code in every project: neither a tsconfig.json nor a package.json around it, nor its file's name, changes it.
 */
class OwnFiles {
  readonly #entry: string;
  readonly #fileByName = new Map<string, string>();

  /** The strategy's file, absolute. */
  constructor(entry: string) {
    this.#entry = entry;
  }

  plugin(): Plugin {
    return {
      name: 'oddsmith-own-files',
      setup: (build) => {
        build.onResolve({ filter: /./ }, (args) => this.#resolve(build, args));
        build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => this.#load(path));
      },
    };
  }

  /** The strategy file and every file bundled with it, absolute. */
  get files(): readonly string[] {
    return [...this.#fileByName.values()];
  }

  /** The file that a name in the bundler's messages and maps stands for; undefined if it is none of the strategy's files. */
  fileOf(shown: string): string | undefined {
    return this.#fileByName.get(shown.replace(OWN, ''));
  }

  async #resolve(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
    const { path, kind, importer, namespace, resolveDir, pluginData } = args;
    // Asked by this plugin itself, or by another part of the loader.
    if (pluginData !== undefined) return undefined;
    const found = await build.resolve(path, { kind, importer, namespace, resolveDir, pluginData: ASKED });
    // The bundler itself reports what is not found, with its place.
    if (found.errors.length > 0) return undefined;
    if (found.external || found.namespace !== 'file' || !this.#isOwn(found.path)) return found;
    const name = this.#nameOf(found.path, kind === 'entry-point');
    return { path: name, namespace: NAMESPACE, ...(found.sideEffects ? {} : { sideEffects: false }) };
  }

  /** A package keeps its path among packages, and the rules of its package.json. */
  #isOwn(file: string): boolean {
    return packageOf(file) === packageOf(this.#entry);
  }

  /** No relative path begins as the name of the strategy's file does. */
  #nameOf(file: string, isEntry: boolean): string {
    for (const [name, known] of this.#fileByName) if (known === file) return name;
    const name = isEntry ? `./strategy${extname(file)}` : relative(dirname(this.#entry), file).replaceAll(sep, '/');
    this.#fileByName.set(name, file);
    return name;
  }

  async #load(name: string): Promise<OnLoadResult> {
    const file = this.#fileByName.get(name) ?? name;
    return { contents: await readFile(file), loader: 'default', resolveDir: dirname(file) };
  }
}

const OWN = new RegExp(`^${NAMESPACE}:`);

/** The package that a file is part of, by the directory it was installed in; none for a project's own files. */
function packageOf(file: string): string {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+[/\\]/.exec(file)?.[0] ?? '';
}
