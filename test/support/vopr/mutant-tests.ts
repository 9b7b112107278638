/** Runs one file of tests over sources with a fault planted in them: those that no simulated life can meet. */

import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { ROOT } from '../places.ts';
import { changedFiles, type Mutant } from './bundle.ts';

/** The first test that fails; undefined where all pass. */
export async function failsUnder(mutant: Mutant, file: string): Promise<string | undefined> {
  const texts = new Map([...changedFiles(mutant)].map(([path, text]) => [join(ROOT, path), text]));
  const load = (id: string): string | undefined => texts.get(id.split('?')[0] ?? id);
  const options = { root: ROOT, watch: false, maxWorkers: 1, reporters: [{}], passWithNoTests: false };
  const vitest = await startVitest('test', [file], options, { plugins: [{ name: 'mutant', enforce: 'pre', load }] });
  const failed = vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests('failed')])
    .map(({ fullName }) => fullName);
  const ran = vitest.state.getCountOfFailedTests() + vitest.state.getTestModules().length;
  process.exitCode = undefined;
  await vitest.close();
  if (ran === 0) throw new Error(`no test ran in ${file}`);
  return failed[0];
}
