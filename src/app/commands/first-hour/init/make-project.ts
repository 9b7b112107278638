/** Makes a new project in a folder that is empty or not there yet: whole, or not at all. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { packageDirectory, packageVersion } from '../../../../package/running-package.ts';
import { followed } from '../../../../recording/tape/path-kind.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { makeDirectory } from '../../../cli/out-directory.ts';
import { packedOddsmith } from './packed-oddsmith.ts';

export interface MadeProject {
  /** The directory as the user named it. */
  readonly directory: string;
  readonly name: string;
  /** What stands for oddsmith in its dependencies. */
  readonly dependency: string;
  readonly files: readonly string[];
}

const OTHER = 'Name another directory.';
const NAMED_MAX = 8;
/** What a folder may hold already: people begin with `git init`, and some systems leave files of their own. */
const HARMLESS: ReadonlySet<string> = new Set(['.git', '.DS_Store', 'Thumbs.db']);

/** @throws CliError PROJECT_EXISTS, NOT_A_PACKAGE or FILE_NOT_WRITABLE: nothing was written then */
export async function makeProject(directory: string, from: string | undefined): Promise<MadeProject> {
  checkFree(directory);
  const packed = packedOddsmith(from);
  const dependency = packed === undefined ? `^${packageVersion()}` : `file:vendor/${packed.name}`;
  const name = nameOf(directory);
  const vendored = packed === undefined ? [] : [{ path: `vendor/${packed.name}`, content: packed.content }];
  const files = [...projectFiles(name, dependency), ...vendored];
  writeWhole(directory, files);
  return { directory, name, dependency, files: files.map(({ path }) => path) };
}

function checkFree(directory: string): void {
  const { kind, words } = followed(directory);
  if (kind === 'nothing') return;
  if (kind !== 'directory') throw notFree(directory, kind === 'unreachable' ? words : `There is ${words} already.`);
  const names = namesIn(directory).filter((name) => !HARMLESS.has(name));
  if (names.length === 0) return;
  const shown = names.slice(0, NAMED_MAX).join(', ');
  const rest = names.length - NAMED_MAX;
  throw notFree(directory, `It holds ${shown}${rest > 0 ? ` and ${rest} more` : ''}.`);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    throw notFree(directory, error instanceof Error ? error.message : String(error));
  }
}

function notFree(directory: string, why: string): CliError {
  return new CliError({
    code: 'PROJECT_EXISTS',
    what: 'The folder of a new project must be empty, or not there yet.',
    where: directory,
    why,
    next: 'Name another directory. Nothing was written, and nothing is ever overwritten.',
  });
}

/** The name that npm takes for a package. */
function nameOf(directory: string): string {
  const name = basename(resolve(directory))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
  return name === '' || name === 'oddsmith' ? 'my-bot' : name;
}

/** Written beside its place and moved there when all of it is on the disk. */
function writeWhole(directory: string, files: readonly ProjectFile[]): void {
  const target = resolve(directory);
  makeDirectory(dirname(target), OTHER);
  let partial: string | undefined;
  try {
    partial = mkdtempSync(join(dirname(target), '.oddsmith-init-'));
    for (const { path, content } of files) {
      mkdirSync(dirname(join(partial, path)), { recursive: true });
      writeFileSync(join(partial, path), content);
    }
    moveInto(partial, target);
  } catch (error) {
    if (partial !== undefined) rmSync(partial, { recursive: true, force: true });
    if (error instanceof CliError) throw error;
    throw new CliError({
      code: 'FILE_NOT_WRITABLE',
      what: 'The project cannot be written.',
      where: directory,
      why: error instanceof Error ? error.message : String(error),
      next: OTHER,
    });
  }
}

/** The folder itself stays where it is there already: a shell may stand in it. */
function moveInto(partial: string, target: string): void {
  mkdirSync(target, { recursive: true });
  const moved: string[] = [];
  try {
    for (const name of readdirSync(partial)) {
      // Whatever came meanwhile stays: a name that exists is not replaced.
      if (namesIn(target).includes(name)) throw notFree(target, `It holds ${name}.`);
      renameSync(join(partial, name), join(target, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) rmSync(join(target, name), { recursive: true, force: true });
    throw error;
  }
  rmdirSync(partial);
}

interface ProjectFile {
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

/**
 * The files of a new project: those of packaging/project, and a package.json that is made. `dependency`: what stands for oddsmith in its
 * dependencies.
 */
function projectFiles(name: string, dependency: string): readonly ProjectFile[] {
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
