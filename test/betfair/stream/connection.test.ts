/** One connection after the other: what is sent, which answers end it, when it is tried again, and what is said of it. */

import { NEVER, of, throwError } from 'rxjs';
import { expect, test } from 'vitest';
import { consequenceOf } from '../../../src/betfair/stream/connection/status-codes.ts';
import type { StreamEvent } from '../../../src/betfair/stream/connection/stream-event.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { requests, StreamRig, upRig } from '../../support/betfair/stream-rig.ts';
import { limit } from '../../support/sandbox-betfair/face-stage.ts';
import { StreamStage } from '../../support/sandbox-betfair/stream-stage.ts';

/** Goes on as if the server had answered the first request of the next connections so. */
function answering(rig: StreamRig, status: object): void {
  rig.line.edit = (line) =>
    line.includes('"op":"status"') && line.includes('SUCCESS')
      ? JSON.stringify({ op: 'status', id: JSON.parse(line).id, statusCode: 'FAILURE', ...status })
      : line;
}

test('authentication and subscriptions are sent at once, and each has an id of its own', () => {
  const rig = upRig();
  const [authentication, markets, orders, ...more] = requests(rig);
  expect(more).toEqual([]);
  expect(authentication).toMatchObject({ op: 'authentication', id: 1, appKey: 'app', session: rig.session.token });
  expect(markets).toMatchObject({ op: 'marketSubscription', id: 2, heartbeatMs: 2_000, segmentationEnabled: true });
  expect(orders).toMatchObject({ op: 'orderSubscription', id: 3 });
  expect(rig.line.sent).toHaveLength(1);
});

test('nothing is connected before there is a subscription', () => {
  const rig = new StreamRig();
  rig.client.start();
  rig.pass(60_000);
  expect(rig.line.sent).toEqual([]);
  rig.client.orders({});
  rig.pass(100);
  expect(rig.news()).toMatchObject([{ kind: 'up' }, { kind: 'resync', reason: 'connected' }]);
});

test('an empty filter would be everything, and is refused', () => {
  const rig = new StreamRig();
  expect(() => rig.client.markets({})).toThrow('a subscription names markets');
  expect(() => rig.client.markets({ marketFilter: { marketIds: [] } })).toThrow('a subscription names markets');
});

test('after a cut it comes back with its clocks, and names the stretch that was told as one', () => {
  const rig = upRig();
  rig.pass(3_000);
  rig.news();
  rig.line.cut();
  rig.pass(2_000);
  expect(rig.news()).toMatchObject([
    { kind: 'down', code: 'CUT', retryMs: expect.any(Number) },
    { kind: 'gap', feed: 'markets', why: 'joined' },
    { kind: 'gap', feed: 'orders', why: 'joined' },
    { kind: 'up' },
    { kind: 'resync', reason: 'reconnected' },
  ]);
  const [, markets, orders] = requests(rig);
  for (const request of [markets, orders])
    expect(request).toMatchObject({ initialClk: expect.any(String), clk: expect.any(String) });
});

test('a clock that is too old is given up, and the image that comes instead is a gap', () => {
  const rig = upRig({ server: { clockMs: 60_000 } });
  rig.line.isClosed = true;
  rig.line.cut();
  rig.pass(120_000);
  rig.news();
  rig.line.isClosed = false;
  rig.pass(60_000);
  const news = rig.news();
  expect(news.filter(({ kind }) => kind !== 'down')).toMatchObject([
    { kind: 'gap', feed: 'markets', why: 'image' },
    { kind: 'gap', feed: 'orders', why: 'image' },
    { kind: 'up' },
    { kind: 'resync', reason: 'reconnected' },
  ]);
  expect(news.filter((event) => event.kind === 'down' && event.code === 'INVALID_CLOCK')).not.toEqual([]);
});

test('a market that is found anew is no gap of the others, unless its image takes longer than a silence may', () => {
  const rig = upRig();
  const [, , third = ''] = rig.marketIds(3);
  const ask = () => rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(2), third] } });
  rig.news('change');
  ask();
  rig.pass(1_000);
  const news = rig.events.splice(0).filter(({ kind }) => kind !== 'proven');
  expect(news).toMatchObject([{ kind: 'change', change: { type: 'image', changes: { length: 3 } } }]);
  rig.line.delayMs = 1_900;
  ask();
  rig.pass(20_000);
  expect(rig.news()).toMatchObject([{ kind: 'gap', feed: 'markets', why: 'image' }, { reason: 'lost' }]);
});

test('a feed that is asked for later than the other has lost nothing before its first image', () => {
  const rig = new StreamRig();
  rig.client.orders({});
  rig.client.start();
  rig.pass(100);
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(2)] } });
  rig.pass(1_000);
  expect(rig.news()).toMatchObject([{ kind: 'up' }, { kind: 'resync', reason: 'connected' }]);
});

test('where the connection is cut before the image has come, the gap is named', () => {
  const rig = upRig();
  rig.line.edit = (line) => (line.includes('SUB_IMAGE') ? undefined : line);
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(3)] } });
  rig.pass(1_000);
  rig.line.cut();
  rig.line.edit = (line) => line;
  rig.pass(1_000);
  expect(rig.news('gap')).toMatchObject([
    { feed: 'markets', why: 'image' },
    { feed: 'orders', why: 'joined' },
  ]);
});

test('a clock without its twin is not sent', () => {
  const rig = new StreamRig();
  rig.client.orders({});
  rig.line.edit = (line) => line.replace(/"initialClk":"[^"]*",/, '');
  rig.client.start();
  rig.pass(100);
  rig.line.cut();
  rig.pass(1_000);
  expect(requests(rig)[1]).not.toHaveProperty('clk');
});

test.each([
  ['NO_APP_KEY', 'final'],
  ['INVALID_APP_KEY', 'final'],
  ['NOT_AUTHORIZED', 'final'],
  ['INVALID_INPUT', 'final'],
  ['INVALID_REQUEST', 'final'],
  ['NO_SESSION', 'session'],
  ['INVALID_SESSION_INFORMATION', 'session'],
  ['INVALID_CLOCK', 'clock'],
  ['TOO_MANY_REQUESTS', 'busy'],
  ['MAX_CONNECTION_LIMIT_EXCEEDED', 'busy'],
  ['TIMEOUT', 'passing'],
  ['CONNECTION_FAILED', 'passing'],
  ['UNEXPECTED_ERROR', 'passing'],
  ['A_CODE_OF_TOMORROW', 'passing'],
])('%s is %s', (errorCode, consequence) => {
  const asked: boolean[] = [];
  const rig: StreamRig = new StreamRig({
    session: (refused) => {
      asked.push(refused);
      return of(rig.session);
    },
  });
  expect(consequenceOf(errorCode)).toBe(consequence);
  rig.client.orders({});
  answering(rig, { errorCode, errorMessage: `no ${rig.session.token}`, connectionClosed: true });
  rig.client.start();
  rig.pass(100);
  const [down] = rig.news('down');
  expect(down).toMatchObject({ code: errorCode, details: 'no [secret]' });
  const { retryMs } = down as Extract<StreamEvent, { kind: 'down' }>;
  const least = { final: undefined, busy: 10_000 }[consequence] ?? 250;
  if (consequence === 'final') expect(retryMs).toBeUndefined();
  else expect(retryMs).toBeGreaterThanOrEqual(least);
  rig.pass(25_000);
  expect(asked.length).toBeGreaterThanOrEqual(consequence === 'final' ? 1 : 2);
  expect(asked.slice(1).every((refused) => refused === (consequence === 'session'))).toBe(true);
  if (consequence !== 'final') return;
  expect(asked).toHaveLength(1);
  // Another subscription may be taken.
  rig.line.edit = (line) => line;
  rig.client.orders({ orderFilter: { includeOverallPosition: false } });
  rig.pass(100);
  expect(rig.news()).toMatchObject([{ kind: 'up' }, { kind: 'resync' }]);
});

test('a subscription with too many markets is refused alone', () => {
  const rig = new StreamRig({ server: { marketsMax: 1 } });
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(2)] } });
  rig.client.orders({});
  rig.client.start();
  rig.pass(100);
  expect(rig.news()).toMatchObject([
    { kind: 'refused', feed: 'markets', details: expect.stringContaining('SUBSCRIPTION_LIMIT_EXCEEDED') },
    { kind: 'up' },
    { kind: 'resync' },
  ]);
  rig.pass(60_000);
  expect(rig.news()).toEqual([]);
  rig.client.markets({ marketFilter: { marketIds: [...rig.marketIds(1)] } });
  rig.pass(100);
  expect(rig.news('change')).toMatchObject([{ change: { feed: 'markets', type: 'image' } }]);
});

test('waiting times double, have a random part, and start again after a while', () => {
  const rig = upRig();
  const waits = (): (number | undefined)[] =>
    rig.news('down').map((event) => (event.kind === 'down' ? event.retryMs : undefined));
  rig.line.isClosed = true;
  rig.line.cut();
  rig.pass(200_000);
  const first = waits();
  expect(first.slice(0, 7).every((ms = 0, tries) => ms >= 250 * 2 ** tries && ms <= 500 * 2 ** tries)).toBe(true);
  expect(Math.max(...first.map((ms) => ms ?? 0))).toBeLessThanOrEqual(30_000);
  const other = upRig({ seed: 2 });
  other.line.isClosed = true;
  other.line.cut();
  expect(other.news('down')).not.toMatchObject([{ retryMs: first[0] }]);
  rig.line.isClosed = false;
  rig.pass(60_000);
  waits();
  rig.line.cut();
  expect(waits()[0]).toBeLessThanOrEqual(500);
});

test('a stream that is silent for twice what it promised is cut and opened again', () => {
  const rig = upRig();
  rig.pass(10_000);
  expect(rig.news()).toEqual([]);
  rig.line.isDead = true;
  rig.pass(3_900);
  expect(rig.news('down')).toEqual([]);
  rig.pass(2_100);
  expect(rig.news('down')).toMatchObject([{ code: 'SILENT', details: expect.stringContaining('subscription to') }]);
  rig.line.isDead = false;
  rig.pass(30_000);
  expect(rig.news().at(-1)).toMatchObject({ kind: 'resync', reason: 'reconnected' });
});

test('one feed that is silent is enough, whatever the other says', () => {
  const rig = upRig();
  rig.line.edit = (line) => (line.includes('"ocm"') ? undefined : line);
  rig.pass(6_000);
  expect(rig.news('down')).toMatchObject([{ code: 'SILENT', details: 'the subscription to orders' }]);
});

test('a process that stood still itself first reads what has come', () => {
  const stage = new StreamStage();
  let behindMs = 0;
  const { clock } = stage.builder;
  // While the process stands still, the time goes on, and timers are late.
  const late: Clock = { now: () => clock.now() + behindMs, schedule: clock.schedule.bind(clock) };
  const rig = new StreamRig({ stage, clock: late });
  rig.client.orders({});
  rig.client.start();
  rig.pass(100);
  rig.news();
  rig.line.isDead = true;
  rig.pass(3_000);
  behindMs = 10_000;
  rig.pass(1_500);
  rig.line.isDead = false;
  rig.pass(10_000);
  expect(rig.news()).toEqual([]);
});

test('what is not answered in time ends the connection', () => {
  const silent = new StreamRig();
  silent.client.orders({});
  silent.line.isDead = true;
  silent.client.start();
  silent.pass(16_000);
  expect(silent.news('down')).toMatchObject([{ code: 'NO_ANSWER' }]);
  const without = new StreamRig({ session: () => NEVER });
  without.client.orders({});
  without.client.start();
  without.pass(10_500);
  expect(without.news('down')).toMatchObject([{ code: 'SESSION_UNAVAILABLE' }]);
  const failing = new StreamRig({ session: () => throwError(() => new Error('banned')) });
  failing.client.orders({});
  failing.client.start();
  failing.pass(1);
  expect(failing.news('down')).toMatchObject([{ code: 'SESSION_UNAVAILABLE', details: 'banned' }]);
});

test.each([
  ['no JSON', '{"op":"mcm"', 'BAD_LINE'],
  ['a change without a time', '{"op":"ocm","id":3}', 'BAD_LINE'],
  ['a status that makes no sense', '{"op":"status","statusCode":7}', 'BAD_LINE'],
  ['a segment without a beginning', '{"op":"ocm","id":3,"pt":1,"segmentType":"SEG"}', 'BAD_SEGMENTS'],
])('%s ends the connection, which comes back from its last clock', (_, bad, code) => {
  const rig = upRig();
  let isBad = true;
  rig.line.edit = (line) => {
    const edited = isBad && line.includes('HEARTBEAT') ? bad : line;
    if (edited === bad) isBad = false;
    return edited;
  };
  rig.pass(6_000);
  expect(rig.news().filter(({ kind }) => kind !== 'gap')).toMatchObject([
    { kind: 'down', code },
    { kind: 'up' },
    { kind: 'resync', reason: 'reconnected' },
  ]);
});

test('a message of a kind that is newer than this client is reported once in a while', () => {
  const rig = upRig();
  rig.line.edit = (line) => line.replace('"op":"mcm","id":2,"ct":"HEARTBEAT"', '"op":"wcm","ct":"HEARTBEAT"');
  rig.pass(3_000);
  expect(rig.news()).toMatchObject([{ kind: 'trouble', code: 'UNKNOWN_MESSAGE', details: 'wcm' }]);
});

test('a new subscription replaces the old one, of which nothing is heard any more', () => {
  const rig = upRig();
  const [first = '', second = ''] = rig.marketIds(2);
  rig.client.markets({ marketFilter: { marketIds: [first] } });
  // It is made now, so that it may be told by the old subscription alone.
  rig.stage.command({ kind: 'suspend', market: rig.stage.market(second), suspended: true });
  rig.pass(100);
  const changes = rig.news('change').map((event) => (event.kind === 'change' ? event.change : undefined));
  expect(changes.map((change) => change?.type)).toEqual(['image']);
  expect(changes[0]?.changes).toMatchObject([{ id: first }]);
});

test('where the exchange joins changes because we read slowly, that is said', () => {
  const rig = upRig();
  const mary = rig.stage.login();
  const [marketId = ''] = rig.marketIds(1);
  const [runner] = mary.call('listMarketBook', { marketIds: [marketId] })[0]?.runners ?? [];
  rig.line.isSlow = true;
  for (const price of [1000, 990, 980]) {
    const instructions = [limit({ selectionId: runner?.selectionId ?? 0, price, size: 5 })];
    mary.call('placeOrders', { marketId, instructions });
    rig.pass(10);
  }
  rig.line.catchUp();
  rig.line.isSlow = false;
  rig.pass(10);
  expect(rig.news()).toMatchObject([{ kind: 'trouble', code: 'READS_SLOWLY', details: 'markets' }]);
});

test('a closed client says and sends nothing more, also while it connects', () => {
  const rig = upRig();
  let isComplete = false;
  rig.client.events$.subscribe({ complete: () => (isComplete = true) });
  rig.client.close();
  rig.pass(60_000);
  expect(isComplete).toBe(true);
  expect(rig.events).toEqual([]);
  expect(rig.line.isOpen).toBe(false);
  const early = new StreamRig();
  early.client.orders({});
  early.client.start();
  early.client.close();
  early.pass(60_000);
  expect(early.line.sent).toEqual([]);
});
