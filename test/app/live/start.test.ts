/** Everything that is wrong at the start ends it with a clear error and the right exit code, and with no order sent. */

import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { openSkewedProxy, type SkewedProxy } from '../../support/daemon/skewed-proxy.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { run, runUntil } from '../fake-terminal.ts';

let stage: DaemonStage;
let proxy: SkewedProxy;
beforeEach(async () => {
  stage = await DaemonStage.open();
  proxy = await openSkewedProxy(stage.sandbox.url);
});

interface Failed {
  readonly code: number;
  readonly error: { readonly code: string; readonly what: string; readonly where?: string; readonly why?: string };
  readonly note: string;
}

/** Runs it to its end, which must leave no trace at the exchange. */
async function failed(...args: readonly string[]): Promise<Failed> {
  const { code, out, note } = await run('run', ...args, '--json');
  expect(await stage.orders()).toEqual([]);
  expect(proxy.acts).toEqual([]);
  expect(`${out}${note}`, 'no key is shown').not.toContain(stage.sandbox.apiKey);
  return { code, note, ...(JSON.parse(out) as { error: Failed['error'] }) };
}

describe('the exchange', () => {
  test('does not know the key: 4, and no key is shown', async () => {
    const { code, error, note } = await failed(stage.config({}, { apiKey: 'a-wrong-key-5417' }));
    expect(readdirSync(stage.dir), 'the journal of a live run stays').toContain('journal.sqlite');
    expect({ code, error }).toMatchObject({
      code: 4,
      error: { code: 'EXCHANGE_NOT_AUTHORISED', where: stage.sandbox.url },
    });
    expect(JSON.stringify(error) + note).not.toContain('5417');
  });

  test('does not let a paper run in: it leaves no run that never began', async () => {
    await failed(stage.config({}, { apiKey: 'a-wrong-key-5417' }), '--paper');
    expect(readdirSync(stage.dir).filter((name) => name !== 'paper.lock')).toEqual([]);
    expect((await run('status', '--dir', stage.directory)).note).toContain('DAEMON_NOT_RUNNING');
  });

  test.each([
    ['is not there', 'http://127.0.0.1:1'],
    ['has a name that nobody knows', 'http://exchange.invalid'],
  ])(
    '%s: a run that waits is stopped, and exits with 0',
    async (_, url) => {
      const config = stage.config({}, { url });
      const child = stage.spawn(['run', config, '--json']);
      await child.until('EXCHANGE_AWAY');
      expect(await run('stop', config)).toMatchObject({ code: 0, out: expect.stringContaining('stopped by command') });
      expect(await child.ended()).toBe(0);
      expect(JSON.parse(child.said.out)).toMatchObject({ exitCode: 0, cause: 'stopped by command before the start' });
    },
    120_000,
  );

  test.each(['metrics', 'dashboard'])(
    'is not traded on where the port of the %s is taken: 2, and orders stay',
    async (key) => {
      const other = createServer();
      const port = Number(new URL(await listenOnLoopback(other)).port);
      const { code, error, note } = await failed(stage.config({ [key]: { port } }, { url: proxy.url }));
      expect({ code, error }).toMatchObject({ code: 2, error: { code: 'PORT_IN_USE', where: `127.0.0.1:${port}` } });
      expect(note).toContain('START_FAILED');
      expect(note).not.toContain('RUN_FAILED');
    },
  );

  test('has no such wallet: 2, naming it', async () => {
    expect(await failed(stage.config({ wallets: { main: { id: 'nobody-User-9' } } }))).toMatchObject({
      ...{ code: 2, error: { code: 'CONFIG_INVALID', where: expect.stringMatching(/run\.yaml:\d+:\d+$/) } },
    });
  });

  test.each([
    [3_600_000, '59 min'],
    [-3_600_000, ''],
    [20_000, ''],
  ])('keeps a time %i ms from ours: 2', async (skewMs) => {
    proxy.skewMs = skewMs;
    const { code, error } = await failed(stage.config({}, { url: proxy.url }));
    expect({ code, error }).toMatchObject({ code: 2, error: { code: 'CLOCK_SKEW', where: proxy.url } });
    const seconds = Number(/is ([\d.]+) s (ahead|behind)/.exec(error.what)?.[1]);
    expect(Math.abs(seconds - Math.abs(skewMs) / 1_000)).toBeLessThan(3);
    expect(error.what).toContain(skewMs > 0 ? 'behind' : 'ahead of');
  });
});

describe('the journal', () => {
  test('is kept by another daemon: 2, and that one is left alone', async () => {
    mkdirSync(stage.dir, { mode: 0o700 });
    const other = openRunJournal({ file: join(stage.dir, 'journal.sqlite'), run: 'live-1', acceptCorrupt: false });
    expect(await failed(stage.config())).toMatchObject({
      code: 2,
      error: {
        ...{ code: 'JOURNAL_BUSY', where: stage.dir, what: 'Another daemon is at work in this state directory.' },
        next: expect.stringContaining(`oddsmith stop --dir ${stage.dir} ends it`),
      },
    });
    other.append(1, { kind: 'ended', cause: 'c', liveOrders: 0 });
    other.commit();
    other.close();
    expect(readdirSync(stage.dir)).not.toContain('control.sock');
  });

  test('cannot be written: 2', async () => {
    mkdirSync(stage.dir, { mode: 0o700 });
    const before = openRunJournal({ file: join(stage.dir, 'journal.sqlite'), run: 'live-1', acceptCorrupt: false });
    before.close();
    for (const name of readdirSync(stage.dir)) chmodSync(join(stage.dir, name), 0o444);
    const child = stage.spawn(['run', stage.config(), '--json'], { obeysModes: true });
    expect(await child.ended()).toBe(2);
    expect(JSON.parse(child.said.out)).toMatchObject({ error: { code: 'JOURNAL_NOT_WRITABLE' } });
    expect(await stage.orders()).toEqual([]);
  });

  test('is damaged: 5, and --accept-corrupt is named', async () => {
    mkdirSync(stage.dir, { mode: 0o700 });
    writeFileSync(join(stage.dir, 'journal.sqlite'), 'x'.repeat(10_000));
    const { code, error } = await failed(stage.config());
    expect(code).toBe(5);
    expect(error.code).toMatch(/^(JOURNAL_CORRUPT|NOT_A_JOURNAL)$/);
  });
});

describe('the strategy', () => {
  test.each([
    ['is not there', undefined, 'STRATEGY_NOT_FOUND'],
    ['is no code', 'export default {', 'STRATEGY_SYNTAX'],
    ['throws', 'throw new Error("x");', 'STRATEGY_THROW'],
  ])('%s: 2, with its place', async (_, text, code) => {
    const path = join(stage.directory, 'other.ts');
    if (text !== undefined) writeFileSync(path, text);
    const { error, code: exit } = await failed(stage.config({ strategies: [{ file: path }] }));
    expect(exit).toBe(2);
    expect(error.code).toBe(code);
    expect(`${error.where} ${error.what}`).toContain('other.ts');
    if (text === undefined) expect(error.where).toMatch(/run\.yaml:\d+:\d+$/);
  });
});

test('the configuration is wrong: 2, and nothing is made', async () => {
  expect(await failed(stage.config({ heartbeats: 'none' }))).toMatchObject({
    ...{ code: 2, error: { code: 'CONFIG_UNKNOWN_KEY' } },
  });
  expect(readdirSync(stage.directory)).not.toContain('run');
});

test('Ctrl-C while the exchange is waited for ends it: 130', async () => {
  const url = await listenOnLoopback(createServer(() => undefined));
  const abort = new AbortController();
  const running = runUntil(abort.signal, ['run', stage.config({}, { url })]);
  setTimeout(() => abort.abort('SIGINT'), 300);
  expect(await running).toMatchObject({ code: 130, out: expect.stringContaining('SIGINT before the start') });
});
