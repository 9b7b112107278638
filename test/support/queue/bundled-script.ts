/** A script of these tests as one file of JavaScript, which starts in a tenth of the time. */

import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { temporaryDirectory } from '../temporary-directory.ts';

const PACKAGES = ['bullmq', 'ioredis'];

/** Packages are those of the project. */
export function bundledScript(path: string): string {
  const outfile = join(temporaryDirectory('script'), 'script.mjs');
  const alias = Object.fromEntries(PACKAGES.map((name) => [name, import.meta.resolve(name)]));
  buildSync({
    ...{ entryPoints: [path], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    ...{ alias, external: Object.values(alias), conditions: ['oddsmith-source'] },
  });
  return outfile;
}
