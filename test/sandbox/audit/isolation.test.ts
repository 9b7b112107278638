/** Permissions (section 7): even with explicit ids no app and no wallet key receives or reads what is not its own. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { VendorStream } from '../../support/vendor/vendor-stream.ts';
import { type ApiUser, type AuditMarket, AuditStage } from './audit-stage.ts';

let stage: AuditStage;
let ann: ApiUser;
let bob: ApiUser;
let second: ApiUser;
let market: AuditMarket;
let hidden: AuditMarket;
let orderId: string;
let tradeId: string;

beforeAll(async () => {
  stage = await AuditStage.open();
  [ann, bob] = [await stage.user(), await stage.user()];
  second = await stage.walletUser(ann);
  market = await stage.market();
  hidden = await stage.market({ ownerAppId: ann.appId, publish: false });
  const on = { marketId: market.id, outcomeId: market.outcomes[0] };
  orderId = (await ann.place({ ...on, reference: 'mine' })).id;
  const maker = await bob.place({ ...on, side: 'Against', stake: 4 });
  tradeId = (await ann.ok('GET /orders/{id}/trades', { path: { id: orderId } })).trades[0].id;
  expect(maker.status).toBe('Matched');
});
afterAll(() => stage.close());

/** Every call that names something of Ann's first wallet by its id, with the answers for Bob and for her second key. */
const NAMED: readonly (readonly [
  endpoint: string,
  path: () => Record<string, string>,
  foreign: number,
  key: number,
])[] = [
  ['GET /orders/{id}', () => ({ id: orderId }), 404, 403],
  ['GET /orders/{id}/trades', () => ({ id: orderId }), 404, 403],
  ['POST /orders/{id}/cancel', () => ({ id: orderId }), 404, 403],
  ['GET /orders/by-reference/{reference}', () => ({ reference: 'mine' }), 404, 403],
  ['GET /trades/{id}', () => ({ id: tradeId }), 404, 403],
  ['GET /wallets/{id}', () => ({ id: ann.walletId }), 404, 403],
  ['GET /wallets/{id}/transactions', () => ({ id: ann.walletId }), 404, 403],
  ['GET /wallets/{id}/positions', () => ({ id: ann.walletId }), 404, 403],
  ['GET /wallets/{id}/positions-all', () => ({ id: ann.walletId }), 404, 403],
  ['GET /wallets/{id}/metrics', () => ({ id: ann.walletId }), 404, 403],
  ['POST /wallets/{id}/api-keys', () => ({ id: ann.walletId }), 404, 403],
  ['POST /wallets/{id}/deposits/{currencyId}', () => ({ id: ann.walletId, currencyId: 'USDC' }), 404, 403],
  ['GET /apps/{id}/commission-rates', () => ({ id: ann.appId }), 404, 403],
  ['GET /markets/{id}', () => ({ id: hidden.id }), 404, 200],
  ['GET /markets/{id}/prices', () => ({ id: hidden.id }), 404, 200],
  ['GET /markets/{id}/orders', () => ({ id: hidden.id }), 404, 200],
];

test.each(NAMED)('%s is refused to others', async (endpoint, path, foreign, key) => {
  expect((await bob.call(endpoint, { path: path() })).status).toBe(foreign);
  expect((await second.call(endpoint, { path: path() })).status).toBe(key);
  expect((await ann.order(orderId)).stakeUnmatched).toBe(6);
});

test('lists that name what is not one’s own are empty, and cancels that name it cancel nothing', async () => {
  for (const user of [bob, second]) {
    for (const query of [
      { walletIds: [ann.walletId] },
      { ids: [orderId] },
      { references: ['mine'], appIds: [ann.appId] },
    ])
      expect((await user.ok('GET /orders', { query })).orders).toEqual([]);
    expect((await user.ok('GET /trades', { query: { orderIds: [orderId] } })).trades).toEqual([]);
    expect((await user.ok('GET /wallets', { query: { walletIds: [ann.walletId] } })).wallets).toEqual([]);
    for (const body of [{ orderIds: [orderId] }, { walletIds: [ann.walletId] }])
      expect((await user.ok('POST /orders/cancel-v2', { body })).ids).toEqual([]);
  }
  expect((await second.ok('POST /orders/cancel-v2', { body: { marketIds: [market.id] } })).ids).toEqual([]);
  expect((await ann.order(orderId)).status).toBe('PartiallyMatched');
});

/** What a stream that subscribes to Ann's ids receives of her order, her deposit and her market. */
async function receivedMessages(user: ApiUser): Promise<readonly Json[]> {
  const stream = await VendorStream.open(stage.stand.sandbox.streamUrl);
  await stream.authenticate(user.client.token ?? '');
  const orders = [orderId, `${ann.appId}:*`, `${ann.appId}:${ann.walletId}`];
  if (user.appId === ann.appId) await stream.subscribe('OrderUpdate', orders);
  else {
    // Orders belong to apps, so each of these ids is refused.
    stream.send({ action: 'subscribe', subscriptionType: 'OrderUpdate', subscriptionIds: orders });
    for (const id of orders) await stream.until(({ message }) => message?.startsWith(`${id}: `) === true);
  }
  await stream.subscribe('WalletUpdate', [ann.walletId]);
  for (const type of ['MarketUpdate', 'MarketStatusUpdate', 'MarketPriceUpdate'])
    await stream.subscribe(type, [hidden.id]);
  const from = stream.messages.length;
  await ann.ok('POST /orders/cancel-v2', { body: { orderIds: [orderId] } });
  orderId = (await ann.place({ marketId: market.id, outcomeId: market.outcomes[1] })).id;
  await ann.ok('POST /wallets/{id}/deposits/{currencyId}', { path: { id: ann.walletId, currencyId: 'USDC' } });
  await stage.move(hidden, 'suspend');
  await stage.move(hidden, 'unsuspend');
  await stream.subscribe('EventUpdate', ['barrier']);
  const received = stream.messages.slice(from).filter(({ type }) => type !== 'SubscribeUpdate');
  expect(stream.faults).toEqual([]);
  await stream.close();
  return received;
}

test('a stream hears nothing by another app’s ids; a key of another wallet hears its app’s market alone', async () => {
  expect(await receivedMessages(bob)).toEqual([]);
  const types = (await receivedMessages(second)).map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set(['MarketUpdate', 'MarketStatusUpdate']));
  const all = (await receivedMessages(ann)).map(({ type }) => type);
  expect(new Set(all)).toEqual(new Set(['OrderUpdate', 'WalletUpdate', 'MarketUpdate', 'MarketStatusUpdate']));
});

test('the block of a lapsed heartbeat holds for the wallets’ keys too', async () => {
  const carl = await stage.user();
  const key = await stage.walletUser(carl);
  await stage.control(`/apps/${carl.appId}/heartbeat`, { timeoutMs: 50 });
  stage.pass(50);
  const order = { marketId: market.id, outcomeId: market.outcomes[0], side: 'For', price: 2, stake: 1 };
  for (const user of [carl, key]) {
    const body = { ...order, walletId: user.walletId, keepWhenInPlay: false };
    expect(await user.refused('POST /orders', { body })).toBe(403);
  }
  await carl.ok('DELETE /heartbeats');
  await key.place(order);
});
