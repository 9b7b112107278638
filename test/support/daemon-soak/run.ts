/** Runs a daemon among hundreds of markets and faults, and proves its memory and books: `npm run soak:daemon -- --minutes 30`. */

import { parseArgs } from 'node:util';
import { soakDaemon } from './soak.ts';
import { soakText } from './soak-report.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    markets: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const report = await soakDaemon({
  ...{ minutes: Number(values.minutes), markets: Number(values.markets), seed: Number(values.seed) },
  onSample: (line) => {
    if (values.verbose) process.stderr.write(`${line}\n`);
  },
  onKept: (directory) => void process.stderr.write(`the daemon's journal and log are kept in ${directory}\n`),
});
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : soakText(report));
if (report.troubles.length > 0) process.exitCode = 1;
