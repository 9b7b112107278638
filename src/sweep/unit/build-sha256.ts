/** Which oddsmith computed a unit: a hash of its own code, as far as that decides results. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeDirectory } from '../../package/running-package.ts';

/**
 * All layers that a simulation runs through, what strategies import, and what makes the rows. The command line, the exchange's client,
 * the sandbox, the documents and the search itself decide no row: they may change, and every unit is found again.
 */
const DECIDING: readonly string[] = [
  'core',
  'time',
  'matching',
  'strategy',
  'risk',
  'exchange',
  'engine',
  'recording',
  'simulator',
  'loader',
  'backtest',
  'result/result',
  'sweep/unit',
  'index',
  'testing',
];

/** The one file with all that a thread of a sweep runs, without comments, as oddsmith is installed. */
const BUILT = 'app/sweep-worker.js';

/**
 * SHA-256 of that file, or over names and contents of the sources, in order, where oddsmith runs from them. The two differ, so that each
 * computes its own units.
 */
export function buildSha256(directory = codeDirectory()): string {
  const hash = createHash('sha256');
  if (existsSync(join(directory, BUILT))) return hash.update(readFileSync(join(directory, BUILT))).digest('hex');
  for (const name of DECIDING) {
    for (const file of filesOf(directory, name)) {
      hash.update(`${file}\n`).update(
        createHash('sha256')
          .update(readFileSync(join(directory, file)))
          .digest(),
      );
    }
  }
  return hash.digest('hex');
}

/** Paths from the directory, in order of name. */
function filesOf(directory: string, name: string): readonly string[] {
  if (existsSync(join(directory, `${name}.ts`))) return [`${name}.ts`];
  return readdirSync(join(directory, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${name}/${file.replaceAll('\\', '/')}`)
    .sort();
}
