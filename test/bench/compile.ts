/** Compiles the measuring process: what a loader adds to each function as it goes would be measured with it. */

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Inside the project, so that the packages left out of the bundle are found from there. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** A directory with `measure.mjs` in it, from the source as it is now. The caller removes it. */
export async function compileMeasure(): Promise<{ readonly directory: string; readonly measure: string }> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'oddsmith-bench-'));
  const measure = join(directory, 'measure.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./measure.ts', import.meta.url))],
    outfile: measure,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return { directory, measure };
}
