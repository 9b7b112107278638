/** Bundles a strategy file and all it imports into one script, or says where it is wrong. */

import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildFailure, build, type Message, type Metafile } from 'esbuild';
import type { Place, StrategyFault } from './strategy-loader-fault.ts';
import { libraryPlugin } from './strategy-loader-library.ts';
import { MODULE_REFUSED, modulesPlugin } from './strategy-modules.ts';

export interface StrategyBundle {
  readonly kind: 'bundle';
  /** A CommonJS script. */
  readonly code: string;
  /** A source map whose sources are file URLs. */
  readonly map: string;
  /** Of the code: the same wherever the files lie, and whatever their comments and white space. */
  readonly sha256: string;
  /** The strategy file and every file bundled with it, absolute. */
  readonly files: readonly string[];
  /** Modules of Node that it imports. */
  readonly imports: readonly string[];
}

export type BundleResult = StrategyBundle | { readonly kind: 'fault'; readonly fault: StrategyFault };

/** CommonJS, since it can be loaded, reloaded and forgotten at will; a module once imported stays for ever. */
export async function bundleStrategy(file: string): Promise<BundleResult> {
  const dir = dirname(file);
  try {
    const result = await build({
      entryPoints: [file],
      absWorkingDir: dir,
      outfile: 'strategy.js',
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      supported: { 'dynamic-import': false },
      minifyWhitespace: true,
      legalComments: 'none',
      sourcemap: 'external',
      metafile: true,
      logLevel: 'silent',
      plugins: [libraryPlugin(), modulesPlugin()],
    });
    const fault = importMetaFault(dir, result.warnings);
    if (fault !== undefined) return { kind: 'fault', fault };
    const text = (end: string) => result.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
    return bundleOf(dir, { code: text('.js'), map: text('.map'), metafile: result.metafile });
  } catch (failure) {
    const first = isBuildFailure(failure) ? failure.errors[0] : undefined;
    if (first === undefined) throw failure;
    return { kind: 'fault', fault: buildFault(file, first) };
  }
}

function bundleOf(
  dir: string,
  built: { readonly code: string; readonly map: string; readonly metafile: Metafile },
): StrategyBundle {
  const map: { sources: string[] } = JSON.parse(built.map);
  map.sources = map.sources.map((source) => pathToFileURL(resolve(dir, source)).href);
  return {
    kind: 'bundle',
    code: built.code,
    map: JSON.stringify(map),
    sha256: createHash('sha256').update(built.code).digest('hex'),
    files: inputFiles(dir, built.metafile),
    imports: Object.values(built.metafile.outputs).flatMap(({ imports }) =>
      imports.flatMap(({ path, external }) => (external === true ? [path] : [])),
    ),
  };
}

function inputFiles(dir: string, metafile: Metafile): readonly string[] {
  return Object.keys(metafile.inputs)
    .filter((input) => !/^[a-z]+:/.test(input))
    .map((input) => resolve(dir, input));
}

function buildFault(entry: string, { text, location, notes }: Message): StrategyFault {
  const place = location === null ? { file: entry } : placeOf(dirname(entry), location);
  const missingExport = /^No matching export in "(?:running:)?(.+)" for import "(.+)"$/.exec(text);
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
    next: 'Bring outside data in as a signal, or read it from a file beside the strategy while it is loaded.',
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
    why: 'Nothing at that path, nor a package of that name, can be imported from here.',
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
function importMetaFault(dir: string, warnings: readonly Message[]): StrategyFault | undefined {
  const warning = warnings.find(({ id }) => id === 'empty-import-meta');
  if (warning?.location == null) return undefined;
  return {
    code: 'STRATEGY_IMPORT',
    what: "The file uses 'import.meta'.",
    ...placeOf(dir, warning.location),
    why: 'A strategy is bundled before it runs, so it has no address of its own.',
    next: "Import data as JSON (import model from './model.json'), or declare it as a signal.",
  };
}

/** esbuild counts columns in bytes from 0. */
function placeOf(dir: string, location: NonNullable<Message['location']>): Place {
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  return { file: resolve(dir, location.file), line: location.line, column: before.length + 1 };
}

function isBuildFailure(failure: unknown): failure is BuildFailure {
  return failure instanceof Error && 'errors' in failure && Array.isArray(failure.errors);
}
