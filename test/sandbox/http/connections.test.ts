/** Connections that send no HTTP, are too slow, or send too many headers: each is answered and none hangs. */

import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from './raw-http.ts';
import { expectProblem, frozenClock, openStand, type Stand } from './stand.ts';

let stand: Stand;
const LIMITS = { headersMs: 600, requestMs: 1_200, idleMs: 60_000 };

beforeAll(async () => {
  stand = await openStand({ connections: LIMITS, clock: frozenClock() });
});
afterAll(() => stand.close());

const LADDER = 'GET /market-prices/ladder HTTP/1.1\r\nHost: sandbox\r\n';
const authorised = () => `${LADDER}Authorization: Bearer ${stand.token}\r\n`;

async function expectRefused(send: string | Buffer, status: number): Promise<void> {
  const before = stand.sandbox.context.world.exchange.digest();
  const { answers, closed } = await exchange({ port: stand.port, send, answers: 0 });
  expect(answers.length).toBe(1);
  expectProblem(answers[0] ?? { status: 0, body: '' }, status);
  expect(closed).toBe(true);
  expect(stand.sandbox.context.world.exchange.digest()).toBe(before);
}

test.each([
  ['garbage', 'hello there\r\n\r\n'],
  ['zeros', Buffer.alloc(1_000)],
  ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an unknown method', 'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
  ['a header with a zero', 'GET / HTTP/1.1\r\nHost: x\r\na: \0\r\n\r\n'],
  ['two lengths', 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['a length that is no number', 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n'],
  [
    'a length and chunks at once',
    'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
])('%s is answered with 400', async (_, send) => {
  await expectRefused(send, 400);
});

test('a broken chunk is answered once, with 400', async () => {
  const head = `POST /orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\nContent-Type: application/json\r\n`;
  await expectRefused(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400);
});

test.each([
  ['identity', 'a body in JSON', 'Content-Type: application/json\r\n', '{}'],
  ['identity', 'a body in no type', '', '{}'],
  ['gzip', 'a body in a type that is not read', 'Content-Type: text/plain\r\n', 'x'.repeat(2_000_000)],
  ['chunked, identity', 'no body', '', ''],
])(
  'a body that is coded %s, %s, is answered once, with 400 and an end of the connection',
  async (...[coding, , type, body]) => {
    const head = `POST /orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\n${type}`;
    const send = `${head}Transfer-Encoding: ${coding}\r\n\r\n${body}`;
    await expectRefused(send, 400);
    const { answers } = await exchange({ port: stand.port, send });
    expect(answers[0]?.headers.get('connection')).toBe('close');
  },
);

test('requests before one that cannot be read are answered first', async () => {
  const head = `POST /orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n`;
  const { answers, closed } = await exchange({ port: stand.port, send: `${authorised()}\r\n${head}`, answers: 0 });
  expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  expect(closed).toBe(true);
});

test('a request of HTTP/1.1 without a host is answered with 400, one of HTTP/1.0 as usual', async () => {
  const { answers } = await exchange({ port: stand.port, send: 'GET / HTTP/1.1\r\n\r\n' });
  expectProblem(answers[0] ?? { status: 0, body: '' }, 400);
  const old = await exchange({ port: stand.port, send: 'GET / HTTP/1.0\r\n\r\n' });
  expect(old.answers[0]?.status).toBe(200);
});

test.each([
  ['one header of 20 kB', `X-Flood: ${'x'.repeat(20_000)}\r\n`],
  ['one header of 1 MB', `X-Flood: ${'x'.repeat(1_000_000)}\r\n`],
  ['20,000 headers', Array.from({ length: 20_000 }, (_, index) => `X-${index}: ${index}\r\n`).join('')],
])('%s: 431', async (_, headers) => {
  await expectRefused(`${LADDER}${headers}\r\n`, 431);
});

test('a flood that comes in drops is answered with 431', async () => {
  const { answers } = await exchange({
    port: stand.port,
    answers: 0,
    async send(socket, isGone) {
      socket.setNoDelay(true);
      socket.write(LADDER);
      for (let line = 0; line < 400 && !isGone(); line += 1) {
        socket.write(`X-${line}: ${'y'.repeat(90)}\r\n`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  });
  expectProblem(answers[0] ?? { status: 0, body: '' }, 431);
});

test('fifteen hundred small headers are none too many', async () => {
  const headers = Array.from({ length: 1_500 }, (_, index) => `a${index % 10}: 1\r\n`).join('');
  const { answers } = await exchange({ port: stand.port, send: `${authorised()}${headers}\r\n` });
  expect(answers[0]?.status).toBe(200);
});

test('a proxy is refused, and so is an expectation that nobody knows', async () => {
  await expectRefused('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405);
  const { answers } = await exchange({ port: stand.port, send: `${authorised()}Expect: cake\r\n\r\n` });
  expectProblem(answers[0] ?? { status: 0, body: '' }, 417);
});

test('Expect: 100-continue is met', async () => {
  const body = '{"orderIds":["1"]}';
  const head = `POST /orders/cancel-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\nContent-Type: application/json\r\n`;
  const { answers } = await exchange({
    port: stand.port,
    send: `${head}Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n${body}`,
  });
  expect(answers[0]?.status).toBe(200);
});

test('requests in one packet are answered in their order', async () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\n\r\n`;
  const { answers } = await exchange({
    port: stand.port,
    send: get('/market-prices/ladder') + get('/no') + get('/categories'),
    answers: 3,
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
  expect(answers[2]?.body).toContain('"categories"');
});

test('headers that never end are answered with 408', async () => {
  const { answers, closed, elapsedMs } = await exchange({
    port: stand.port,
    answers: 0,
    async send(socket, isGone) {
      socket.write(LADDER);
      for (let line = 0; !isGone(); line += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (socket.writable) socket.write(`X-${line}: 1\r\n`);
      }
    },
  });
  expectProblem(answers[0] ?? { status: 0, body: '' }, 408);
  expect(closed).toBe(true);
  expect(elapsedMs).toBeLessThan(5_000);
});

test('a body that never ends is answered with 408', async () => {
  const head = `POST /orders/cancel-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\nContent-Type: application/json\r\n`;
  await expectRefused(`${head}Content-Length: 100\r\n\r\n{"orderIds`, 408);
});

test('a connection on which nothing comes is closed', async () => {
  const { answers, closed } = await exchange({ port: stand.port, send: '', answers: 0 });
  expect(closed).toBe(true);
  expect(answers.every(({ status }) => status === 408)).toBe(true);
});

test('clients that hang up in the middle leave nothing behind', async () => {
  const half = `POST /orders/cancel-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stand.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"ord`;
  for (let cut = 1; cut < half.length; cut += 7) {
    await new Promise<void>((resolve) => {
      const socket = connectSocket(stand.port, '127.0.0.1', () => {
        socket.write(half.slice(0, cut), () => {
          if (cut % 2 === 0) socket.resetAndDestroy();
          else socket.destroy();
          resolve();
        });
      });
    });
  }
  const { answers } = await exchange({ port: stand.port, send: `${authorised()}\r\n` });
  expect(answers[0]?.status).toBe(200);
  expect(stand.bugs).toEqual([]);
});
