/** Injected faults: each kind strikes the requests it is meant for, as often as it should. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { exchange } from '../http/raw-http.ts';
import { openMarket, openStand, orderOn, type Stand } from '../http/stand.ts';

let stand: Stand;

beforeAll(async () => {
  stand = await openStand();
});
afterEach(async () => {
  await stand.control('DELETE', '/faults');
  const body = { walletIds: [stand.sandbox.walletId] };
  await stand.call('POST', '/orders/cancel-v2', { body, token: stand.token });
});
afterAll(() => stand.close());

const LADDER = '/market-prices/ladder';

async function inject(fault: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await stand.control('POST', '/faults', fault);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.id;
}

function get(path: string, token = stand.token) {
  return stand.call('GET', path, { token });
}

async function isDropped(path: string): Promise<boolean> {
  const send = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\n\r\n`;
  const { answers, closed } = await exchange({ port: stand.port, send });
  return closed && answers.length === 0;
}

describe('latency', () => {
  test('a fixed one delays every answer until it is lifted', async () => {
    const id = await inject({ kind: 'latency', delayMs: 120 });
    const started = performance.now();
    expect((await get(LADDER)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(115);
    expect((await stand.control('DELETE', `/faults/${id}`)).status).toBe(200);
    expect((await stand.control('GET', '/faults')).json.faults).toEqual([]);
    expect((await stand.control('DELETE', `/faults/${id}`)).status).toBe(404);
  });

  test('a random one lies between its bounds', async () => {
    await inject({ kind: 'latency', delayMs: 20, delayMsMax: 60, seed: 7 });
    for (let call = 0; call < 5; call += 1) {
      const started = performance.now();
      await get(LADDER);
      expect(performance.now() - started).toBeGreaterThanOrEqual(18);
    }
  });
});

describe('statuses', () => {
  test.each([429, 500, 502, 503, 504])('%i is answered twice, then no more', async (status) => {
    await inject({ kind: 'status', status, retryAfter: 3, count: 2 });
    for (let call = 0; call < 2; call += 1) {
      const answer = await get(LADDER);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect(Object.keys(answer.json)).toEqual(['title', 'details']);
    }
    expect((await get(LADDER)).status).toBe(200);
  });

  test('a batch that fails so has the shape of a batch, and nothing was placed', async () => {
    const market = await openMarket(stand);
    await inject({ kind: 'status', status: 503, operations: ['createOrders'] });
    const body = { requests: [orderOn(stand, market, { reference: 'never' })] };
    const answer = await stand.call('POST', '/orders/batch', { body, token: stand.token });
    expect(answer.status).toBe(503);
    expect(answer.json.orders).toEqual([]);
    expect((await get('/orders/by-reference/never')).status).toBe(404);
  });

  test('only the operation, the path or the app that was named is struck', async () => {
    const other = await stand.openApp();
    await inject({ kind: 'status', status: 503, operations: ['getPriceLadder'] });
    await inject({ kind: 'status', status: 502, path: '/categories/SPORT' });
    await inject({ kind: 'status', status: 504, appId: other.appId });
    expect((await get(LADDER)).status).toBe(503);
    expect((await get('/categories')).status).toBe(200);
    expect((await get('/categories/SPORT')).status).toBe(502);
    expect((await get('/wallets', other.token)).status).toBe(504);
    expect((await get('/wallets')).status).toBe(200);
    await stand.control('DELETE', '/faults');
    expect((await get('/wallets', other.token)).status).toBe(200);
  });

  test('a probability strikes as its seed draws, and the same seed draws the same', async () => {
    const draw = async () => {
      const id = await inject({ kind: 'status', status: 503, probability: 0.5, seed: 42 });
      const statuses: number[] = [];
      for (let call = 0; call < 30; call += 1) statuses.push((await get(LADDER)).status);
      await stand.control('DELETE', `/faults/${id}`);
      return statuses;
    };
    const first = await draw();
    expect(new Set(first)).toEqual(new Set([200, 503]));
    expect(await draw()).toEqual(first);
  });

  test('one with a time is over by itself', async () => {
    await inject({ kind: 'status', status: 503, forMs: 150 });
    expect((await get(LADDER)).status).toBe(503);
    await expect.poll(async () => (await get(LADDER)).status).toBe(200);
  });
});

describe('dropped connections', () => {
  test('before acceptance nothing has happened', async () => {
    const market = await openMarket(stand);
    await inject({ kind: 'dropBefore', operations: ['createOrder'], count: 1 });
    const body = orderOn(stand, market, { reference: 'before' });
    await expect(stand.call('POST', '/orders', { body, token: stand.token })).rejects.toThrow();
    expect((await get('/orders/by-reference/before')).status).toBe(404);
    expect((await stand.call('POST', '/orders', { body, token: stand.token })).status).toBe(200);
  });

  test('after acceptance the order is there', async () => {
    const market = await openMarket(stand);
    await inject({ kind: 'dropAfter', operations: ['createOrder'], count: 1 });
    const body = orderOn(stand, market, { reference: 'after' });
    await expect(stand.call('POST', '/orders', { body, token: stand.token })).rejects.toThrow();
    expect((await get('/orders/by-reference/after')).json.orders[0].status).toBe('Unmatched');
  });

  test('the client sees its connection closed, without a byte', async () => {
    await inject({ kind: 'dropBefore', count: 1 });
    expect(await isDropped(LADDER)).toBe(true);
    await inject({ kind: 'dropAfter', count: 1 });
    expect(await isDropped(LADDER)).toBe(true);
    expect(await isDropped(LADDER)).toBe(false);
  });
});

describe('orders', () => {
  test.each(['INTERRUPTED', 'MARKET_POSITION_NOT_FOUND'])(
    'the next two fail with %s, the third is taken',
    async (code) => {
      const market = await openMarket(stand);
      await inject({ kind: 'orderError', ...(code === 'INTERRUPTED' ? {} : { code }), count: 2 });
      const requests = [1, 2, 3].map((number) => orderOn(stand, market, { reference: `${code}-${number}` }));
      const answer = await stand.call('POST', '/orders/batch', { body: { requests }, token: stand.token });
      expect(answer.status, answer.text).toBe(200);
      const results = answer.json.orders.map(({ errorCode, status }: Record<string, string>) => errorCode ?? status);
      expect(results).toEqual([code, code, 'Unmatched']);
    },
  );

  test('of another app they are taken', async () => {
    const market = await openMarket(stand);
    const other = await stand.openApp();
    await inject({ kind: 'orderError', appId: other.appId });
    expect(
      (await stand.call('POST', '/orders', { body: orderOn(stand, market), token: stand.token })).json.orders[0].status,
    ).toBe('Unmatched');
    const theirs = orderOn(stand, market, { walletId: other.walletId });
    const batch = await stand.call('POST', '/orders/batch', { body: { requests: [theirs] }, token: other.token });
    expect(batch.json.orders[0].errorCode).toBe('INTERRUPTED');
  });
});

test('a document is odd in each answer that holds it, and the others are not', async () => {
  const { marketId: id } = await openMarket(stand);
  const marketsNow = async () => (await get('/markets?size=2000')).json.markets;
  const plain = await marketsNow();
  const odd = { kind: 'oddDocument', documents: 'markets', documentId: id };
  await inject({ ...odd, field: 'lockAt', json: 'null' });
  await inject({ ...odd, field: 'inPlayDelay', json: '0.5' });
  await inject({ ...odd, field: 'marketOutcomes._ids' });
  const expected = plain.map((market: { id: string; marketOutcomes: { _ref: string } }) =>
    market.id === id
      ? { ...market, lockAt: null, inPlayDelay: 0.5, marketOutcomes: { _ref: market.marketOutcomes._ref } }
      : market,
  );
  expect(await marketsNow()).toEqual(expected);
  expect((await get(`/markets/${id}`)).json.markets[0]).toMatchObject({ lockAt: null });
  const { faults } = (await stand.control('GET', '/faults')).json;
  expect(faults[0]).toMatchObject({
    kind: 'oddDocument',
    documents: 'markets',
    documentId: id,
    field: 'lockAt',
    struck: 2,
  });
  await stand.control('DELETE', '/faults');
  expect(await marketsNow()).toEqual(plain);
});

test('stale prices stay what they were until the fault is lifted, for other reads the world goes on', async () => {
  const market = await openMarket(stand);
  const path = `/market-prices?marketIds=${market.marketId}`;
  const levelAt1000 = async () =>
    (await get(path)).json.prices[0].prices.find(
      (level: { side: string; price: number; outcomeId: string }) =>
        level.side === 'For' && level.price === 1000 && level.outcomeId === market.outcomeId,
    );
  expect(await levelAt1000()).toBeUndefined();
  const id = await inject({ kind: 'stalePrices' });
  expect(await levelAt1000()).toBeUndefined();
  const placed = await stand.call('POST', '/orders', { body: orderOn(stand, market), token: stand.token });
  const order: string = placed.json.orders[0].id;
  expect(await levelAt1000()).toBeUndefined();
  expect((await get(`/orders/${order}`)).json.orders[0].status).toBe('Unmatched');
  await stand.control('DELETE', `/faults/${id}`);
  expect(await levelAt1000()).toMatchObject({ amount: 1 });
});

test('the stream is cut as a whole, or one connection of it', async () => {
  const open = () =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(stand.sandbox.streamUrl);
      socket.once('open', () => resolve(socket)).once('error', reject);
    });
  const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));
  const [first, second, third] = [await open(), await open(), await open()];
  const connections: readonly { id: string }[] = (await stand.control('GET', '/stream/connections')).json.connections;
  expect(connections.length).toBe(3);
  const firstClosed = closed(first);
  expect((await stand.control('POST', '/stream/cut', { connectionId: connections[0]?.id })).json).toEqual({ cut: 1 });
  expect(await firstClosed).toBe(1006);
  expect(second.readyState).toBe(WebSocket.OPEN);
  const rest = [closed(second), closed(third)];
  expect((await stand.control('POST', '/stream/cut', {})).json).toEqual({ cut: 2 });
  expect(await Promise.all(rest)).toEqual([1006, 1006]);
  expect((await stand.control('POST', '/stream/cut', { connectionId: 'none' })).status).toBe(404);
});

describe('a message of the stream', () => {
  /** The messages of orders that a connection of ours gets while an order is placed in each of two markets, by their markets. */
  async function orderMessages(markets: readonly Awaited<ReturnType<typeof openMarket>>[]) {
    const socket = new WebSocket(stand.sandbox.streamUrl);
    const heard: Record<string, unknown>[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(data.toString())));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ action: 'authenticate', accessToken: stand.token }));
    await expect.poll(() => heard.length).toBe(1);
    const subscribing = { subscriptionType: 'OrderUpdate', subscriptionIds: ['*'] };
    socket.send(JSON.stringify({ action: 'subscribe', ...subscribing }));
    await expect.poll(() => heard.length).toBe(2);
    for (const market of markets)
      await stand.call('POST', '/orders', { body: orderOn(stand, market), token: stand.token });
    const ofMarkets = () =>
      markets.map(({ marketId }) =>
        heard.find((each) => each['type'] === 'OrderUpdate' && each['marketId'] === marketId),
      );
    await expect.poll(() => ofMarkets().every((each) => each !== undefined)).toBe(true);
    socket.close();
    return ofMarkets();
  }

  test('has the odd field, and of others than those that are named has not', async () => {
    const markets = [await openMarket(stand), await openMarket(stand)];
    await inject({ kind: 'oddDocument', documents: 'OrderUpdate', field: 'stake', json: 'null' });
    expect(await orderMessages(markets)).toMatchObject([{ stake: null }, { stake: null }]);
    const { faults } = (await stand.control('GET', '/faults')).json;
    expect(faults[0].struck).toBeGreaterThan(1);
    await stand.control('DELETE', '/faults');
    await inject({ kind: 'oddDocument', documents: 'OrderUpdate', documentId: 'none', field: 'stake', json: 'null' });
    expect(await orderMessages(markets)).toMatchObject([{ stake: 1 }, { stake: 1 }]);
  });
});

test.each([
  [{}],
  [{ kind: 'earthquake' }],
  [{ kind: 'latency' }],
  [{ kind: 'latency', delayMs: -1 }],
  [{ kind: 'latency', delayMs: 5, delayMsMax: 4 }],
  [{ kind: 'status' }],
  [{ kind: 'status', status: 200 }],
  [{ kind: 'status', status: 600 }],
  [{ kind: 'dropBefore', count: 0 }],
  [{ kind: 'dropBefore', probability: 0 }],
  [{ kind: 'dropBefore', probability: 2 }],
  [{ kind: 'dropBefore', operations: [] }],
  [{ kind: 'dropBefore', operations: ['fly'] }],
  [{ kind: 'orderError', code: 'BAD_LUCK' }],
  [{ kind: 'stalePrices', operations: ['listPrices', 'createOrders'] }],
  [{ kind: 'oddDocument', field: 'lockAt' }],
  [{ kind: 'oddDocument', documents: 'markets' }],
  [{ kind: 'oddDocument', documents: 'horses', field: 'name' }],
  [{ kind: 'oddDocument', documents: 'markets', field: 'lockAt', json: 'nul' }],
])('%j is no fault', async (fault) => {
  const answer = await stand.control('POST', '/faults', fault);
  expect(answer.status, answer.text).toBe(400);
  expect(answer.json.details.length).toBeGreaterThan(0);
  expect((await stand.control('GET', '/faults')).json.faults).toEqual([]);
});

test('a fault for an app that is not there is refused', async () => {
  expect((await stand.control('POST', '/faults', { kind: 'dropBefore', appId: 'nobody' })).status).toBe(404);
});

test('the list says what each fault is and how often it struck', async () => {
  const latency = { kind: 'latency', delayMs: 1, count: 5, operations: ['getPriceLadder'], path: '/market-prices' };
  const first = await inject(latency);
  const second = await inject({
    kind: 'status',
    status: 503,
    retryAfter: 1,
    appId: stand.sandbox.appId,
    probability: 0.5,
    seed: 3,
    path: '/x',
  });
  await get(LADDER);
  expect((await stand.control('GET', '/faults')).json.faults).toEqual([
    {
      id: first,
      kind: 'latency',
      operations: ['getPriceLadder'],
      path: '/market-prices',
      probability: 1,
      seed: 1,
      count: 5,
      struck: 1,
      delayMs: 1,
      delayMsMax: 1,
    },
    {
      id: second,
      kind: 'status',
      path: '/x',
      appId: stand.sandbox.appId,
      probability: 0.5,
      seed: 3,
      struck: 0,
      status: 503,
      retryAfter: 1,
    },
  ]);
});
