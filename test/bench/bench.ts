/**
 * What oddsmith's parts do per second, each beside a yardstick: `npm run bench -- [--json] [--only book,exchange]
 * [--row exchange-20] [--tape FILE] [--file RECORDING] [--quick]`. Figures go to stdout, words and progress to stderr.
 */

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileMeasure } from './compile.ts';
import { prepareData } from './data.ts';
import type { Figure } from './figure.ts';
import { figureTable } from './figure-table.ts';
import type { MeasureTask } from './measure.ts';
import { FULL, QUICK } from './size.ts';

/** Names that `--only` takes, with the rows that each prints. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  book: ['book'],
  exchange: ['exchange', 'exchange-20', 'exchange-taking', 'exchange-bare'],
  'replay-noop': ['replay-noop'],
  'replay-active': ['replay-active', 'replay-guest', 'replay-bounds', 'replay-all', 'replay-orders', 'replay-bare'],
  'replay-cold-noop': ['replay-cold-noop'],
  'replay-cold-active': ['replay-cold-active', 'replay-cold-bare'],
  'replay-merged': ['replay-merged', 'replay-merged-bare'],
  'strategies-idle': ['strategies-idle'],
  'strategies-reading': ['strategies-reading'],
  'strategies-ordering': ['strategies-ordering'],
  'slope-markets': ['slope-markets'],
  'slope-orders': ['slope-orders'],
  'memory-orders': ['memory-orders'],
  'memory-single': ['memory-single'],
  'memory-merged': ['memory-merged'],
  'replay-decoding': ['replay-decoding'],
  refusal: ['refusal'],
  markets: ['markets'],
  events: ['event-none', 'event-level', 'event-trade', 'event-last-price', 'event-definition'],
  start: ['start-help', 'start-decision'],
  'import-plain': ['import-plain'],
  'import-bz2': ['import-bz2'],
  'sandbox-get': ['sandbox-get', 'sandbox-get-1'],
  'sandbox-batch': ['sandbox-batch', 'sandbox-batch-1'],
  'client-order': ['client-order', 'client-order-50'],
};

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** One row, without the others of its name. */
    row: { type: 'string' },
    tape: { type: 'string' },
    file: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});

const rows = values.row === undefined ? rowsOf(values.only) : [rowNamed(values.row)];
const size = values.quick ? QUICK : FULL;
const directory = mkdtempSync(join(tmpdir(), 'oddsmith-bench-'));
const compiled = await compileMeasure();
process.once('SIGINT', () => process.exit(130));
process.once('exit', () => {
  for (const made of [directory, compiled.directory]) rmSync(made, { recursive: true, force: true });
});
const machine = machineNow();
say('preparing data');
const data = await prepareData({ directory, size, quick: values.quick, tape: values.tape, file: values.file });
say(`import: ${data.recordingName}; replay: ${data.tapeName}`);
const figures: Figure[] = [];
// A quick bench shows that each row works; its figures count for nothing.
for (const together of values.quick ? [rows] : rows.map((row) => [row])) {
  say(`measuring ${together.join(', ')}`);
  figures.push(...(await measured({ rows: together, data, size })));
}
const failed = rows.filter((row) => figures.every(({ name }) => name !== row));
if (failed.length > 0) {
  say(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
const report = { machine, node: process.version, figures };
console.log(values.json ? JSON.stringify(report) : `${machine}, Node ${process.version}\n\n${figureTable(figures)}`);

function rowsOf(only: string | undefined): readonly string[] {
  const names = only?.split(',') ?? Object.keys(ROWS);
  return names.flatMap((name) => {
    const found = ROWS[name];
    if (found !== undefined) return found;
    console.error(`no bench is named "${name}"; there are ${Object.keys(ROWS).join(', ')}`);
    return process.exit(2);
  });
}

function rowNamed(name: string): string {
  const known = Object.values(ROWS).flat();
  if (known.includes(name)) return name;
  console.error(`no row is named "${name}"; there are ${known.join(', ')}`);
  return process.exit(2);
}

/** Without those that failed, of which the process says why on stderr. */
function measured(task: MeasureTask): Promise<readonly Figure[]> {
  // What it prints is words, never figures.
  const child = fork(compiled.measure, [JSON.stringify(task)], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  const measuredNow: Figure[] = [];
  child.on('message', (message) => measuredNow.push(message as Figure));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(measuredNow));
  });
}

/** The load at the start says how much to trust the figures. */
function machineNow(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${model}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(2)}`;
}

function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
