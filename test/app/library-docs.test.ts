/** The library's document is true, and the built package prints nothing: both run as files that import it by its name. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BOUNDS } from 'oddsmith/backtest';
import { afterAll, expect, test } from 'vitest';
import { builtMain } from '../support/built-command.ts';
import { ROOT } from '../support/places.ts';

const document = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
// Inside the package, where `oddsmith/backtest` is the built one.
mkdirSync(join(ROOT, 'runs'), { recursive: true });
const directory = mkdtempSync(join(ROOT, 'runs', 'library-docs-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function ran(name: string, code: string): Promise<string> {
  const file = join(directory, name);
  writeFileSync(file, code);
  builtMain();
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: ROOT });
  expect(stderr).toBe('');
  return stdout;
}

test('the example runs, and each of its runs has orders', async () => {
  const lines = (await ran('example.ts', /```ts\n([\s\S]*?)```/.exec(document)?.[1] ?? '')).trim().split('\n');
  expect(lines.filter((line) => /^market \d+ .+: \d+ updates$/.test(line))).toHaveLength(2);
  expect(lines.filter((line) => /^stake (2|10): 2 orders, transcript [0-9a-f]{10}$/.test(line))).toHaveLength(2);
  expect(
    lines.filter((line) => /^ {2}(pessimistic|central|optimistic): matched [\d.]+, net -?[\d.]+$/.test(line)),
  ).toHaveLength(6);
  const orders = /^ {2}(pessimistic|central|optimistic) \d+ For [\d.]+ x (2|10): \w+$/;
  expect(lines.filter((line) => orders.test(line))).toHaveLength(12);
});

test('the table of options names each of them, and no other', () => {
  const named = [...document.matchAll(/^\| `(\w+)`(?:, or `(\w+)`)? \| /gm)].flatMap(([, ...names]) => names);
  const options = named.filter((name) => name !== undefined).slice(0, -TABLES.length);
  expect(options).toEqual(OPTIONS);
  expect(named.filter((name) => name !== undefined).slice(-TABLES.length)).toEqual(TABLES);
  expect(BOUNDS).toContain('central');
});

const OPTIONS = [
  ...['tape', 'tapes', 'strategies', 'markets', 'wallet', 'wallets', 'feed', 'latency', 'inPlayDelay', 'commission'],
  ...[
    'fills',
    'fillRules',
    'exchange',
    'limits',
    'isolate',
    'seed',
    'prove',
    'jobs',
    'onProgress',
    'onConsole',
    'signal',
  ],
];
const TABLES = ['orders', 'fills', 'markets', 'outcomes', 'bounds', 'plots', 'notices'];

/** Runs, reads, imports, fails and is aborted, and looks at what became of the process. */
const QUIET = `
import { writeFileSync } from 'node:fs';
import { backtest, importRecordings, openTape } from 'oddsmith/backtest';

const written: string[] = [];
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = ((text: string, ...rest: never[]) => {
    written.push(String(text));
    return write(text, ...rest);
  }) as typeof stream.write;
}
const heard = () => process.eventNames().map((name) => [String(name), process.listenerCount(name)]).sort();
const before = heard();
let during: unknown;
const onProgress = () => {
  during ??= heard();
};
const tape = 'backtest/sample.tape';
const markets = { ids: ['99000302'] };
const strategies = [{ file: 'strategies/favourite-scalp.ts' }];
const run = await backtest({ tape, markets, strategies, prove: true, onProgress });
const failures: unknown[] = [];
const failed = (error: { code?: string }) => void failures.push(error.code);
await backtest({ tape: 'none', strategies }).catch(failed);
await backtest({ tape, markets, strategies: [{ file: 'none.ts' }] }).catch(failed);
await backtest({ tape, strategies, signal: AbortSignal.timeout(50) }).catch(failed);
await importRecordings({ files: ['package.json'], out: process.argv[1] + '.tape' }).catch(failed);
await importRecordings({ files: ['package.json', 'tsconfig.json'], out: process.argv[1] + '.tape', jobs: 2 }).catch(failed);
openTape(tape).close();
writeFileSync(process.argv[1] + '.json', JSON.stringify({
  written, before, during, after: heard(), failures,
  exitCode: process.exitCode ?? 0, orders: run.summary.orders.sent,
}));
`;

test('the library writes nothing, listens to no signals and leaves the process as it was', async () => {
  expect(await ran('quiet.ts', QUIET)).toBe('');
  const { written, before, during, after, failures, exitCode, orders } = JSON.parse(
    readFileSync(join(directory, 'quiet.ts.json'), 'utf8'),
  );
  expect(written).toEqual([]);
  expect(after).toEqual(before);
  expect(during).toEqual(before);
  expect(failures).toEqual(['TAPE_NOT_FOUND', 'STRATEGY_NOT_FOUND', 'ABORTED', 'NOT_A_RECORDING', 'NOT_A_RECORDING']);
  expect(exitCode).toBe(0);
  expect(orders).toBeGreaterThan(0);
});
