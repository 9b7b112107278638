/**
 * Keys and tokens never show: not in outcomes, events, errors, JSON or a deep inspection of any object that the client returns.
 */

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Redaction } from '../../../src/exchange-live/connection/redaction.ts';
import { Secret } from '../../../src/exchange-live/connection/secret.ts';
import { type Answering, CATEGORIES, call, json, SECRETS, StubExchange } from '../../support/betdex/stub-exchange.ts';
import { listenOnLoopback } from '../../support/loopback.ts';

let stub: StubExchange;

const DEEP = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxArrayLength: null };

function expectNoSecret(...values: readonly unknown[]): void {
  for (const value of values)
    for (const text of [inspect(value, DEEP), String(value), JSON.stringify(value, cycleSafe()) ?? ''])
      for (const secret of Object.values(SECRETS)) expect(text.includes(secret), text.slice(0, 500)).toBe(false);
}

function cycleSafe() {
  const seen = new Set<unknown>();
  return (_: string, value: unknown) => {
    if (typeof value === 'object' && value !== null) {
      if (seen.has(value)) return undefined;
      seen.add(value);
    }
    return value;
  };
}

const FAULTS: Readonly<Record<string, Answering>> = {
  'an answer': (response) => json(response, 200, CATEGORIES),
  'a reset': (response) => response.socket?.resetAndDestroy(),
  'no HTTP': (response, { headers }) => response.socket?.end(`junk ${headers.authorization}\r\n\r\n`),
  'a refusal that repeats the headers': (response, { headers }) =>
    json(response, 400, {
      title: `bad ${headers.authorization}`,
      details: [`with ${headers.authorization}`, { headers }],
    }),
  'a passing refusal that repeats them': (response, { headers }) =>
    json(response, 503, { title: `bad ${headers.authorization}`, details: [] }),
  'a success of another shape that repeats them': (response, { headers }) =>
    json(response, 200, { categories: headers.authorization, [`${headers.authorization}`]: 1 }),
  '401 for ever': (response, { headers }) => json(response, 401, { title: `no ${headers.authorization}`, details: [] }),
  silence: () => {},
};

test.each(Object.entries(FAULTS))('%s', async (_, answering) => {
  stub = await StubExchange.start(answering);
  const client = stub.client({ timeouts: { requestMs: 80, attemptMs: 40 } });
  const call$ = client.call('listCategories', {});
  const subscription = call$.subscribe();
  expectNoSecret(client, call$, subscription);
  const read = await call(client, 'listCategories', {});
  expectNoSecret(client, subscription, read, await call(client, 'createOrder', { body: {} }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(stub.events.length).toBeGreaterThan(0);
  expectNoSecret(...stub.events);
  // The inspection is deep enough to find them where they are known to be.
  expect(() => expectNoSecret(stub.received)).toThrow();
});

test('a log-in that is refused with the key repeated in the answer', async () => {
  const { default: http } = await import('node:http');
  stub = await StubExchange.start(() => {});
  const refusing = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => json(response, 403, { title: `no: ${Buffer.concat(chunks)}`, details: [SECRETS.key] }));
  });
  const client = stub.client({ baseUrl: await listenOnLoopback(refusing) });
  const outcome = await call(client, 'listCategories', {});
  expect(outcome).toMatchObject({ kind: 'failed', code: 'NO_SESSION' });
  expect(inspect(outcome)).toContain('[secret]');
  await new Promise((resolve) => setTimeout(resolve, 5));
  expectNoSecret(outcome, client, ...stub.events);
  await client.close();
});

test('a key that a caller sends and the exchange repeats', async () => {
  stub = await StubExchange.start((response, { body }) => json(response, 400, { title: body, details: [body] }));
  const body = { appId: 'app-1', apiKey: 'KEY-of-another' };
  const outcome = await call(stub.client(), 'deactivateAppApiKey', { body });
  expect(outcome).toMatchObject({ kind: 'refused', title: '{"appId":"app-1","apiKey":"[secret]"}' });
  expect(inspect(outcome)).not.toContain('KEY-of-another');
});

test('the token for the stream shows to those who ask for it alone', async () => {
  stub = await StubExchange.start(() => {});
  const client = stub.client();
  const outcome = await new Promise((resolve) => client.accessToken().subscribe(resolve));
  expect(outcome).toMatchObject({ kind: 'granted' });
  expectNoSecret(outcome);
  const token = new Secret(SECRETS.key);
  expect(`${token} ${inspect(token)} ${JSON.stringify({ token })}`).toBe('[secret] [secret] {"token":"[secret]"}');
  expect(token.reveal()).toBe(SECRETS.key);
});

test('a base URL that is no URL is reported without the credentials', async () => {
  stub = await StubExchange.start(() => {});
  let thrown: unknown;
  try {
    stub.client({ baseUrl: 'not a url' });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(TypeError);
  expectNoSecret(thrown);
});

test('a text is cut after it is cleaned, so that no half of a token is left', () => {
  const redaction = new Redaction();
  redaction.add(SECRETS.key);
  expect(redaction.clean(`${'x'.repeat(495)}${SECRETS.key}`)).toBe(`${'x'.repeat(495)}[secr`);
});

test('where one secret begins like another, the whole of the longer one goes', () => {
  const redaction = new Redaction();
  redaction.add('token-1');
  redaction.add('token-12');
  expect(redaction.clean('token-12 token-1')).toBe('[secret] [secret]');
});

test('the key stays hidden however many tokens have come since', () => {
  const redaction = new Redaction();
  redaction.add(SECRETS.key);
  for (let index = 0; index < 1_000; index += 1) {
    redaction.add(`token-${index}.`);
    // Every log-in adds the key again.
    if (index % 7 === 0) redaction.add(SECRETS.key);
  }
  expect(redaction.clean(`${SECRETS.key} token-999. token-1.`)).toBe('[secret] [secret] token-1.');
});
