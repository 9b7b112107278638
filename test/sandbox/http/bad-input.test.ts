/** Whatever is sent, the sandbox says what is wrong with it and changes nothing. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange, type RawAnswer, type RawCall, requestBytes } from './raw-http.ts';
import { expectProblem, frozenClock, openMarket, openStand, orderOn, type Stand } from './stand.ts';

let stand: Stand;
let market: { readonly marketId: string; readonly outcomeId: string };

beforeAll(async () => {
  stand = await openStand({ clock: frozenClock() });
  market = await openMarket(stand);
});
afterAll(() => stand.close());

type Sent = Partial<RawCall>;

function bytesOf(request: Sent): Buffer {
  return requestBytes({ method: 'POST', path: '/orders/batch', token: stand.token, ...request });
}

async function sent(request: Sent): Promise<RawAnswer> {
  const { answers } = await exchange({ port: stand.port, send: bytesOf(request) });
  const [answer] = answers;
  if (answer === undefined) throw new Error('the connection was closed without an answer');
  return answer;
}

function state() {
  const { exchange: machine, registry } = stand.sandbox.context.world;
  return {
    digest: machine.digest(),
    broken: machine.brokenLaws(),
    wallets: registry.wallets.size,
    keys: registry.keys.size,
  };
}

async function expectRefused(request: Sent, status: number): Promise<RawAnswer> {
  const before = state();
  const answer = await sent(request);
  expectProblem(answer, status);
  expect(state()).toEqual(before);
  expect((await sent({ method: 'GET', path: '/market-prices/ladder' })).status).toBe(200);
  return answer;
}

function batch(...requests: readonly unknown[]): string {
  return JSON.stringify({ requests });
}

describe('bodies', () => {
  const bodies: readonly (readonly [string, () => string | Buffer])[] = [
    ['malformed JSON', () => '{"requests": ['],
    ['a bare NaN', () => `{"requests":[{"stake":NaN}]}`],
    ['a byte order mark', () => `\ufeff${batch(orderOn(stand, market))}`],
    ['bytes that are no UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['nothing but spaces', () => '   '],
    ['null', () => 'null'],
    ['a list', () => '[]'],
    ['a text', () => '"requests"'],
    ['no requests', () => batch()],
    ['51 requests', () => batch(...Array.from({ length: 51 }, () => orderOn(stand, market)))],
    ['requests that are no list', () => '{"requests":{}}'],
    ['an item that is null', () => '{"requests":[null]}'],
    ['a missing field', () => batch(orderOn(stand, market, { marketId: undefined }))],
    ['another spelling', () => '{"Requests":[]}'],
    ['a form', () => 'requests=1'],
    ['a prototype that holds the requests', () => `{"__proto__":${batch(orderOn(stand, market))}}`],
    ['100,000 brackets', () => '['.repeat(100_000)],
    ['a well-formed nest of 100,000 lists', () => `{"requests":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['a nest in a field nobody reads', () => `{"x":${'{"x":'.repeat(50_000)}1${'}'.repeat(50_000)}}`],
  ];
  test.each(bodies)('%s is refused with 400 in the shape of a batch, and nothing is created', async (_, body) => {
    const answer = await expectRefused({ body: body() }, 400);
    const { orders, trades, markets, _meta } = JSON.parse(answer.body);
    expect([orders, trades, markets, _meta]).toEqual([[], [], [], { _primary_document: 'orders', _count: 0 }]);
  });

  const lists = ['orders', 'markets', 'events', 'trades', 'eventGroups', 'subcategories', 'categories'];
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'json', '*/*'];
  const brokenTypes = ['', ' ', ';', '/', 'application/', 'application/json/json', '"application/json"', '\u00fc'];
  test.each([...types, ...brokenTypes, 'application/json, text/plain'])(
    'content type “%s” is refused with 415, in the shape of a batch',
    async (type) => {
      const answer = await expectRefused(
        { body: batch(orderOn(stand, market)), headers: { 'content-type': type } },
        415,
      );
      const body = JSON.parse(answer.body);
      expect(body._meta).toMatchObject({ _primary_document: 'orders', _count: 0 });
      expect(body.details).toEqual(['the Content-Type is not application/json']);
      for (const list of lists) expect(body[list], list).toEqual([]);
      // Without a body the content type does not matter.
      expect((await sent({ path: '/orders/999/cancel', headers: { 'content-type': type } })).status).toBe(404);
    },
  );

  test('a body without a content type is refused with 415', async () => {
    const body = batch(orderOn(stand, market));
    const send = bytesOf({ headers: { 'content-length': String(Buffer.byteLength(body)) } });
    const { answers } = await exchange({ port: stand.port, send: Buffer.concat([send, Buffer.from(body)]) });
    expectProblem(answers[0] ?? { status: 0, body: '{}' }, 415);
  });

  test('no body where one is needed is refused with 400', async () => {
    await expectRefused({}, 400);
    await expectRefused({ headers: { 'content-type': 'application/json', 'content-length': '0' } }, 400);
  });

  test('an operation without a body takes none or {}, and nothing else', async () => {
    const path = `/orders/1/cancel`;
    for (const body of ['', '{}']) await expectRefused({ path, body }, 404);
    for (const body of ['[]', '{"x":1}', '1']) await expectRefused({ path, body }, 400);
    await expectRefused({ method: 'DELETE', path: '/heartbeats', headers: { 'content-length': '0' } }, 404);
  });
});

describe('bodies too large', () => {
  const LARGE = 100 * 1024 * 1024;
  const CHUNK = Buffer.alloc(64 * 1024, 0x20);

  test('one of 1 MiB is read, one byte more is refused with 413', async () => {
    const whole = `{"requests":[${' '.repeat(1024 * 1024 - 15)}]}`;
    expect(whole.length).toBe(1024 * 1024);
    await expectRefused({ body: whole }, 400);
    await expectRefused({ body: `${whole} ` }, 413);
  });

  test.each(['content-length', 'chunked'] as const)('100 MB by %s are refused with 413 and never held', async (way) => {
    const before = process.memoryUsage().rss;
    const declared = { 'content-length': String(LARGE) };
    const headers = {
      'content-type': 'application/json',
      ...(way === 'chunked' ? { 'transfer-encoding': 'chunked' } : declared),
    };
    const { answers } = await exchange({
      port: stand.port,
      async send(socket, isGone) {
        socket.write(bytesOf({ headers }));
        for (let sentBytes = 0; sentBytes < LARGE && !isGone(); sentBytes += CHUNK.length) {
          const frame =
            way === 'chunked'
              ? Buffer.concat([Buffer.from(`${CHUNK.length.toString(16)}\r\n`), CHUNK, Buffer.from('\r\n')])
              : CHUNK;
          if (!socket.write(frame))
            await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
        }
      },
    });
    expectProblem(answers[0] ?? { status: 0, body: '{}' }, 413);
    expect(process.memoryUsage().rss - before).toBeLessThan(LARGE / 2);
  });

  test('a client that sends its whole body first still gets the answer, on a connection that goes on', async () => {
    const large = Buffer.concat([
      bytesOf({ headers: { 'content-type': 'application/json', 'content-length': String(8 * CHUNK.length * 16) } }),
      Buffer.alloc(8 * CHUNK.length * 16, 0x20),
    ]);
    const { answers } = await exchange({
      port: stand.port,
      send: Buffer.concat([large, bytesOf({ method: 'GET', path: '/market-prices/ladder' })]),
      answers: 2,
    });
    expect(answers.map(({ status }) => status)).toEqual([413, 200]);
  });
});

describe('addresses', () => {
  test.each([
    ['/orders?ids=1&page=99999999999999999999', 400],
    ['/orders?ids=1&size=10&size=20', 400],
    ['/orders?ids=1&sort=stake,upwards', 400],
    ['/orders?ids=1&statuses=Sleeping', 400],
    ['/orders?ids=1&fromCreatedAt=yesterday', 400],
    ['/orders?ids=1&fromCreatedAt=2026-02-30T00:00:00Z', 400],
    ['/orders?ids=1&fromStake=NaN', 400],
    ['/orders', 400],
    ['/orders?references=x', 400],
    ['/orders/by-reference/a%2Fb', 400],
    ['/orders/by-reference/a%5Cb', 400],
    ['/orders/by-reference/unknown', 404],
    ['/orders/99999999999999999999999999999999', 404],
    ['/orders/constructor', 404],
    ['/markets/toString', 404],
    ['/categories/constructor', 404],
    ['/markets?ids=%ff%fe', 400],
    ['/markets?published=yes', 400],
    ['/market-prices', 400],
    ['/market-prices?marketIds=no', 404],
    ['/markets/historical?limit=0', 400],
    ['/markets/historical?sort=sideways', 400],
    ['/markets/historical?secondaryOffset=x', 400],
    ['/unknown', 404],
    ['/markets//prices', 404],
    ['/../etc/passwd', 404],
    ['/docs/static/..%2f..%2fpackage.json', 404],
    ['/docs/static/%00', 403],
    ['//', 404],
    ['*', 404],
  ])('GET %s is refused with %i', async (path, status) => {
    await expectRefused({ method: 'GET', path }, status);
  });

  test.each([
    '/markets?unknown=%41&x',
    '/markets?&&size=1&',
    '/markets?ids=',
    '/market-prices/ladder?a=b',
    'http://elsewhere/market-prices/ladder',
  ])('GET %s is answered', async (path) => {
    expect((await sent({ method: 'GET', path })).status).toBe(200);
  });

  test.each([7_000, 7_001, 12_000, 30_000, 200_000])('an address of %i characters', async (length) => {
    const path = `/markets?ids=${'1'.repeat(length - '/markets?ids='.length)}`;
    if (length <= 7_000) expect((await sent({ method: 'GET', path })).status).toBe(200);
    else await expectRefused({ method: 'GET', path }, 414);
  });
});

describe('methods', () => {
  test.each([
    ['PUT', '/orders', 'POST, GET'],
    ['GET', '/orders/batch/', undefined],
    ['PROPFIND', '/wallets', 'POST, GET'],
    ['POST', '/docs', 'GET'],
    ['POST', '/', 'GET'],
    ['PUT', '/control/faults', 'POST, GET, DELETE'],
  ])('%s %s', async (method, path, allow) => {
    const answer = await expectRefused({ method, path, body: '{}' }, allow === undefined ? 404 : 405);
    if (allow !== undefined)
      expect([...(answer.headers.get('allow') ?? '').split(', ')].sort()).toEqual(allow.split(', ').sort());
  });

  test('a wrong method with a body that is no JSON, or never comes, is refused all the same', async () => {
    await expectRefused({ method: 'PUT', path: '/orders', body: 'x', headers: { 'content-type': 'text/plain' } }, 405);
    await expectRefused(
      { method: 'PUT', path: '/orders', headers: { 'content-type': 'garbage', 'content-length': '100000000' } },
      405,
    );
  });
});

describe('sessions', () => {
  test.each([
    [{ authorization: '' }],
    [{ authorization: 'Bearer' }],
    [{ authorization: 'Bearer ' }],
    [{ authorization: 'Basic YTpi' }],
    [{ authorization: 'Bearer no-such-token' }],
    [{ authorization: `Bearer ${'x'.repeat(5_000)}` }],
    [{ authorization: 'Bearer __proto__' }],
  ])('with %j a call is refused with 401', async (headers) => {
    const answer = await expectRefused({ method: 'GET', path: '/wallets', headers, token: undefined }, 401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await expectRefused({ body: 'not even JSON', headers, token: undefined }, 401);
  });

  test('a control key is no token, and a token no control key', async () => {
    await expectRefused({ method: 'GET', path: '/wallets', token: stand.sandbox.controlKey }, 401);
    await expectRefused({ method: 'GET', path: '/control/health', token: stand.token }, 401);
    await expectRefused({ method: 'GET', path: '/control/health', token: undefined }, 401);
  });

  test.each([
    [{}, 400],
    [{ appId: 1, apiKey: 2 }, 400],
    [{ appId: 'nobody', apiKey: 'nothing' }, 401],
    [{ appId: '__proto__', apiKey: 'constructor' }, 401],
  ])('POST /sessions with %j is refused with %i', async (body, status) => {
    await expectRefused({ path: '/sessions', body: JSON.stringify(body), token: undefined }, status);
  });
});

test('the sandbox kept its money through all of it', async () => {
  const { json } = await stand.control('GET', '/health');
  expect(json.brokenLaws).toEqual([]);
  expect(json.sumsOfAllWallets).toEqual([
    { currencyId: 'USDC', sum: 0 },
    { currencyId: 'EURC', sum: 0 },
  ]);
});
