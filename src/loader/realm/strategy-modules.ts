/** The modules of Node that a strategy may import: those that compute, and `fs` where files are granted to it. */

import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';
import { type FileGrant, grantedFiles } from './strategy-files.ts';

/** Others can end the process, outlive a decision, or bring a clock, a machine or what lies on its disks. A new module of Node is refused until it is listed. */
const GUEST_MODULES: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'buffer',
  'constants',
  'crypto',
  'events',
  'path',
  'path/posix',
  'path/win32',
  'punycode',
  'querystring',
  'stream',
  'string_decoder',
  'url',
  'util',
  'util/types',
  'zlib',
]);

/** What esbuild reports of a module that is refused; the loader makes a fault of it. */
export const MODULE_REFUSED = /^"(.+)" is no module for a strategy/;

/** What esbuild reports of a module that reads files, if no files are granted. */
export const FILES_REFUSED = /^"(.+)" reads files/;

const ZLIB: ReadonlySet<string> = new Set(['zlib', 'node:zlib']);
const FILES: ReadonlySet<string> = new Set(['fs', 'node:fs']);

export function modulesPlugin(isGrantedFiles: boolean): Plugin {
  return {
    name: 'oddsmith-modules',
    setup(build) {
      build.onResolve({ filter: /^[a-z]/ }, ({ path }) => {
        if (FILES.has(path)) {
          return isGrantedFiles ? { path, external: true } : { errors: [{ text: `"${path}" reads files` }] };
        }
        return isRefused(path) ? { errors: [{ text: `"${path}" is no module for a strategy` }] } : undefined;
      });
    },
  };
}

/** A package of the same name in the user's project is theirs, but for those that Node never lets be shadowed. */
function isRefused(path: string): boolean {
  return isBuiltin(path) && !GUEST_MODULES.has(path.replace(/^node:/, ''));
}

/** Gives the modules that the bundle imports, each as a copy that cannot be changed: the process works with the same ones. */
export function guestRequire(
  file: string,
  { imports, files }: { readonly imports: readonly string[]; readonly files: FileGrant },
): (module: string) => unknown {
  const require = createRequire(file);
  const known = new Set(imports);
  return (module) => {
    if (!known.has(module))
      throw new Error(`'${module}' is not imported by name: a strategy is bundled before it runs.`);
    if (FILES.has(module)) return grantedFiles(files);
    const found: unknown = require(module);
    if (typeof found !== 'object' || found === null) return found;
    return Object.freeze(ZLIB.has(module) ? atOnce(found) : { ...found });
  };
}

/** What zlib does later fails in Node's own code, from which nobody learns whose it was. */
function atOnce(zlib: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(zlib).map(([name, value]) => [
      name,
      typeof value !== 'function' || name === 'crc32' || name.endsWith('Sync') ? value : refused(name),
    ]),
  );
}

/** An ordinary function: a library that makes a class of it may be loaded. */
function refused(name: string): () => never {
  return function refuse() {
    throw new Error(`zlib.${name} is not for strategies: they pack and unpack at once, with the functions …Sync.`);
  };
}
