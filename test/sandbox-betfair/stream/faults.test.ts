/** Faults of the stream on demand, as a client on loopback meets them. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { limit } from '../../support/sandbox-betfair/face-stage.ts';
import {
  type LoopbackBot,
  type LoopbackStand,
  openLoopback,
  type StreamClient,
} from '../../support/sandbox-betfair/loopback-stand.ts';

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
  await stand.control('POST', '/stream/cut', {});
});
afterAll(() => stand.close());

const inject = (fault: object) => stand.control('POST', '/faults', fault);
const ORDERS = { op: 'orderSubscription', id: 2, heartbeatMs: 500 };

async function subscribed(bot = mary): Promise<StreamClient> {
  const client = await stand.stream();
  expect(await client.authenticate(bot)).toMatchObject({ statusCode: 'SUCCESS' });
  await client.ask(ORDERS);
  await expect.poll(() => client.messages.at(-1)?.ct).toBe('SUB_IMAGE');
  return client;
}

const place = () =>
  mary.call('placeOrders', { marketId, instructions: [limit({ selectionId, price: 1000, size: 5 })] });
/** The sum of what the account's bets of the market have left, as the client folds them. */
const remaining = ({ reader }: StreamClient) =>
  [...(reader.accounts.get(marketId)?.runners.values() ?? [])].flatMap(({ orders }) => [...orders.values()]).length;

test('it is cut without a word, one connection or all', async () => {
  const [first, second] = [await subscribed(), await subscribed()];
  const { connections } = await stand.control('GET', '/stream/connections');
  expect(connections).toMatchObject([{ appId: 'mary' }, { appId: 'mary' }]);
  expect(await stand.control('POST', '/stream/cut', { connectionId: connections[0].id })).toEqual({ cut: 1 });
  await expect.poll(() => first.isOver).toBe(true);
  expect(second.isOver).toBe(false);
  expect(await stand.control('POST', '/stream/cut', {})).toEqual({ cut: 1 });
  await expect.poll(() => second.isOver).toBe(true);
  expect(first.messages.at(-1)).toMatchObject({ op: 'ocm' });
});

test('it is closed with a word', async () => {
  const client = await subscribed();
  expect(await stand.control('POST', '/stream/fail', { code: 'UNEXPECTED_ERROR' })).toEqual({ failed: 1 });
  await expect.poll(() => client.isOver).toBe(true);
  const said = { op: 'status', statusCode: 'FAILURE', errorCode: 'UNEXPECTED_ERROR', connectionClosed: true };
  expect(client.messages.at(-1)).toMatchObject(said);
  expect(client.reader.faults).toEqual([]);
});

test('it is silent, without heartbeats, and then tells all that happened', async () => {
  const client = await subscribed();
  const other = await subscribed(await stand.login('john'));
  await inject({ kind: 'silence', appId: 'mary' });
  const before = client.messages.length;
  await place();
  // Both have heartbeats at the same rate.
  await expect.poll(() => other.messages.filter(({ ct }) => ct === 'HEARTBEAT').length, { timeout: 5_000 }).toBe(2);
  expect(client.messages.length).toBe(before);
  await stand.control('DELETE', '/faults');
  await expect.poll(() => remaining(client)).toBe(1);
  expect(client.reader.faults).toEqual([]);
});

test('its messages come late, and in their order', async () => {
  const client = await subscribed();
  const before = client.messages.length;
  await inject({ kind: 'latency', delayMs: 400, operations: ['ocm'] });
  const placedAt = performance.now();
  await place();
  await stand.control('DELETE', '/faults');
  await place();
  expect(client.messages.length).toBe(before);
  await expect.poll(() => remaining(client)).toBeGreaterThan(2);
  expect(performance.now() - placedAt).toBeGreaterThan(390);
  expect(client.reader.faults).toEqual([]);
});

test('a status of 503 says that the data is late, and nothing is lost', async () => {
  const client = await subscribed();
  await inject({ kind: 'status', status: 503, operations: ['mcm', 'ocm'] });
  const before = remaining(client);
  await place();
  await expect.poll(() => remaining(client)).toBe(before + 1);
  expect(client.messages.at(-1)).toMatchObject({ op: 'ocm', status: 503 });
  await stand.control('DELETE', '/faults');
  await expect.poll(() => client.messages.at(-1)).not.toHaveProperty('status');
  expect(client.reader.faults).toEqual([]);
});

test('a client that comes back has an invalid clock, and one that is new has not', async () => {
  const { initialClk, clk } = (await subscribed()).reader;
  await inject({ kind: 'error', code: 'INVALID_CLOCK', count: 1 });
  const back = await stand.stream();
  await back.authenticate(mary);
  const failed = { statusCode: 'FAILURE', errorCode: 'INVALID_CLOCK', connectionClosed: true };
  expect(await back.ask({ ...ORDERS, initialClk, clk })).toMatchObject(failed);
  await expect.poll(() => back.isOver).toBe(true);
  await subscribed();
  const again = await stand.stream();
  await again.authenticate(mary);
  await again.ask({ ...ORDERS, initialClk, clk });
  await expect.poll(() => again.messages.at(-1)?.ct).toBe('RESUB_DELTA');
});

test.each([
  ['authentication', 'MAX_CONNECTION_LIMIT_EXCEEDED'],
  ['authentication', 'TOO_MANY_REQUESTS'],
  ['orderSubscription', 'UNEXPECTED_ERROR'],
])('%s fails with %s, and the connection is closed', async (operation, code) => {
  await inject({ kind: 'error', code, count: 1, operations: [operation] });
  const client = await stand.stream();
  const first = await client.authenticate(mary);
  const said = operation === 'authentication' ? first : await client.ask(ORDERS);
  expect(said).toMatchObject({ statusCode: 'FAILURE', errorCode: code, connectionClosed: true });
  await expect.poll(() => client.isOver).toBe(true);
});
