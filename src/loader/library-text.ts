/** The code that each realm evaluates before that of its strategy: what of oddsmith and of RxJS the strategy uses, and what stands around it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { codeDirectory } from '../package/running-package.ts';

/** A value that a bundle asks for, by its module and its name there. */
export interface LibraryName {
  readonly module: string;
  readonly name: string;
}

const texts = new Map<string, Promise<string>>();

/** One script, whose value is `{ INSIDE, imported }`; made once for the same names. */
export function libraryText(names: readonly LibraryName[]): Promise<string> {
  const entry = entryText(names);
  const known = texts.get(entry) ?? bundled(entry);
  texts.set(entry, known);
  return known;
}

function entryText(names: readonly LibraryName[]): string {
  const sorted = names.toSorted((a, b) => (`${a.module} ${a.name}` < `${b.module} ${b.name}` ? -1 : 1));
  return [
    `export { INSIDE } from ${JSON.stringify(own('loader/realm/inside/inside'))};`,
    ...sorted.map(
      ({ module, name }, at) => `import { ${name} as value${at} } from ${JSON.stringify(sourceOf(module))};`,
    ),
    `const values = { __proto__: null, ${sorted.map(({ module, name }, at) => `'${module} ${name}': value${at}`).join(', ')} };`,
    "export const imported = (module, name) => values[module + ' ' + name];",
  ].join('\n');
}

function sourceOf(module: string): string {
  if (!module.startsWith('oddsmith')) return module;
  return own(module === 'oddsmith' ? 'index' : module.slice('oddsmith/'.length));
}

/** A module of the running code: its source, or what it was built into. */
function own(module: string): string {
  const path = join(codeDirectory(), module);
  return existsSync(`${path}.ts`) ? `${path}.ts` : `${path}.js`;
}

async function bundled(entry: string): Promise<string> {
  // Loaded when it is needed: a thread that only runs bundles does without it.
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: codeDirectory(), loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'library',
    platform: 'neutral',
    conditions: ['es2015'],
    target: 'node22.15',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'silent',
  });
  // What it uses of the language is taken before a strategy can replace it.
  return `(function(${KEPT.join()}){"use strict";${TIMERS}${outputFiles[0]?.text ?? ''};return library;})(${KEPT.join()})`;
}

/** The names that stay as they are. `Date`, `Intl` and `Math` are not among them: they are replaced. */
const KEPT = [
  ...['Object', 'Function', 'Reflect', 'Proxy', 'Symbol', 'Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'JSON'],
  ...['Number', 'String', 'Boolean', 'BigInt', 'RegExp', 'Promise', 'Error', 'RangeError', 'TypeError'],
  ...['ArrayBuffer', 'Uint8Array', 'Float64Array', 'Int32Array', 'Uint32Array'],
];

/** RxJS reports by a timer what nobody caught: here at once, so that it reaches the call that made it. */
const TIMERS =
  'const setTimeout=(task,ms)=>{if(ms>0)setInterval();task();};' +
  "const setInterval=()=>{throw new Error('Strategies have no timers: ask to be called by wakeAt.');};" +
  'const clearTimeout=()=>{},clearInterval=()=>{};';
