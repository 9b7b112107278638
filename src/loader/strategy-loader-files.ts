/**
 * Gives the bundler the strategy's own files under names that do not show where they lie, so that the same strategy is the
 * same code in every project: neither a tsconfig.json nor a package.json around it, nor its file's name, changes it.
 */

import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, sep } from 'node:path';
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';

const NAMESPACE = 'own';
const ASKED = Symbol('asked');

export class OwnFiles {
  readonly #entry: string;
  readonly #fileByName = new Map<string, string>();

  /** The strategy's file, absolute. */
  constructor(entry: string) {
    this.#entry = entry;
  }

  plugin(): Plugin {
    return {
      name: 'oddsmith-own-files',
      setup: (build) => {
        build.onResolve({ filter: /./ }, (args) => this.#resolve(build, args));
        build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => this.#load(path));
      },
    };
  }

  /** The strategy file and every file bundled with it, absolute. */
  get files(): readonly string[] {
    return [...this.#fileByName.values()];
  }

  /** The file that a name in the bundler's messages and maps stands for; undefined if it is none of the strategy's files. */
  fileOf(shown: string): string | undefined {
    return this.#fileByName.get(shown.replace(OWN, ''));
  }

  async #resolve(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
    const { path, kind, importer, namespace, resolveDir, pluginData } = args;
    // Asked by this plugin itself, or by another part of the loader.
    if (pluginData !== undefined) return undefined;
    const found = await build.resolve(path, { kind, importer, namespace, resolveDir, pluginData: ASKED });
    // The bundler itself reports what is not found, with its place.
    if (found.errors.length > 0) return undefined;
    if (found.external || found.namespace !== 'file' || !this.#isOwn(found.path)) return found;
    const name = this.#nameOf(found.path, kind === 'entry-point');
    return { path: name, namespace: NAMESPACE, ...(found.sideEffects ? {} : { sideEffects: false }) };
  }

  /** A package keeps its path among packages, and the rules of its package.json. */
  #isOwn(file: string): boolean {
    return packageOf(file) === packageOf(this.#entry);
  }

  /** No relative path begins as the name of the strategy's file does. */
  #nameOf(file: string, isEntry: boolean): string {
    for (const [name, known] of this.#fileByName) if (known === file) return name;
    const name = isEntry ? `./strategy${extname(file)}` : relative(dirname(this.#entry), file).replaceAll(sep, '/');
    this.#fileByName.set(name, file);
    return name;
  }

  async #load(name: string): Promise<OnLoadResult> {
    const file = this.#fileByName.get(name) ?? name;
    return { contents: await readFile(file), loader: 'default', resolveDir: dirname(file) };
  }
}

const OWN = new RegExp(`^${NAMESPACE}:`);

/** The package that a file is part of, by the directory it was installed in; none for a project's own files. */
function packageOf(file: string): string {
  return /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+[/\\]/.exec(file)?.[0] ?? '';
}
