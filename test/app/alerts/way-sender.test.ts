/** When messages with alerts leave, on a simulated clock: together, not too often, again after failures, and at the end. */

import { describe, expect, test } from 'vitest';
import type { AlertCode } from '../../../src/app/cli/codes/alert.ts';
import { type NotificationCounts, Notifications } from '../../../src/app/live/alerts/notifications.ts';
import { DaemonLog } from '../../../src/app/live/log/daemon-log.ts';
import type { AlertOptions, AlertWay } from '../../../src/app/run/alert-options.ts';
import { Secret } from '../../../src/exchange-live/connection/secret.ts';
import type { WireReply } from '../../../src/exchange-live/connection/transport.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { scriptedTransport } from '../../support/alerts/scripted-transport.ts';
import { AT } from '../../support/daemon/made-status.ts';

const refused = (status: number, more: Partial<WireReply & { kind: 'reply' }> = {}): WireReply => ({
  ...{ kind: 'reply', status, body: '{"error":"no"}' },
  ...more,
});
const webhook = (port: number, from: 'warn' | 'error' = 'warn') =>
  ({ kind: 'webhook', url: new Secret(`http://127.0.0.1:${port}/hook`), headers: [], from }) as const;
const ntfy: AlertWay = {
  kind: 'ntfy',
  url: new Secret('http://127.0.0.1:2'),
  topic: new Secret('topic'),
  token: undefined,
  from: 'warn',
};

interface Posted {
  readonly alerts: readonly { readonly code: string; readonly count: number; readonly subject: string }[];
}

function stage(more: Partial<AlertOptions> = {}) {
  const clock = new SimulatedClock(AT);
  const lines: string[] = [];
  const log = new DaemonLog({
    ...{ now: () => clock.now(), level: 'debug', base: {}, secrets: [] },
    write: (line) => lines.push(line),
  });
  const transport = scriptedTransport(clock);
  const others = scriptedTransport(clock);
  const notifications = new Notifications({
    options: {
      ...{ name: 'main', ways: [webhook(1)], perMinute: 10, repeatMs: 900_000, deadMan: undefined, secrets: [] },
      ...more,
    },
    clock,
    log,
    connect: (origin) => (origin.endsWith(':1') ? transport : others),
  });
  const say = (code: AlertCode, fields = {}) => log.alert(code, `words of ${code}`, fields);
  const pass = (ms: number) => clock.runUntil(clock.now() + ms);
  /** Each message as when it left, and its alerts. */
  const messages = () =>
    transport.sent.map(({ afterMs, request }) => {
      const { alerts }: Posted = JSON.parse(request.body ?? '{}');
      return [afterMs, alerts.map(({ code, count }) => (count === 1 ? code : `${code} ×${count}`)).join(' ')];
    });
  const counts = (): NotificationCounts['ways'][number] | undefined => notifications.counts().ways[0];
  return { clock, lines, transport, others, notifications, say, pass, messages, counts };
}

describe('messages', () => {
  test('leave after the turn in which the alert was said, with all that came together', () => {
    const { transport, say, pass, messages } = stage();
    say('THROTTLED');
    for (const market of ['1', '2', '3']) say('MARKET_OFF', { market });
    expect(transport.sent, 'saying an alert sends nothing by itself').toEqual([]);
    pass(400);
    say('TRADING_HALTED');
    pass(10_000);
    expect(messages()).toEqual([[500, 'THROTTLED MARKET_OFF MARKET_OFF MARKET_OFF TRADING_HALTED']]);
  });

  test('an alert that goes on is sent once, and then with its count when its time has passed', () => {
    const { say, pass, messages } = stage({ repeatMs: 60_000 });
    for (let second = 0; second < 60; second += 1) {
      say('THROTTLED');
      pass(1_000);
    }
    pass(600_000);
    expect(messages()).toEqual([
      [500, 'THROTTLED'],
      [60_500, 'THROTTLED ×59'],
    ]);
  });

  test('beyond the rate they wait and go together, and none is lost', () => {
    const { say, pass, messages, counts } = stage({ perMinute: 2 });
    for (let second = 0; second < 60; second += 1) {
      say('MARKET_OFF', { market: String(second) });
      pass(1_000);
    }
    pass(600_000);
    const sent = messages();
    expect(sent.slice(0, 2)).toEqual([
      [500, 'MARKET_OFF'],
      [1_500, 'MARKET_OFF'],
    ]);
    expect(sent.length, 'two at once, then one each half minute').toBeLessThanOrEqual(6);
    expect(sent.flatMap(([, codes]) => String(codes).split(' '))).toHaveLength(60);
    expect(counts()).toMatchObject({ sent: sent.length, failed: 0, dropped: 0, waiting: 0 });
  });

  test('of a way for errors alone hold no warning', () => {
    const { say, pass, messages } = stage({ ways: [webhook(1, 'error')] });
    say('THROTTLED');
    say('TRADING_HALTED');
    pass(5_000);
    expect(messages()).toEqual([[500, 'TRADING_HALTED']]);
  });

  test('more than may wait are dropped and counted, in the figures and in the log', () => {
    const { transport, say, pass, counts, lines } = stage();
    transport.script = () => undefined;
    say('THROTTLED');
    pass(1_000);
    for (let market = 0; market < 300; market += 1) say('MARKET_OFF', { market: String(market) });
    expect(counts()).toMatchObject({ waiting: 201, dropped: 100 });
    say('TRADING_HALTED');
    expect(counts(), 'an error has a place all the same').toMatchObject({ waiting: 201, dropped: 101 });
    expect(lines.filter((line) => line.includes('ALERT_NOT_SENT'))).toHaveLength(1);
  });
});

describe('a way that fails', () => {
  test('is tried again with growing pauses, and what comes meanwhile waits', () => {
    const { transport, say, pass, messages, counts } = stage();
    transport.script = (number) => (number < 6 ? refused(500) : { kind: 'reply', status: 204, body: '' });
    say('TRADING_HALTED');
    pass(2_000);
    say('ORDERS_LEFT');
    pass(300_000);
    const sent = messages();
    expect(sent.map(([, codes]) => codes)).toEqual([...Array(6).fill('TRADING_HALTED'), 'ORDERS_LEFT']);
    const pauses = sent.slice(1, 6).map(([at], index) => Number(at) - Number(sent[index]?.[0]));
    for (const [index, pause] of pauses.entries()) {
      expect(pause, `pause ${index}`).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(pause, `pause ${index}`).toBeLessThanOrEqual(1_000 * 2 ** index + 50);
    }
    expect(counts()).toMatchObject({ sent: 2, failed: 5, dropped: 0, waiting: 0 });
  });

  test('and says how long to wait is left alone for so long: by a header, or as Telegram says it', () => {
    for (const slower of [
      refused(429, { retryAfter: '30' }),
      refused(429, { body: '{"ok":false,"error_code":429,"description":"slow","parameters":{"retry_after":30}}' }),
    ]) {
      const { transport, say, pass, messages } = stage();
      transport.script = (number) => (number === 1 ? slower : refused(200));
      say('TRADING_HALTED');
      pass(120_000);
      expect(messages().map(([at]) => at)).toEqual([500, 30_520]);
    }
  });

  test('and says that it never will is not asked again: the alert is dropped, with its reason in the log', () => {
    const { transport, say, pass, messages, counts, lines } = stage();
    transport.script = () => refused(401, { body: '{"ok":false,"description":"Unauthorized"}' });
    say('TRADING_HALTED');
    pass(600_000);
    expect(messages()).toHaveLength(1);
    expect(counts()).toMatchObject({ sent: 0, failed: 1, dropped: 1, waiting: 0 });
    expect(lines.join('')).toContain('alerts by webhook: 1 dropped: HTTP 401, Unauthorized');
  });

  test('without an answer is given up after ten seconds, and tried again', () => {
    const { transport, say, pass, messages, counts } = stage();
    transport.script = (number) => (number === 1 ? undefined : refused(200));
    say('TRADING_HALTED');
    pass(10_499);
    expect([messages().length, transport.cancelled]).toEqual([1, 0]);
    pass(2_000);
    expect([messages().length, transport.cancelled]).toEqual([2, 1]);
    expect(counts()).toMatchObject({ sent: 1, failed: 1 });
  });

  test('for half an hour drops what it was to send', () => {
    const { transport, say, pass, counts } = stage();
    transport.script = () => ({ kind: 'unsent', details: 'connect ECONNREFUSED' });
    say('TRADING_HALTED');
    pass(20 * 60_000);
    expect(counts()).toMatchObject({ dropped: 0, waiting: 1 });
    pass(20 * 60_000);
    expect(counts()).toMatchObject({ sent: 0, dropped: 1, waiting: 0 });
    transport.script = () => refused(200);
    say('TRADING_HALTED');
    pass(5_000);
    expect(counts(), 'the next one like it is not taken for sent').toMatchObject({ sent: 1 });
  });

  test('is named by the others, and not by itself', () => {
    const { transport, others, say, pass, messages } = stage({ ways: [webhook(1), ntfy] });
    transport.script = () => refused(403);
    say('TRADING_HALTED');
    pass(60_000);
    expect(messages()).toEqual([[500, 'TRADING_HALTED']]);
    const said = others.sent.map(({ request }) => request.body ?? '');
    expect(said).toHaveLength(2);
    expect(said[1]).toContain('alerts by webhook: 1 dropped: HTTP 403');
  });

  test('every way of which fails does not go round in circles', () => {
    const { transport, others, say, pass } = stage({ ways: [webhook(1), ntfy], repeatMs: 60_000 });
    transport.script = () => refused(403);
    others.script = () => refused(403);
    say('TRADING_HALTED');
    pass(3_600_000);
    expect(transport.sent.length + others.sent.length).toBeLessThan(2 * 70);
  });
});

describe('at the end', () => {
  test('what waits is sent without pause, also what was only counted', async () => {
    const { say, pass, messages, notifications } = stage({ perMinute: 1 });
    say('THROTTLED');
    pass(1_000);
    say('THROTTLED');
    say('RUN_FAILED');
    const closed = notifications.close();
    pass(100);
    await closed;
    expect(messages()).toEqual([
      [500, 'THROTTLED'],
      [1_000, 'RUN_FAILED THROTTLED'],
    ]);
  });

  test('what was to be tried again in a while is tried at once, and again as long as there is time', async () => {
    const { transport, say, pass, messages, counts, notifications } = stage();
    transport.script = (number) =>
      number < 4 ? refused(503, { retryAfter: number === 1 ? '300' : '0' }) : refused(200);
    say('TRADING_HALTED');
    pass(10_000);
    expect(messages()).toHaveLength(1);
    const closed = notifications.close();
    pass(2_000);
    await closed;
    expect(messages().map(([at]) => at)).toEqual([500, 10_000, 10_520, 11_040]);
    expect(counts()).toMatchObject({ sent: 1, dropped: 0 });
  });

  test('a way that does not answer holds it up for five seconds, and what it did not take is counted', async () => {
    const { transport, say, pass, counts, notifications, lines } = stage();
    transport.script = () => undefined;
    say('END_INCOMPLETE');
    let isClosed = false;
    const closed = notifications.close().then(() => {
      isClosed = true;
    });
    pass(4_999);
    await Promise.resolve();
    expect(isClosed).toBe(false);
    pass(1);
    await closed;
    expect(counts()).toMatchObject({ sent: 0, dropped: 1, waiting: 0 });
    expect(lines.join('')).toContain('1 dropped: the run has ended');
  });

  test('with nothing to send it ends at once', async () => {
    const { pass, notifications, transport } = stage();
    const closed = notifications.close();
    pass(0);
    await closed;
    expect(transport.sent).toEqual([]);
  });
});

describe('the dead-man call', () => {
  const deadMan = { url: new Secret('http://127.0.0.1:1/ping/5417-secret'), everyMs: 60_000, method: 'GET' } as const;

  function watched() {
    const all = stage({ ways: [], deadMan });
    let polled = 100;
    /** Seconds of a life in which so many polls a second are processed. */
    const live = (seconds: number, polls: number) => {
      for (let second = 0; second < seconds; second += 1) {
        all.pass(1_000);
        polled += polls;
        all.notifications.lookAlive(polled);
      }
    };
    return { ...all, live };
  }

  test('is made while polls are processed, stops with them, and goes on with them', () => {
    const { transport, live, notifications } = watched();
    live(301, 3);
    expect(transport.sent.map(({ afterMs }) => afterMs)).toEqual([2_000, 62_000, 122_000, 182_000, 242_000]);
    expect(transport.sent[0]?.request).toMatchObject({ method: 'GET', path: '/ping/5417-secret' });
    live(600, 0);
    expect(transport.sent, 'the pipeline stands').toHaveLength(5);
    live(1, 1);
    expect(transport.sent, 'at once, since one is overdue').toHaveLength(6);
    live(120, 1);
    expect(transport.sent).toHaveLength(8);
    live(1, 0);
    expect(notifications.counts().pings).toEqual({ sent: 8, failed: 0 });
  });

  test('that failed is made again soon, but only if something was processed since', () => {
    const { transport, live, lines, notifications } = watched();
    transport.script = () => refused(500);
    live(3, 1);
    expect(transport.sent).toHaveLength(1);
    live(30, 0);
    expect(transport.sent, 'nothing was processed').toHaveLength(1);
    transport.script = () => refused(200);
    live(2, 1);
    expect(notifications.counts().pings).toEqual({ sent: 1, failed: 1 });
    expect(lines.join('')).toContain('the dead-man call was not received: HTTP 500');
    expect(lines.join('')).not.toContain('5417');
  });

  test('that hangs holds up no other work, and no second one is made beside it', () => {
    const { transport, live } = watched();
    transport.script = () => undefined;
    live(8, 1);
    expect(transport.sent).toHaveLength(1);
    live(8, 1);
    expect(transport.sent, 'given up after ten seconds').toHaveLength(2);
  });
});
