/**
 * Whether anything became slower than at the last accepted commit: `npm run bench:gate -- [--base COMMIT] [--pairs 15]
 * [--only book,replay-active] [--accept] [--json]`. Both sides are measured in fresh processes, in turns, so that what slows
 * the machine for a while slows both; exits with 1 where the median of a row lost a tenth.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sharedDir } from '../support/shared.ts';
import type { Figure } from './figure.ts';
import { type Compared, compareRow, gateTable, isSlower, pairOf } from './gate-verdict.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The commit whose speed was accepted last. */
const ACCEPTED = join(ROOT, 'test/bench/accepted-commit');
const ROWS = ['book', 'exchange', 'replay-noop', 'replay-active', 'import-plain'];

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    /** Fewer than fifteen cannot distinguish a tenth from noise. */
    pairs: { type: 'string', default: '15' },
    only: { type: 'string', default: ROWS.join(',') },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    /** Takes the commit that is checked out as the one to beat from now on, if it passes. */
    accept: { type: 'boolean', default: false },
  },
});
const pairs = Number(values.pairs);
if (!(pairs >= 1)) throw new Error(`--pairs is a number from 1 on, not '${values.pairs}'`);
/** The base is checked out elsewhere, and must find the same recordings. */
const shared = sharedDir();
const environment = shared === undefined ? process.env : { ...process.env, ODDSMITH_SHARED: resolve(shared) };
const base = git('rev-parse', values.base ?? readFileSync(ACCEPTED, 'utf8').trim());
const head = git('rev-parse', 'HEAD');
const tree = join(mkdtempSync(join(tmpdir(), 'oddsmith-gate-')), 'base');
let isPassed = false;
try {
  git('worktree', 'add', '--detach', tree, base);
  prepareBase();
  const rows: Compared[] = [];
  for (const row of values.only.split(',')) rows.push(compareRow(row, pairsOf(row)));
  isPassed = !rows.some(isSlower);
  const report = { base, head, pairs, rows };
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${gateTable(report)}\n`);
} finally {
  git('worktree', 'remove', '--force', tree);
  rmSync(join(tree, '..'), { recursive: true, force: true });
}
process.exitCode = isPassed ? 0 : 1;
if (isPassed && values.accept) {
  writeFileSync(ACCEPTED, `${head}\n`);
  process.stderr.write(`accepted: ${head}\n`);
}

/** Gives the base our packages if its lock file is the same, else its own, and builds what its benches run. */
function prepareBase(): void {
  const lock = 'package-lock.json';
  const isSame = readFileSync(join(tree, lock), 'utf8') === readFileSync(join(ROOT, lock), 'utf8');
  if (isSame) symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'), 'dir');
  else run('npm', ['ci', '--silent'], tree);
  if (!values.only.includes('start')) return;
  for (const directory of [tree, ROOT]) run('npm', ['run', '-s', 'build'], directory);
}

/** Figures of the base and of what is checked out, in turns; every second pair begins with the other. */
function pairsOf(row: string): readonly (readonly [number, number])[] {
  const figures: (readonly [number, number])[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    process.stderr.write(`${row}: pair ${pair + 1} of ${pairs}\n`);
    const isBaseFirst = pair % 2 === 0;
    const first = figure(isBaseFirst ? tree : ROOT, row);
    const second = figure(isBaseFirst ? ROOT : tree, row);
    figures.push(isBaseFirst ? pairOf(first, second) : pairOf(second, first));
  }
  return figures;
}

function figure(directory: string, row: string): Figure {
  const quick = values.quick ? ['--quick'] : [];
  const bench = ['--conditions=oddsmith-source', 'test/bench/bench.ts'];
  const { figures } = JSON.parse(run(process.execPath, [...bench, '--json', '--row', row, ...quick], directory)) as {
    readonly figures: readonly Figure[];
  };
  const found = figures.find(({ name }) => name === row);
  if (found === undefined) throw new Error(`${directory} has no figure for ${row}`);
  if (!found.unit.endsWith('/s')) throw new Error(`${row} is no speed, which is all that the gate compares`);
  return found;
}

function git(...args: readonly string[]): string {
  return run('git', args, ROOT).trim();
}

function run(command: string, args: readonly string[], directory: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: directory,
    encoding: 'utf8',
    env: environment,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}
