/** Backtests beside an exchange that shares no code with ours: prints each row, and with --write renews its part of docs/fidelity.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withFifoPart } from '../support/fifo/fifo-page.ts';
import { breachOf, type Demanded, type Fidelity, fidelityOf, SCENARIOS } from '../support/fifo/fifo-scenarios.ts';
import { type Judged, judgedOf } from '../support/fifo/fifo-truth.ts';
import { removeTemporaryDirectories } from '../support/temporary-directory.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    markets: { type: 'string', default: '10' },
    orders: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const [first, markets, orders] = [values.seed, values.markets, values.orders].map(Number) as [number, number, number];
const command = `npm run fifo-truth -- --seed ${first} --markets ${markets} --orders ${orders} --write`;
const page = fileURLToPath(new URL('../../docs/fidelity.md', import.meta.url));

const measured: { readonly scenario: Demanded; readonly fidelity: Fidelity }[] = [];
for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
  const judged: Judged[] = [];
  for (let seed = first; seed < first + markets; seed += 1) {
    judged.push(...(await judgedOf(scenario, seed, orders)));
    removeTemporaryDirectories();
  }
  const fidelity = fidelityOf(judged);
  measured.push({ scenario, fidelity });
  console.log(JSON.stringify({ crowd: scenario.name, ...fidelity }));
  const breach = breachOf(scenario, fidelity);
  if (breach === undefined) continue;
  console.error(`${scenario.name}: ${breach}`);
  process.exitCode = 1;
}
if (values.write) writeFileSync(page, withFifoPart(readFileSync(page, 'utf8'), measured, { command, markets }));
