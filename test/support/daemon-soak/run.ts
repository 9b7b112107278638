/**
 * Runs a daemon among hundreds of markets and faults, and proves its memory and books: `npm run soak:daemon -- --minutes 30`;
 * with `--journal` its journal beside a strategy that stands at its limit.
 */

import { parseArgs } from 'node:util';
import { journalSoakText, soakJournal } from './journal-soak.ts';
import { type SoakChoice, soakDaemon } from './soak.ts';
import { soakText } from './soak-report.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    markets: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    journal: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const choice: SoakChoice = {
  ...{ minutes: Number(values.minutes), markets: Number(values.markets), seed: Number(values.seed) },
  onSample: (line) => {
    if (values.verbose) process.stderr.write(`${line}\n`);
  },
  onKept: (directory) => void process.stderr.write(`the daemon's journal and log are kept in ${directory}\n`),
};
if (values.journal) {
  const report = await soakJournal(choice);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : journalSoakText(report));
  if (report.troubles.length > 0) process.exitCode = 1;
} else {
  const report = await soakDaemon(choice);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : soakText(report));
  if (report.troubles.length > 0) process.exitCode = 1;
}
