/** The files of a new project: those of packaging/project, and a package.json that is made. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from '../../../../package/running-package.ts';

export interface ProjectFile {
  /** The path from the project's directory. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** npm leaves these names out of a package, or reads them for itself. */
const DOTTED: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'env.example': '.env.example' };

/** Install scripts of packages that oddsmith needs, for those npms that ask which may run. */
const SCRIPTS_OF: readonly string[] = ['better-sqlite3', 'esbuild', 'node'];
/** The packages of a project. It has a Node of its own, so that the machine's may be of any age. */
const FOR_DEVELOPMENT: readonly string[] = ['@types/node', 'node', 'typescript'];

interface OwnManifest {
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** `dependency`: what stands for oddsmith in the project's dependencies. */
export function projectFiles(name: string, dependency: string): readonly ProjectFile[] {
  const templates = join(packageDirectory(), 'packaging/project');
  const files = readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(templates.length + 1))
    .map((path) => {
      const content = readFileSync(join(templates, path), 'utf8').replaceAll('{{name}}', name);
      return { path: DOTTED[path] ?? path.replaceAll('\\', '/'), content };
    });
  return [{ path: 'package.json', content: manifestText(name, dependency) }, ...files].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
}

function manifestText(name: string, dependency: string): string {
  const own: OwnManifest = JSON.parse(readFileSync(join(packageDirectory(), 'package.json'), 'utf8'));
  const manifest = {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: {
      test: 'node --experimental-strip-types --test "test/**/*.test.ts"',
      check: 'tsc',
      backtest: 'oddsmith backtest config/backtest.yaml',
    },
    dependencies: { oddsmith: dependency },
    devDependencies: picked(own.devDependencies, FOR_DEVELOPMENT),
    allowScripts: picked(own.allowScripts, SCRIPTS_OF),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function picked<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}
