/** The client against a real server that misbehaves: resets, half answers, slow bodies, dead connections. */

import { connect, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import { type Answering, CATEGORIES, call, json, StubExchange } from '../../support/betdex/stub-exchange.ts';

let stub: StubExchange;

const answered: Answering = (response) => json(response, 200, CATEGORIES);
/** How a call ends, but for whether it may have acted, and after how many attempts of a read. */
const LOST = [{ kind: 'failed', code: 'CONNECTION_LOST' }, 4] as const;
const BAD = [{ kind: 'failed', code: 'BAD_ANSWER' }, 1] as const;

/** Writes this past HTTP, and ends the connection. */
const raw =
  (text = ''): Answering =>
  (response) =>
    response.socket?.end(text);

const FAULTS: readonly (readonly [name: string, Answering, end: object, attempts: number])[] = [
  ['a reset before the headers', (response) => response.socket?.resetAndDestroy(), ...LOST],
  ['an end before the headers', raw(), ...LOST],
  [
    'a reset within the body',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"_meta":');
      setImmediate(() => response.socket?.resetAndDestroy());
    },
    ...LOST,
  ],
  ['a body shorter than its length', raw('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"_meta":{'), ...LOST],
  [
    'a chunked body without its end',
    raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"_meta":\r\n'),
    ...LOST,
  ],
  [
    'a chunked body without its end on a connection that said it would close',
    raw('HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"_meta":\r\n'),
    ...LOST,
  ],
  [
    'a body of no declared length that ends early',
    raw('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"_meta":{'),
    ...BAD,
  ],
  ['bytes that are no HTTP', raw('220 mail.example ESMTP\r\n\r\n'), ...BAD],
  [
    'headers without end',
    raw(`HTTP/1.1 200 OK\r\n${'X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(5_000)}\r\n`),
    ...BAD,
  ],
  ['malformed JSON', (response) => response.writeHead(200).end('{"_meta":'), ...BAD],
  [
    'a compressed answer that nobody asked for',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    ...BAD,
  ],
  ['a redirect', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), ...BAD],
  [
    'a refusal of 50 MB',
    (response) => {
      response.writeHead(500);
      const piece = Buffer.alloc(1 << 20, 'x');
      const pour = (left: number) => {
        if (left > 0 && !response.destroyed) response.write(piece, () => pour(left - 1));
        else response.end();
      };
      pour(50);
    },
    { kind: 'refused', status: 500 },
    1,
  ],
  [
    'a gateway that speaks HTML',
    (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    { kind: 'refused', status: 502, title: 'status 502', details: [] },
    4,
  ],
];

describe.each(FAULTS)('%s', (_name, answering, end, attempts) => {
  test('to a read, and to an order', async () => {
    stub = await StubExchange.start(answering);
    const client = stub.client();
    expect(await call(client, 'listCategories', {})).toMatchObject({ ...end, mayHaveActed: false });
    expect(stub.asked.length).toBe(attempts);
    expect(await call(client, 'createOrder', { body: { marketId: '1' } })).toMatchObject({
      ...end,
      mayHaveActed: true,
    });
    expect(stub.asked.length).toBe(attempts + 1);
    stub.answer(answered);
    expect(await call(client, 'listCategories', {})).toMatchObject({ kind: 'answered' });
  });
});

describe('deadlines', () => {
  test('hold though the body trickles', async () => {
    stub = await StubExchange.start((response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    const client = stub.client();
    const outcome = await call(client, 'createOrder', { body: {}, timeoutMs: 150 });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'TIMEOUT', mayHaveActed: true });
  });

  test('count an answer that came in time, though our process stood still and read it late', async () => {
    stub = await StubExchange.start((response) => {
      json(response, 200, ORDERS);
      const until = Date.now() + 400;
      while (Date.now() < until);
    });
    const client = stub.client();
    await new Promise((resolve) => client.accessToken().subscribe(resolve));
    const outcome = await call(client, 'createOrder', { body: {}, timeoutMs: 100 });
    expect(outcome).toMatchObject({ kind: 'answered' });
  });

  test('an attempt that hangs gets another connection within the same call', async () => {
    stub = await StubExchange.start((response, _, count) => {
      if (count > 1) json(response, 200, { _meta: { _primary_document: 'ids', _count: 0 }, ids: [] });
    });
    const client = stub.client({ timeouts: { attemptMs: 100 } });
    expect(await call(client, 'cancelOrders', { body: { orderIds: ['1'] } })).toMatchObject({ kind: 'answered' });
    expect(stub.asked.map(({ connection }) => connection)).toHaveLength(2);
    expect(stub.asked[0]?.connection).not.toBe(stub.asked[1]?.connection);
  });

  test('a call that never got a connection is never sent later', async () => {
    let release: (() => void) | undefined;
    stub = await StubExchange.start((response, _, count) => {
      if (count === 1) release = () => json(response, 200, CATEGORIES);
      else json(response, 200, CATEGORIES);
    });
    const client = stub.client({ connections: 1, timeouts: { waitMs: 60 } });
    const first = call(client, 'listCategories', {});
    await waitFor(() => release !== undefined);
    const order = await call(client, 'createOrder', { body: {} });
    expect(order).toMatchObject({ kind: 'failed', code: 'TIMEOUT', mayHaveActed: false });
    release?.();
    expect(await first).toMatchObject({ kind: 'answered' });
    await call(client, 'listCategories', {});
    expect(stub.asked.map(({ url }) => url)).toEqual(['/categories', '/categories']);
  });
});

describe('connections', () => {
  test('a refused one proves that nothing was sent', async () => {
    stub = await StubExchange.start(answered);
    const client = stub.client({ baseUrl: 'http://127.0.0.1:1' });
    const outcome = await call(client, 'createOrder', { body: {} });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'NOT_SENT', mayHaveActed: false });
    expect(stub.received).toEqual([]);
  });

  test('an order after the exchange went away is not sent', async () => {
    stub = await StubExchange.start(answered);
    const client = stub.client();
    await call(client, 'listCategories', {});
    await stub.stopListening();
    stub.cut();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const outcome = await call(client, 'createOrder', { body: {} });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'NOT_SENT', mayHaveActed: false });
  });

  test('an idle one that the server closed fails no read, and doubles no order', async () => {
    stub = await StubExchange.start((response, { url }) => {
      json(response, 200, url === '/orders' ? ORDERS : CATEGORIES);
      // Closed straight after the answer, without a warning: this can happen on every kept connection.
      setImmediate(() => response.socket?.destroy());
    });
    const client = stub.client({ connections: 1 });
    const orders: CallOutcome<unknown>[] = [];
    for (let round = 0; round < 40; round += 1) {
      expect(await call(client, 'listCategories', {})).toMatchObject({ kind: 'answered' });
      orders.push(await call(client, 'createOrder', { body: { reference: `order-${round}` } }));
    }
    const references = stub.asked.filter(({ url }) => url === '/orders').map(({ body }) => JSON.parse(body).reference);
    expect(new Set(references).size).toBe(references.length);
    const uncertain = orders.filter((each) => each.kind === 'failed' && !each.mayHaveActed).length;
    expect(references.length).toBe(orders.length - uncertain);
  });

  test('one is used again, and the client never opens more than it may', async () => {
    stub = await StubExchange.start((response) => setTimeout(() => json(response, 200, CATEGORIES), 5));
    const client = stub.client({ connections: 5, budget: { perSecond: 10_000, burst: 10_000 } });
    await call(client, 'listCategories', {});
    await call(client, 'listCategories', {});
    // Undici does not use a connection again within the same turn of the event loop, so a call made at once takes a second one.
    expect(stub.connections).toBeLessThanOrEqual(2);
    await Promise.all(Array.from({ length: 50 }, () => call(client, 'listCategories', {})));
    expect(stub.connections).toBeLessThanOrEqual(5);
  });

  test('a half-closed one that never answers ends in the deadline', async () => {
    const mute = createServer({ allowHalfOpen: true }, () => {});
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve);
    });
    const address = mute.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    stub = await StubExchange.start(answered);
    const client = stub.client({ baseUrl: `http://127.0.0.1:${port}`, timeouts: { waitMs: 100 } });
    expect(await call(client, 'listCategories', {})).toMatchObject({ kind: 'failed', code: 'TIMEOUT' });
    await client.close();
    connect(port).destroy();
    mute.close();
  });
});

describe('giving up', () => {
  test('by unsubscribing closes the connection of the request', async () => {
    let closed = false;
    stub = await StubExchange.start((response) => {
      response.on('close', () => {
        closed = true;
      });
    });
    const subscription = stub.client().call('listCategories', {}).subscribe();
    await waitFor(() => stub.asked.length === 1);
    subscription.unsubscribe();
    await waitFor(() => closed);
  });

  test('by closing the client answers CLOSED at once and leaves no connection', async () => {
    stub = await StubExchange.start(() => {});
    const client = stub.client();
    const outcome = call(client, 'createOrder', { body: {} });
    await waitFor(() => stub.asked.length === 1);
    await client.close();
    expect(await outcome).toMatchObject({ kind: 'failed', code: 'CLOSED', mayHaveActed: true });
    expect(await call(client, 'listCategories', {})).toMatchObject({ kind: 'failed', code: 'CLOSED' });
  });
});

const ORDERS = { _meta: { _primary_document: 'orders', _count: 0 }, orders: [] };

async function waitFor(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !condition(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(condition()).toBe(true);
}
