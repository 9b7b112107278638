/** The daemon on a sandbox, and the services it tells: what they hear, when, and that trading never waits for them. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type AlertService, openAlertService } from '../../support/alerts/alert-service.ts';
import { askedOf } from '../../support/alerts/promql.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { openLyingProxy } from '../../support/daemon/lying-proxy.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { environmentVariable } from '../../support/record/recording-stage.ts';
import { run } from '../fake-terminal.ts';

let stage: DaemonStage;
let service: AlertService;
beforeEach(async () => {
  stage = await DaemonStage.open();
  service = await openAlertService();
  vi.stubEnv('ALERT_KEY', SECRET);
});

/** Long enough to be nowhere by chance. */
const SECRET = 'a-secret-of-5417-letters';
const webhook = (more = {}) => ({
  webhook: { url: `${service.url}/hook/${environmentVariable('ALERT_KEY')}`, ...more },
});

/** Codes of the alerts of each message. */
function messages(): readonly (readonly string[])[] {
  return service.received
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => {
      const { alerts }: { readonly alerts: readonly { readonly code: string }[] } = JSON.parse(body);
      return alerts.map(({ code }) => code);
    });
}

interface Board {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

const pings = (): number => service.received.filter(({ method }) => method === 'GET').length;

function addressOf(daemon: RunningDaemon): string {
  const { msg = '' } = daemon.lines().find(({ about }) => about === 'metrics') ?? {};
  return /http:\/\/[^/]+/.exec(msg)?.[0] ?? expect.fail('the metrics are served somewhere');
}

async function served(daemon: RunningDaemon): Promise<string> {
  return (await fetch(`${addressOf(daemon)}/metrics`)).text();
}

async function figure(daemon: RunningDaemon, name: string): Promise<number> {
  const line = (await served(daemon)).split('\n').find((each) => each.startsWith(`oddsmith_${name} `));
  return Number(line?.split(' ')[1]);
}

function everyByteOf(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

test('a halt is told, SIGTERM sends what waits, and the secret is nowhere', async () => {
  const daemon = await stage.trading('start', { alerts: webhook({ from: 'error' }), metrics: { port: 0 } });
  const halt = join(stage.dir, 'halt');
  writeFileSync(halt, 'wrong team news');
  const halts = () => messages().filter((codes) => codes.includes('TRADING_HALTED'));
  await expect.poll(halts).toHaveLength(1);
  expect(service.received.map(({ body }) => body).join('')).toContain('wrong team news');
  expect(service.received[0]?.path).toBe(`/hook/${SECRET}`);
  const sent = () => figure(daemon, 'notifications_total{way="webhook",outcome="sent"}');
  await expect.poll(sent).toBeGreaterThanOrEqual(1);
  rmSync(halt);
  await pass(200);
  const config = join(stage.directory, 'run.yaml');
  expect((await run('resume', config)).code).toBe(0);
  // Counted, since one like it was sent; said at the end.
  expect((await run('halt', config)).code).toBe(0);
  const status = await run('status', config, '--json');
  daemon.kill('SIGTERM');
  await daemon.ended();
  expect(halts()).toHaveLength(2);
  const printed = `${daemon.said.out}${daemon.said.note}${status.out}`;
  expect(printed).not.toContain(SECRET);
  expect(everyByteOf(stage.dir)).not.toContain(SECRET);
});

test('what the board shows is served by a real daemon, and /ready turns with a halt', async () => {
  const daemon = await stage.trading('start', { metrics: { port: 0 } });
  const ready = async () => {
    const answer = await fetch(`${addressOf(daemon)}/ready`);
    return { status: answer.status, ...Object(await answer.json()) };
  };
  await expect.poll(ready).toMatchObject({ status: 200, ready: true, reasons: [] });
  const board: Board = JSON.parse(
    readFileSync(new URL('../../../docs/grafana/oddsmith.json', import.meta.url), 'utf8'),
  );
  const asked = board.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => askedOf(expr).metrics));
  const text = await served(daemon);
  const names = new Set([...text.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name));
  expect(asked.map(({ name }) => name.replace(/_(bucket|count)$/, '')).filter((name) => !names.has(name))).toEqual([]);
  for (const name of [
    'request_seconds_count{request="place",outcome="answered"}',
    'request_seconds_count{request="prices",outcome="answered"}',
    'decision_to_acknowledgement_seconds_count{outcome="placed"}',
    'feed_delay_seconds_count{feed="prices"}',
    'feed_delay_seconds_count{feed="orders"}',
    'loop_lag_seconds_count',
  ])
    expect(await figure(daemon, name), name).toBeGreaterThan(0);
  writeFileSync(join(stage.dir, 'halt'), 'wrong team news');
  await expect.poll(ready).toMatchObject({
    status: 503,
    reasons: [{ code: 'HALTED', why: 'trading is halted: wrong team news' }],
  });
  expect((await fetch(`${addressOf(daemon)}/health`)).status, 'it is in good health').toBe(200);
});

test('a service that never answers holds up nothing: every reading goes on, and the end is bounded', async () => {
  service.answer = () => undefined;
  const daemon = await stage.trading('start', { alerts: webhook(), metrics: { port: 0 } });
  writeFileSync(join(stage.dir, 'halt'), 'x');
  await expect.poll(() => service.received.length).toBe(1);
  const before = await figure(daemon, 'reads_total{feed="orders"}');
  await expect.poll(() => figure(daemon, 'reads_total{feed="orders"}')).toBeGreaterThan(before + 5);
  expect(service.received, 'all of that while one request hangs').toHaveLength(1);
  expect(await figure(daemon, 'alerts_waiting{way="webhook"}')).toBeGreaterThan(0);
  const at = Date.now();
  daemon.kill('SIGTERM');
  await daemon.ended();
  expect(Date.now() - at, 'five seconds for alerts, and the run’s own end').toBeLessThan(20_000);
  expect(daemon.said.note).toContain('dropped: the run has ended');
});

describe('at the end', () => {
  test('a run that fails says so', async () => {
    // A limit on the size of files stops the journal in the middle of the run, as a full disk does.
    const daemon = stage.spawn(['run', stage.config({ alerts: webhook() })], { fileKilobytes: 400 });
    await daemon.until('"to":"trading"');
    for (let step = 0; step < 20 && !daemon.said.note.includes('RUN_FAILED'); step += 1) {
      await run('halt', '--dir', stage.dir);
      await run('resume', '--dir', stage.dir);
      await pass(700);
    }
    expect(await daemon.ended()).toBe(2);
    expect(messages().flat()).toContain('RUN_FAILED');
  });

  test('a port that is taken fails the start, and says so', async () => {
    const taken = createServer();
    const port = Number(new URL(await listenOnLoopback(taken)).port);
    const daemon = stage.start(['run', stage.config({ alerts: webhook(), metrics: { port } })]);
    expect(await daemon.ended()).toBe(2);
    expect(messages().flat()).toContain('START_FAILED');
    expect(messages().flat()).not.toContain('RUN_FAILED');
    expect(service.received.map(({ body }) => body).join('')).toContain('listens on port');
  });

  test('a start that fails says so', async () => {
    vi.stubEnv('RUN_TEST_KEY', 'a-wrong-key');
    const daemon = stage.start(['run', stage.config({ alerts: webhook() })]);
    expect(await daemon.ended()).toBe(4);
    expect(messages().flat()).toContain('START_FAILED');
    expect(service.received.map(({ body }) => body).join('')).toContain('EXCHANGE_NOT_AUTHORISED');
  });

  test('orders that are left are told, by a slow service too', async () => {
    const proxy = await openLyingProxy(stage.sandbox.url);
    const daemon = await stage.trading(
      'start',
      { alerts: webhook({ from: 'error' }), end: { orders: 'cancel', deadlineMs: 500 } },
      { exchange: { url: proxy.url } },
    );
    proxy.swallows = (act) => act === 'POST /orders/cancel-v2';
    service.answer = () => ({ status: 200, afterMs: 1_500 });
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(3);
    expect(messages().flat()).toContain('END_INCOMPLETE');
    expect(daemon.said.note).not.toContain('ALERT_NOT_SENT');
  });
});

test('the dead-man service is called while readings are processed, and not while none is', async () => {
  const proxy = await openLyingProxy(stage.sandbox.url);
  const daemon = await stage.trading(
    'start',
    { alerts: { deadMan: { url: `${service.url}/ping`, every: '1s' } } },
    { exchange: { url: proxy.url } },
  );
  await expect.poll(pings).toBeGreaterThanOrEqual(2);
  // No answer comes, and the client waits ten seconds for each: nothing is processed meanwhile, although the process is well.
  proxy.lie = (answer) => ({ ...answer, afterMs: 20_000 });
  await pass(3_000);
  const standing = pings();
  await pass(3_500);
  expect(pings(), 'the pipeline stands').toBe(standing);
  proxy.lie = undefined;
  await expect.poll(pings).toBeGreaterThanOrEqual(standing + 2);
  daemon.kill('SIGTERM');
  await daemon.ended();
  const ended = pings();
  await pass(1_500);
  expect(pings(), 'a run that has ended is not alive').toBe(ended);
});
