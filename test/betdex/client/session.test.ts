/**
 * One session for all calls: opened on demand, renewed in time by one request, and without a flood of requests after failures.
 */

import { describe, expect, test } from 'vitest';
import { lifetimeMs, renewAfterMs } from '../../../src/exchange-live/connection/token-lifetime.ts';
import { EMPTY_CATEGORIES, START, stage } from '../../support/betdex/client-stage.ts';
import { problem, replied } from '../../support/betdex/scripted-transport.ts';

describe('opening', () => {
  test('many first calls open one session and all are answered with its token', () => {
    const { call, run, office, sent } = stage();
    const outcomes = [1, 2, 3, 4, 5].map(() => call('listCategories', {}));
    expect(outcomes.flat()).toEqual([]);
    run(100);
    expect(office.logins).toBe(1);
    expect(sent().map(({ token }) => token)).toEqual(Array(5).fill('access-1'));
    for (const outcome of outcomes) expect(outcome).toMatchObject([{ kind: 'answered' }]);
  });

  test('nothing is asked before the first call', () => {
    const { client, transport, run } = stage();
    client.call('listCategories', {});
    run(60_000);
    expect(transport.lines).toEqual([]);
  });

  test('a wallet key opens with its wallet, an app key without the field', () => {
    const wallet = stage({ options: { credentials: { appId: 'app-1', apiKey: 'the-right-key', walletId: 'w-1' } } });
    wallet.call('listCategories', {});
    const app = stage();
    app.call('listCategories', {});
    expect(JSON.parse(wallet.transport.sent[0]?.body ?? '')).toEqual({
      appId: 'app-1',
      apiKey: 'the-right-key',
      walletId: 'w-1',
    });
    expect(JSON.parse(app.transport.sent[0]?.body ?? '')).toEqual({ appId: 'app-1', apiKey: 'the-right-key' });
  });

  test('a wrong key fails every waiting call as NO_SESSION and is then tried ever more seldom', () => {
    const { call, run, office, events } = stage({ options: { credentials: { appId: 'app-1', apiKey: 'wrong-key' } } });
    const first = [call('listCategories', {}), call('createOrder', { body: {} })];
    run(100);
    for (const outcome of first)
      expect(outcome).toMatchObject([{ kind: 'failed', code: 'NO_SESSION', mayHaveActed: false }]);
    expect(office.logins).toBe(1);
    // A bot that polls ten times a second for five minutes.
    const polls = Array.from({ length: 3_000 }, () => {
      const outcomes = call('listCategories', {});
      run(100);
      return outcomes;
    });
    expect(polls.every(([outcome]) => outcome?.kind === 'failed' && outcome.code === 'NO_SESSION')).toBe(true);
    expect(office.logins).toBeGreaterThan(5);
    expect(office.logins).toBeLessThan(20);
    const waits = events.flatMap((event) => (event.kind === 'sessionFailed' ? [event.retryInMs] : []));
    expect(waits[0]).toBeLessThanOrEqual(1_000);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(30_000);
  });

  test('a passing fault of the log-in is tried again within the same call', () => {
    let faults = 0;
    const { call, run } = stage({
      before: ({ path }) => {
        if (path !== '/sessions' || faults === 2) return undefined;
        faults += 1;
        return { reply: faults === 1 ? { kind: 'unsent', details: 'refused' } : problem(503) };
      },
    });
    const outcomes = call('listCategories', {});
    run(2_000);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
    expect(faults).toBe(2);
  });

  test('a session answer that holds none is a bad answer, not a crash', () => {
    const empty = { _meta: { _primary_document: 'sessions', _count: 0 }, sessions: [] };
    const { call, run } = stage({
      before: ({ path }) => (path === '/sessions' ? { reply: replied(200, empty) } : undefined),
    });
    const outcomes = call('createOrder', { body: {} });
    run(1_000);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'BAD_ANSWER', mayHaveActed: false }]);
  });

  test('a log-in that hangs ends the waiting call in time, and nothing of it was sent', () => {
    const { call, run, sent } = stage({ before: () => ({ reply: 'silence' }) });
    const outcomes = call('createOrder', { body: {} });
    run(4_999);
    expect(outcomes).toEqual([]);
    run(1);
    expect(outcomes).toMatchObject([{ kind: 'failed', code: 'TIMEOUT', mayHaveActed: false }]);
    expect(sent()).toEqual([]);
  });
});

describe('renewal', () => {
  test('tokens of 2 s and refresh tokens of 10 s carry a minute of polls and orders without one refused request', () => {
    const nearby = Array.from({ length: 25 }, (_, index) => -2_400 + 200 * index);
    for (const skewMs of [...nearby, -90_000, 90_000])
      for (const sendsDate of skewMs === 0 ? [true, false] : [true]) {
        const context = stage({ accessMs: 2_000, refreshMs: 10_000, skewMs, sendsDate, script: orderOrCategories });
        const outcomes = Array.from({ length: 240 }, (_, index) => {
          const made = index % 4 === 0 ? context.call('createOrder', { body: {} }) : context.call('listCategories', {});
          context.run(250);
          return made;
        });
        context.run(1_000);
        const where = `skew ${skewMs}, Date ${sendsDate}`;
        expect(
          outcomes.every(([outcome]) => outcome?.kind === 'answered'),
          where,
        ).toBe(true);
        expect(context.sent().length, where).toBe(240);
        expect(
          context.events.filter(({ kind }) => kind === 'sessionRejected'),
          where,
        ).toEqual([]);
        expect(context.office.logins, where).toBe(1);
      }
  });

  test('a refresh takes nothing from calls: they go on with the token that still lives', () => {
    const { call, run, sent } = stage({
      accessMs: 2_000,
      refreshMs: 10_000,
      before: ({ path }) => (path === '/sessions/refresh' ? { reply: 'silence' } : undefined),
    });
    call('listCategories', {});
    run(1_500);
    const outcomes = call('listCategories', {});
    run(20);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
    expect(sent().at(-1)?.token).toBe('access-1');
  });

  test('a refresh sends the refresh token, with the old access token beside it', () => {
    const { call, run, transport } = stage({ accessMs: 2_000, refreshMs: 10_000 });
    call('listCategories', {});
    run(1_100);
    const refresh = transport.sent.find(({ path }) => path === '/sessions/refresh');
    expect(refresh).toMatchObject({ token: 'access-1', body: '{"refreshToken":"refresh-1"}' });
  });

  test('where the refresh is refused, a log-in follows and no call fails', () => {
    const { call, run, office, events } = stage({ accessMs: 2_000, refreshMs: 10_000 });
    call('listCategories', {});
    run(500);
    office.forget({ refreshTokens: true });
    const outcomes = call('listCategories', {});
    run(1_000);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
    expect(office.logins).toBe(2);
    expect(events.map(({ kind }) => kind)).toEqual(['sessionOpened', 'sessionRejected', 'sessionOpened']);
  });

  test('a refresh token at its end is not tried', () => {
    const { call, run, office } = stage({ accessMs: 2_000, refreshMs: 10_000 });
    call('listCategories', {});
    run(30_000);
    const refreshes = office.refreshes;
    const outcomes = call('listCategories', {});
    run(100);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
    expect([office.logins, office.refreshes]).toEqual([2, refreshes]);
  });

  test('a session that is not used is left to end', () => {
    const { call, run, office } = stage();
    call('listCategories', {});
    run(86_400_000);
    expect(office.refreshes).toBeLessThanOrEqual(1);
  });

  test('a token that lives for years sets no timer that goes off at once', () => {
    const { call, run, office } = stage({ accessMs: 3e11, refreshMs: 3e11 });
    call('listCategories', {});
    run(2 ** 31 - 100);
    expect(office.refreshes).toBe(0);
    run(200);
    expect(office.refreshes).toBe(1);
  });

  test('tokens that are dead on arrival do not make a loop', () => {
    const { call, run, office } = stage({ accessMs: 0, refreshMs: 0 });
    const outcomes = call('listCategories', {});
    run(10_000);
    expect(outcomes).toMatchObject([{ kind: 'refused', status: 401 }]);
    expect(office.logins + office.refreshes).toBeLessThan(6);
  });
});

describe('401 on a call', () => {
  test('many at once renew once, and each call is repeated once', () => {
    const { call, run, office, sent } = stage();
    call('listCategories', {});
    run(2_000);
    office.forget({ refreshTokens: false });
    const outcomes = Array.from({ length: 12 }, () => call('listCategories', {}));
    run(1_000);
    expect(outcomes.every(([outcome]) => outcome?.kind === 'answered')).toBe(true);
    expect([office.logins, office.refreshes]).toEqual([1, 1]);
    expect(sent().length).toBe(1 + 12 * 2);
  });

  test('an order goes again too: 401 says that nothing was done', () => {
    const { call, run, office, sent } = stage({ script: orderOrCategories });
    call('listCategories', {});
    run(2_000);
    office.forget({ refreshTokens: true });
    const outcomes = call('createOrder', { body: { stake: 2 } });
    run(1_000);
    expect(outcomes).toMatchObject([{ kind: 'answered' }]);
    expect(
      sent()
        .filter(({ path }) => path === '/orders')
        .map(({ token, body }) => [token, body]),
    ).toEqual([
      ['access-1', '{"stake":2}'],
      ['access-2', '{"stake":2}'],
    ]);
  });

  test('a second 401 is the answer', () => {
    const { call, run, sent } = stage({ script: () => ({ reply: problem(401) }) });
    const outcomes = call('createOrder', { body: {} });
    run(10_000);
    expect(outcomes).toMatchObject([{ kind: 'refused', status: 401, title: 'problem 401', mayHaveActed: false }]);
    expect(sent().length).toBe(2);
  });

  test('a second 401 is the answer however late it comes', () => {
    const { call, run, sent } = stage({ script: () => ({ reply: problem(401), afterMs: 2_000 }) });
    const outcomes = call('createOrder', { body: {} });
    run(14_000);
    expect(outcomes).toMatchObject([{ kind: 'refused', status: 401, mayHaveActed: false }]);
    expect(sent().length).toBe(2);
  });

  test('an endpoint that always says 401 does not have a new token made for every call', () => {
    const { call, run, office } = stage({ script: () => ({ reply: problem(401) }) });
    for (let index = 0; index < 100; index += 1) {
      call('listCategories', {});
      run(100);
    }
    expect(office.logins + office.refreshes).toBeLessThan(13);
  });
});

describe('accessToken', () => {
  test('gives a token that is not near its end, and waits for the next one otherwise', () => {
    const { client, run } = stage({ accessMs: 2_000, refreshMs: 10_000 });
    const given: string[] = [];
    const ask = () =>
      client.accessToken().subscribe((outcome) => {
        given.push(outcome.kind === 'granted' ? outcome.token.reveal() : outcome.code);
      });
    ask();
    expect(given).toEqual([]);
    run(100);
    ask();
    run(1);
    expect(given).toEqual(['access-1', 'access-1']);
    run(1_500);
    ask();
    run(100);
    expect(given.at(-1)).not.toBe('access-1');
  });
});

test('closing ends the calls that wait for a token', async () => {
  const { client, run } = stage({ before: () => ({ reply: 'silence' }) });
  const given: unknown[] = [];
  client.accessToken().subscribe((outcome) => given.push(outcome));
  run(100);
  await client.close();
  expect(given).toMatchObject([{ kind: 'failed', code: 'CLOSED' }]);
  client.accessToken().subscribe((outcome) => given.push(outcome));
  expect(given.length).toBe(1);
  run(1);
  expect(given[1]).toMatchObject({ kind: 'failed', code: 'CLOSED' });
});

describe('reckoning a life', () => {
  test.each([
    ['without a Date header our clock counts', START + 2_000, START, undefined, 2_000],
    ['a clock that agrees with the header counts', START + 2_400, START + 400, START, 2_000],
    ['a clock behind yields to the header, at its latest', START + 62_000, START, START + 60_000, 1_001],
    ['a clock ahead does too', START - 58_000, START, START - 60_000, 1_001],
    ['an end in the past is no life', START - 1, START, undefined, 0],
  ])('%s', (_, expiresAt, receivedAt, date, expected) => {
    expect(lifetimeMs(expiresAt, receivedAt, date)).toBe(expected);
  });

  test('long lives are renewed five minutes before their end, short ones at half', () => {
    expect([renewAfterMs(1_800_000), renewAfterMs(2_000), renewAfterMs(0)]).toEqual([1_500_000, 1_000, 0]);
  });
});

function orderOrCategories({ path }: { readonly path: string }) {
  const orders = { _meta: { _primary_document: 'orders', _count: 0 }, orders: [] };
  return { reply: replied(200, path === '/orders' ? orders : EMPTY_CATEGORIES) };
}
