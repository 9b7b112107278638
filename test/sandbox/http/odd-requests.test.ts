/** Unusual requests to every endpoint; each answer is checked against the specification and the profile. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, pathParametersOf } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import { CALLED_ANSWERS, OTHER_ANSWERS, strictFaults } from '../../support/wire-strict.ts';
import { exchange, type RawAnswer, type RawCall, requestBytes } from './raw-http.ts';
import { expectProblem, frozenClock, openMarket, openStand, orderOn, type Stand } from './stand.ts';

let stand: Stand;
let market: { readonly marketId: string; readonly outcomeId: string };

beforeAll(async () => {
  stand = await openStand({ clock: frozenClock() });
  market = await openMarket(stand);
});
afterAll(() => stand.close());

const TABLE = Object.values<Endpoint>(ENDPOINTS).map((endpoint) => ({
  at: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));
const READS = TABLE.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.path.startsWith('/faucet'));

function pathOf({ path }: Endpoint, id = '1'): string {
  return path.replace(/\{\w+\}/g, id);
}

async function ask(method: string, path: string, given: Omit<RawCall, 'method' | 'path'> = {}): Promise<RawAnswer> {
  const send = requestBytes({ method, path, token: stand.token, ...given });
  const { answers } = await exchange({ port: stand.port, send });
  const [answer] = answers;
  if (answer === undefined) throw new Error(`${method} ${path} was not answered`);
  return answer;
}

/** Checks that a success has exactly its shape, and that a refusal is a problem with a status below 500. */
function expectInShape({ at }: { readonly at: string }, { status, body }: RawAnswer): void {
  const shape = CALLED_ANSWERS.get(at) ?? OTHER_ANSWERS.get(at);
  if (status === 200 && shape !== undefined) expect(strictFaults(shape, JSON.parse(body), at)).toEqual([]);
  else expectProblem({ status, body }, status);
  expect(status, `${at}: ${body.slice(0, 200)}`).toBeLessThan(500);
}

describe.each(TABLE)('$at', (row) => {
  const { endpoint } = row;
  const { method } = endpoint;

  test('takes no other method or address, and says which methods it takes', async () => {
    const own = pathOf(endpoint);
    expect((await fetch(`${stand.sandbox.url}${own}`, { method: 'HEAD' })).status).toBe(405);
    for (const other of ['OPTIONS', 'PUT', 'PATCH', 'TRACE']) {
      const answer = await ask(other, own);
      expectProblem(answer, 405);
      expect(answer.headers.get('allow')?.split(', ')).toContain(method);
    }
    for (const odd of [`${own}/`, `/${own}`, own.toUpperCase(), `/v1${own}`]) {
      const answer = await ask(method, odd);
      expect([odd, answer.status >= 400 && answer.status < 500]).toEqual([odd, true]);
      expectInShape(row, answer);
    }
  });

  test('asks for a token in its header, whatever its case, and in no other place', async () => {
    if (endpoint.open === true) return;
    const path = pathOf(endpoint);
    for (const headers of [{}, { authorization: stand.token }])
      expectProblem(await ask(method, path, { token: undefined, headers }), 401);
    const query = ['access_token', 'accessToken', 'authorization', 'token'].map((name) => `${name}=${stand.token}`);
    expectProblem(await ask(method, `${path}?${query.join('&')}`, { token: undefined }), 401);
    for (const headers of [{ AUTHORIZATION: `bearer ${stand.token}` }, { Authorization: `BEARER  ${stand.token} ` }])
      expect((await ask(method, path, { token: undefined, headers })).status).not.toBe(401);
  });

  test('answers ids of every other kind with a problem', async () => {
    if (pathParametersOf(endpoint.path).length === 0) return;
    const ids = [
      '-1',
      '1.0',
      '01',
      '1e3',
      'null',
      '%00',
      '%20',
      '*',
      '%F0%9F%90%8E',
      '9007199254740993',
      'x'.repeat(3_000),
      '__proto__',
      '%2e%2e',
      '%2F',
    ];
    for (const id of [...ids, '%', '%zz', '%ff']) {
      const answer = await ask(method, pathOf(endpoint, id));
      expectInShape(row, answer);
      if (!endpoint.path.includes('by-reference')) expect([id, [400, 404].includes(answer.status)]).toEqual([id, true]);
    }
    expectProblem(await ask(method, pathOf(endpoint, 'x'.repeat(7_001))), 414);
  });
});

const FEW_VALUES = ['', 'x', '-1', '9'.repeat(400)];
const ODD_VALUES = [
  ...[...FEW_VALUES, '1.5', '1e2', '0x10', '+1', 'NaN', 'Infinity', 'null'],
  ...['true,false', '%F0%9F%90%8E', '1,,2', ','],
];
/** Parameters that one endpoint was given all odd values of: what reads them is the same for each. */
const triedNames = new Set<string>();

describe.each(READS)('$at', (row) => {
  const { endpoint } = row;
  const needed = endpoint.path === '/market-prices' ? 'marketIds=1&' : '';
  const path = (query = ''): string => `${pathOf(endpoint)}?${needed}${query}`;

  test('heeds no condition, range, coding or wish for another type: it is no cache and speaks JSON', async () => {
    const plain = await ask('GET', path());
    for (const headers of [
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { range: 'bytes=0-1' },
      { accept: 'text/html' },
      { accept: '' },
      { 'accept-encoding': 'gzip, br' },
      { 'content-type': '' },
      { 'x-http-method-override': 'DELETE' },
    ])
      expect(await ask('GET', path(), { headers })).toMatchObject({ status: plain.status, body: plain.body });
    expectInShape(row, plain);
  });

  test('passes over parameters that it does not have, and refuses those that it cannot read', async () => {
    const plain = await ask('GET', path());
    for (const query of [
      'unknown=1',
      '__proto__=1',
      'constructor=x&toString=y',
      '&&&',
      '=',
      '%F0%9F%90%8E=1',
      'PAGE=-5',
      'size%5B%5D=0',
    ])
      expect([query, await ask('GET', path(query))]).toMatchObject([query, { status: plain.status, body: plain.body }]);
    for (const query of ['%', 'a=%zz', '%ff=1', 'x=%C3']) {
      const answer = await ask('GET', path(query));
      expect([query, answer.status]).toEqual([query, 400]);
      expectInShape(row, answer);
    }
    const properties = Object.keys(endpoint.query?.properties ?? {});
    for (const name of properties) {
      for (const value of triedNames.has(name) ? FEW_VALUES : ODD_VALUES)
        expectInShape(row, await ask('GET', path(`${name}=${value}`)));
      expectInShape(row, await ask('GET', path(`${name}=1&${name}=2`)));
      triedNames.add(name);
    }
    for (const name of ['page', 'size', 'limit', 'directOnly', 'includeEmpty', 'filter'])
      if (properties.includes(name)) expect((await ask('GET', path(`${name}=1&${name}=1`))).status).toBe(400);
  });
});

const order = (changes: Readonly<Record<string, unknown>> = {}) => JSON.stringify(orderOn(stand, market, changes));
const raw = (field: string, text: string): string => {
  const { [field]: _, ...others } = JSON.parse(order());
  return `${JSON.stringify(others).slice(0, -1)},"${field}":${text}}`;
};

describe('a new order', () => {
  test.each([
    ...[
      '"2.5"',
      'null',
      'true',
      '[2]',
      '{}',
      '0',
      '-2',
      '1',
      '1.0',
      '1.005',
      '1001',
      '2.505',
      '1e400',
      '-1e400',
      '999.999',
    ].map((text) => ['price', text]),
    ...[
      '"1"',
      'null',
      'false',
      '[]',
      '0',
      '-0',
      '-1',
      '0.0001',
      '1.0001',
      '1e-4',
      '1e400',
      '9007199254740993',
      '1e18',
    ].map((text) => ['stake', text]),
    ...['null', '5', '"for"', '"FOR"', '"Back"', '""', '["For"]'].map((text) => ['side', text]),
    ...['null', '5', '{}', '[]', 'true'].flatMap((text) =>
      ['walletId', 'marketId', 'outcomeId'].map((field) => [field, text]),
    ),
    ...['"true"', '1', '0', '[]', '"False"'].map((text) => ['keepWhenInPlay', text]),
    ...['5', '"retainUnmatched"', '""', '[]'].map((text) => ['matchBehavior', text]),
    ...['5', '""', '{}', 'false', JSON.stringify('x'.repeat(256))].map((text) => ['reference', text]),
    ...['5', '{}', 'true'].map((text) => ['commissionRateId', text]),
  ])('with %s %s is refused with 400, alone and in a batch, and nothing is made', async (field = '', text = '') => {
    const before = stand.sandbox.context.world.exchange.digest();
    expectProblem(await ask('POST', '/orders', { body: raw(field, text) }), 400);
    const batch = await ask('POST', '/orders/batch', { body: `{"requests":[${order()},${raw(field, text)}]}` });
    expectProblem(batch, 400);
    expect(JSON.parse(batch.body)).toMatchObject({
      orders: [],
      details: [expect.stringContaining(`requests[1].${field}`)],
    });
    expect(stand.sandbox.context.world.exchange.digest()).toBe(before);
  });

  test.each([
    ...['1000', '1000.0', '1e3', '1.0E+3', '10000e-1'].map((text) => ['price', text]),
    ...['1', '1.0', '1e0', '0.001', '1e-3', '1.500', '2.50000000000000000000'].map((text) => ['stake', text]),
    ...['null', 'true', 'false'].map((text) => ['keepWhenInPlay', text]),
    ...['null', '"RetainUnmatched"', '"CancelUnmatched"'].map((text) => ['matchBehavior', text]),
    ...['null', JSON.stringify('\u{1F40E}'.repeat(255)), '" "', '"a/b\\\\c"', '"\\u0000"'].map((text) => [
      'reference',
      text,
    ]),
    ...['null', '"x"', '{"deep":[1]}'].map((text) => ['somethingNew', text]),
    ['commissionRateId', 'null'],
  ])('with %s %s is taken', async (field = '', text = '') => {
    const answer = await ask('POST', '/orders', { body: raw(field, text) });
    expect([answer.status, text]).toEqual([200, text]);
    expectInShape({ at: 'POST /orders' }, answer);
  });
});
