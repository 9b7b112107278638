/**
 * Breaks the bot's own sources one way at a time and plays until a law is broken: `npm run vopr:mutants [name]`.
 * Prints which law caught each and at which seed, or which test where no life can meet it; exits with 1 where one is not caught.
 */

import { parseArgs } from 'node:util';
import { bundleRunner, reportOf, runBundle } from '../support/vopr/bundle.ts';
import { MUTANTS } from '../support/vopr/mutant-list.ts';
import { failsUnder } from '../support/vopr/mutant-tests.ts';

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** As many lives as `npm test` plays: what they are to notice, they must notice within these. */
    seeds: { type: 'string', default: '2000' },
    /** Those of one exchange alone. */
    exchange: { type: 'string' },
    jobs: { type: 'string', default: '2' },
  },
  allowPositionals: true,
});
let survivors = 0;
for (const mutant of MUTANTS) {
  if (positionals.length > 0 && !positionals.some((part) => mutant.name.includes(part))) continue;
  if (values.exchange !== undefined && values.exchange !== (mutant.exchange ?? 'betdex')) continue;
  if (mutant.test !== undefined) {
    const failed = await failsUnder(mutant, mutant.test);
    if (failed === undefined) survivors += 1;
    process.stdout.write(`${mutant.name.padEnd(60)} ${failed ?? `NOT CAUGHT by ${mutant.test}`}\n`);
    continue;
  }
  const runner = await bundleRunner(mutant);
  const { exchange = 'betdex' } = mutant;
  const range = ['--seed', values.seed, '--seeds', values.seeds, '--jobs', values.jobs];
  const result = await runBundle(runner, [...range, '--exchange', exchange, '--json']);
  const { failures, seconds, seeds } = reportOf(result);
  const [caught] = failures;
  if (caught === undefined) survivors += 1;
  const end =
    caught === undefined
      ? `NOT CAUGHT in ${seeds} seeds`
      : `seed ${caught.seed}, after ${seeds}: ${caught.what.split('\n')[0]?.slice(0, 160)}`;
  process.stdout.write(`${mutant.name.padEnd(52)} ${seconds.toFixed(0).padStart(4)} s  ${end}\n`);
}
process.exitCode = survivors > 0 ? 1 : 0;
