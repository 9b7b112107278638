/** Faults on demand, as a bot on loopback meets them, and what the exchange holds after each. */

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { type LoopbackBot, type LoopbackStand, openLoopback } from '../support/sandbox-betfair/loopback-stand.ts';

let stand: LoopbackStand;
let mary: LoopbackBot;
let marketId = '';
let selectionId = 0;

beforeAll(async () => {
  stand = await openLoopback();
  mary = await stand.login();
  const query = { filter: {}, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'LAST_TO_START', maxResults: 1 };
  const [found] = await mary.call('listMarketCatalogue', query);
  marketId = found.marketId;
  selectionId = found.runners[0].selectionId;
});
afterEach(async () => {
  await stand.control('DELETE', '/faults');
  await mary.call('cancelOrders', {});
});
afterAll(() => stand.close());

const inject = async (fault: object): Promise<string> => (await stand.control('POST', '/faults', fault)).id;
const order = () => limit({ selectionId, price: 1000, size: 5 });
const place = () => mary.call('placeOrders', { marketId, instructions: [order()] });
const resting = async () => (await mary.call('listCurrentOrders', {})).currentOrders.length;

describe('a request', () => {
  test('is answered late, with a status, or not at all, and its order is there only where it was carried out', async () => {
    await inject({ kind: 'latency', delayMs: 150, count: 1, operations: ['placeOrders'] });
    const started = performance.now();
    expect((await place()).status).toBe('SUCCESS');
    expect(performance.now() - started).toBeGreaterThan(140);
    expect(await resting()).toBe(1);
    await inject({ kind: 'status', status: 503, retryAfter: 2, count: 1, operations: ['placeOrders'] });
    expect(await place()).toBe(503);
    await inject({ kind: 'dropBefore', count: 1, operations: ['placeOrders'] });
    expect(await place()).toBe('cut');
    expect(await resting()).toBe(1);
    await inject({ kind: 'dropAfter', count: 1, operations: ['placeOrders'] });
    expect(await place()).toBe('cut');
    expect(await resting()).toBe(2);
  });

  test.each(['SERVICE_BUSY', 'UNEXPECTED_ERROR', 'TOO_MANY_REQUESTS', 'TIMEOUT_ERROR', 'INVALID_SESSION_INFORMATION'])(
    'is refused with %s, carried out or not',
    async (code) => {
      await inject({ kind: 'error', code, count: 1, operations: ['placeOrders'] });
      expect(await place()).toBe(code);
      expect(await resting()).toBe(0);
      await inject({ kind: 'error', code, actsAfterMs: 0, count: 1, operations: ['placeOrders'] });
      expect(await place()).toBe(code);
      expect(await resting()).toBe(1);
    },
  );

  test('that places times out: nothing is there, or all is, or it appears later', async () => {
    const timedOut = { status: 'TIMEOUT', marketId, instructionReports: [{ status: 'TIMEOUT' }] };
    await inject({ kind: 'report', count: 1 });
    expect(await place()).toMatchObject(timedOut);
    expect(await resting()).toBe(0);
    await inject({ kind: 'report', actsAfterMs: 0, count: 1 });
    expect(await place()).toMatchObject(timedOut);
    expect(await resting()).toBe(1);
    await inject({ kind: 'report', actsAfterMs: 300, count: 1 });
    expect(await place()).toMatchObject(timedOut);
    expect(await resting()).toBe(1);
    await expect.poll(resting).toBe(2);
  });

  test.each([
    ['ERROR_IN_MATCHER', 'ERROR_IN_MATCHER', 'ERROR_IN_MATCHER'],
    ['BET_IN_PROGRESS', 'BET_ACTION_ERROR', 'BET_IN_PROGRESS'],
    ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'ERROR_IN_ORDER'],
  ])('fails with %s in each operation on orders', async (code, whole, part) => {
    const placed = await place();
    const [{ betId }] = placed.instructionReports;
    await inject({ kind: 'report', code });
    const failed = {
      status: 'FAILURE',
      errorCode: whole,
      instructionReports: [{ status: 'FAILURE', errorCode: part }],
    };
    expect(await place()).toMatchObject(failed);
    expect(await mary.call('cancelOrders', { marketId, instructions: [{ betId }] })).toMatchObject(failed);
    expect(await mary.call('replaceOrders', { marketId, instructions: [{ betId, newPrice: 990 }] })).toMatchObject(
      failed,
    );
    const keep = { marketId, instructions: [{ betId, newPersistenceType: 'PERSIST' }] };
    expect(await mary.call('updateOrders', keep)).toMatchObject(failed);
    expect(await resting()).toBe(1);
  });
});

describe('a session', () => {
  test('ends for one account or for all, and a new login goes on with its bets', async () => {
    const john = await stand.login('john');
    await place();
    expect(await stand.control('POST', '/sessions/end', { appId: 'mary' })).toEqual({ ended: 1 });
    expect(await mary.call('listCurrentOrders', {})).toBe('INVALID_SESSION_INFORMATION');
    expect(await john.call('listCurrentOrders', {})).toMatchObject({ currentOrders: [] });
    mary = await stand.login();
    expect(await resting()).toBe(1);
    expect(await stand.control('POST', '/sessions/end', {})).toEqual({ ended: 2 });
    mary = await stand.login();
  });

  test('is refused with any status, by one account or all, and those that are open stay', async () => {
    await inject({ kind: 'error', code: 'TEMPORARY_BAN_TOO_MANY_REQUESTS', appId: 'mary', forMs: 60_000 });
    const refused = { token: '', status: 'FAIL', error: 'TEMPORARY_BAN_TOO_MANY_REQUESTS' };
    expect(await stand.loginAnswer()).toMatchObject(refused);
    expect(await stand.loginAnswer('john')).toMatchObject({ status: 'SUCCESS' });
    expect(await resting()).toBe(0);
    await stand.control('DELETE', '/faults');
    await inject({ kind: 'error', code: 'BETTING_RESTRICTED_LOCATION', operations: ['certlogin', 'login'] });
    expect(await stand.loginAnswer('john')).toMatchObject({ error: 'BETTING_RESTRICTED_LOCATION' });
    await inject({ kind: 'error', code: 'NO_SESSION', operations: ['keepAlive'] });
    const headers = { 'X-Application': 'app', 'X-Authentication': mary.token };
    expect(JSON.parse((await stand.send('/api/keepAlive', '', { headers })).text)).toMatchObject({
      error: 'NO_SESSION',
    });
  });
});

describe('the control surface', () => {
  test('takes its key alone, and says what it has', async () => {
    expect((await stand.send('/control/faults', '', { method: 'GET' })).status).toBe(401);
    const headers = { authorization: 'Bearer wrong' };
    expect((await stand.send('/control/faults', '', { method: 'GET', headers })).status).toBe(401);
    const { paths } = JSON.parse((await stand.send('/control/openapi.json', '', { method: 'GET' })).text);
    const { schema } = paths['/control/faults'].post.requestBody.content['application/json'];
    const operations = schema.properties.operations.items.enum;
    expect(operations).toEqual(expect.arrayContaining(['placeOrders', 'login', 'marketSubscription', 'mcm']));
    expect(operations).not.toContain('createOrders');
  });

  test.each([
    { kind: 'dropBefore', operations: ['createOrders'] },
    { kind: 'orderError' },
    { kind: 'error' },
    { kind: 'error', code: 'INVALID_CLOCK', operations: ['placeOrders'] },
    { kind: 'error', code: 'no words' },
    { kind: 'report', operations: ['listMarketBook'] },
    { kind: 'report', code: 'SERVICE_BUSY' },
    { kind: 'silence', operations: ['placeOrders'] },
    { kind: 'latency', delayMs: 5, operations: ['authentication'] },
  ])('refuses %j', async (fault) => {
    const headers = { authorization: `Bearer ${stand.sandbox.controlKey}` };
    expect((await stand.send('/control/faults', JSON.stringify(fault), { headers })).status).toBe(400);
  });

  test('lists a fault by the names of the face', async () => {
    const id = await inject({ kind: 'report', code: 'ERROR_IN_MATCHER', actsAfterMs: 5, appId: 'mary' });
    expect((await stand.control('GET', '/faults')).faults).toEqual([
      {
        ...{ id, kind: 'report', code: 'ERROR_IN_MATCHER', reportStatus: 'FAILURE', actsAfterMs: 5, appId: 'mary' },
        ...{ probability: 1, seed: 1, struck: 0 },
        operations: ['placeOrders', 'cancelOrders', 'replaceOrders', 'updateOrders'],
      },
    ]);
  });
});

test('each command of the documentation is taken', async () => {
  const text = readFileSync('docs/betfair-sandbox.md', 'utf8');
  const query = { filter: { marketTypeCodes: ['WIN'] }, marketProjection: ['RUNNER_DESCRIPTION'], maxResults: 1 };
  const [race] = await mary.call('listMarketCatalogue', query);
  const [first, second, third] = race.runners.map((each: { selectionId: number }) => each.selectionId);
  const commands = [...text.matchAll(/`control (\S+) -d '([^']*)'`/g)];
  expect(commands.length).toBeGreaterThan(20);
  for (const [, path = '', body = ''] of commands) {
    const own = body.replace('40000001', first).replace('40000002', second).replace('40000003', third);
    const named = JSON.parse(own.replace('"me"', '"mary"'));
    await stand.control('POST', `/${path.replace('1.900000001', race.marketId)}`, named);
  }
  await stand.control('DELETE', '/faults');
  mary = await stand.login();
});

test('the fourth call of the heavy kind that waits is refused, cleared orders count apart, and so does each account', async () => {
  const john = await stand.login('john');
  await inject({ kind: 'latency', delayMs: 400 });
  const book = { marketIds: [marketId], orderProjection: 'ALL' };
  const heavy = [
    mary.call('listCurrentOrders', {}),
    mary.call('listMarketProfitAndLoss', { marketIds: [marketId] }),
    mary.call('listMarketBook', book),
  ];
  await expect.poll(async () => (await stand.control('GET', '/faults')).faults[0].struck).toBe(3);
  const fourth = mary.call('listCurrentOrders', {});
  const others = [
    mary.call('listMarketBook', { marketIds: [marketId] }),
    mary.call('listClearedOrders', { betStatus: 'SETTLED' }),
    john.call('listCurrentOrders', {}),
  ];
  expect(await fourth).toBe('TOO_MANY_REQUESTS');
  for (const answer of await Promise.all([...heavy, ...others])) expect(answer).toEqual(expect.any(Object));
  expect(await resting()).toBe(0);
});
