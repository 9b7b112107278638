/** Compiles the measuring processes: what a loader adds to each function as it goes would be measured with it. */

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Inside the project, so that the packages left out of the bundles are found from there. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** What `oddsmith` is in them: the source, as everything else. */
const LIBRARY = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

/** Each becomes a bundle of its own beside the others, where `measure` finds them. */
const ENTRIES = ['measure', 'cold-pass', 'yardstick', 'sandbox-server', 'echo-server'];

/** A directory with `measure.mjs` in it, from the source as it is now. The caller removes it. */
export async function compileMeasure(): Promise<{ readonly directory: string; readonly measure: string }> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'oddsmith-bench-'));
  await build({
    entryPoints: ENTRIES.map((name) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url))),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: { oddsmith: LIBRARY },
    sourcemap: 'inline',
    // As in tools/make-bundle.ts: what is measured is what is shipped.
    minifySyntax: true,
    logLevel: 'warning',
  });
  return { directory, measure: join(directory, 'measure.mjs') };
}
