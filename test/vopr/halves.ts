/** Every second seed of the test's range, in a process of its own. */

import { bundleRunner, reportOf, runBundle } from '../support/vopr/bundle.ts';
import { missing } from './coverage.ts';

export const SEEDS = 1_200;
/** On a machine that does much else. */
export const TIMEOUT_MS = 600_000;

export async function playHalf(
  first: 1 | 2,
): Promise<{ readonly failures: readonly string[]; readonly missing: readonly string[] }> {
  const runner = await bundleRunner();
  const args = [
    '--seed',
    String(first),
    '--step',
    '2',
    '--seeds',
    String(SEEDS),
    '--jobs',
    '1',
    '--failures',
    '3',
    '--json',
  ];
  const result = await runBundle(runner, args);
  const { failures, counts } = reportOf(result);
  return {
    failures: failures.map(({ seed, what }) => `${what}; again: npm run vopr -- --seed ${seed} --seeds 1`),
    missing: missing(counts),
  };
}
