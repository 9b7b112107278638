/** The log: one JSON object a line, alerts by code, storms counted, secrets gone; and its form for people. */

import { describe, expect, test } from 'vitest';
import { ALERTS } from '../../../src/app/cli/codes/alert.ts';
import { paintFor } from '../../../src/app/cli/terminal.ts';
import { DaemonLog } from '../../../src/app/live/log/daemon-log.ts';
import { edgeLine, noticeLine } from '../../../src/app/live/log/edge-line.ts';
import { humanLine } from '../../../src/app/live/log/human-line.ts';
import type { LogLevel } from '../../../src/app/live/log/log-line.ts';
import { recordLine } from '../../../src/app/live/log/record-line.ts';
import { instant } from '../../../src/core/number/units.ts';
import { EVERY_RECORD } from '../../support/daemon/every-record.ts';
import { AT } from '../../support/daemon/made-status.ts';

interface Written {
  readonly level: string;
  readonly alert?: string;
  readonly msg: string;
  readonly repeats?: number;
}

function stage(level: LogLevel = 'debug', secrets: readonly string[] = []) {
  const lines: string[] = [];
  const clock = { now: AT };
  const log = new DaemonLog({
    ...{ write: (line: string) => lines.push(line), now: () => clock.now, level, base: { pid: 1 }, secrets },
  });
  return { log, clock, lines, written: () => lines.map((line) => JSON.parse(line) as Written) };
}

describe('a line', () => {
  test('says when, how grave, what and with which fields, and ends', () => {
    const { log, lines } = stage();
    log.alert('READ_FAILED', 'orders could not be read', { code: 'TIMEOUT' });
    expect(lines).toEqual([
      '{"level":"warn","time":"2026-11-20T12:00:00.000Z","pid":1,"about":"daemon","alert":"READ_FAILED","code":"TIMEOUT","msg":"orders could not be read"}\n',
    ]);
  });

  test('below the level asked for is not written, but its alert is counted all the same', () => {
    const { log, lines } = stage('error');
    const heard: string[] = [];
    log.alerts$.subscribe(({ alert }) => heard.push(alert));
    log.alert('THROTTLED', 'slower');
    expect({ lines, heard }).toEqual({ lines: [], heard: ['THROTTLED'] });
  });

  test('holds no secret: not as a field, not inside words, not in quotes', () => {
    const { log, lines } = stage('debug', ['k"ey-5417', 'token-5418']);
    log.info('x', 'the key is k"ey-5417, the token token-5418', {
      apiKey: 'other-5419',
      deep: { accessToken: '5420' },
    });
    expect(lines[0]).not.toMatch(/54(17|18|19|20)/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ apiKey: '[secret]', deep: { accessToken: '[secret]' } });
  });
});

test('what comes in storms is said once a minute, with how many were not said; its alerts are all counted', () => {
  const { log, clock, written } = stage();
  let heard = 0;
  log.alerts$.subscribe(() => {
    heard += 1;
  });
  const fail = (what: string) => log.write(noticeLine({ kind: 'readFailed', what, code: 'TIMEOUT', details: '' }));
  for (let count = 0; count < 100; count += 1) fail('orders');
  fail('prices');
  clock.now += 60_000;
  fail('orders');
  expect(written().map(({ msg, repeats }) => [msg.split(' ')[0], repeats])).toEqual([
    ['orders', undefined],
    ['prices', undefined],
    ['orders', 99],
  ]);
  expect(heard).toBe(102);
});

test('a clock that was set back does not silence the log', () => {
  const { log, clock, lines } = stage();
  const line = { level: 'info', subject: 'x', text: 'y', throttled: 'z' } as const;
  log.write(line);
  clock.now -= 3_600_000;
  log.write(line);
  expect(lines).toHaveLength(2);
});

describe('what is said of records', () => {
  test.each(EVERY_RECORD.map((record) => [record.kind, record] as const))(
    '%s: words, and its fields in decimals',
    (_, record) => {
      const line = recordLine(record);
      expect(line.text).not.toBe('');
      expect(line.text).not.toMatch(/undefined|\[object|NaN/);
      expect(JSON.stringify(line.fields ?? {})).not.toMatch(/\b5000000\b/);
      if (line.alert !== undefined) expect(line.level).toBe(ALERTS[line.alert].level);
    },
  );

  test.each([
    ['heartbeat', 'lapsed', 'HEARTBEAT_LAPSED', 'error'],
    ['heartbeat', 'late', 'HEARTBEAT_LATE', 'warn'],
    ['heartbeat', 'active', undefined, 'info'],
    ['trading', 'halted', 'TRADING_HALTED', 'error'],
    ['trading', 'reduceOnly', 'TRADING_REDUCE_ONLY', 'warn'],
    ['trading', 'running', undefined, 'info'],
  ] as const)('%s to %s is %s', (kind, to, alert, level) => {
    const line = recordLine({ kind, from: 'before', to, cause: 'c', by: 'b' } as never);
    expect({ alert: line.alert, level: line.level }).toEqual({ alert, level });
  });

  test('trading that is moved to where it is, is the cancellation of all orders', () => {
    const cancelled = recordLine({ kind: 'trading', from: 'halted', to: 'halted', cause: 'uneasy', by: 'command' });
    expect(cancelled).toMatchObject({ level: 'info', text: 'all live orders are to be cancelled, by command: uneasy' });
    expect(cancelled.alert).toBeUndefined();
  });

  test('an amount and a tick are what people write', () => {
    const sent = EVERY_RECORD.find(({ kind }) => kind === 'sent') ?? expect.fail('no record');
    expect(recordLine(sent).fields).toMatchObject({ stake: 5, price: 2 });
  });
});

test('what becomes of the stream is said', () => {
  expect(edgeLine({ kind: 'up', connection: 0 })).toMatchObject({
    level: 'info',
    subject: 'stream up',
    fields: { connection: 0 },
  });
});

test('a failed session is an alert, an opened one is not', () => {
  const failed = edgeLine({ kind: 'sessionFailed', details: '401', retryInMs: 5, isRefused: true });
  expect(failed).toMatchObject({ alert: 'SESSION_FAILED', subject: 'sessionFailed' });
  expect(failed.fields).toEqual({ details: '401', retryInMs: 5 });
  expect(edgeLine({ kind: 'sessionOpened', expiresAt: instant(AT), skewMs: 0 }).alert).toBeUndefined();
});

test('for people: one line, the code, the words, how many before', () => {
  const { log, lines, clock } = stage();
  const line = { level: 'warn', alert: 'THROTTLED', subject: 'x', text: 'first\n  second', throttled: 't' } as const;
  log.write(line);
  log.write(line);
  clock.now += 60_000;
  log.write(line);
  expect(lines.map((each) => humanLine(each, paintFor(false)))).toEqual([
    '12:00:00.000 warn  THROTTLED  first · second\n',
    '12:01:00.000 warn  THROTTLED  first · second  (and 1 like it before)\n',
  ]);
});

test('a line for people names what an order is, and carries no control characters', () => {
  const sent = EVERY_RECORD.find(({ kind }) => kind === 'sent');
  expect(sent === undefined ? '' : recordLine(sent).text).toBe(
    'order 7 sent: back 5 at 2 on A, Northgate v Southmoor · Winner (market 9), by s',
  );
  const line = humanLine(JSON.stringify({ level: 'info', time: '', msg: 'a\u001b[31mname\u0007' }), paintFor(false));
  expect(line.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('figures are said with what they are', () => {
  const stretched = { kind: 'pollingStretched', isStretched: true, everyMs: 4_000, urgentMs: 500 } as const;
  expect(noticeLine(stretched).text).toBe(
    'prices are read every 4000 ms, urgent ones every 500 ms, to keep the request budget',
  );
  const of = { kind: 'refused', strategy: 's', market: '7' } as const;
  const limit = { ...of, code: 'LIMIT_OUTCOME', limit: 60, value: 50, wouldBe: 65 } as const;
  expect(recordLine(limit).text).toBe('s on market 7: LIMIT_OUTCOME is or would be 65 of 60');
  const met = { ...of, code: 'SELF_MATCH', limit: 2.92, value: 2.92, wouldBe: 2.9, times: 3 } as const;
  expect(recordLine(met).text).toBe(
    's on market 7: SELF_MATCH at 2.9 it would reach an order of our own at 2.92 (3 times)',
  );
});
