/** Which oddsmith computed a unit: a hash of its own code, as far as that decides results. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeDirectory } from '../../loader/running-package.ts';

/**
 * All layers that a simulation runs through, what strategies import, and what makes the rows. The command line, the exchange's client,
 * the sandbox, the documents and the search itself decide no row: they may change, and every unit is found again.
 */
const DECIDING: readonly string[] = [
  ...['core', 'time', 'matching', 'strategy', 'risk', 'exchange', 'engine', 'recording', 'simulator', 'loader'],
  ...['backtest', 'report/result', 'sweep/unit', 'index', 'testing'],
];

/**
 * SHA-256 over names and contents of these files, in order: sources where oddsmith runs from its sources, compiled ones where it is
 * installed. The two differ, so that each computes its own units.
 */
export function buildSha256(directory = codeDirectory()): string {
  const hash = createHash('sha256');
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
  const single = [`${name}.ts`, `${name}.js`].filter((file) => existsSync(join(directory, file)));
  if (single.length > 0) return single;
  return readdirSync(join(directory, name), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${name}/${file.replaceAll('\\', '/')}`)
    .sort();
}
