/** The project's source files as the tidy checks see them: path, text and syntax tree. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Source {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** One breach of a rule, as `path:line: what`. */
export type Breach = string;

const SKIPPED = new Set(['node_modules', 'dist', 'runs', '.git', 'coverage', '.vitest']);

export function source(path: string, text: string): Source {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, kind) };
}

export function readSources(root: string, folders: readonly string[]): readonly Source[] {
  return folders
    .flatMap((folder) => filesUnder(root, folder))
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => source(path, readFileSync(join(root, path), 'utf8')));
}

/** Every text file that people write, for the checks that read words. */
export function readTexts(root: string): readonly { readonly path: string; readonly text: string }[] {
  return filesUnder(root, '')
    .filter((path) => /\.(tsx?|css|md|ya?ml|json|txt|sh)$|^\.ci\/run$/.test(path) && path !== 'package-lock.json')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function filesUnder(root: string, folder: string): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) found.push(...filesUnder(root, path));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

export function lineOf(from: Source, node: ts.Node): number {
  return from.tree.getLineAndCharacterOfPosition(node.getStart(from.tree)).line + 1;
}

export function breach(from: Source, node: ts.Node, what: string): Breach {
  return `${from.path}:${lineOf(from, node)}: ${what}`;
}

export function everyNode(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => everyNode(child, visit));
}
