/** The network port: a request given up before it began is never written, and no reply is delivered before `send` returns. */

import { afterEach, expect, test } from 'vitest';
import { PoolTransport, REFUSAL_MAX } from '../../../src/exchange-live/connection/pool-transport.ts';
import type { WireReply } from '../../../src/exchange-live/connection/transport.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { type Answering, CATEGORIES, json, StubExchange } from '../../support/betdex/stub-exchange.ts';

let stub: StubExchange;
let transport: PoolTransport;

afterEach(() => transport.close());

async function setUp(answering: Answering, answerMax = 1_000): Promise<void> {
  stub = await StubExchange.start(answering);
  transport = new PoolTransport({
    origin: stub.url,
    clock: wallClock,
    connections: 1,
    connectTimeoutMs: 1_000,
    keepAliveMs: 4_000,
    answerMax,
  });
}

const get = (path: string, headers: string[] = []) => ({ method: 'GET' as const, path, headers });

function ask(path: string, headers: string[] = []): Promise<WireReply> {
  return new Promise((resolve) => {
    transport.send(get(path, headers), resolve);
  });
}

test('a request that was given up while it waited for the connection is not written, and does no harm to it', async () => {
  let release: (() => void) | undefined;
  await setUp((response, { url }) => {
    if (url === '/first') release = () => json(response, 200, CATEGORIES);
    else json(response, 200, CATEGORIES);
  });
  const first = ask('/first');
  const second = transport.send(get('/second'), () => expect.fail('nothing is heard of it'));
  const third = ask('/third');
  while (release === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(second.hasBegun).toBe(false);
  second.cancel();
  release();
  expect(await first).toMatchObject({ kind: 'reply', status: 200 });
  expect(await third).toMatchObject({ kind: 'reply', status: 200 });
  expect(stub.received.map(({ url }) => url)).toEqual(['/first', '/third']);
  expect(stub.connections).toBe(1);
  expect(second.hasBegun).toBe(false);
});

test('what undici will not even try is unsent, and reported after send returned', async () => {
  await setUp((response) => json(response, 200, CATEGORIES));
  let reply: WireReply | undefined;
  const sending = transport.send(get('/x', ['authorization', 'Bearer a\nb']), (each) => {
    reply = each;
  });
  expect(reply).toBeUndefined();
  expect(sending.hasBegun).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(reply).toEqual({ kind: 'unsent', details: 'invalid authorization header (UND_ERR_INVALID_ARG)' });
});

test('an answer beyond all measure is not read to its end', async () => {
  await setUp((response) => response.end('x'.repeat(100_000)));
  expect(await ask('/x')).toEqual({ kind: 'garbled', details: 'the answer is longer than 1000 bytes' });
});

test('of a long refusal the beginning is kept', async () => {
  await setUp((response) => response.writeHead(500).end('x'.repeat(10 * REFUSAL_MAX)));
  const reply = await ask('/x');
  expect(reply).toMatchObject({ kind: 'reply', status: 500 });
  expect(reply.kind === 'reply' && reply.body.length).toBe(REFUSAL_MAX);
});

test('headers that come twice, and informational answers, are taken in good part', async () => {
  await setUp((response) => {
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    response.setHeader('retry-after', ['3', '9']);
    response.writeHead(429).end('{}');
  });
  expect(await ask('/x')).toMatchObject({ kind: 'reply', status: 429, retryAfter: '3', body: '{}' });
});

test('text of several bytes that is cut between packets is whole again', async () => {
  const text = 'ü€😀'.repeat(50);
  await setUp((response) => {
    const bytes = Buffer.from(text);
    response.writeHead(200, { 'content-length': String(bytes.length) });
    const pour = (from: number) => {
      if (from >= bytes.length) response.end();
      else response.write(bytes.subarray(from, from + 7), () => setImmediate(() => pour(from + 7)));
    };
    pour(0);
  });
  expect(await ask('/x')).toMatchObject({ kind: 'reply', body: text });
});

test('closing ends what is under way', async () => {
  await setUp(() => {});
  const reply = ask('/x');
  while (stub.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  await transport.close();
  expect(await reply).toMatchObject({ kind: 'lost' });
});
