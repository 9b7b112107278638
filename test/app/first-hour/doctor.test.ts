/** `oddsmith doctor` before a sandbox, on real files: what it finds, what it says to do, and that it changes nothing. */

import { chmodSync, copyFileSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { openSkewedProxy } from '../../support/daemon/skewed-proxy.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../../support/places.ts';
import { environmentVariable } from '../../support/record/recording-stage.ts';
import { temporaryDirectory, temporaryFile } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

interface Found {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly where?: string;
  readonly next?: string;
  readonly code?: string;
}

async function doctor(...args: readonly string[]) {
  const { code, out, note } = await run('doctor', ...args, '--json');
  expect(note).toBe('');
  const { checks, exitCode }: { readonly checks: readonly Found[]; readonly exitCode: number } = JSON.parse(out);
  expect(exitCode).toBe(code);
  for (const { status, next, check } of checks)
    if (status !== 'ok') expect(next, `${check} says what to do`).toBeTruthy();
  return { code, checks, of: (name: string) => checks.find(({ check }) => check === name) };
}

describe('without a configuration', () => {
  test('it looks at the machine and the package', async () => {
    const { code, checks } = await doctor();
    expect(code).toBe(0);
    expect(checks.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'node ok',
      'packages ok',
      'sample ok',
      expect.stringMatching(/^disk (ok|warning)$/),
    ]);
  });

  test('people read it as lines, with a sum', async () => {
    const { out } = await run('doctor');
    expect(out).toMatch(/^ok +node +Node \d+\./m);
    expect(out).toMatch(/\n\n[34] of 4 are well/);
  });
});

describe('a backtest', () => {
  const config = (parts: object) =>
    temporaryFile(
      'backtest.yaml',
      stringify({ strategies: [{ file: sampleStrategy('dutch-book') }], tapes: [SAMPLE_TAPE], ...parts }),
    );

  test('whose strategies load and whose tapes are whole is well', async () => {
    const { code, of } = await doctor(config({ out: join(temporaryDirectory('out'), 'runs') }));
    expect(code).toBe(0);
    expect(of('strategy')).toMatchObject({ status: 'ok', found: expect.stringContaining('dutch-book') });
    expect(of('tape')).toMatchObject({ status: 'ok', found: expect.stringContaining('14 markets and is whole') });
    expect(of('exchange')).toBeUndefined();
  });

  test('every strategy and tape is told of, and the exit code is that of the worst', async () => {
    const damaged = join(temporaryDirectory('tape'), 'damaged.tape');
    copyFileSync(SAMPLE_TAPE, damaged);
    const file = openSync(damaged, 'r+');
    writeSync(file, Buffer.alloc(2_000, 7), 0, 2_000, 200_000);
    const strategies = [{ file: 'no-such.ts' }, { file: sampleStrategy('dutch-book'), params: { patience: 5 } }];
    const { code, checks } = await doctor(config({ strategies, tapes: [damaged, 'no.tape'] }));
    expect(code).toBe(5);
    expect(checks.filter(({ status }) => status === 'failed').map(({ check, code: error }) => [check, error])).toEqual([
      ['strategy', 'STRATEGY_NOT_FOUND'],
      ['strategy', 'STRATEGY_PARAM'],
      ['tape', undefined],
      ['tape', 'TAPE_NOT_FOUND'],
    ]);
  });

  test('that is not written well fails at its line, after the machine', async () => {
    const file = temporaryFile('backtest.yaml', 'strategies: []\nlimts: {}\n');
    const { code, of, checks } = await doctor(file);
    expect(code).toBe(2);
    expect(of('configuration')).toMatchObject({ code: 'CONFIG_UNKNOWN_KEY', where: `${file}:2:1` });
    expect(checks).toHaveLength(4);
  });

  test('whose results cannot be written is told of before it runs', async () => {
    expect((await doctor(config({ out: '/proc/none' }))).of('disk')).toMatchObject({
      status: 'failed',
      code: 'FILE_NOT_WRITABLE',
    });
  });
});

describe('a run', () => {
  let stage: DaemonStage;
  beforeEach(async () => {
    stage = await DaemonStage.open();
  });

  test('is well, and nothing was sent, made or locked', async () => {
    const { code, of } = await doctor(stage.config({}));
    expect(code).toBe(0);
    expect(of('exchange')?.found).toContain(`lets the app ${stage.sandbox.appId} in`);
    expect(of('wallets')).toMatchObject({ status: 'ok' });
    expect(of('clock')).toMatchObject({ status: 'ok' });
    expect(await stage.orders()).toEqual([]);
    expect(existsSync(stage.dir)).toBe(false);
  });

  test('that streams: the connection comes up, or the address is named', async () => {
    const streamed = { feeds: { prices: { mode: 'stream' } } };
    expect((await doctor(stage.config(streamed))).of('stream')).toMatchObject({
      status: 'ok',
      found: `${stage.sandbox.streamUrl} takes the token`,
    });
    const { code, of } = await doctor(stage.config(streamed, { streamUrl: 'ws://127.0.0.1:1' }));
    expect(code).toBe(4);
    expect(of('stream')).toMatchObject({
      status: 'failed',
      found: expect.stringContaining('ws://127.0.0.1:1 is not up: CONNECT_FAILED'),
    });
    expect(of('exchange')).toMatchObject({ status: 'ok' });
  });

  test('whose ports are taken: 2, and each is named with its key; the daemon at work has them itself', async () => {
    const [taken, port] = [await takenPort(), await freePort()];
    const { code, of } = await doctor(stage.config({ metrics: { port: taken }, dashboard: { port } }));
    expect(code).toBe(2);
    expect(of('metrics')).toMatchObject({
      status: 'failed',
      found: `something listens on port ${taken} of 127.0.0.1 already`,
      next: 'Choose another metrics.port, or end what listens there.',
    });
    expect(of('dashboard')).toMatchObject({ status: 'ok', found: `port ${port} of 127.0.0.1 is free` });

    const config = stage.config({ metrics: { port: 0 }, dashboard: { port } });
    const daemon = stage.spawn(['run', config]);
    await daemon.until('arming → trading');
    const at = await doctor(config);
    expect(at.of('metrics')).toMatchObject({ status: 'ok', found: 'any free port of 127.0.0.1' });
    expect(at.of('dashboard')?.found).toBe(`port ${port} of 127.0.0.1 is for the daemon that is at work`);
    expect(at.code).toBe(0);
  });

  test('that tells nobody is warned, and one that does is not', async () => {
    expect((await doctor(stage.config({}))).of('alerts')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('nobody is told'),
    });
    const ways = { webhook: { url: 'http://127.0.0.1:1/hook' } };
    expect((await doctor(stage.config({ alerts: ways }))).of('alerts')?.next).toContain('alerts.deadMan');
    const deadMan = { url: 'http://127.0.0.1:1/alive' };
    expect((await doctor(stage.config({ alerts: { ...ways, deadMan } }))).of('alerts')).toMatchObject({
      status: 'ok',
      found: 'by webhook, and a dead-man call; `oddsmith alert test` tries 2 ways',
    });
    const people = await run('doctor', stage.config({ alerts: { ...ways, deadMan } }));
    expect(people.out).toContain('`npm run -s oddsmith -- alert test` tries 2 ways');
  });

  test('whose key is refused: 4, and no key is shown', async () => {
    const { code, of, checks } = await doctor(stage.config({}, { apiKey: 'a-wrong-key-5417' }));
    expect(code).toBe(4);
    expect(of('exchange')).toMatchObject({ status: 'failed', code: 'EXCHANGE_NOT_AUTHORISED' });
    expect(JSON.stringify(checks)).not.toContain('5417');
  });

  test('whose variables are missing: they are named, and the exchange is asked all the same', async () => {
    const { code, of } = await doctor(stage.config({}, { apiKey: environmentVariable('ODDSMITH_TEST_NOT_SET') }));
    expect(code).toBe(2);
    expect(of('keys')).toMatchObject({
      status: 'failed',
      next: 'Set before: export ODDSMITH_TEST_NOT_SET=…. What stands in a file .env: set -a; . ./.env; set +a',
    });
    expect(of('exchange')).toMatchObject({ status: 'warning', found: expect.stringContaining('answers') });
    expect(of('clock')).toMatchObject({ status: 'ok' });
  });

  test('whose variables are set has them named', async () => {
    vi.stubEnv('ODDSMITH_TEST_KEY', stage.sandbox.apiKey);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { of, checks } = await doctor(stage.config({}, { apiKey: environmentVariable('ODDSMITH_TEST_KEY') }));
    expect(of('keys')).toMatchObject({ status: 'ok', found: expect.stringMatching(/^ODDSMITH_TEST_KEY, .* are set$/) });
    expect(JSON.stringify(checks)).not.toContain(stage.sandbox.apiKey);
  });

  test('whose exchange is not there: 4', async () => {
    const { code, of } = await doctor(stage.config({}, { url: 'http://127.0.0.1:1' }));
    expect(code).toBe(4);
    expect(of('exchange')).toMatchObject({ status: 'failed', code: 'EXCHANGE_UNREACHABLE' });
    expect(of('clock')).toMatchObject({ status: 'warning' });
  });

  test('whose clock is away from the exchange’s', async () => {
    const proxy = await openSkewedProxy(stage.sandbox.url);
    proxy.skewMs = 60_000;
    const { code, of } = await doctor(stage.config({}, { url: proxy.url }));
    expect(code).toBe(2);
    expect(of('clock')).toMatchObject({ status: 'failed', found: expect.stringMatching(/ms behind the exchange/) });
  });

  test('at work: its daemon, its journal, and what is wrong with its directory', async () => {
    const config = stage.config({});
    const daemon = stage.spawn(['run', config]);
    await daemon.until('arming → trading');
    const at = await doctor(config);
    expect(at.code).toBe(0);
    expect(at.of('daemon')?.found).toContain('is at work');
    expect(at.of('journal')?.found).toMatch(/all [\d,]+ records are whole/);
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(0);
    expect((await doctor(config)).of('daemon')?.found).toBe('none is at work');

    chmodSync(stage.dir, 0o755);
    expect((await doctor(config)).of('state')).toMatchObject({ status: 'failed', code: 'RUN_DIRECTORY_OPEN' });
    chmodSync(stage.dir, 0o700);
    const journal = join(stage.dir, 'journal.sqlite');
    // One letter of one record.
    const bytes = readFileSync(journal);
    bytes.write('X', bytes.lastIndexOf('rester'), 'latin1');
    writeFileSync(journal, bytes);
    const damaged = await doctor(config);
    expect(damaged.code).toBe(5);
    expect(damaged.of('journal')).toMatchObject({ status: 'failed', code: 'JOURNAL_CORRUPT' });
  });
});

async function listening(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function takenPort(): Promise<number> {
  const server = await listening();
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = await listening();
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
