/** Runs one file of tests over sources with a fault planted in them: those that no simulated life can meet. */

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../places.ts';
import { startProcess } from '../running-command.ts';
import { MUTANT_VARIABLE, type Mutant, PLACE } from './bundle.ts';

/** The first test that fails; undefined where all pass. */
export async function failsUnder({ name }: Mutant, file: string): Promise<string | undefined> {
  const config = fileURLToPath(new URL('./mutant-vitest.config.ts', import.meta.url));
  const report = join(PLACE, 'tests.json');
  mkdirSync(PLACE, { recursive: true });
  rmSync(report, { force: true });
  const output = ['--reporter=json', `--outputFile=${report}`];
  const command = ['npx', 'vitest', 'run', '--config', config, '--maxWorkers=1', ...output, file];
  const { note } = await startProcess(command, { cwd: ROOT, env: { [MUTANT_VARIABLE]: name } }).ended;
  const { numTotalTests, testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  if (numTotalTests === 0) throw new Error(`no test ran in ${file}: ${note.slice(-2_000)}`);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.find(({ status }) => status === 'failed')?.fullName;
}

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}
