/** The `fs` of a strategy: synchronous reading, within the files and directories that its configuration grants. */

import fs from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

export interface FileGrant {
  /** Files, and directories with all that is in them; relative paths start at the directory in which oddsmith was started. */
  readonly paths: readonly string[];
  /** Whether every file is missing, for the proof against lookahead. */
  readonly isWithheld?: boolean;
}

/** Node's own functions for reading, by name; each first checks whether the path is granted. */
const READING = ['existsSync', 'lstatSync', 'readFileSync', 'readdirSync', 'realpathSync', 'statSync'] as const;

/** The `fs` for a strategy. A function that it does not offer throws with that explanation when it is called. */
export function grantedFiles(grant: FileGrant): Readonly<Record<string, unknown>> {
  const isGranted = granter(grant.paths);
  const files: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fs)) {
    if (typeof value === 'function' && /^[a-z]/.test(name)) files[name] = Object.freeze(() => refuse(name));
  }
  for (const name of READING) {
    const call: (...args: readonly unknown[]) => unknown = Function.prototype.bind.call(fs[name], fs);
    files[name] = Object.freeze((path: unknown, ...rest: readonly unknown[]) => {
      if (!isGranted(path)) throw notGranted(path, grant.paths);
      if (grant.isWithheld !== true) return call(path, ...rest);
      if (name === 'existsSync') return false;
      throw notThere(path);
    });
  }
  return Object.freeze(files);
}

/** Compares real paths, so that a link out of a granted directory grants nothing. */
function granter(paths: readonly string[]): (path: unknown) => boolean {
  const roots = paths.map((path) => realOf(resolve(path)));
  return (path) => {
    if (typeof path !== 'string') return false;
    const real = realOf(resolve(path));
    return roots.some((root) => real === root || isBelow(root, real));
  };
}

/** The real path. For a file that does not exist: the real path of the nearest directory that does, and the rest as written. */
function realOf(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    const parent = resolve(path, '..');
    return parent === path ? path : resolve(realOf(parent), relative(parent, path));
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refuse(name: string): never {
  throw new Error(`fs.${name} is not for strategies: they read, at once, with ${READING.join(', ')}.`);
}

function notGranted(path: unknown, paths: readonly string[]): Error {
  const words = typeof path === 'string' ? `'${path}'` : 'A path that is no text';
  return new Error(`${words} is not among the files granted to this strategy: ${paths.join(', ')}.`);
}

function notThere(path: unknown): Error {
  const error = new Error(`ENOENT: no such file or directory, open '${String(path)}'`);
  return Object.assign(error, { code: 'ENOENT' });
}
