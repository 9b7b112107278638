/** No command makes Node warn of anything: these, in processes of their own; those of the documents in test/docs. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bzip2, tar, zip } from '../support/compress.ts';
import { streamText } from '../support/made-stream.ts';
import { ROOT } from '../support/places.ts';
import { builtCommand, type Ended, type RunningCommand, startProcess } from '../support/running-command.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** As many bytes, hardly packed, as make more than ten pieces of 64 KiB: a listener for each would show itself. */
const UPDATES = 40_000;
/** More files than an emitter may have listeners. */
const GZIPPED = 12;

const folder = temporaryDirectory('warnings');
const warnings = join(folder, 'warnings.txt');
const commands: RunningCommand[] = [];
let environment: Readonly<Record<string, string>> = {};
afterAll(() => {
  for (const command of commands) command.kill();
});

function start(args: readonly string[]): RunningCommand {
  const env = { ...environment, NODE_OPTIONS: `--trace-warnings --redirect-warnings=${warnings}` };
  const command = startProcess(builtCommand(args), { cwd: folder, env });
  commands.push(command);
  return command;
}

async function end(command: RunningCommand): Promise<Ended> {
  command.kill('SIGTERM');
  return await command.ended;
}

function expectNone(command: string): void {
  expect(existsSync(warnings) ? readFileSync(warnings, 'utf8') : '', command).toBe('');
}

const TRADING = /"phase":"trading"|trading/;

function writeRecordings(): void {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const text = (market: number) => Buffer.from(streamText({ updates: UPDATES, market: `1.${100_000_000 + market}` }));
  for (let i = 0; i < GZIPPED; i += 1) writeFileSync(join(recordings, `${i}.gz`), gzipSync(text(i), { level: 0 }));
  writeFileSync(join(recordings, 'a.zst'), zstdCompressSync(text(20)));
  writeFileSync(join(recordings, 'b.bz2'), bzip2(text(21), '-1'));
  writeFileSync(join(recordings, 'c.zip'), zip({ a: text(22) }, 'DEFLATED'));
  writeFileSync(join(recordings, 'd.tar'), tar({ 'a.gz': gzipSync(text(23)), 'b.zst': zstdCompressSync(text(24)) }));
}

let exchange: RunningCommand;

beforeAll(async () => {
  for (const part of ['config', 'strategies', 'backtest/sample.tape'])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  writeRecordings();
  exchange = start(['sandbox', '--memory', '--crowd', '--port', '0', '--json']);
  await exchange.until(/}\n$/);
  const { url, streamUrl, appId, apiKey, walletId } = JSON.parse(exchange.said.out);
  environment = { ODDSMITH_APP_ID: appId, ODDSMITH_API_KEY: apiKey, ODDSMITH_WALLET_ID: walletId };
  for (const name of ['record', 'paper', 'live']) {
    const file = join(folder, `config/${name}.yaml`);
    const own = readFileSync(file, 'utf8').replaceAll('http://127.0.0.1:8640', url);
    writeFileSync(file, own.replaceAll(/ws:\/\/127\.0\.0\.1:8640\/?/g, streamUrl));
  }
});

test.each(['1', '2'])('an import of every wrapping with --jobs %s', async (jobs) => {
  const { code, out, note } = await start([
    'import',
    'betfair',
    'recordings',
    '--tape',
    `jobs-${jobs}.tape`,
    '--jobs',
    jobs,
  ]).ended;
  expect(code, `${out}${note}`).toBe(0);
  expect(out).toMatch(new RegExp(`markets +${GZIPPED + 5}\\n`));
  expectNone('import');
});

test('a run that is halted, resumed and stopped, and its parity', async () => {
  for (const way of ['live', 'paper'] as const) {
    const daemon = start(['run', `config/${way}.yaml`, ...(way === 'paper' ? ['--paper'] : [])]);
    await daemon.until(TRADING);
    for (const args of [['halt', '--reason', 'a test'], ['resume'], ['halt', '--reduce-only'], ['stop']]) {
      const [command = '', ...more] = args;
      const { code, out, note } = await start([command, `config/${way}.yaml`, ...more]).ended;
      expect(code, `${command}: ${out}${note}`).toBe(0);
    }
    expect((await daemon.ended).code).toBe(0);
  }
  const [run = ''] = readdirSync(join(folder, 'runs/paper')).filter((name) => name.startsWith('paper-'));
  // Whether so short a run is the same in its replay is no matter here.
  const { out, note } = await start(['parity', join('runs/paper', run)]).ended;
  expect(out, note).toContain('paper run against its replay');
  expectNone('halt, resume, stop, parity');
});

test('the rest: demo, verify, export, and the exchange that served all this', async () => {
  for (const args of [
    ['demo'],
    ['tape', 'verify', 'backtest/sample.tape'],
    ['tape', 'export', 'backtest/sample.tape', '--out', 'out.jsonl'],
  ]) {
    const { code, note } = await start(args).ended;
    expect(code, note).toBe(0);
  }
  expect((await end(exchange)).code).toBe(0);
  expectNone('the rest');
});
