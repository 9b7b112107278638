/** Rules on who imports whom: layers, cycles, barrels, orphans, strategies. */

import { posix } from 'node:path';
import ts from 'typescript';
import { SETUP } from './shape.ts';
import { type Breach, breach, everyNode, type Source } from './source.ts';

/** The only file of the command that imports an adapter: all else knows an exchange by `Exchange`. */
const EXCHANGE_CHOICE = 'src/app/run/exchange-choice.ts';

/** The entries whose running copy strategies are given: their loader imports them. */
const GIVEN = 'what strategies import';
const GIVEN_ENTRIES = ['src/index.ts', 'src/testing.ts'];

/**
 * Each layer may import itself and those it lists (ARCHITECTURE.md). A layer may lie inside another one: its files belong to
 * it alone, and the outer layer imports it only where it lists it.
 */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  time: ['core'],
  matching: ['core'],
  strategy: ['core'],
  risk: ['core'],
  exchange: ['core'],
  package: [],
  words: [],
  research: ['core'],
  result: ['core', 'words', 'research'],
  pages: ['core', 'words', 'result'],
  report: ['core', 'words', 'research', 'result', 'pages'],
  // Handed on as built text: nobody imports it.
  web: ['core', 'words', 'result', 'pages'],
  engine: ['core', 'time', 'strategy', 'risk', 'exchange'],
  'exchange-live': ['core', 'time', 'exchange'],
  codec: ['core'],
  'betdex/wire': ['core', 'codec'],
  betdex: ['core', 'codec', 'time', 'exchange', 'exchange-live', 'betdex/wire'],
  'betfair/wire': ['core', 'codec'],
  betfair: ['core', 'codec', 'time', 'exchange', 'exchange-live', 'betfair/wire'],
  recording: ['core', 'exchange', 'betfair/wire'],
  journal: ['core', 'exchange'],
  simulator: ['core', 'time', 'exchange', 'matching', 'recording'],
  loader: ['core', 'package', 'words', 'strategy', 'engine', 'recording', GIVEN],
  backtest: [
    ...['core', 'time', 'matching', 'strategy', 'risk', 'exchange', 'engine', 'recording', 'simulator', 'loader'],
    ...['package', 'words', 'research', 'result'],
  ],
  sweep: [
    ...['core', 'time', 'strategy', 'risk', 'engine', 'recording', 'loader', 'backtest'],
    ...['package', 'research', 'result'],
  ],
  sandbox: ['core', 'codec', 'time', 'exchange', 'betdex/wire', 'matching', 'simulator', 'recording'],
  'sandbox-betfair': ['core', 'codec', 'time', 'betfair/wire', 'matching', 'sandbox'],
};

/**
 * The gateway file of an adapter that no command uses yet, with the reason: nothing but tests imports it. What it does not reach
 * itself is still found. The line goes when `src/app` imports the file. A folder, with a slash at its end, may have files and
 * exports that nobody needs yet; its line goes when each of its files is imported.
 */
export const UNDER_CONSTRUCTION: Readonly<Record<string, string>> = {};

export function isUnderConstruction(path: string, list = Object.keys(UNDER_CONSTRUCTION)): boolean {
  return list.some((each) => each === path || (each.endsWith('/') && path.startsWith(each)));
}

/** The package's public entries, which lie above every layer but app. */
export const PUBLIC_ENTRIES = ['src/index.ts', 'src/testing.ts', 'src/client.ts', 'src/backtest.ts'];

export interface Import {
  readonly node: ts.Node;
  /** As written. */
  readonly specifier: string;
  /** The project's path of a relative import. */
  readonly target: string | undefined;
  readonly reexports: boolean;
  /** `import type`: gone at run time. */
  readonly erased: boolean;
}

export function importsOf(from: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: string, reexports: boolean): void => {
    const relative = specifier.startsWith('.');
    const target = relative ? posix.join(posix.dirname(from.path), specifier) : undefined;
    const erased = ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    found.push({ node, specifier, target, reexports, erased });
  };
  everyNode(from.tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      if (ts.isStringLiteral(node.moduleSpecifier)) add(node, node.moduleSpecifier.text, ts.isExportDeclaration(node));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) add(node, argument.text, false);
    } else {
      const address = addressIn(node, from);
      if (address !== undefined && /\.tsx?$/.test(address)) add(node, address, false);
    }
  });
  return found;
}

/** A thread or a process is started by the address of its module: `threadModule(import.meta.url, './x.ts')` or `new URL('./x.ts', …)`. */
function addressIn(node: ts.Node, { tree }: Source): string | undefined {
  const isThread = ts.isCallExpression(node) && node.expression.getText(tree) === 'threadModule';
  const isUrl = ts.isNewExpression(node) && node.expression.getText(tree) === 'URL';
  const argument = isThread ? node.arguments[1] : isUrl ? node.arguments?.[0] : undefined;
  return argument !== undefined && ts.isStringLiteral(argument) ? argument.text : undefined;
}

export function layerBreaches(sources: readonly Source[]): readonly Breach[] {
  const unknown = new Set<string>();
  const breaches = sources.flatMap((from) =>
    importsOf(from).flatMap((each) => {
      const layer = layerOf(from.path);
      const target = each.target === undefined ? undefined : layerOf(each.target);
      if (layer === undefined || target === undefined || mayImport(layer, target)) return [];
      if (isUnknown(layer)) unknown.add(layer);
      else
        return [
          breach(from, each.node, `${layer} may not import ${target} (${each.specifier})${whoMay(layer, target)}`),
        ];
      return [];
    }),
  );
  return [...breaches, ...[...unknown].map((layer) => `src/${layer}/: ${UNKNOWN_LAYER}`)];
}

/** One line for each layer that is not listed yet, instead of one for each of its imports. */
const UNKNOWN_LAYER =
  'no layer: add it, with the layers that it may import, to LAYERS in test/support/tidy/imports.ts and to the tables of ' +
  'ARCHITECTURE.md; to EDGES in test/support/tidy/ambient.ts only if lines of it must touch time, chance or the process';

function isUnknown(layer: string): boolean {
  return ![...Object.keys(LAYERS), 'app', EXCHANGE_CHOICE, 'the public entry', GIVEN].includes(layer);
}

/** The listed layer with the longest path that holds the file; without one, the folder of src that it is in. */
function layerOf(path: string): string | undefined {
  if (path === EXCHANGE_CHOICE) return EXCHANGE_CHOICE;
  if (GIVEN_ENTRIES.includes(path)) return GIVEN;
  if (PUBLIC_ENTRIES.includes(path)) return 'the public entry';
  if (!path.startsWith('src/')) return undefined;
  const folders = path.split('/').slice(1, -1);
  for (let depth = folders.length; depth > 0; depth -= 1) {
    const layer = folders.slice(0, depth).join('/');
    if (Object.hasOwn(LAYERS, layer)) return layer;
  }
  return folders[0] ?? 'an unknown layer';
}

function mayImport(layer: string, target: string): boolean {
  if (layer === target) return true;
  if (target === 'web') return false;
  if (layer === EXCHANGE_CHOICE) return true;
  if (layer === 'app') return !isAdapter(target);
  if (layer === 'the public entry' || layer === GIVEN) return target !== 'app';
  return LAYERS[layer]?.includes(target) ?? false;
}

/** An adapter stands on `exchange-live`; what lies inside it belongs to it. */
function isAdapter(layer: string): boolean {
  return LAYERS[layer.split('/')[0] ?? '']?.includes('exchange-live') ?? false;
}

function whoMay(layer: string, target: string): string {
  return layer === 'app' && isAdapter(target) ? `: only ${EXCHANGE_CHOICE} does` : '';
}

/** Each cycle once, as the path through it. In src even types may not go in a circle; in tests they may. */
export function cycleBreaches(sources: readonly Source[]): readonly Breach[] {
  const targets = new Map(
    sources.map((from) => {
      const counted = importsOf(from).filter((each) => !(each.erased && from.path.startsWith('test/')));
      return [from.path, counted.flatMap((each) => each.target ?? [])];
    }),
  );
  return cyclesIn(targets).map((cycle) => `import cycle: ${cycle}`);
}

/**
 * Circles in src, types included: between the folders that files lie in, and, in each folder at every depth, between what lies
 * side by side there, be it a file or a folder with all that it holds.
 */
export function folderCycleBreaches(sources: readonly Source[]): readonly Breach[] {
  const folders = new Map<string, Set<string>>();
  const entries = new Map<string, Map<string, Set<string>>>();
  for (const from of sources.filter((each) => each.path.startsWith('src/'))) {
    for (const { target } of importsOf(from)) {
      if (target === undefined || folderOf(target) === folderOf(from.path)) continue;
      addArrow(folders, folderOf(from.path), folderOf(target));
      const [folder, entry, imported] = whereTheyPart(from.path, target);
      const arrows = entries.get(folder) ?? new Map<string, Set<string>>();
      entries.set(folder, addArrow(arrows, entry, imported));
    }
  }
  return [
    ...cyclesIn(folders).map((cycle) => `circle of folders: ${cycle}`),
    ...[...entries].flatMap(([folder, arrows]) =>
      cyclesIn(arrows).map((cycle) => `circle of entries in ${folder}: ${cycle}`),
    ),
  ];
}

function addArrow(arrows: Map<string, Set<string>>, from: string, to: string): Map<string, Set<string>> {
  return arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
}

/** The deepest folder that holds both files, and its entry that each of them is or lies in. */
function whereTheyPart(from: string, target: string): readonly [folder: string, from: string, target: string] {
  const [left, right] = [from.split('/'), target.split('/')];
  const depth = left.findIndex((name, at) => name !== right[at]);
  return [left.slice(0, depth).join('/'), left[depth] ?? '', right[depth] ?? ''];
}

/** Public entries lie side by side and have nothing to do with each other: each counts as a folder of its own. */
function folderOf(path: string): string {
  return PUBLIC_ENTRIES.includes(path) ? path : posix.dirname(path);
}

const FOLDER_ENTRIES = 15;

/** Files and folders that lie side by side in one folder of src. */
export function fullFolderBreaches(sources: readonly Source[]): readonly Breach[] {
  const entries = new Map<string, Set<string>>();
  for (const { path } of sources.filter((each) => each.path.startsWith('src/'))) {
    for (let at = path; at !== 'src'; at = posix.dirname(at)) {
      const folder = posix.dirname(at);
      entries.set(folder, (entries.get(folder) ?? new Set()).add(at));
    }
  }
  // The root itself has one folder for each layer, and the public entries.
  return [...entries].flatMap(([folder, { size }]) =>
    folder !== 'src' && size > FOLDER_ENTRIES ? [`${folder}: ${size} entries, more than ${FOLDER_ENTRIES}`] : [],
  );
}

/** Each cycle of a graph once, as the path through it. */
function cyclesIn(targets: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const trail: string[] = [];
  const cycles: string[] = [];
  const visit = (path: string): void => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(' -> '));
    if (at >= 0 || done.has(path)) return;
    trail.push(path);
    for (const target of targets.get(path) ?? []) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of targets.keys()) visit(path);
  return cycles;
}

export function barrelBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources
    .filter((from) => from.path.startsWith('src/') && !PUBLIC_ENTRIES.includes(from.path))
    .flatMap((from) =>
      importsOf(from)
        .filter((each) => each.reexports)
        .map((each) => breach(from, each.node, 'passes on what another file exports: import it from there')),
    );
}

/** A file of src that only tests import is dead: someone else must need it. */
export function orphanBreaches(sources: readonly Source[]): readonly Breach[] {
  const imported = importedFiles(sources);
  return sources
    .filter((each) => !isEntry(each.path) && !imported.has(each.path))
    .map((each) => `${each.path}: nobody imports it`);
}

/** What is started or loaded by name. */
function isEntry(path: string): boolean {
  if (/^src\/(index|testing|client|backtest|app\/main)\.ts$|^src\/web\/[\w-]+\.tsx$/.test(path)) return true;
  if (isUnderConstruction(path)) return true;
  if (path === SETUP) return true;
  return (
    /^(strategies|backtest|tools|test\/bench|test\/deep|test\/docs|test\/fuzz|test\/node-versions|test\/screenshots|test\/tour|test\/vopr|test\/support\/hostile\/run-each|test\/support\/kill|test\/support\/daemon-soak|test\/support\/zoo)[/.]/.test(
      path,
    ) || /\.test\.ts$/.test(path)
  );
}

/** Entries of `list` (UNDER_CONSTRUCTION) that are not there, or are imported by now. */
export function constructionBreaches(sources: readonly Source[], list: readonly string[]): readonly Breach[] {
  const imported = importedFiles(sources);
  return list
    .filter((entry) => {
      const files = sources.filter(({ path }) => isUnderConstruction(path, [entry]));
      return files.every(({ path }) => imported.has(path));
    })
    .map((path) => `${path}: under construction no more: remove it from UNDER_CONSTRUCTION`);
}

/** What is imported by any other file; of src only what is imported by a file that is no test. */
function importedFiles(sources: readonly Source[]): ReadonlySet<string> {
  const imported = new Set<string>();
  for (const from of sources) {
    const isTest = from.path.startsWith('test/');
    for (const { target } of importsOf(from)) {
      if (target !== undefined && target !== from.path && !(isTest && target.startsWith('src/'))) imported.add(target);
    }
  }
  return imported;
}

export function strategyBreaches(sources: readonly Source[]): readonly Breach[] {
  return sources
    .filter((from) => from.path.startsWith('strategies/'))
    .flatMap((from) => {
      const allowed = from.path.endsWith('.test.ts') ? ['oddsmith', 'oddsmith/testing', 'vitest'] : ['oddsmith'];
      return importsOf(from)
        .filter(
          (each) =>
            !allowed.includes(each.specifier) && !(from.path.endsWith('.test.ts') && each.specifier.startsWith('./')),
        )
        .map((each) => breach(from, each.node, `a strategy imports only 'oddsmith', not ${each.specifier}`));
    });
}
