/** A smoke set of every command on one Node: what each printed and how it ended, so that two Nodes can be compared. */

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parse, stringify } from 'yaml';
import { builtMain } from '../built-command.ts';
import { bzip2, tar } from '../compress.ts';
import { streamText } from '../made-stream.ts';
import { ROOT, SAMPLE_TAPE } from '../places.ts';
import { type Ended, type RunningCommand, startProcess } from '../running-command.ts';
import type { SandboxFacts } from '../vendor/sandbox-process.ts';
import type { NodeBinary } from './node-binary.ts';

const PATIENCE_MS = 600_000;
const GOLDEN = join(ROOT, 'test/support/node-versions/golden.mjs');

interface Place {
  readonly node: string;
  readonly directory: string;
}

export interface Step {
  readonly name: string;
  readonly code: number | null;
  /** Its results, where they are the same each time: without the directory of the run. */
  readonly out?: string;
}

/** Plays all of it on this Node, or without the runs of `backtest/golden.json`. @throws where a command did not do what it is for */
export async function smoke(node: NodeBinary, { golden = true } = {}): Promise<readonly Step[]> {
  const directory = mkdtempSync(join(tmpdir(), `oddsmith-node-${node.version}-`));
  const place: Place = { node: node.path, directory };
  try {
    const runs = golden ? [await goldenRuns(place)] : [];
    return [...runs, ...(await sameEachTime(place, plainCommands(directory))), ...(await liveOnes(place))];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Commands that print the same on every machine. */
async function sameEachTime(place: Place, commands: readonly PlainCommand[]): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const [name, args, code] of commands) {
    const ran = await run(place, args);
    expectCode(name, ran, code);

    steps.push({ name, code: ran.code, out: withoutTimes(ran.out).replaceAll(place.directory, 'DIR') });
  }
  return steps;
}

/** How long something took is the only thing in results that differs from run to run. */
function withoutTimes(out: string): string {
  return out.replace(/"(elapsedMs|updatesPerSecond|linesPerSecond)":[\d.]+/g, '"$1":0');
}

type PlainCommand = readonly [name: string, args: readonly string[], code: number];

function plainCommands(directory: string): readonly PlainCommand[] {
  return [
    ['help', ['--help'], 0],
    ['version', ['--version'], 0],
    ['no such command', ['backtset'], 2],
    ['explain', ['explain', 'TAPE_CORRUPT'], 0],
    ['demo', ['demo', '--out', directory], 0],
    ['init', ['init', join(directory, 'my-bot'), '--from', packedFile(directory)], 0],
    ['init over it', ['init', join(directory, 'my-bot')], 2],
    ['completion', ['completion', 'bash'], 0],
    ['backtest, three bounds', backtest('favourite-scalp.ts', directory, ['--fills', 'bounds']), 0],
    ['backtest, proved', backtest('favourite-scalp.ts', directory, ['--prove']), 0],
    ['backtest without its tape', ['backtest', '--strategy', strategyFile('dutch-book.ts'), '--tape', 'no.tape'], 5],
    ['tape info', ['tape', 'info', SAMPLE_TAPE, '--json'], 0],
    ['tape verify', ['tape', 'verify', SAMPLE_TAPE], 0],
    ['tape export', ['tape', 'export', SAMPLE_TAPE, '--out', join(directory, 'sample.jsonl')], 0],
    ['tape index', ['tape', 'index', copiedTape(directory), '--json'], 0],
    ...sweepCommands(directory),
    ['tape split', ['tape', 'split', SAMPLE_TAPE, '--by', 'event', '--out', join(directory, 'pieces'), '--json'], 0],
    ['worker without its Redis', ['worker', '--redis', 'redis://127.0.0.1:1', '--tapes', SAMPLE_TAPE, '--json'], 4],
    ...importCommands(directory),
  ];
}

/** To be written into: other versions read the sample meanwhile. */
function copiedTape(directory: string): string {
  const path = join(directory, 'indexed.tape');
  copyFileSync(SAMPLE_TAPE, path);
  return path;
}

/** What `npm pack` makes, as far as `init` looks into it. */
function packedFile(directory: string): string {
  const path = join(directory, 'packed.tgz');
  const manifest = JSON.stringify({ name: 'oddsmith', version: '0.1.0' });
  writeFileSync(path, gzipSync(tar({ 'package/package.json': Buffer.from(manifest) })));
  return path;
}

/** A sweep of four trials: the hash of its trials is the same on every Node. */
function sweepCommands(directory: string): readonly PlainCommand[] {
  const config = join(directory, 'sweep.yaml');
  const out = join(directory, 'sweeps');
  const space = { 'params.stake': { values: [2, 5] }, 'latency.requestMs': { values: [40, 160] } };
  const sweep = { name: 'smoke', out, space, holdout: { from: '2126-01-01' } };
  const strategies = [{ file: strategyFile('favourite-scalp.ts') }];
  writeFileSync(config, stringify({ strategies, tapes: [SAMPLE_TAPE], isolate: 'event', sweep }));
  const made = join(out, 'smoke');
  return [
    ['sweep', ['sweep', config, '--jobs', '2', '--json'], 0],
    ['sweep top', ['sweep', 'top', made], 0],
    ['sweep show', ['sweep', 'show', made, '--trial', '1'], 0],
    ['sweep holdout', ['sweep', 'holdout', made], 0],
    ['sweep export', ['sweep', 'export', made, '--csv', join(directory, 'trials.csv')], 0],
    ['sweep rerun', ['sweep', 'rerun', made, '--trial', '1', '--json'], 0],
  ];
}

/** The runs of backtest/golden.json, which know no limits. */
async function goldenRuns({ node }: Place): Promise<Step> {
  const known: { readonly limits: object } = parse(readFileSync(join(ROOT, 'config/backtest.yaml'), 'utf8'));
  const limits = { ...Object.fromEntries(Object.keys(known.limits).map((name) => [name, 'none'])), selfMatch: 'allow' };
  const names = readdirSync(join(ROOT, 'strategies')).filter((file) => file.endsWith('.ts'));
  const task = JSON.stringify({ tape: SAMPLE_TAPE, files: names.sort().map(strategyFile), limits });
  const ran = await startProcess([node, GOLDEN, task], { patienceMs: 5 * PATIENCE_MS }).ended;
  expectCode('golden runs', ran, 0);
  return { name: 'golden runs', code: ran.code, out: withoutTimes(ran.out) };
}

function backtest(file: string, directory: string, more: readonly string[] = []): readonly string[] {
  return ['backtest', '--strategy', strategyFile(file), '--tape', SAMPLE_TAPE, '--out', directory, '--json', ...more];
}

function strategyFile(file: string): string {
  return join(ROOT, 'strategies', file);
}

function importCommands(directory: string): readonly PlainCommand[] {
  const text = (market: string) => Buffer.from(streamText({ updates: 600, market }));
  const recordings = join(directory, 'recordings');
  mkdirSync(recordings, { recursive: true });
  writeFileSync(join(recordings, 'a'), text('1.100000001'));
  writeFileSync(join(recordings, 'b.gz'), gzipSync(text('1.100000002')));
  writeFileSync(join(recordings, 'c.bz2'), bzip2(text('1.100000003')));
  writeFileSync(join(recordings, 'd.zst'), zstdCompressSync(text('1.100000004')));
  const tape = join(directory, 'imported.tape');
  const verified = ['tape', 'verify', tape];
  return [
    ['import betfair on one thread', ['import', 'betfair', recordings, '--tape', tape, '--jobs', '1', '--json'], 0],
    ['tape verify of the import', verified, 0],
    ['import betfair over it', ['import', 'betfair', recordings, '--tape', tape], 2],
    [
      'import betfair on two threads',
      ['import', 'betfair', recordings, '--tape', tape, '--jobs', '2', '--overwrite', '--json'],
      0,
    ],
    ['tape info of the import', ['tape', 'info', tape, '--json'], 0],
  ];
}

/** The commands that live in time: what they print differs, how they end does not. */
async function liveOnes(place: Place): Promise<readonly Step[]> {
  const sandbox = start(place, ['sandbox', '--port', '0', '--crowd', '--json']);
  await sandbox.until(/\}\s*$/);
  const facts: SandboxFacts = JSON.parse(sandbox.said.out);
  try {
    return [
      ...(await served(place)),
      ...(await recorded(place, facts)),
      ...(await alerted(place, facts)),
      ...(await traded(place, facts, 'paper')),
      ...(await traded(place, facts, 'live')),
      ...(await dashboards(place)),
      ...(await viewed(place)),
    ];
  } finally {
    sandbox.kill('SIGTERM');
    expectCode('sandbox', await sandbox.ended, 0);
  }
}

/** The pieces that `tape split` wrote. */
async function served({ node, directory }: Place): Promise<readonly Step[]> {
  const server = start({ node, directory }, ['tape', 'serve', join(directory, 'pieces'), '--port', '0', '--json']);
  await server.until('"address"');
  const { manifest }: { readonly manifest: string } = JSON.parse(server.said.out);
  const { pieces }: { readonly pieces: readonly unknown[] } = JSON.parse(await (await fetch(manifest)).text());
  server.kill('SIGTERM');
  const ended = await server.ended;
  expectCode('tape serve', ended, 0);
  if (pieces.length === 0) throw new Error('tape serve: the list has no pieces');
  return [step('tape serve', ended)];
}

/** One page over all runs below a directory. */
async function dashboards(place: Place): Promise<readonly Step[]> {
  const server = start(place, ['dashboard', place.directory, '--port', '0', '--json']);
  await server.until('"url"');
  const { url }: { readonly url: string } = JSON.parse(server.said.out);
  const page = await (await fetch(url)).text();
  server.kill('SIGTERM');
  const ended = await server.ended;
  expectCode('dashboard', ended, 0);
  if (!page.includes('id="dashboard"')) throw new Error('dashboard: there is no page');
  return [step('dashboard', ended)];
}

/** The run of the demo: its first market, and the ladders of its first part. */
async function viewed(place: Place): Promise<readonly Step[]> {
  const run = readdirSync(place.directory).find((name) => name.startsWith('demo-')) ?? '';
  const server = start(place, ['view', join(place.directory, run), '--port', '0', '--json']);
  await server.until('"link"');
  const { url, link }: { readonly url: string; readonly link: string } = JSON.parse(server.said.out);
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ link: link.split('#link=')[1] });
  const login = await fetch(`${url}/login`, { method: 'POST', headers, body });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { markets }: { readonly markets: readonly { readonly id: string }[] } = JSON.parse(await login.text());
  const part = await fetch(`${url}/part?id=${markets[0]?.id}&part=0`, { headers: { cookie } });
  const { updates }: { readonly updates: readonly unknown[] } = JSON.parse(await part.text());
  server.kill('SIGTERM');
  const ended = await server.ended;
  expectCode('view', ended, 0);
  if (updates.length === 0) throw new Error('view: the first part has no updates');
  return [step('view', ended)];
}

async function recorded(place: Place, facts: SandboxFacts): Promise<readonly Step[]> {
  const config = join(place.directory, 'record.yaml');
  writeFileSync(config, stringify({ exchange: exchangeOf(facts), out: join(place.directory, 'tapes') }));
  const recording = start(place, ['record', config]);
  await recording.until(/recording onto/);
  await pass(2_000);
  recording.kill('SIGTERM');
  const ran = await recording.ended;

  expectCode('record', ran, 0);
  const tapes = readdirSync(join(place.directory, 'tapes')).map((name) => join(place.directory, 'tapes', name));
  const verified = await run(place, ['tape', 'verify', ...tapes]);
  expectCode('tape verify of the recording', verified, 0);
  return [step('record', ran), step('tape verify of the recording', verified)];
}

/** Its dead-man service is the sandbox, which answers whoever calls. */
async function alerted(place: Place, facts: SandboxFacts): Promise<readonly Step[]> {
  const config = join(place.directory, 'alerts.yaml');
  const strategies = [{ file: strategyFile('favourite-scalp.ts') }];
  writeFileSync(
    config,
    stringify({ exchange: exchangeOf(facts), strategies, alerts: { deadMan: { url: facts.url } } }),
  );
  const ran = await run(place, ['alert', 'test', config]);
  expectCode('alert test', ran, 0);
  return [step('alert test', ran)];
}

/** Starts a bot, asks and tells it all that it can be asked and told, ends it, and replays what it recorded. */
async function traded(place: Place, facts: SandboxFacts, kind: 'paper' | 'live'): Promise<readonly Step[]> {
  const dir = join(place.directory, kind);
  const config = join(place.directory, `${kind}.yaml`);
  const strategy = join(place.directory, 'favourite-scalp.ts');
  copyFileSync(strategyFile('favourite-scalp.ts'), strategy);
  const wallet = kind === 'live' ? { id: facts.walletId } : { balance: 10_000 };
  writeFileSync(
    config,
    stringify({
      exchange: exchangeOf(facts),
      strategies: [{ file: strategy }],
      wallets: { main: wallet },
      limits: {},
      record: true,
      dashboard: { port: 0 },
      dir,
    }),
  );
  const bot = start(place, ['run', config, ...(kind === 'paper' ? ['--paper'] : []), '--json']);
  await bot.until(/"to":"trading"/);
  const steps: Step[] = [];
  for (const [name, expected] of [
    ['doctor', 0],
    ['status', 0],
    ['cancel', 0],
    ['halt', 0],
    ['resume', 0],
    ['dashboard link', 0],
    ['stop', 0],
  ] as const) {
    const words = name === 'dashboard link' ? ['dashboard', 'link'] : [name];
    const ran = await run(place, [...words, config, '--json']);
    expectCode(`${kind}: ${name}`, ran, expected);

    steps.push(step(`${kind}: ${name}`, ran));
  }
  const ended = await bot.ended;
  expectCode(`${kind}: run`, ended, 0);
  const parity = await run(place, ['parity', dir, '--json']);
  expectCode(`${kind}: parity`, parity, 0);
  const report = await run(place, ['report', dir, '--json']);
  expectCode(`${kind}: report`, report, 0);
  return [...steps, step(`${kind}: run`, ended), step(`${kind}: parity`, parity), step(`${kind}: report`, report)];
}

function exchangeOf({ url, streamUrl, appId, apiKey }: SandboxFacts): object {
  return { url, streamUrl, appId, apiKey };
}

function step(name: string, { code }: Ended): Step {
  return { name, code };
}

function expectCode(name: string, ran: Ended, code: number): void {
  if (ran.code === code) return;
  throw new Error(`${name}: ended with ${ran.code}, not ${code}\n${ran.out.slice(-2_000)}\n${ran.note.slice(-4_000)}`);
}

function start({ node, directory }: Place, args: readonly string[]): RunningCommand {
  const terms = { cwd: directory, env: { NO_COLOR: '1' }, patienceMs: PATIENCE_MS };
  return startProcess([node, builtMain(), ...args], terms);
}

function run(place: Place, args: readonly string[]): Promise<Ended> {
  return start(place, args).ended;
}
