/**
 * Writes the command into dist/app as few files (part of `npm run build`): a process that loads hundreds of modules
 * begins its work a tenth of a second later. What a command needs is loaded when it runs.
 */

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { packageDirectory } from './version.ts';

/**
 * Packages that stay packages: native code and its finder, what starts threads or reads files of its own, and what is large
 * and needed late.
 */
const APART = ['better-sqlite3', 'esbuild', 'fastify', '@fastify/*', 'pino', 'prom-client', 'undici', 'ws', 'chokidar'];

/**
 * RxJS as modules: what Node would take otherwise is an older form, of which a bundle keeps every operator apart and puts them
 * together when it is loaded.
 */
const RXJS = join(dirname(createRequire(import.meta.url).resolve('rxjs/package.json')), 'dist/esm');

// Packages of the older module kind ask for Node's own with `require`.
const REQUIRE =
  "import { createRequire as requireMaker } from 'node:module'; const require = requireMaker(import.meta.url);";

await build({
  absWorkingDir: packageDirectory(),
  // Two below the package, as in src: what is found from `import.meta.url` is found from either.
  entryPoints: [
    { in: 'src/app/main.ts', out: 'app/main' },
    { in: 'src/recording/betfair/import-worker.ts', out: 'app/import-worker' },
  ],
  outdir: 'dist',
  chunkNames: 'app/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  conditions: ['oddsmith-source'],
  external: APART,
  alias: { rxjs: join(RXJS, 'index.js'), 'rxjs/operators': join(RXJS, 'operators/index.js') },
  banner: { js: REQUIRE },
  sourcemap: true,
  logLevel: 'warning',
});
