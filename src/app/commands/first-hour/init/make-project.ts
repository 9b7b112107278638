/** Makes a new project in a folder that is empty or not there yet: whole, or not at all. */

import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { packageVersion } from '../../../../package/running-package.ts';
import { followed } from '../../../../recording/tape/path-kind.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { makeDirectory } from '../../../cli/out-directory.ts';
import { packedOddsmith } from './packed-oddsmith.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';

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
