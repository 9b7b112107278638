/** Gives strategies the running copy of oddsmith, and of RxJS where their project has none of its own. */

import { createRequire } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';
import * as rxjs from 'rxjs';
import * as rxjsOperators from 'rxjs/operators';
import * as oddsmith from '../index.ts';
import { codeDirectory } from '../package/running-package.ts';
import * as testing from '../testing.ts';
import type { LibraryName } from './library-text.ts';

/** The function through which a bundle reaches the modules in its realm: `(module, export) → value`. */
export const LIBRARY_FUNCTION = '__oddsmithLibrary';

const LIBRARY_DIR = codeDirectory();

type Library = Readonly<Record<string, unknown>>;

const libraryByModule: ReadonlyMap<string, Library> = new Map<string, Library>([
  ['oddsmith', oddsmith],
  ['oddsmith/testing', testing],
  ['rxjs', rxjs],
  ['rxjs/operators', rxjsOperators],
]);

/** What the code of a bundle uses of them. */
export function usedNames(code: string): readonly LibraryName[] {
  const names = new Map<string, LibraryName>();
  for (const [call, module = '', name = ''] of code.matchAll(USE))
    if (Object.hasOwn(libraryByModule.get(module) ?? {}, name)) names.set(call, { module, name });
  return [...names.values()];
}

const USE = new RegExp(`${LIBRARY_FUNCTION}\\("([^"]+)",\\s*"([^"]+)"\\)`, 'g');

const NAMESPACE = 'running';

/** Maps the imports; every export is named, so that esbuild reports a missing one with its place. */
export function libraryPlugin(): Plugin {
  return {
    name: 'oddsmith-library',
    setup(build) {
      build.onResolve({ filter: /^oddsmith(\/|$)/ }, ({ path }) =>
        libraryByModule.has(path) ? running(path) : { errors: [{ text: `There is no entry "${path}"` }] },
      );
      build.onResolve({ filter: /^rxjs(\/operators)?$/ }, (args) => resolveRxjs(build, args));
      // Only paths come here: packages were handled above.
      build.onResolve({ filter: /^[./]/ }, ({ importer, path, resolveDir }) => {
        const isInternal = isInside(LIBRARY_DIR, resolve(resolveDir, path)) && !isInside(LIBRARY_DIR, resolveDir);
        return importer !== '' && isInternal ? { errors: [{ text: `"${path}" is internal` }] } : undefined;
      });
      build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({ contents: moduleText(path), loader: 'js' }));
    },
  };
}

function isInside(parent: string, path: string): boolean {
  return !relative(parent, path).startsWith('..');
}

function running(path: string): OnResolveResult {
  return { path, namespace: NAMESPACE, sideEffects: false };
}

const ASKED = Symbol('asked');

/** The user's own RxJS where there is one; ours where there is none or it is the same one. */
async function resolveRxjs(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
  if (args.pluginData === ASKED) return undefined;
  const { importer, kind, namespace, path, resolveDir } = args;
  const theirs = await build.resolve(path, { importer, kind, namespace, resolveDir, pluginData: ASKED });
  return theirs.errors.length > 0 || theirs.path.startsWith(ownRxjs()) ? running(path) : { path: theirs.path };
}

/** The directory of the RxJS that runs. */
function ownRxjs(): string {
  const manifest = createRequire(import.meta.url).resolve('rxjs/package.json');
  return dirname(manifest) + sep;
}

/**
 * Marked pure, so that what a strategy does not use leaves no trace in its bundle; in order of name, so that the bundle
 * is the same from `src` and from `dist`.
 */
function moduleText(module: string): string {
  return Object.keys(libraryByModule.get(module) ?? {})
    .filter((name) => name !== 'default' && /^[A-Za-z_$][\w$]*$/.test(name))
    .sort()
    .map((name) => {
      const value = `/* @__PURE__ */ ${LIBRARY_FUNCTION}(${JSON.stringify(module)}, ${JSON.stringify(name)})`;
      return `const value_${name} = ${value};\nexport { value_${name} as ${name} };`;
    })
    .join('\n');
}
