/** Calls every endpoint of the table over HTTP: checks what is written, and what is read back. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { CallInput } from '../../../src/betdex/client/call.ts';
import type { RestClient } from '../../../src/betdex/client/rest-client.ts';
import type { Answer } from '../../../src/betdex/wire/answers.ts';
import { type Endpoint, pathParametersOf } from '../../../src/betdex/wire/endpoint.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import { call, json, SECRETS, StubExchange } from '../../support/betdex/stub-exchange.ts';
import { schemaSample } from '../../support/schema-sample.ts';

const OPERATIONS = Object.keys(ENDPOINTS) as Operation[];

let stub: StubExchange;
let client: RestClient;
let answerOf: Answer | undefined;

beforeEach(async () => {
  stub = await StubExchange.start((response) => {
    const sample = answerOf === undefined ? {} : (schemaSample(answerOf.schema as SchemaNode, true) as object);
    // Fields that the client does not know yet must not make it fail.
    json(response, 200, { ...sample, tomorrow: [{ x: 1 }] });
  });
  client = stub.client({ budget: { perSecond: 10_000, burst: 10_000 } });
});

test.each(OPERATIONS.filter((operation) => !operation.endsWith('Session')))('%s', async (operation) => {
  const endpoint: Endpoint = ENDPOINTS[operation];
  answerOf = endpoint.answer;
  const names = pathParametersOf(endpoint.path);
  const path = Object.fromEntries(names.map((name) => [name, `${name}/ü 1`]));
  const body = endpoint.body === undefined ? undefined : schemaSample(endpoint.body as SchemaNode, true);
  const input = { ...(names.length > 0 ? { path } : {}), ...(body === undefined ? {} : { body }) };
  const outcome = await call(client, operation, input as never);
  expect(outcome).toEqual({ kind: 'answered', answer: schemaSample(endpoint.answer.schema as SchemaNode, true) });
  const received = stub.asked.at(-1);
  expect(received?.method).toBe(endpoint.method);
  expect(received?.url).toBe(endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => `${name}%2F%C3%BC%201`));
  expect(received?.body === '' ? undefined : JSON.parse(received?.body ?? '')).toEqual(body);
});

test.each(['createSession', 'refreshSession'] as const)('%s', async (operation) => {
  const body = { appId: 'app-9', apiKey: 'another', refreshToken: 'token' };
  const outcome = await call(client, operation, { body } as CallInput<'createSession'>);
  expect(outcome).toMatchObject({ kind: 'answered', answer: { sessions: [{}] } });
  expect(stub.received.at(-1)?.headers.authorization).toBeUndefined();
});

describe('encoding', () => {
  test('of a read: lists joined by %2C, sort repeated, moments escaped, no content type', async () => {
    answerOf = ENDPOINTS.listOrders.answer;
    await call(client, 'listOrders', {
      query: {
        statuses: ['Unmatched', 'PartiallyMatched'],
        walletIds: [],
        fromCreatedAt: '2026-03-24T14:45:01.000Z',
        sort: ['createdAt,desc', 'id,asc'],
        size: 500,
      },
    });
    const received = stub.asked.at(-1);
    expect(received?.url).toBe(
      '/orders?walletIds=&statuses=Unmatched%2CPartiallyMatched&fromCreatedAt=2026-03-24T14%3A45%3A01.000Z&size=500' +
        '&sort=createdAt%2Cdesc&sort=id%2Casc',
    );
    expect(received?.headers).toEqual({
      host: stub.url.slice('http://'.length),
      connection: 'keep-alive',
      accept: 'application/json',
      'user-agent': 'oddsmith',
      authorization: expect.stringMatching(new RegExp(`^Bearer ${SECRETS.access}-\\d$`)),
    });
  });

  test('of a body: unset keys are left out, nothing set is {}', async () => {
    answerOf = ENDPOINTS.createWallet.answer;
    await call(client, 'createWallet', { body: { reference: 'ü' } });
    expect(stub.asked.at(-1)?.body).toBe('{"reference":"ü"}');
    expect(stub.asked.at(-1)?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '18' });
    await call(client, 'createWallet', { body: {} });
    expect(stub.asked.at(-1)?.body).toBe('{}');
  });

  test('of a POST without a body and of a DELETE: no content type', async () => {
    for (const [operation, input] of [
      ['cancelOrder', { path: { id: '1' } }],
      ['deleteHeartbeat', {}],
    ] as const) {
      answerOf = ENDPOINTS[operation].answer;
      await call(client, operation, input as CallInput<'cancelOrder'>);
      expect(stub.asked.at(-1)?.headers['content-type']).toBeUndefined();
      expect(stub.asked.at(-1)?.body).toBe('');
    }
  });

  test('a path in the base URL goes before every endpoint', async () => {
    answerOf = ENDPOINTS.listCategories.answer;
    const prefixed = stub.client({ baseUrl: `${stub.url}/exchange/v1/` });
    expect(await call(prefixed, 'listCategories', {})).toMatchObject({ kind: 'answered' });
    expect(stub.received.slice(-2).map(({ url }) => url)).toEqual(['/exchange/v1/sessions', '/exchange/v1/categories']);
  });

  test('a path parameter that is missing is our own bug and fails at once', () => {
    expect(() => client.call('getOrder', { path: {} } as never)).toThrow('/orders/{id} needs id');
  });
});
