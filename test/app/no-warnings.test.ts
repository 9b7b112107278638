/** No documented command makes Node warn of anything: each is run as the documents write it, in processes of their own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtCommand } from '../support/built-command.ts';
import { bzip2, tar, zip } from '../support/compress.ts';
import { streamText } from '../support/made-stream.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = ['README.md', 'docs/backtest.md', 'docs/operations.md', 'docs/record.md', 'docs/sandbox.md'].concat(
  'docs/strategies.md',
);
/** As many bytes, hardly packed, as make more than ten pieces of 64 KiB: a listener for each would show itself. */
const UPDATES = 40_000;
/** More files than an emitter may have listeners. */
const GZIPPED = 12;

const folder = mkdtempSync(join(tmpdir(), 'oddsmith-warnings-'));
const warnings = join(folder, 'warnings.txt');
const children: ChildProcess[] = [];
let environment: Readonly<Record<string, string>> = {};
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly note: string;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when it has said so; what it had printed to stdout by then. */
  said(what: RegExp): Promise<string>;
}

function start(args: readonly string[]): Running {
  const options = `--trace-warnings --redirect-warnings=${warnings}`;
  const env = { ...process.env, ...environment, NODE_OPTIONS: options };
  const child = spawn(process.execPath, [builtCommand(), ...args], { cwd: folder, env });
  children.push(child);
  const printed = { out: '', note: '' };
  const listeners: (() => void)[] = [];
  const take = (to: 'out' | 'note') => (piece: Buffer) => {
    printed[to] += piece.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', take('out'));
  child.stderr.on('data', take('note'));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...printed })));
  const said = (what: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (what.test(printed.out) || what.test(printed.note)) resolve(printed.out);
      };
      listeners.push(look);
      look();
      void ended.then(() => reject(new Error(`${args.join(' ')} ended before: ${printed.out}${printed.note}`)));
    });
  return { child, ended, said };
}

async function end({ child, ended }: Running): Promise<Ended> {
  child.kill('SIGTERM');
  return await ended;
}

function expectNone(command: string): void {
  expect(existsSync(warnings) ? readFileSync(warnings, 'utf8') : '', command).toBe('');
}

/** What the documents write after the command's own words. */
function documented(): readonly (readonly string[])[] {
  const lines = DOCUMENTS.flatMap(
    (document) => readFileSync(join(root, document), 'utf8').match(/^npm run -s oddsmith -- .*$/gm) ?? [],
  );
  return [...new Set(lines)].map((line) => line.replace('npm run -s oddsmith -- ', '').trim().split(/\s+/));
}

/** Commands that work until they are asked to end, and what they print then. */
const LASTING: Readonly<Record<string, RegExp>> = {
  sandbox: /Ctrl-C ends it\.\n$/,
  record: /recording onto/,
  run: /"phase":"trading"|trading/,
};

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

let exchange: Running;

beforeAll(async () => {
  for (const part of ['config', 'strategies', 'backtest/sample.tape'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  // The documents' own strategy and tape are the reader's: these stand for them.
  cpSync(join(root, 'strategies/favourite-scalp.ts'), join(folder, 'queue-and-level.ts'));
  const strategy = readFileSync(join(folder, 'queue-and-level.ts'), 'utf8');
  writeFileSync(
    join(folder, 'queue-and-level.ts'),
    strategy.replace(/params: \{/, "params: { hold: param.duration({ default: '1m' }),"),
  );
  mkdirSync(join(folder, 'tapes'));
  cpSync(join(root, 'backtest/sample.tape'), join(folder, 'tapes/2026-11-20.tape'));
  writeRecordings();
  exchange = start(['sandbox', '--memory', '--crowd', '--port', '0', '--json']);
  const { url, streamUrl, appId, apiKey, walletId } = JSON.parse(await exchange.said(/}\n$/));
  environment = { ODDSMITH_APP_ID: appId, ODDSMITH_API_KEY: apiKey, ODDSMITH_WALLET_ID: walletId };
  for (const name of ['record', 'paper', 'live']) {
    const file = join(folder, `config/${name}.yaml`);
    const own = readFileSync(file, 'utf8').replaceAll('http://127.0.0.1:8640', url);
    writeFileSync(file, own.replaceAll(/ws:\/\/127\.0\.0\.1:8640\/?/g, streamUrl));
  }
});

test.each(documented().map((args) => [args.join(' '), args] as const))('%s', async (command, args) => {
  const lasting = args.includes('--help') ? undefined : LASTING[args[0] ?? ''];
  // The default port may be another's on this machine.
  const given = args[0] === 'sandbox' ? [...args, '--port', '0'] : args;
  if (args[0] === 'status') {
    const daemon = start(['run', ...args.slice(1)]);
    await daemon.said(LASTING['run'] as RegExp);
    expect((await start(given).ended).code, command).toBe(0);
    await end(daemon);
  } else if (lasting !== undefined) {
    const running = start(given);
    await running.said(lasting);
    const { code, out, note } = await end(running);
    expect(code, `${command}: ${out}${note}`).toBe(0);
  } else {
    const { code, out, note } = await start(given).ended;
    expect(code, `${command}: ${out}${note}`).toBe(0);
  }
  expectNone(command);
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
  expect(out).toMatch(new RegExp(`${GZIPPED + 5} markets`));
  expectNone('import');
});

test('a run that is halted, resumed and stopped, and its parity', async () => {
  for (const way of ['live', 'paper'] as const) {
    const daemon = start(['run', `config/${way}.yaml`, ...(way === 'paper' ? ['--paper'] : [])]);
    await daemon.said(LASTING['run'] as RegExp);
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
