/** The daemon as a process on a sandbox over HTTP: it trades, is halted, resumed, stopped, killed, and goes on. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { money } from '../../../src/core/number/units.ts';
import type { BotStatus } from '../../../src/engine/live/bot-status.ts';
import { openRunJournal } from '../../../src/journal/open-run-journal.ts';
import { DaemonStage, RESTER, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { openSkewedProxy } from '../../support/daemon/skewed-proxy.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

/** Nothing lapses between two starts, however slow the machine. */
const CALM = { heartbeat: { timeoutMs: 120_000 } };

/** As `oddsmith status --json` prints it. */
async function statusOf(): Promise<BotStatus & { daemon: { pid: number; haltFile: boolean } }> {
  const { code, out } = await run('status', '--dir', stage.dir, '--json');
  expect(code).toBe(0);
  return JSON.parse(out) as BotStatus & { daemon: { pid: number; haltFile: boolean } };
}

/** A daemon that has placed its orders, one in each market, and the same as a process of its own. */
const trading = (more = {}, exchange = {}) => stage.trading('start', more, { exchange });
const tradingAlone = (more = {}) => stage.trading('spawn', more);

/** As Linux calls it: Z, where a process has ended and its parent has not asked for it; empty where there is none. */
function stateOf(pid: number): string {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, 'utf8').split(' ')[2] ?? '') : '';
}

const alerts = (child: RunningDaemon) => child.lines().flatMap(({ alert }) => (alert === undefined ? [] : [alert]));

describe('a day in its life', () => {
  test('orders, status, halt, resume, stop: each is done, journalled and reported', async () => {
    const child = await tradingAlone();
    const before = await stage.live();
    const status = await statusOf();
    expect(status).toMatchObject({ phase: 'trading', trading: 'running', heartbeat: 'active', marketsOff: [] });
    expect(status.daemon.pid).not.toBe(process.pid);
    await expect.poll(async () => (await statusOf()).orders.live).toBe(await stage.live());
    expect((await run('status', stage.config())).out).toMatch(/phase {6}trading/);
    for (const name of ['control.sock', 'process.json'])
      expect(statSync(join(stage.dir, name)).mode & 0o777, name).toBe(0o600);
    expect(JSON.parse(readFileSync(join(stage.dir, 'process.json'), 'utf8'))).toMatchObject({ pid: status.daemon.pid });

    const halted = await run('halt', '--dir', stage.dir, '--reason', 'wrong team news');
    expect(halted).toMatchObject({ code: 0, out: expect.stringContaining('halted (wrong team news)') });
    await expect.poll(() => stage.live()).toBe(0);
    const atHalt = (await stage.orders()).length;
    await pass(1_500);
    expect((await stage.orders()).length, 'nothing is placed while halted').toBe(atHalt);
    expect(await statusOf()).toMatchObject({ trading: 'halted', tradingCause: 'wrong team news' });

    expect(await run('resume', '--dir', stage.dir)).toMatchObject({ code: 0, out: expect.stringContaining('running') });
    await expect.poll(() => stage.live()).toBeGreaterThan(before / 2);

    const stopped = await run('stop', '--dir', stage.dir, '--json');
    expect(stopped).toMatchObject({ code: 0, note: '' });
    expect(JSON.parse(stopped.out)).toMatchObject({
      command: 'stop',
      exitCode: 0,
      cause: 'stopped by command',
      liveOrders: 0,
    });
    expect(await child.ended()).toBe(0);
    expect(await stage.live()).toBe(0);
    expect(JSON.parse(child.said.out)).toMatchObject({ command: 'run', mode: 'live', exitCode: 0, liveOrders: 0 });
    expect(alerts(child)).toContain('TRADING_HALTED');
    for (const name of ['control.sock', 'process.json']) expect(existsSync(join(stage.dir, name)), name).toBe(false);
    expect(child.said.note).not.toContain(stage.sandbox.apiKey);
  });

  test('stop returns when the process is gone, and then no bot is listed as running', async () => {
    const preload = join(stage.directory, 'slow-exit.mjs');
    writeFileSync(
      preload,
      `import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500));\n`,
    );
    const child = await stage.trading('spawn', {}, { preload });
    let hasEnded = false;
    void child.ended().then(() => {
      hasEnded = true;
    });
    const { pid } = (await statusOf()).daemon;
    expect(await run('stop', '--dir', stage.dir)).toMatchObject({ code: 0, note: '' });
    expect(stateOf(pid), 'it has ended, whether its parent has asked for it yet or not').toMatch(/^$|^Z$/);
    await expect.poll(() => hasEnded).toBe(true);
    expect(await run('status', '--dir', stage.dir)).toMatchObject({
      ...{ code: 2, note: expect.stringContaining('DAEMON_NOT_RUNNING') },
    });
    expect((await run('status', '--dir', stage.directory)).out).toMatch(/not running .*no daemon runs/);
  });

  test('the halt file halts within a tick, by its words; its removal alone resumes nothing', async () => {
    const child = await trading();
    writeFileSync(join(stage.dir, 'halt'), 'the feed is wrong\n');
    await child.until('by file: the feed is wrong');
    await expect.poll(() => stage.live()).toBe(0);
    expect(await run('resume', '--dir', stage.dir)).toMatchObject({
      code: 2,
      note: expect.stringContaining('HALT_FILE'),
    });
    rmSync(join(stage.dir, 'halt'));
    await pass(1_000);
    expect(await statusOf()).toMatchObject({ trading: 'halted', daemon: { haltFile: false } });
    expect(await stage.live()).toBe(0);
    await run('resume', '--dir', stage.dir);
    await expect.poll(() => stage.live()).toBeGreaterThan(5);
  });

  test('the halt file halts before the first order of a start', async () => {
    const first = await trading();
    await run('stop', '--dir', stage.dir);
    await first.ended();
    const before = (await stage.orders()).length;
    writeFileSync(join(stage.dir, 'halt'), '');
    const child = stage.start(['run', stage.config(), '--json']);
    await child.until('"to":"trading"');
    await pass(2_000);
    expect((await stage.orders()).length).toBe(before);
    expect(await statusOf()).toMatchObject({ trading: 'halted', tradingCause: 'the halt file is there' });
  });

  test('signals: USR1 halts, USR2 never loosens, HUP loads limits and keeps them where the file is faulty', async () => {
    const child = await trading();
    const config = stage.config({ limits: { order: 1 } });
    child.kill('SIGHUP');
    await child.until(/"about":"limits".*"order":1[,}0]/);
    await run('halt', '--dir', stage.dir);
    await expect.poll(() => stage.live()).toBe(0);
    await run('resume', '--dir', stage.dir);
    await child.until('LIMIT_ORDER');
    expect(await stage.live(), 'an order of 2 is above the new limit of 1').toBe(0);
    writeFileSync(config, readFileSync(config, 'utf8').replace('order: 1', 'ordr: 1'));
    child.kill('SIGHUP');
    await child.until('LIMITS_NOT_RELOADED');
    expect(child.said.note).toContain('CONFIG_UNKNOWN_KEY');
    stage.config({ limits: { order: 50 }, end: { orders: 'keep' } });
    child.kill('SIGHUP');
    await child.until('RESTART_NEEDED');
    child.kill('SIGUSR1');
    await child.until('by signal: SIGUSR1');
    child.kill('SIGUSR2');
    await pass(500);
    expect(await statusOf()).toMatchObject({ trading: 'halted' });
    await run('resume', '--dir', stage.dir);
    child.kill('SIGUSR2');
    await child.until('TRADING_REDUCE_ONLY');
    expect(await statusOf()).toMatchObject({ trading: 'reduceOnly', tradingCause: 'SIGUSR2' });
  });
});

describe('its end', () => {
  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('%s cancels all orders, waits for their fate, takes the heartbeat away: %i', async (signal, code) => {
    const child = await trading();
    child.kill(signal);
    expect(await child.ended()).toBe(code);
    expect(await stage.live()).toBe(0);
    expect(JSON.parse(child.said.out)).toMatchObject({ exitCode: code, cause: signal, liveOrders: 0 });
    expect(child.said.note).toContain('"to":"cleared"');
  });

  test('orders are kept where the configuration or the command says so', async () => {
    const child = await trading();
    const before = await stage.live();
    const { code, out } = await run('stop', '--dir', stage.dir, '--keep-orders');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`live orders left: ${before}`) });
    expect(await child.ended()).toBe(0);
    expect(await stage.live()).toBe(before);
    expect(alerts(child)).not.toContain('END_INCOMPLETE');
  });

  test('stop --now leaves at once, cancelling nothing; the next start knows every order', async () => {
    const child = await trading(CALM);
    const before = await stage.live();
    expect((await run('stop', '--dir', stage.dir, '--now')).out).toContain('stopped at once by command');
    expect(await child.ended()).toBe(0);
    expect(await stage.live()).toBe(before);
    const next = stage.start(['run', stage.config(CALM), '--json']);
    await next.until('"to":"trading"');
    await pass(500);
    expect((await stage.orders()).length, 'none is placed twice').toBe(before);
    expect((await statusOf()).orders).toMatchObject({ live: before, unknown: 0 });
  });

  test('halted by a limit, also by one of an earlier start, its end is 3, and nothing was placed', async () => {
    mkdirSync(stage.dir, { mode: 0o700 });
    const journal = openRunJournal({
      file: join(stage.dir, 'journal.sqlite'),
      run: 'live-before',
      acceptCorrupt: false,
    });
    const [at, loss] = [Date.now() - 60_000, money(-100_000_000)];
    journal.append(at, { kind: 'settled', market: '1', wallet: 'main', profit: loss, commission: money(0) });
    const cause = 'the settled total is 100 below its highest';
    journal.append(at, { kind: 'trading', from: 'running', to: 'halted', cause, by: 'drawdown' });
    journal.commit();
    journal.close();
    const limits = { drawdown: { amount: 50, action: 'halted' } };
    const child = stage.start(['run', stage.config({ limits }), '--json']);
    await child.until('"to":"trading"');
    await pass(1_000);
    expect(await statusOf()).toMatchObject({ run: 'live-before', trading: 'halted', results: { drawdown: 100 } });
    expect(await run('stop', '--dir', stage.dir)).toMatchObject({ code: 3 });
    expect(await child.ended()).toBe(3);
    expect(await stage.orders()).toEqual([]);
  });

  test('a second signal leaves at once, and the journal is whole', async () => {
    const child = await tradingAlone({ end: { orders: 'cancel', deadlineMs: 60_000 } });
    await stage.control.call('POST', '/faults', {
      kind: 'status',
      status: 500,
      operations: ['cancelOrders'],
      forMs: 60_000,
    });
    child.kill('SIGTERM');
    await child.until('"to":"ending"');
    await pass(500);
    const killedAt = Date.now();
    child.kill('SIGTERM');
    expect(await child.ended()).toBe(130);
    expect(Date.now() - killedAt).toBeLessThan(2_000);
    await stage.control.call('DELETE', '/faults');
    const next = stage.start(['run', stage.config(), '--json']);
    await next.until('"to":"trading"');
    expect(alerts(next)).not.toContain('JOURNAL_TORN');
  });

  test('killed by kill -9, it goes on with every order, none lost, none doubled', async () => {
    const child = await tradingAlone(CALM);
    child.kill('SIGKILL');
    await child.ended();
    const before = await stage.orders();
    expect(await run('status', '--dir', stage.dir)).toMatchObject({
      code: 2,
      note: expect.stringContaining('DAEMON_NOT_RUNNING'),
    });
    const next = stage.start(['run', stage.config(CALM), '--json']);
    await next.until('"to":"trading"');
    await pass(1_000);
    const after = await stage.orders();
    expect(after.length).toBe(before.length);
    expect(new Set(after.map(({ reference }) => reference)).size).toBe(after.length);
    expect((await run('stop', '--dir', stage.dir)).code).toBe(0);
    expect(await stage.live()).toBe(0);
  });
});

describe('trouble', () => {
  test('two daemons: the second ends with JOURNAL_BUSY and sends nothing, the first goes on', async () => {
    await trading();
    const before = (await stage.orders()).length;
    const { code, out } = await run('run', stage.config(), '--json');
    expect({ code, out: JSON.parse(out) }).toMatchObject({ code: 2, out: { error: { code: 'JOURNAL_BUSY' } } });
    expect(await statusOf()).toMatchObject({ phase: 'trading' });
    expect((await stage.orders()).length).toBe(before);
  });

  test('an exchange that is away is waited out: no order, then on it goes', async () => {
    const child = await trading({ freshness: { orders: 1_000, prices: 1_000, markets: 1_000, wallets: 1_500 } });
    const faults = { kind: 'status', status: 503, forMs: 4_000 };
    await stage.control.call('POST', '/faults', faults);
    await child.until('FEED_LATE');
    const during = (await stage.orders().catch(() => [])).length;
    await child.until(/fresh again/);
    await expect.poll(async () => (await statusOf()).phase).toBe('trading');
    await expect.poll(() => stage.live()).toBeGreaterThan(5);
    expect(during).toBeLessThanOrEqual((await stage.orders()).length);
  });

  test('a key that is refused for good ends it: 4', async () => {
    const proxy = await openSkewedProxy(stage.sandbox.url);
    const child = await trading(
      { margins: { tickMs: 50, refusedMs: 1_000 }, end: { orders: 'cancel', deadlineMs: 500 } },
      { url: proxy.url },
    );
    proxy.refuses = true;
    expect(await child.ended()).toBe(4);
    expect(alerts(child)).toEqual(expect.arrayContaining(['SESSION_FAILED', 'SESSION_LOST', 'END_INCOMPLETE']));
  });

  test('metrics are served on loopback while it runs, and its health', async () => {
    const child = await trading({ metrics: { port: 0 } });
    const port = /127\.0\.0\.1:(\d+)\/metrics/.exec(child.said.note)?.[1];
    const figures = async () => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const figure = async (name: string) => Number(new RegExp(`oddsmith_${name} (\\d+)`).exec(await figures())?.[1]);
    await expect.poll(() => figure('reads_total\\{feed="orders"\\}')).toBeGreaterThan(3);
    expect(await figure('records_total\\{kind="sent"\\}')).toBeGreaterThan(5);
    expect(await figure('requests_total\\{request="place",outcome="placed"\\}')).toBeGreaterThan(0);
    expect(await figures()).toContain('oddsmith_phase{state="trading"} 1');
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toMatchObject({ ok: true, phase: 'trading' });
  });
});

describe('a strategy whose file changes', () => {
  test('is seated again once it is flat; a faulty one changes nothing', async () => {
    const child = await trading({ reload: { strategies: 'whenFlat' } });
    const before = (await stage.orders()).length;
    writeFileSync(stage.strategy, RESTER.replace('default: 2', 'default: 2,').replace('decide(', 'decide((('));
    await child.until('STRATEGY_NOT_RELOADED');
    expect(child.said.note).toMatch(/STRATEGY_SYNTAX.*rester\.ts:5/);
    writeFileSync(stage.strategy, RESTER.replace('default: 2', 'default: 3'));
    await child.until('is seated as soon as it holds nothing');
    await pass(700);
    expect((await stage.orders()).length, 'it holds orders, so it stays').toBe(before);
    await run('halt', '--dir', stage.dir);
    await child.until('strategyLoaded');
    await run('resume', '--dir', stage.dir);
    await expect.poll(() => stage.live()).toBeGreaterThan(5);
    const stakes = (await stage.orders()).filter(({ status }) => status === 'Unmatched').map(({ stake }) => stake);
    expect(new Set(stakes)).toEqual(new Set([3]));
  });
});

describe('a recording', () => {
  test('of a live run is beside its journal, and backtests', async () => {
    await trading({ record: true });
    await pass(1_500);
    await run('stop', '--dir', stage.dir);
    const [name = ''] = readdirSync(join(stage.dir, 'tapes'));
    const tape = join(stage.dir, 'tapes', name);
    expect(await run('tape', 'verify', tape)).toMatchObject({ code: 0, out: `${tape}: whole\n` });
    const runs = join(stage.directory, 'runs');
    const backtest = await run('backtest', '--strategy', stage.strategy, '--tape', tape, '--out', runs, '--json');
    expect(backtest.code).toBe(0);
    expect((JSON.parse(backtest.out) as { orders: { sent: number } }).orders.sent).toBeGreaterThan(5);
  });

  test('a paper run trades on its own exchange and sends nothing to the other; each start is a new run', async () => {
    const proxy = await openSkewedProxy(stage.sandbox.url);
    const wallets = { main: { balance: 1_000 } };
    const config = () => stage.config({ wallets }, { url: proxy.url });
    const names: string[] = [];
    for (const start of [1, 2]) {
      const child = stage.start(['run', config(), '--paper', '--json']);
      await child.until('"to":"trading"');
      await expect.poll(async () => (await statusOf()).orders.live).toBeGreaterThan(5);
      const status = await statusOf();
      expect(status.wallets[0]).toMatchObject({ name: 'main', balance: 1_000 });
      names.push(status.run);
      expect(JSON.parse((await run('stop', '--dir', stage.dir, '--json')).out)).toMatchObject({ liveOrders: 0 });
      expect(await child.ended(), `start ${start}`).toBe(0);
      expect(existsSync(join(stage.dir, status.run, 'tapes'))).toBe(true);
    }
    expect(new Set(names).size).toBe(2);
    expect(proxy.acts).toEqual([]);
    expect(await stage.orders()).toEqual([]);
    const live = await run('run', stage.config({}, { url: proxy.url }), '--json');
    expect(JSON.parse(live.out), 'money is not mixed with paper').toMatchObject({
      error: { code: 'RUN_DIRECTORY_MISMATCH' },
    });
  });
});
