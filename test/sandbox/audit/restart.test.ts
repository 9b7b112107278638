/**
 * A sandbox that is ended by a signal or by kill -9 and restarted shows everything it had answered, to the last field.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ControlClient, type TradingApp, type TradingMarket } from '../../support/vendor/control-client.ts';
import { type SandboxProcess, startSandbox } from '../../support/vendor/sandbox-process.ts';
import { type CallOptions, type Json, VendorClient } from '../../support/vendor/vendor-client.ts';

/** Prepares something before the process ends, and returns what looks for it after the restart. The last may end it itself. */
type Scenario = (control: ControlClient) => Promise<(again: ControlClient) => Promise<void>>;

let process: SandboxProcess | undefined;
const clients: VendorClient[] = [];

describe.each<readonly [signal: NodeJS.Signals, scenarios: Readonly<Record<string, Scenario>>]>([
  [
    'SIGTERM',
    {
      'everything reads as before, and goes on': allThatIsKept,
      'what fell due while nothing ran has happened at its own time: a delay ended, a heartbeat lapsed': fallingDue,
    },
  ],
  [
    'SIGKILL',
    {
      'everything reads as before, and goes on': allThatIsKept,
      'an order whose answer was dropped is there, one that was still delayed is not': aroundFaults,
      'in the middle of a burst, every order that was answered is there, and no batch is there by half': burst,
    },
  ],
])('after %s', (signal, scenarios) => {
  const checks: Record<string, (again: ControlClient) => Promise<void>> = {};
  let again: ControlClient;

  beforeAll(async () => {
    const control = await start();
    for (const [name, prepare] of Object.entries(scenarios)) checks[name] = await prepare(control);
    await process?.stop(signal);
    for (const client of clients) client.close();
    again = await start(process?.directory);
  });

  afterAll(async () => {
    for (const client of clients.splice(0)) client.close();
    await process?.remove();
  });

  test.each(Object.keys(scenarios))('%s', async (name) => {
    await checks[name]?.(again);
    expect(await again.troubles()).toEqual([]);
  });
});

async function start(directory?: string): Promise<ControlClient> {
  process = await startSandbox(directory === undefined ? {} : { directory });
  return new ControlClient(process);
}

function client(token?: string): VendorClient {
  const made = new VendorClient(process?.url ?? '');
  made.token = token;
  clients.push(made);
  return made;
}

async function ok(of: VendorClient, endpoint: string, options: CallOptions = {}): Promise<Json> {
  const { status, body } = await of.call(endpoint, options);
  expect(status, `${endpoint}: ${JSON.stringify(body)}`).toBe(200);
  return body;
}

const orderIn = (market: TradingMarket, app: TradingApp, extra: Json = {}): Json => ({
  walletId: app.walletId,
  marketId: market.id,
  outcomeId: market.outcomeIds[0],
  side: 'For',
  price: 3,
  stake: 10,
  keepWhenInPlay: true,
  ...extra,
});

/** Every document of its own and of these markets that the app can read. */
async function picture(of: VendorClient, app: TradingApp, markets: readonly TradingMarket[]): Promise<Json> {
  const path = { id: app.walletId };
  const marketIds = markets.map(({ id }) => id);
  const whole = { walletIds: [app.walletId], size: 500 };
  return {
    orders: await ok(of, 'GET /orders', { query: whole }),
    trades: await ok(of, 'GET /trades', { query: whole }),
    wallets: await ok(of, 'GET /wallets'),
    transactions: await ok(of, 'GET /wallets/{id}/transactions', { path }),
    positions: await ok(of, 'GET /wallets/{id}/positions', { path, query: { marketIds } }),
    metrics: await ok(of, 'GET /wallets/{id}/metrics', { path }),
    historical: await ok(of, 'GET /orders/historical', { query: { walletId: app.walletId } }),
    cancelled: await ok(of, 'GET /orders/cancelled', { query: { walletId: app.walletId } }),
    markets: await ok(of, 'GET /markets', { query: { ids: marketIds } }),
    prices: await ok(of, 'GET /market-prices', { query: { marketIds } }),
    heartbeat: (await of.call('GET /heartbeats')).body,
    rates: await ok(of, 'GET /apps/{id}/commission-rates', { path: { id: app.appId } }),
  };
}

const place = (of: VendorClient, body: Json): Promise<Json> => ok(of, 'POST /orders', { body });

/** An app with orders of each kind, a settled bet, keys, a heartbeat, a session, and a fault. */
async function livedWorld(control: ControlClient) {
  const ann = await control.createApp(1_000);
  const { app: bob, trader: theirs } = await traderOf(control);
  await control.call('POST', `/apps/${ann.appId}/commission-rates`, { rate: 2.5, isDefault: true });
  const open = await control.createMarket();
  const live = await control.createMarket({ inPlayDelay: 3_600 });
  const over = await control.createMarket();
  await control.move(live, 'in-play');
  const mine = client();
  const session = await mine.login(ann.appId, ann.apiKey);
  for (const market of [open, over]) {
    await place(mine, orderIn(market, ann, { reference: market === open ? 'matched' : 'settled' }));
    await place(theirs, orderIn(market, bob, { side: 'Against', stake: 4 }));
  }
  await place(mine, orderIn(live, ann, { reference: 'pending' }));
  const { orders } = await place(mine, orderIn(open, ann, { reference: 'cancelled', price: 9 }));
  await ok(mine, 'POST /orders/cancel-v2', { body: { orderIds: [orders[0].id] } });
  await control.move(over, 'lock');
  await control.move(over, 'settle', { winners: [over.outcomeIds[0]] });
  const { apiKeys } = await ok(mine, 'POST /api-keys', { body: { appId: ann.appId } });
  await ok(mine, 'POST /api-keys/deactivate', { body: { appId: ann.appId, apiKey: apiKeys[0].secret } });
  const walletKeys = (await ok(mine, 'POST /wallets/{id}/api-keys', { path: { id: ann.walletId } })).apiKeys;
  await ok(mine, 'POST /heartbeats', { body: { timeoutMs: 300_000 } });
  await control.call('POST', '/faults', { kind: 'status', status: 503, operations: ['listTrades'], appId: bob.appId });
  return {
    ann,
    mine,
    session,
    markets: [open, live, over] as const,
    deadKey: apiKeys[0].secret,
    walletKey: walletKeys[0].secret,
  };
}

async function allThatIsKept(control: ControlClient) {
  const { ann, mine, session, markets, deadKey, walletKey } = await livedWorld(control);
  const [open] = markets;
  const before = await picture(mine, ann, markets);
  const last = (await place(mine, orderIn(open, ann, { reference: 'the last', price: 10 }))).orders[0];
  return async (again: ControlClient): Promise<void> => {
    const same = client(session.accessToken);
    const path = { reference: 'the last' };
    expect((await ok(same, 'GET /orders/by-reference/{reference}', { path })).orders).toEqual([last]);
    await ok(same, 'POST /orders/cancel-v2', { body: { orderIds: [last.id] } });
    const after = await picture(same, ann, markets);
    const others = (orders: readonly Json[]) => orders.filter(({ id }) => id !== last.id);
    expect(others(after.orders.orders)).toEqual(before.orders.orders);
    expect(others(after.cancelled.documents.orders)).toEqual(before.cancelled.documents.orders);
    for (const key of ['trades', 'transactions', 'positions', 'historical', 'prices', 'heartbeat', 'rates'])
      expect([key, after[key]]).toEqual([key, before[key]]);
    expect(after.wallets.wallets).toEqual(before.wallets.wallets);
    expect(after.markets.markets).toEqual(before.markets.markets);

    const used = ['matched', 'settled', 'pending', 'cancelled', 'the last'];
    const requests = used.map((reference) => orderIn(open, ann, { reference }));
    const { orders: refused } = await ok(same, 'POST /orders/batch', { body: { requests } });
    expect(refused.map(({ errorCode }: Json) => errorCode)).toEqual(used.map(() => 'ORDER_ALREADY_EXISTS'));
    const next = (await place(same, orderIn(open, ann, { reference: 'new', price: 20 }))).orders[0];
    expect(Number(next.id)).toBeGreaterThan(Number(last.id));
    await expectSessionsGoOn(session.refreshToken);
    await client().login(ann.appId, ann.apiKey);
    await client().login(ann.appId, walletKey, ann.walletId);
    await expect(client().login(ann.appId, deadKey)).rejects.toThrow('401');
    expect((await again.call('GET', '/faults')).faults).toEqual([]);
  };
}

/** Checks that the refresh token from before the restart works once. */
async function expectSessionsGoOn(refreshToken: string): Promise<void> {
  const { sessions } = await ok(client(), 'POST /sessions/refresh', { body: { refreshToken } });
  await ok(client(sessions[0].accessToken), 'GET /wallets');
  expect((await client().call('POST /sessions/refresh', { body: { refreshToken } })).status).toBe(401);
}

async function traderOf(control: ControlClient, balance = 1_000) {
  const app = await control.createApp(balance);
  const trader = client();
  await trader.login(app.appId, app.apiKey);
  return { app, trader };
}

async function fallingDue(control: ControlClient) {
  const [ann, bob] = [await traderOf(control), await traderOf(control)];
  const market = await control.createMarket({ inPlayDelay: 1 });
  await control.move(market, 'in-play');
  const [delayed] = (await place(ann.trader, orderIn(market, ann.app))).orders;
  const [lapsing] = (await place(bob.trader, orderIn(market, bob.app))).orders;
  await control.call('POST', `/apps/${bob.app.appId}/heartbeat`, { timeoutMs: 200 });
  await process?.stop('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, Date.parse(lapsing.createdAt) + 1_000 - Date.now()));
  return async (): Promise<void> => {
    const [order] = (await ok(client(ann.trader.token), 'GET /orders/{id}', { path: { id: delayed.id } })).orders;
    expect(order.status).toBe('Unmatched');
    expect(Date.parse(order.modifiedAt) - Date.parse(order.createdAt)).toBe(1_000);
    const blocked = client(bob.trader.token);
    expect((await ok(blocked, 'GET /heartbeats')).heartbeats[0].active).toBe(false);
    expect((await ok(blocked, 'GET /orders/{id}', { path: { id: lapsing.id } })).orders[0]).toMatchObject({
      // It was Pending at the lapse, which set it to CancelUnmatched.
      status: 'Cancelled',
      cancellationReason: 'CancelUnmatched',
    });
    expect((await blocked.call('POST /orders', { body: orderIn(market, bob.app) })).status).toBe(403);
  };
}

async function aroundFaults(control: ControlClient) {
  const { app, trader } = await traderOf(control);
  const market = await control.createMarket();
  const placed = (of: VendorClient, reference: string) =>
    of.call('POST /orders', { body: orderIn(market, app, { reference }) });
  const onPlacing = { operations: ['createOrder'], appId: app.appId };
  await control.call('POST', '/faults', { kind: 'dropAfter', ...onPlacing, count: 1 });
  await expect(placed(trader, 'dropped')).rejects.toThrow();
  const { id } = await control.call('POST', '/faults', { kind: 'latency', delayMs: 60_000, ...onPlacing });
  const cut = expect(placed(trader, 'delayed')).rejects.toThrow();
  const struck = async () =>
    (await control.call('GET', '/faults')).faults.find((fault: Json) => fault.id === id)?.struck;
  await vi.waitFor(async () => expect(await struck()).toBe(1));
  return async (): Promise<void> => {
    await cut;
    const after = client(trader.token);
    const find = (reference: string) => after.call('GET /orders/by-reference/{reference}', { path: { reference } });
    expect((await find('dropped')).body.orders[0].status).toBe('Unmatched');
    expect((await find('delayed')).status).toBe(404);
    expect((await placed(after, 'delayed')).status).toBe(200);
  };
}

async function burst(control: ControlClient) {
  const { app, trader } = await traderOf(control, 100_000);
  const market = await control.createMarket();
  const answered: Json[] = [];
  let killed: Promise<unknown> | undefined;
  const batches = Array.from({ length: 60 }, async (_, number) => {
    const requests = Array.from({ length: 5 }, (__, item) =>
      orderIn(market, app, { reference: `burst-${number}-${item}` }),
    );
    const answer = await trader.call('POST /orders/batch', { body: { requests } }).catch(() => undefined);
    if (answer !== undefined) answered.push(...answer.body.orders);
    if (answered.length >= 100) killed ??= process?.stop('SIGKILL');
  });
  await Promise.all(batches);
  await killed;
  return async (): Promise<void> => {
    expect(answered.length).toBeGreaterThanOrEqual(100);
    const query = { walletIds: [app.walletId], size: 500 };
    const { orders } = await ok(client(trader.token), 'GET /orders', { query });
    const kept = new Map<string, Json>(orders.map((order: Json) => [order.id, order]));
    for (const order of answered) expect(kept.get(order.id)).toEqual(order);
    const sizes = new Map<string, number>();
    for (const { reference } of orders) {
      const batch = reference.slice(0, reference.lastIndexOf('-'));
      sizes.set(batch, (sizes.get(batch) ?? 0) + 1);
    }
    expect(new Set(sizes.values())).toEqual(new Set([5]));
  };
}
