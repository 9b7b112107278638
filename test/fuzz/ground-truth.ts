/** The long ground-truth run: prints how true the overlay is in every scenario, and writes docs/fidelity.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fifoPartOf } from '../support/fifo/fifo-page.ts';
import {
  BIAS_MOST,
  BRACKET_LEAST,
  type Fidelity,
  fidelityOf,
  HARD_BRACKET_LEAST,
  runScenario,
  SCENARIOS,
  type Scenario,
} from '../support/ground-truth/fidelity.ts';
import { fidelityPage } from '../support/ground-truth/page.ts';
import type { Judged } from '../support/ground-truth/run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '30' },
    /** Runs of the scenarios without a gate. */
    others: { type: 'string', default: '10' },
    orders: { type: 'string', default: '400' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const first = Number(values.seed);
const runs = Number(values.runs);
const others = Number(values.others);
const orders = Number(values.orders);

const command = `npm run ground-truth -- --seed ${first} --runs ${runs} --others ${others} --orders ${orders} --write`;
const seeds = `${first} to ${first + runs - 1} at the gate, ${first} to ${first + others - 1} elsewhere, ${orders} orders each`;
const page = fileURLToPath(new URL('../../docs/fidelity.md', import.meta.url));

const fifoPart = fifoPartOf(readFileSync(page, 'utf8'));
const measured: { readonly scenario: Scenario; readonly fidelity: Fidelity }[] = [];
for (const scenario of SCENARIOS) {
  if (!scenario.name.includes(values.only)) continue;
  const judged: (readonly Judged[])[] = [];
  const until = first + (scenario.isGated ? runs : others);
  for (let seed = first; seed < until; seed += 1) judged.push(runScenario(scenario, { seed, orders }));
  const fidelity = fidelityOf(judged);
  measured.push({ scenario, fidelity });
  console.log(JSON.stringify({ scenario: scenario.name, ...fidelity }));
  if (values.write) writeFileSync(page, `${fidelityPage(measured, { command, seeds })}\n${fifoPart}`);
}

const failed = measured.filter(({ scenario, fidelity }) =>
  scenario.isGated
    ? !(fidelity.bracket >= BRACKET_LEAST && Math.abs(fidelity.bias) <= BIAS_MOST)
    : fidelity.bracket < HARD_BRACKET_LEAST,
);
for (const { scenario } of failed) console.error(`law 9 does not hold: ${scenario.name}`);
process.exitCode = failed.length === 0 ? 0 : 1;
