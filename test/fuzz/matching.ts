/**
 * Plays seeds against the oracle until one differs: `npm run fuzz -- --seeds 2000 --seed 1 --commands 1000`.
 * Prints the shrunk difference and exits with 1, or prints what the run covered.
 */

import { parseArgs } from 'node:util';
import { Coverage } from '../support/coverage.ts';
import { exchangeMachine } from '../support/exchange-machine.ts';
import { duel, report, rulesOf, shrink } from '../support/matching-duel.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    commands: { type: 'string', default: '1000' },
  },
});
const [seeds, first, commands] = [values.seeds, values.seed, values.commands].map(Number) as [number, number, number];

const coverage = new Coverage();
const started = performance.now();
for (let seed = first; seed < first + seeds; seed++) {
  const difference = duel({ seed, commands, makeMachine: exchangeMachine, coverage });
  if (difference !== undefined) {
    const rules = rulesOf(seed);
    const short = shrink(difference.played, rules, exchangeMachine);
    console.log(report({ seed, commands: short, makeMachine: exchangeMachine }));
    process.exit(1);
  }
  if ((seed - first + 1) % 100 === 0) {
    console.log(`${seed - first + 1} seeds in ${Math.round((performance.now() - started) / 1000)} s, no difference`);
  }
}

for (const [name, count] of [...coverage.counts].sort()) console.log(`${String(count).padStart(9)}  ${name}`);
console.log(`${seeds} seeds × ${commands} commands from seed ${first}: no difference`);
const missing = coverage.missing();
if (missing.length > 0) console.log(`never reached: ${missing.join(', ')}`);
