/**
 * Writes the command into dist/app as few files (part of `npm run build`): a process that loads hundreds of modules
 * begins its work a tenth of a second later. What a command needs is loaded when it runs.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { packageDirectory } from '../src/package/running-package.ts';
import { writeLicences } from './bundled-licences.ts';

/**
 * Packages that are not bundled: native code and what finds it, packages that start threads or read files of their own, and large
 * ones that are needed late.
 */
const APART = [
  'better-sqlite3',
  'esbuild',
  'fastify',
  '@fastify/*',
  'pino',
  'prom-client',
  'undici',
  'ws',
  'chokidar',
  'piscina',
  'bullmq',
  'ioredis',
];

/**
 * RxJS in its form of modules. Node would take an older form, of which a bundle keeps every operator apart and puts them together
 * each time it is loaded.
 */
const RXJS = join(dirname(createRequire(import.meta.url).resolve('rxjs/package.json')), 'dist/esm');

// CommonJS packages load Node's own modules with `require`.
const REQUIRE =
  "import { createRequire as requireMaker } from 'node:module'; const require = requireMaker(import.meta.url);";

const ROOT = packageDirectory();

const SHARED = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.15',
  conditions: ['oddsmith-source'],
  external: APART,
  alias: { rxjs: join(RXJS, 'index.js'), 'rxjs/operators': join(RXJS, 'operators/index.js') },
  banner: { js: REQUIRE },
  sourcemap: true,
  // Puts the constants of files that hold nothing else in place of their names (decision 97).
  minifySyntax: true,
  metafile: true,
  logLevel: 'warning',
} satisfies BuildOptions;

// Entries lie two directories below the package, as in src, so that paths from `import.meta.url` hold in both.
const COMMAND = {
  ...SHARED,
  entryPoints: [{ in: 'src/app/main.ts', out: 'app/main' }],
  chunkNames: 'app/[name]-[hash]',
  splitting: true,
} satisfies BuildOptions;

/** Late modules of a main thread, which may watch another: they need nothing of what commands are made of. */
const WATCHING: ReadonlySet<string> = new Set([
  ...['src/app/start/command-line.ts', 'src/app/start/command-apart.ts', 'src/app/thread/inquiry.ts'],
]);

const WORKERS = [
  { in: 'src/recording/betfair/import-worker.ts', out: 'app/import-worker' },
  { in: 'src/backtest/pieces/piece-worker.ts', out: 'app/piece-worker' },
  { in: 'src/app/sweep/sweep-worker.ts', out: 'app/sweep-worker' },
];

const built = [
  await build({ ...COMMAND, plugins: [loadedAfter('src/app/start/cli.ts', await loadedLate(COMMAND))] }),
  ...(await Promise.all(WORKERS.map((worker) => build({ ...SHARED, entryPoints: [worker] })))),
];
writeLicences(
  ROOT,
  built.map(({ metafile }) => metafile),
  'dist/app/LICENCES.txt',
);

/** Our modules that a command loads when it runs (`await import`), as paths from the package. */
async function loadedLate(options: BuildOptions): Promise<ReadonlySet<string>> {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const late = imports.filter((found) => found.kind === 'dynamic-import' && found.path.startsWith('src/'));
  return new Set(late.map((found) => found.path));
}

/**
 * Makes the bundler treat a module as loaded before those that are loaded late. The bundler puts modules that the same entries need
 * into one file: without this, what `first` loads would lie in 15 files, and each costs most of a millisecond.
 */
function loadedAfter(first: string, late: ReadonlySet<string>): Plugin {
  return {
    name: 'loaded-after',
    setup: (bundler) => {
      bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const module = relative(ROOT, path);
        if (!late.has(module) || module === first || WATCHING.has(module)) return undefined;
        const source = readFileSync(path, 'utf8');
        return { contents: `${source}\nimport ${JSON.stringify(join(ROOT, first))};\n`, loader: 'ts' };
      });
    },
  };
}
