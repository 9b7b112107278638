/** Which alerts are sent, which are only counted, and what is dropped where too many wait. */

import { expect, test } from 'vitest';
import type { AlertNotice } from '../../../src/app/live/alerts/alert-notice.ts';
import { AlertQueue } from '../../../src/app/live/alerts/alert-queue.ts';

const notice = (code: string, more: Partial<AlertNotice> = {}): AlertNotice => ({
  ...{ code, level: 'warn', means: 'm', subject: '', text: 't', at: 0, count: 1 },
  ...more,
});
const queue = (waitingMax = 100) => new AlertQueue({ repeatMs: 1_000, waitingMax });
const told = (notices: readonly AlertNotice[]) => notices.map(({ code, subject, count }) => [code, subject, count]);

test('alerts of one code and subject wait as one, with their number and the newest words', () => {
  const alerts = queue();
  alerts.take(notice('MARKET_OFF', { subject: '7', text: 'first' }));
  alerts.take(notice('MARKET_OFF', { subject: '8' }));
  alerts.take(notice('MARKET_OFF', { subject: '7', text: 'last', at: 5 }));
  const [first, second] = alerts.next(10, 10);
  expect(first).toMatchObject({ subject: '7', count: 2, text: 'last', at: 5 });
  expect(second).toMatchObject({ subject: '8', count: 1 });
  expect(alerts.size).toBe(0);
});

test('what was sent is only counted until its time has passed, and is then sent once with its count', () => {
  const alerts = queue();
  alerts.take(notice('THROTTLED'));
  expect(told(alerts.next(10, 0))).toEqual([['THROTTLED', '', 1]]);
  for (let at = 100; at < 1_000; at += 100) alerts.take(notice('THROTTLED', { at }));
  expect(alerts.size, 'nothing of it waits').toBe(0);
  expect(alerts.releaseAt).toBe(1_000);
  alerts.release(999);
  expect(alerts.size).toBe(0);
  alerts.release(1_000);
  expect(told(alerts.next(10, 1_000))).toEqual([['THROTTLED', '', 9]]);
  expect(alerts.releaseAt, 'nothing came since').toBeUndefined();
  alerts.release(2_000);
  alerts.take(notice('THROTTLED', { at: 2_000 }));
  expect(told(alerts.next(10, 2_000)), 'after a quiet time it is sent at once again').toEqual([['THROTTLED', '', 1]]);
});

test('what could not be sent is not taken for sent', () => {
  const alerts = queue();
  alerts.take(notice('THROTTLED'));
  const batch = alerts.next(10, 0);
  alerts.take(notice('THROTTLED', { at: 5 }));
  expect(alerts.size, 'counted, since one like it is under way').toBe(0);
  expect(alerts.forget(batch)).toBe(0);
  alerts.take(notice('THROTTLED', { at: 10 }));
  expect(told(alerts.next(10, 10))).toEqual([['THROTTLED', '', 2]]);
});

test('at the end, what was only counted waits at once', () => {
  const alerts = queue();
  alerts.take(notice('THROTTLED'));
  alerts.next(10, 0);
  alerts.take(notice('THROTTLED', { at: 1 }));
  alerts.release(2, true);
  expect(told(alerts.next(10, 2))).toEqual([['THROTTLED', '', 1]]);
});

test('where too many wait, a warning gives way to an error, and each dropped alert is counted', () => {
  const alerts = queue(2);
  alerts.take(notice('A'));
  alerts.take(notice('A'));
  alerts.take(notice('B'));
  expect(alerts.take(notice('C')), 'a warning takes nobody’s place').toBe(1);
  expect(alerts.take(notice('D', { level: 'error' })), 'both of A').toBe(2);
  expect(alerts.take(notice('E', { level: 'error' }))).toBe(1);
  expect(alerts.take(notice('F', { level: 'error' })), 'errors alone wait').toBe(1);
  expect(told(alerts.next(10, 0))).toEqual([
    ['D', '', 1],
    ['E', '', 1],
  ]);
});

test('the memory of what was sent is bounded, and no count is lost with it', () => {
  const alerts = queue(10_000);
  const sent = (now: number) => alerts.next(10_000, now).reduce((sum, { count }) => sum + count, 0);
  let total = 0;
  for (let subject = 0; subject < 1_500; subject += 1) {
    for (let times = 0; times < 2; times += 1) alerts.take(notice('MARKET_OFF', { subject: String(subject) }));
    total += sent(0);
    alerts.take(notice('MARKET_OFF', { subject: String(subject), at: 1 }));
  }
  expect(total, 'some were forgotten, and with that their counts were sent').toBeGreaterThanOrEqual(2 * 1_500 + 500);
  alerts.release(1_000);
  expect(total + sent(1_000)).toBe(3 * 1_500);
});
