/** `backtest --jobs` as it is built: the same files as one job, byte by byte, and an early end as of one thread. */

import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { HEAD_LENGTH } from '../../../src/pages/report/columns.ts';
import { ROOT, SAMPLE_TAPE } from '../../support/places.ts';
import { builtCommand, type RunningCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const folder = temporaryDirectory('jobs');
const running: RunningCommand[] = [];
afterEach(() => {
  for (const command of running.splice(0)) command.kill();
});

/** A strategy that hangs is found after half a second; one that works is not taken for one on a busy machine. */
function configured(strategy: string, isolate = 'market', timeoutMs = 1_500): string {
  const config = join(folder, `${isolate}.yaml`);
  writeFileSync(
    config,
    `strategies: [{ file: ${strategy} }]\ntapes: [${SAMPLE_TAPE}]\nisolate: ${isolate}\nstrategyTimeoutMs: ${timeoutMs}\n`,
  );
  return config;
}

function backtest(config: string, ...flags: readonly string[]): RunningCommand {
  const command = startProcess(builtCommand(['backtest', config, ...flags]), { cwd: folder });
  running.push(command);
  return command;
}

/** Columns without the length of their head, which has one digit more where the run took longer. */
function columns(packed: Uint8Array): string {
  return gunzipSync(packed).subarray(HEAD_LENGTH).toString('latin1');
}

/** With the packed data of a page as text. */
function unpacked(text: string): string {
  return text.replace(/(?<= id="data">)[^<]+/, (data) => columns(Buffer.from(data, 'base64')));
}

/** The files of the only run in a directory; how long it took is taken out. */
function filesIn(out: string): Readonly<Record<string, string>> {
  const [directory = ''] = readdirSync(join(folder, out));
  const files = readdirSync(join(folder, out, directory)).map((name) => {
    const bytes = readFileSync(join(folder, out, directory, name));
    const text = name.endsWith('.gz') ? columns(bytes) : unpacked(bytes.toString('utf8'));
    return [`${directory}/${name}`, text.replace(/"(elapsedMs|updatesPerSecond)":[\d.]+/g, '"$1":0')];
  });
  return Object.fromEntries(files);
}

test('leaves the same directory as one job, and proves as well', async () => {
  const config = configured(join(ROOT, 'strategies/passive-quoter.ts'), 'market', 60_000);
  const flags = ['--fills', 'all', '--rows', '--prove'];
  // Fewer instants than usual: each replays pieces, and what is compared is how they are put together.
  const prove = ['--prove-instants', '4'];
  const ended = await Promise.all(
    ['1', '3'].map((jobs) => backtest(config, ...flags, ...prove, '--jobs', jobs, '--out', `out-${jobs}`).ended),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  const one = filesIn('out-1');
  expect(Object.keys(one)).toHaveLength(6);
  expect(one[Object.keys(one).find((name) => name.endsWith('orders.csv')) ?? '']?.length).toBeGreaterThan(10_000);
  expect(filesIn('out-3')).toEqual(one);
  expect(ended[1]?.out).toBe(ended[0]?.out);
});

test('is refused where the run is one piece', async () => {
  const { code, note } = await backtest(configured(join(ROOT, 'strategies/passive-quoter.ts'), 'none'), '--jobs', '2')
    .ended;
  expect(code).toBe(2);
  expect(note).toContain('error USAGE  --jobs 2 plays pieces of a run at once, and this run is one piece.');
});

/** Says that it is at work, and then does this in each call. */
function working(name: string, body: string): string {
  const text = `import { defineStrategy } from 'oddsmith';
let asked = 0;
export default defineStrategy({ name: '${name}', decide() {
  asked += 1;
  if (asked === 20) console.log('I am there');
  if (asked >= 20) { ${body} }
  return [];
} });
`;
  const path = join(folder, `${name}.ts`);
  writeFileSync(path, text);
  return path;
}

test('Ctrl-C ends all threads with what they have played', async () => {
  const slow = working('slow', 'for (let i = 0; i < 5e6; i += 1) Math.sqrt(i);');
  const running = backtest(configured(slow), '--jobs', '2', '--json', '--out', 'out-slow');
  await running.until('I am there');
  running.kill('SIGINT');
  const { code, out } = await running.ended;
  expect(code).toBe(130);
  const { interrupted, updates, runs } = JSON.parse(out);
  expect(interrupted).toBe(true);
  expect(updates).toBeGreaterThan(0);
  expect(runs.length).toBeGreaterThan(1);
});

test('a strategy that hangs in a thread is halted there and named, with the market, and the command goes on to its end', async () => {
  const hanging = working('hanging', 'for (;;);');
  const config = configured(hanging);
  appendFileSync(config, "markets: { ids: ['99000301', '99000501'] }\n");
  const { code, out } = await backtest(config, '--jobs', '2', '--json', '--out', 'out-hanging').ended;
  expect(code).toBe(2);
  const { halts, interrupted } = JSON.parse(out);
  expect(interrupted).toBe(false);
  const halt = { strategy: 'hanging', code: 'STRATEGY_STUCK', where: expect.stringContaining('hanging.ts') };
  expect(halts).toMatchObject([
    { ...halt, market: '99000301', worlds: ['central', 'pessimistic', 'optimistic'] },
    { ...halt, market: '99000501', worlds: ['central', 'pessimistic', 'optimistic'] },
  ]);
});
