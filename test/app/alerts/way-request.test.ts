/** What each service is sent, in the shape that its own documents ask for. */

import { describe, expect, test } from 'vitest';
import { alertNotice } from '../../../src/app/live/alerts/alert-notice.ts';
import { type AlertMessage, pingRequest, wayRequest } from '../../../src/app/live/alerts/way-request.ts';
import { recordLine } from '../../../src/app/live/log/record-line.ts';
import type { AlertWay } from '../../../src/app/run/alert-options.ts';
import { Secret } from '../../../src/exchange-live/connection/secret.ts';
import { EVERY_RECORD } from '../../support/daemon/every-record.ts';
import { AT } from '../../support/daemon/made-status.ts';

const notice = (text: string, more = {}) => ({
  ...alertNotice({ level: 'error', alert: 'TRADING_HALTED', subject: 'trading', text }, AT),
  ...more,
});
const message = (...notices: AlertMessage['notices']): AlertMessage => ({ name: 'main', notices, at: AT });
const HALTED = message(notice('trading running → halted by file: wrong team news'));
type Way<K extends AlertWay['kind']> = AlertWay & { readonly kind: K };

const webhook: Way<'webhook'> = {
  kind: 'webhook',
  url: new Secret('https://hooks.example.org/a/b?key=5417'),
  headers: [{ name: 'Authorization', value: new Secret('Bearer 5418') }],
  from: 'warn',
};
const telegram: Way<'telegram'> = {
  kind: 'telegram',
  url: new Secret('https://api.telegram.org'),
  token: new Secret('12:ab'),
  chat: new Secret('-100123'),
  from: 'warn',
};
const ntfy: Way<'ntfy'> = {
  kind: 'ntfy',
  url: new Secret('https://ntfy.sh'),
  topic: new Secret('bots-5417'),
  token: new Secret('tk_5418'),
  from: 'warn',
};
const body = (way: AlertWay, said: AlertMessage): Record<string, unknown> =>
  JSON.parse(wayRequest(way, said).body ?? '');
const headers = (list: readonly string[]) =>
  Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), list[at + 1]]] : [])));

describe('a webhook', () => {
  test('gets every alert as JSON, at its whole address, with its headers', () => {
    const { method, path, headers: list } = wayRequest(webhook, HALTED);
    expect([method, path]).toEqual(['POST', '/a/b?key=5417']);
    expect(headers(list)).toMatchObject({ authorization: 'Bearer 5418', 'content-type': 'application/json' });
    expect(body(webhook, HALTED)).toEqual({
      format: 1,
      source: 'oddsmith',
      name: 'main',
      at: '2026-11-20T12:00:00.000Z',
      level: 'error',
      title: 'main: TRADING_HALTED',
      text: expect.stringContaining('wrong team news'),
      alerts: [
        {
          ...{ code: 'TRADING_HALTED', level: 'error', means: 'nothing is placed until a person resumes', subject: '' },
          ...{ text: 'trading running → halted by file: wrong team news', count: 1, at: '2026-11-20T12:00:00.000Z' },
        },
      ],
    });
  });

  test('gets a configured header in place of ours', () => {
    const json = { ...webhook, headers: [{ name: 'Content-Type', value: new Secret('text/json') }] };
    expect(wayRequest(json, HALTED).headers.filter((text) => /json/.test(text))).toEqual(['text/json']);
  });
});

describe('Telegram', () => {
  test('gets plain text for the chat under the bot’s token', () => {
    expect(wayRequest(telegram, HALTED).path).toBe('/bot12:ab/sendMessage');
    expect(body(telegram, HALTED)).toEqual({
      chat_id: -100123,
      text: 'main: TRADING_HALTED\n(error) trading running → halted by file: wrong team news\nIt means: nothing is placed until a person resumes.\nat 2026-11-20 12:00:00 UTC',
      disable_notification: false,
      link_preview_options: { is_disabled: true },
    });
    const channel = { ...telegram, chat: new Secret('@bots') };
    expect(body(channel, HALTED)['chat_id']).toBe('@bots');
    expect(body(telegram, message(notice('x', { level: 'warn' })))['disable_notification']).toBe(true);
  });

  test('gets no more characters than it takes, and no half of one', () => {
    const long = message(...Array.from({ length: 20 }, (_, at) => notice('😀'.repeat(700), { subject: String(at) })));
    const text = String(body(telegram, long)['text']);
    expect(text.length).toBeLessThanOrEqual(4_096);
    expect(text.isWellFormed()).toBe(true);
  });
});

describe('ntfy', () => {
  test('gets JSON at its root, with topic, priority and token', () => {
    const { path, headers: list } = wayRequest(ntfy, HALTED);
    expect(path).toBe('/');
    expect(headers(list)['authorization']).toBe('Bearer tk_5418');
    expect(body(ntfy, HALTED)).toEqual({
      topic: 'bots-5417',
      title: 'main: TRADING_HALTED',
      message: expect.stringContaining('wrong team news'),
      priority: 5,
      tags: ['rotating_light'],
    });
    const open = wayRequest({ ...ntfy, token: undefined }, HALTED);
    expect(headers(open.headers)).not.toHaveProperty('authorization');
  });

  test('gets no more bytes than it takes without making a file of them', () => {
    const long = message(...Array.from({ length: 20 }, (_, at) => notice('ж→'.repeat(700), { subject: String(at) })));
    expect(Buffer.byteLength(String(body(ntfy, long)['message']))).toBeLessThanOrEqual(4_096);
  });
});

test('a dead-man service is called by its whole address, with no body but where it is posted', () => {
  const url = new Secret('https://hc-ping.com/uuid-5417');
  const { headers: list, ...call } = pingRequest({ url, everyMs: 1, method: 'GET' });
  expect(call).toEqual({ method: 'GET', path: '/uuid-5417' });
  expect(headers(list)).not.toHaveProperty('content-type');
  expect(pingRequest({ url, everyMs: 1, method: 'POST' })).toMatchObject({ method: 'POST', body: '' });
});

test('several alerts are a line each, with how often each came', () => {
  const { title, text } = body(webhook, message(notice('one', { count: 12 }), notice('two', { level: 'warn' })));
  expect(title).toBe('main: 2 alerts, 1 of level error');
  expect(String(text).split('\n').slice(1)).toEqual([
    'TRADING_HALTED (error) one, 12 times, last at 2026-11-20 12:00:00 UTC',
    'TRADING_HALTED (warn) two, at 2026-11-20 12:00:00 UTC',
  ]);
});

test('names from outside are harmless: no line feed, no escape sequence, no mark', () => {
  const evil = notice('Rovers\r\nX-Evil: 1\u001b[31m <b>_*`[x](http://e)\u202e');
  const sent = JSON.stringify([webhook, telegram, ntfy].map((way) => body(way, message(evil))));
  expect(sent).not.toMatch(/\\u001b|\\r|\u202e/);
  expect(body(telegram, message(evil))).not.toHaveProperty('parse_mode');
});

test('an alert about something says about what', () => {
  const subjects = EVERY_RECORD.map(recordLine).flatMap((line) => {
    const { alert } = line;
    return alert === undefined ? [] : [[alert, alertNotice({ ...line, alert }, AT).subject]];
  });
  expect(Object.fromEntries(subjects)).toEqual({
    ORDER_REJECTED: 'SUSPENDED_MARKET',
    ORDER_UNKNOWN: 'TIMEOUT',
    ORDER_REAPPEARED: '',
    STRAY_ADOPTED: '',
    HEARTBEAT_LAPSED: '',
    TRADING_HALTED: '',
    STRATEGY_HALTED: 's',
    FEED_LATE: 'prices',
    MARKET_OFF: '9',
    DIFFERENCE_LASTING: '7',
    ORDERS_LEFT: '',
  });
});
