/** The vendor's own tests over HTTP (wire-shapes, E) against a sandbox started without options, three runs without a reset. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxProcess } from '../../support/vendor/sandbox-process.ts';
import type { Json, VendorClient } from '../../support/vendor/vendor-client.ts';
import { unique, VendorStage } from '../../support/vendor/vendor-stage.ts';

const RUNS = [1, 2, 3];
const DAY = 86_400_000;
const LADDER_SPANS: readonly (readonly [number, number, number])[] = [
  [101, 200, 1],
  [202, 300, 2],
  [305, 400, 5],
  [410, 600, 10],
  [620, 1000, 20],
  [1050, 2000, 50],
  [2100, 3000, 100],
  [3200, 5000, 200],
  [5500, 10_000, 500],
  [11_000, 100_000, 1000],
];

let stage: VendorStage;
let client: VendorClient;
let sandbox: SandboxProcess;
let walletId: string;
const ok = (...call: Parameters<VendorStage['ok']>) => stage.ok(...call);
const restingOrder = () => stage.restingOrder();

beforeAll(async () => {
  stage = await VendorStage.open();
  ({ client, sandbox, walletId } = stage);
});

afterAll(async () => {
  await stage?.close();
});

describe.each(RUNS)('run %i', () => {
  test('session: no token is 401, access expires before refresh, earlier logins stay valid', async () => {
    client.token = undefined;
    expect((await client.call('GET /wallets/{id}', { path: { id: walletId } })).status).toBe(401);
    const first = await client.login(sandbox.appId, sandbox.apiKey);
    expect(Date.parse(first.accessExpiresAt)).toBeLessThan(Date.parse(first.refreshExpiresAt));
    await ok('GET /wallets/{id}', { path: { id: walletId } });
    const second = await client.login(sandbox.appId, sandbox.apiKey);
    expect(second.accessToken).not.toBe(first.accessToken);
    client.token = first.accessToken;
    await ok('GET /wallets/{id}', { path: { id: walletId } });
  });

  test('refresh: a new access token that works; an unknown trade is an error', async () => {
    const session = await client.login(sandbox.appId, sandbox.apiKey);
    const refreshed = await ok('POST /sessions/refresh', { body: { refreshToken: session.refreshToken } });
    expect(refreshed.sessions[0].accessToken).not.toBe(session.accessToken);
    client.token = refreshed.sessions[0].accessToken;
    await ok('GET /wallets/{id}', { path: { id: walletId } });
    const unknown = await client.call('GET /trades/{id}', { path: { id: '999999999999' } });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ title: expect.any(String), details: expect.any(Array) });
  });

  test('commission rates', async () => {
    const { commissionRates } = await ok('GET /apps/{id}/commission-rates', { path: { id: sandbox.appId } });
    expect(Array.isArray(commissionRates)).toBe(true);
  });

  test('categories and subcategories: by id, by filter, with participants', async () => {
    const { categories } = await ok('GET /categories');
    expect(categories.length).toBeGreaterThan(0);
    const first = categories[0];
    expect((await ok('GET /categories/{id}', { path: { id: first.id } })).categories[0]).toEqual(first);
    const { subcategories } = await ok('GET /subcategories', { query: { categoryIds: [first.id] } });
    expect(subcategories.length).toBeGreaterThan(0);
    for (const each of subcategories) expect(each.category._ids).toEqual([first.id]);
    const { id } = subcategories[0];
    expect((await ok('GET /subcategories/{id}', { path: { id } })).subcategories[0].id).toBe(id);
    await ok('GET /subcategories/{id}/participants', { path: { id } });
  });

  test.each([
    ['GET /subcategories', 'subcategories'],
    ['GET /event-groups', 'eventGroups'],
  ])('%s has an external reference that finds it again', async (endpoint, key) => {
    const { externalReferences } = await ok(endpoint);
    expect(externalReferences.length).toBeGreaterThan(0);
    const { source, externalReference: reference, id } = externalReferences[0];
    const found = await ok(`${endpoint}/by-reference/{source}/{reference}`, { path: { source, reference } });
    expect(found[key].length).toBeGreaterThan(0);
    expect(found[key][0].externalReferences._ids.map(String)).toContain(String(id));
  });

  test('an unknown reference of an event is 200 and empty', async () => {
    const path = { source: 'FFT', reference: 'no-such-reference' };
    const { events, _meta } = await ok('GET /events/by-reference/{source}/{reference}', { path });
    expect(events).toEqual([]);
    expect(_meta._count).toBe(0);
  });

  test('event groups: by id, and an exact filter', async () => {
    const { eventGroups } = await ok('GET /event-groups');
    expect(eventGroups.length).toBeGreaterThan(0);
    const [group] = eventGroups;
    expect((await ok('GET /event-groups/{id}', { path: { id: group.id } })).eventGroups[0].id).toBe(group.id);
    const [subcategoryId] = group.subcategory._ids;
    const filtered = await ok('GET /event-groups', { query: { subcategoryIds: [subcategoryId] } });
    expect(filtered.eventGroups.length).toBeGreaterThan(0);
    for (const each of filtered.eventGroups) expect(each.subcategory._ids).toEqual([subcategoryId]);
  });

  test('events: active ones from now on, by id, with participants', async () => {
    const query = { active: true, starting: 'Range', fromDateTime: new Date(), size: 10 };
    const { events, _meta } = await ok('GET /events', { query });
    expect(events.length).toBeGreaterThan(0);
    expect(_meta._page._pageSize).toBe(10);
    const { id } = events[0];
    expect((await ok('GET /events/{id}', { path: { id } })).events[0].id).toBe(id);
    await ok('GET /events/{id}/participants', { path: { id } });
  });

  test('ladder: the 350 prices', async () => {
    const expected = LADDER_SPANS.flatMap(([from, to, step]) =>
      Array.from({ length: (to - from) / step + 1 }, (_, index) => (from + index * step) / 100),
    );
    expect(expected).toHaveLength(350);
    const { marketPriceLadders } = await ok('GET /market-prices/ladder');
    expect(marketPriceLadders[0].prices).toEqual(expected);
  });

  test('heartbeat: armed, read, refreshed, deleted as it was, gone', async () => {
    const armed = (await ok('POST /heartbeats', { body: { timeoutMs: 60_000 } })).heartbeats[0];
    expect(armed).toMatchObject({ active: true, timeoutMs: 60_000, appId: sandbox.appId });
    expect((await ok('GET /heartbeats')).heartbeats[0].timeoutMs).toBe(60_000);
    const again = (await ok('POST /heartbeats', { body: { timeoutMs: 30_000 } })).heartbeats[0];
    expect(Date.parse(again.lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(armed.lastSeenAt));
    expect((await ok('DELETE /heartbeats')).heartbeats[0].timeoutMs).toBe(30_000);
    expect((await client.call('GET /heartbeats')).status).toBe(404);
  });

  test('market types and markets: by id, open ones, the same outcomes in order', async () => {
    const { marketTypes } = await ok('GET /market-types');
    expect(marketTypes.length).toBeGreaterThan(0);
    const { id } = marketTypes[0];
    expect((await ok('GET /market-types/{id}', { path: { id } })).marketTypes[0].id).toBe(id);
    const { markets } = await ok('GET /markets', { query: { statuses: ['Open'], size: 5 } });
    expect(markets.length).toBeGreaterThan(0);
    for (const market of markets) {
      expect(market.status).toBe('Open');
      const byId = await ok('GET /markets/{id}', { path: { id: market.id } });
      expect(byId.markets[0].marketOutcomes._ids).toEqual(market.marketOutcomes._ids);
    }
  });

  test('markets by an unknown reference and the historical ones', async () => {
    const path = { source: 'FFT', reference: 'no-such-reference' };
    expect((await ok('GET /markets/by-reference/{source}/{reference}', { path })).markets).toEqual([]);
    const query = { queryType: 'SettledDate', from: new Date(Date.now() - 7 * DAY), to: new Date(), limit: 5 };
    const { _meta, documents } = await ok('GET /markets/historical', { query });
    expect(_meta._count).toBe(documents.markets.length);
  });

  test('prices: flat rows, the book, exactly one book for each market asked', async () => {
    const { markets } = await ok('GET /markets', { query: { statuses: ['Open'], size: 5 } });
    const ids = markets.map((market: Json) => market.id);
    await ok('GET /markets/{id}/prices', { path: { id: ids[0] }, query: { includeEmpty: true } });
    const v2 = await ok('GET /markets/{id}/prices-v2', { path: { id: ids[0] } });
    expect(v2.prices[0].marketId).toBe(ids[0]);
    const { prices } = await ok('GET /market-prices', { query: { marketIds: ids, directOnly: true } });
    expect(prices.map((book: Json) => book.marketId).sort()).toEqual([...ids].sort());
  });

  test('positions, three ways', async () => {
    const { markets } = await ok('GET /markets', { query: { statuses: ['Open'], size: 3 } });
    const marketIds = markets.map((market: Json) => market.id);
    await ok('GET /wallets/{id}/positions', { path: { id: walletId }, query: { marketIds } });
    await ok('GET /wallets/{id}/positions-all', { path: { id: walletId }, query: { filter: 'Active' } });
    await ok('GET /markets/{id}/positions', { path: { id: marketIds[0] }, query: { walletIds: [walletId] } });
  });

  test('some settled market went in play', async () => {
    const { markets } = await ok('GET /markets', { query: { statuses: ['Settled'], size: 100 } });
    expect(markets.some((market: Json) => market.inPlayStatus === 'InPlay')).toBe(true);
  });

  test('some open market has rows on its books', async () => {
    let rows = 0;
    for (let page = 0; page < 20 && rows === 0; page += 1) {
      const { markets } = await ok('GET /markets', { query: { statuses: ['Open'], page, size: 100 } });
      if (markets.length === 0) break;
      const { prices } = await ok('GET /market-prices', {
        query: { marketIds: markets.map((market: Json) => market.id) },
      });
      rows = prices.reduce((sum: number, book: Json) => sum + book.prices.length, 0);
    }
    expect(rows).toBeGreaterThan(0);
  });

  test('funding: the faucet reaches 100 in five calls, also in a currency not held', async () => {
    const { wallets } = await ok('POST /wallets', { body: { reference: unique('wallet') } });
    for (const id of [wallets[0].id, walletId]) {
      let balanceAvailable = 0;
      for (let calls = 0; calls < 5 && balanceAvailable < 100; calls += 1) {
        const { wallet } = await ok('GET /faucet', { query: { walletId: id, currencyId: 'USDC' } });
        balanceAvailable = wallet.balances.find((each: Json) => each.currencyId === 'USDC').balanceAvailable;
      }
      expect(balanceAvailable).toBeGreaterThanOrEqual(100);
    }
  });

  test('create order: Unmatched at once, as it was asked', async () => {
    const body = await restingOrder();
    const { orders } = await ok('POST /orders', { body });
    expect(orders[0]).toMatchObject({ status: 'Unmatched', stakeUnmatched: 1, reference: body.reference });
    expect(orders[0].market._ids).toEqual([body.marketId]);
  });

  test('liability: both sides rest on one outcome', async () => {
    const back = await restingOrder();
    const lay = { ...back, side: 'Against', price: 1.01, reference: unique('order') };
    for (const body of [back, lay]) {
      const { orders } = await ok('POST /orders', { body });
      expect(orders[0]).toMatchObject({ status: 'Unmatched', side: body.side, stakeUnmatched: 1 });
    }
  });

  test('read back: by id, by reference, by lists, on the default page of the market', async () => {
    const body = await restingOrder();
    const { id } = (await ok('POST /orders', { body })).orders[0];
    expect((await ok('GET /orders/{id}', { path: { id } })).orders[0].id).toBe(id);
    const { reference } = body;
    expect((await ok('GET /orders/by-reference/{reference}', { path: { reference } })).orders[0].id).toBe(id);
    const byIds = { ids: [id], walletIds: [walletId], statuses: ['Unmatched', 'PartiallyMatched'] };
    const byReference = { references: [reference], appIds: [sandbox.appId] };
    for (const query of [byIds, byReference]) {
      const { orders } = await ok('GET /orders', { query });
      expect(orders.map((order: Json) => order.id)).toEqual([id]);
    }
    const query = { walletIds: [walletId] };
    const ofMarket = await ok('GET /markets/{id}/orders', { path: { id: body.marketId }, query });
    expect(ofMarket.orders.map((order: Json) => order.id)).toContain(id);
    expect((await ok('GET /orders/{id}/trades', { path: { id } })).trades).toEqual([]);
  });

  test('batch: one order and one failure', async () => {
    const good = await restingOrder();
    const bad = { ...good, marketId: '999999999', reference: unique('order') };
    const { orders } = await ok('POST /orders/batch', { body: { requests: [good, bad] } });
    expect(orders).toHaveLength(2);
    expect(orders[0]).toMatchObject({ status: 'Unmatched', reference: good.reference });
    expect(orders[1].errorCode).toBe('MARKET_NOT_FOUND');
  });

  test('51 orders in two calls keep their order, and one cancel takes all', async () => {
    const body = await restingOrder();
    const requests = Array.from({ length: 51 }, () => ({ ...body, reference: unique('order') }));
    const ids: string[] = [];
    for (const part of [requests.slice(0, 50), requests.slice(50)]) {
      const { orders } = await ok('POST /orders/batch', { body: { requests: part } });
      expect(orders.map((order: Json) => order.reference)).toEqual(part.map(({ reference }) => reference));
      ids.push(...orders.map((order: Json) => order.id));
    }
    const { ids: cancelled } = await ok('POST /orders/cancel-v2', { body: { orderIds: ids } });
    expect([...cancelled].sort()).toEqual([...ids].sort());
  });

  test('cancel: both ids, at once Cancelled, and in the list of the cancelled', async () => {
    const body = await restingOrder();
    const requests = [body, { ...body, reference: unique('order') }];
    const { orders } = await ok('POST /orders/batch', { body: { requests } });
    const ids = orders.map((order: Json) => order.id);
    expect((await ok('POST /orders/cancel-v2', { body: { orderIds: ids } })).ids.sort()).toEqual([...ids].sort());
    for (const id of ids) {
      expect((await ok('GET /orders/{id}', { path: { id } })).orders[0].status).toBe('Cancelled');
    }
    const query = { limit: 500, sort: 'DESC', fromCreatedAt: new Date(Date.now() - DAY), walletId };
    const { documents } = await ok('GET /orders/cancelled', { query });
    expect(documents.orders.map((order: Json) => order.id)).toEqual(expect.arrayContaining(ids));
  });

  test('settled and historical orders and trades', async () => {
    const settled = { fromSettledAt: new Date(Date.now() - 7 * DAY), toSettledAt: new Date(), walletId };
    await ok('GET /orders/settled', { query: settled });
    const history = { walletId, queryType: 'SettledDate', from: new Date(Date.now() - 7 * DAY), to: new Date() };
    await ok('GET /orders/historical', { query: { ...history, limit: 5 } });
    const { documents } = await ok('GET /trades/historical', { query: { ...history, limit: 5 } });
    const { trades } = await ok('GET /trades', { query: { walletIds: [walletId] } });
    for (const { id } of [...trades, ...documents.trades].slice(0, 1)) {
      expect((await ok('GET /trades/{id}', { path: { id } })).trades[0].id).toBe(id);
    }
    expect((await client.call('GET /trades/{id}', { path: { id: '999999999999' } })).status).toBe(404);
  });

  test('order requests: the id is the order’s, found at once by its reference', async () => {
    const body = await restingOrder();
    const { ids } = await ok('POST /order-requests', { body });
    const path = { reference: body.reference };
    expect((await ok('GET /orders/by-reference/{reference}', { path })).orders[0].id).toBe(ids[0]);
    const requests = [
      { ...body, reference: unique('order') },
      { ...body, marketId: '999999999', reference: unique('order') },
    ];
    const batch = await ok('POST /order-requests/batch', { body: { requests } });
    expect(batch.ids[0]).toEqual({ id: expect.any(String) });
    expect(batch.ids[1].errorCode).toBe('MARKET_NOT_FOUND');
  });

  test('wallet: by id, by filter, its transactions and metrics', async () => {
    const { wallets } = await ok('GET /wallets/{id}', { path: { id: walletId } });
    const filtered = await ok('GET /wallets', { query: { walletIds: [walletId] } });
    expect(filtered.wallets.map((wallet: Json) => wallet.id)).toEqual([walletId]);
    const path = { id: walletId };
    const { transactions } = await ok('GET /wallets/{id}/transactions', { path, sort: ['createdAt,desc'] });
    expect(transactions.length).toBeGreaterThan(0);
    const { currencyId } = wallets[0].balances[0];
    const query = { currencyId, fromDateTime: new Date(Date.now() - DAY), toDateTime: new Date() };
    const { walletMetrics } = await ok('GET /wallets/{id}/metrics', { path, query });
    expect(walletMetrics.open.count).toBeGreaterThanOrEqual(0);
  });

  test('teardown: cancelling by wallet leaves nothing open', async () => {
    await ok('POST /orders/cancel-v2', { body: { walletIds: [walletId] } });
    const query = { walletIds: [walletId], statuses: ['Unmatched', 'PartiallyMatched'] };
    expect((await ok('GET /orders', { query })).orders).toEqual([]);
  });
});
