/** The modules of Node that a strategy may import: of each what computes at once, and `fs` where files are granted to it. */

import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';
import { OFFERED } from './offered-modules.ts';
import { type FileGrant, grantedFiles } from './strategy-files.ts';

/** What esbuild reports of a module that is refused; the loader makes a fault of it. */
export const MODULE_REFUSED = /^"(.+)" is no module for a strategy/;

/** What esbuild reports of a module that reads files, if no files are granted. */
export const FILES_REFUSED = /^"(.+)" reads files/;

const FILES = 'fs';

export function modulesPlugin(isGrantedFiles: boolean): Plugin {
  return {
    name: 'oddsmith-modules',
    setup(build) {
      build.onResolve({ filter: /^[a-z]/ }, ({ path }) => {
        if (nameOf(path) === FILES) {
          return isGrantedFiles ? { path, external: true } : { errors: [{ text: `"${path}" reads files` }] };
        }
        return isRefused(path) ? { errors: [{ text: `"${path}" is no module for a strategy` }] } : undefined;
      });
    },
  };
}

/** A package of the same name in the user's project is theirs, but for those that Node never lets be shadowed. */
function isRefused(path: string): boolean {
  return isBuiltin(path) && !OFFERED.has(nameOf(path));
}

function nameOf(path: string): string {
  return path.replace(/^node:/, '');
}

/** Gives the modules that the bundle imports. What they hold is ours, and must not be given to a strategy as it is. */
export function guestRequire(
  file: string,
  { imports, files }: { readonly imports: readonly string[]; readonly files: FileGrant },
): (module: string) => unknown {
  const require = createRequire(file);
  const known = new Set(imports);
  return (module) => {
    if (!known.has(module))
      throw new Error(`'${module}' is not imported by name: a strategy is bundled before it runs.`);
    const name = nameOf(module);
    return name === FILES ? grantedFiles(files) : offered(name, require(module));
  };
}

/** What is not offered can be named, so that a package loads, and says so when it is called. */
function offered(name: string, whole: object): object {
  const given = OFFERED.get(name) ?? {};
  const words = Object.keys(given).filter((key) => !/^[A-Z_]+$/.test(key));
  const has = words.length === 0 ? 'it does what comes later' : `of ${name} they have ${words.join(', ')}`;
  for (const key of Object.keys(whole)) {
    if (typeof Reflect.get(whole, key) === 'function' && !(key in given))
      Reflect.set(given, key, refused(`${name}.${key}`, has));
  }
  return given;
}

/** An ordinary function: a library that makes a class of it may be loaded. */
function refused(name: string, has: string): () => never {
  return function refuse() {
    throw new Error(`${name} is not for strategies: ${has}.`);
  };
}
