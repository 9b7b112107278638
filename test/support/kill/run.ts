/** Kills a daemon in front of a sandbox again and again, and proves its books: `npm run kill:loop -- --kills 300 --seed 1`; with `--steps` at the steps of a compaction, with `--records` at the sight of each kind of record, with `--exchange betfair` in front of the Betfair sandbox. */

import { parseArgs } from 'node:util';
import { killAndAudit } from './kill-and-audit.ts';
import { reportText } from './kill-report.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    exchange: { type: 'string', default: 'betdex' },
    json: { type: 'boolean', default: false },
    steps: { type: 'boolean', default: false },
    records: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});
const { exchange } = values;
if (exchange !== 'betdex' && exchange !== 'betfair') throw new Error(`no exchange is called ${exchange}`);
const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
const report = await killAndAudit({
  ...{
    kills: Number(values.kills),
    seed: Number(values.seed),
    exchange,
    only: values.steps ? 'step' : values.records ? 'record' : undefined,
    signal: ending.signal,
  },
  onRound: (line) => {
    if (values.verbose) process.stderr.write(`${line}\n`);
  },
  onKept: (directory) => void process.stderr.write(`the daemon's journal and log are kept in ${directory}\n`),
});
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : reportText(report));
if (report.differences.length > 0) process.exitCode = 1;
