/** Orders and trades: placed, read and cancelled in every way, in every status, with every error and reason. */

import { describe, expect, test } from 'vitest';
import { ORDER_ERROR_CODES, ORDER_STATUSES, type OrderErrorCode } from '../../src/core/order.ts';
import { type Floor, type FloorMarket, referenceOf, type Trader } from '../support/coverage/floor.ts';
import type { Json } from '../support/vendor/vendor-client.ts';

const DELAY_S = 1;
const DAY_MS = 86_400_000;

export function ordersChapter(floorOf: () => Floor): void {
  describe('orders', () => {
    test('created alone, in batches and by request', async () => {
      const floor = floorOf();
      const { alpha, beta } = floor;
      const market = await floor.market();
      const { commissionRates } = await alpha.client.ask('getCommissionRates', { path: { id: alpha.appId } });
      const commissionRateId = commissionRates[0]?.id ?? '';
      const resting = await floor.place(beta, market, { side: 'Against' });
      expect(resting.status).toBe('Unmatched');
      const created = await alpha.client.ask('createOrder', {
        body: floor.order(alpha, market, { commissionRateId, stake: 4 }),
      });
      expect(created.trades).toHaveLength(1);
      const half = { matchBehavior: 'CancelUnmatched', price: 1000 };
      const batch = await floor.batch(alpha, [
        floor.order(alpha, market, { commissionRateId, stake: 5 }),
        floor.order(alpha, market, half),
        floor.order(alpha, market, { marketId: '999999999' }),
      ]);
      const results = batch.map((each) => ('errorCode' in each ? each.errorCode : each.status));
      expect(results).toEqual(['Matched', 'Cancelled', 'MARKET_NOT_FOUND']);
      const alone = await alpha.client.ask('createOrder', { body: floor.order(alpha, market, half) });
      expect(alone.orders[0]?.cancellationReason).toBe('CancelUnmatched');
      const { ids } = await alpha.client.ask('requestOrder', {
        body: floor.order(alpha, market, { commissionRateId }),
      });
      expect(ids).toHaveLength(1);
      const requests = [
        floor.order(alpha, market, { commissionRateId }),
        floor.order(alpha, market, { walletId: 'no' }),
      ];
      const requested = await alpha.client.ask('requestOrders', { body: { requests } });
      expect(requested.ids.map((each) => ('id' in each ? 'id' : each.errorCode))).toEqual(['id', 'WALLET_NOT_FOUND']);
    });

    test('cancelled alone and in both batches', async () => {
      const floor = floorOf();
      const { alpha, beta } = floor;
      const market = await floor.market();
      const everything = async () => {
        const order = await floor.place(alpha, market);
        await floor.place(beta, market, { side: 'Against', stake: 4, matchBehavior: 'CancelUnmatched' });
        const whole = await floor.place(alpha, market, { price: 900 });
        const body = {
          ...{ walletIds: [alpha.walletId], marketIds: [market.id], eventIds: [floor.eventId] },
          orderIds: [order.id, whole.id],
        };
        return { order, whole, body };
      };
      const first = await everything();
      const { ids } = await alpha.client.ask('cancelOrders', { body: first.body });
      expect(ids).toEqual(expect.arrayContaining([first.order.id, first.whole.id]));
      const second = await everything();
      const cancelled = await alpha.client.ask('cancelOrdersInFull', { body: second.body });
      expect(cancelled.totalElements).toBe(2);
      expect(cancelled.orders.map(({ status }) => status).sort()).toEqual(['Cancelled', 'Matched']);
      const third = await everything();
      for (const { id } of [third.order, third.whole]) await alpha.client.ask('cancelOrder', { path: { id } });
      expect((await floor.status(alpha, third.whole)).status).toBe('Cancelled');
    });

    test('every order status', async () => {
      const floor = floorOf();
      const seen = new Set<string>();
      for (const story of [live, ended, delayed]) for (const status of await story(floor)) seen.add(status);
      expect([...seen].sort()).toEqual([...ORDER_STATUSES].sort());
    });

    test('every order error', async () => {
      const floor = floorOf();
      const errors = await everyError(floor);
      expect(errors).toEqual(ORDER_ERROR_CODES.map((code) => [code, code]));
    });

    test('every cancellation reason that an order can show', async () => {
      expect(await everyReason(floorOf())).toEqual([
        ...['CancelUnmatched', 'CreationFailed', 'HeartbeatLapsed', 'MarketInPlay', 'MarketLock', 'MarketSettled'],
        ...['OutcomeRemoved', 'UserRequest'],
      ]);
    });

    test('read by id, reference, filter and history once the market is settled', async () => {
      const floor = floorOf();
      const { alpha } = floor;
      const market = await settledMarket(floor);
      const { client, walletId, appId } = alpha;
      const past = new Date(Date.now() - DAY_MS).toISOString();
      const future = new Date(Date.now() + DAY_MS).toISOString();
      const paging = { page: 0, size: 50, sort: ['createdAt,desc', 'id'] };
      const ownList = await client.ask('listMarketOrders', {
        path: { id: market.id },
        query: { walletIds: [walletId] },
      });
      const references = ownList.orders.map(({ reference }) => reference ?? '');
      await client.ask('listMarketOrders', { path: { id: market.id }, query: { ...paging, walletIds: [walletId] } });
      const ids = ownList.orders.map(({ id }) => id);
      await client.ask('listOrders', {
        query: {
          ...{
            ids,
            references,
            appIds: [appId],
            walletIds: [walletId],
            marketIds: [market.id],
            eventIds: [floor.eventId],
          },
          ...{ statuses: [...ORDER_STATUSES], fromStake: 1, toStake: 100, fromCreatedAt: past, toCreatedAt: future },
          ...{ matchBehavior: 'RetainUnmatched', ...paging },
        },
      });
      for (const id of ids) {
        await client.ask('getOrder', { path: { id } });
        const { trades } = await client.ask('listOrderTrades', {
          path: { id },
          query: { ...paging, sort: ['id,desc'] },
        });
        for (const trade of trades.slice(0, 1)) await client.ask('getTrade', { path: { id: trade.id } });
      }
      // There is nothing to cancel any more: the order is told as it stands.
      await client.ask('cancelOrder', { path: { id: ids[0] ?? '' } });
      for (const reference of references) await client.ask('getOrderByReference', { path: { reference } });
      const created = { fromCreatedAt: past, toCreatedAt: future };
      const trades = { marketIds: [market.id], walletIds: [walletId], orderIds: ids, ...created, ...paging };
      expect((await client.ask('listTrades', { query: trades })).trades.length).toBeGreaterThan(0);
      await client.ask('listMarkets', { query: { ids: [market.id] } });
      await client.ask('findMarkets', { path: referenceOf('market', market.id) });
      await client.ask('getMarket', { path: { id: market.id } });
      await client.ask('listSettledOrders', {
        query: { fromSettledAt: past, toSettledAt: future, walletId, ...paging },
      });
      await history(floor, market, { past, future });
    });
  });
}

/** Keyset lists, the second page of each from the cursor of the first. */
async function history(floor: Floor, market: FloorMarket, { past, future }: Record<'past' | 'future', string>) {
  const { client, walletId } = floor.alpha;
  const keyset = { sort: 'DESC', limit: 2 } as const;
  const dates = { from: past, to: future };
  for (const queryType of ['SettledDate', 'EventStartDate'] as const) {
    const query = { queryType, ...dates, walletId, marketId: market.id, ...keyset };
    const first = await client.ask('listHistoricalOrders', { query });
    const { offset, secondaryOffset } = first._meta.nextOffset ?? {};
    expect(offset).toBeDefined();
    await client.ask('listHistoricalOrders', { query: { ...query, sort: 'ASC', offset, secondaryOffset } });
    await client.ask('listHistoricalTrades', { query: { ...query, limit: 50, offset, secondaryOffset } });
    await client.ask('listHistoricalMarkets', {
      query: { queryType, ...dates, eventId: floor.eventId, ...keyset, offset, secondaryOffset },
    });
    await client.ask('listHistoricalTrades', { query });
    await client.ask('listHistoricalMarkets', { query: { queryType, ...dates, eventId: floor.eventId, ...keyset } });
  }
  const created = { walletId, fromCreatedAt: past, toCreatedAt: future, ...keyset };
  const cancelled = await client.ask('listCancelledOrders', { query: created });
  const { offset, secondaryOffset } = cancelled._meta.nextOffset ?? {};
  expect(offset).toBeDefined();
  await client.ask('listCancelledOrders', { query: { ...created, offset, secondaryOffset } });
  await client.ask('listCancelledOrders', { query: { ...created, marketId: market.id } });
}

/** Orders with and without trades in it, among them one that was voided by the settlement and a voided stake. */
async function settledMarket(floor: Floor): Promise<FloorMarket> {
  const { alpha, beta } = floor;
  const market = await floor.market();
  for (let count = 0; count < 3; count += 1) {
    await floor.place(alpha, market, { stake: 4, commissionRateId: await rateOf(alpha) });
    await floor.place(beta, market, { side: 'Against', stake: 4 });
  }
  await floor.place(alpha, market);
  await floor.place(beta, market, { side: 'Against', stake: 4 });
  await floor.place(alpha, market, { price: 900 });
  const mine = await floor.place(alpha, market, { price: 950 });
  await alpha.client.ask('cancelOrders', { body: { orderIds: [mine.id] } });
  await floor.move(market, 'lock');
  await floor.move(market, 'settle', { winners: [market.home] });
  return market;
}

async function rateOf({ client, appId }: Trader): Promise<string> {
  const { commissionRates } = await client.ask('getCommissionRates', { path: { id: appId } });
  return commissionRates[0]?.id ?? '';
}

async function live(floor: Floor): Promise<readonly string[]> {
  const { alpha, beta } = floor;
  const market = await floor.market();
  const order = await floor.place(alpha, market);
  const seen = [order.status];
  for (const stake of [4, 6]) {
    await floor.place(beta, market, { side: 'Against', stake });
    seen.push((await floor.status(alpha, order)).status);
  }
  return seen;
}

async function ended(floor: Floor): Promise<readonly string[]> {
  const { alpha, beta } = floor;
  const market = await floor.market();
  const pair = [await floor.place(alpha, market), await floor.place(beta, market, { side: 'Against' })] as const;
  const cancelled = await floor.place(alpha, market, { price: 900 });
  await alpha.client.ask('cancelOrders', { body: { orderIds: [cancelled.id] } });
  await floor.move(market, 'lock');
  await floor.move(market, 'settle', { winners: [market.home] });
  const gone = await floor.market();
  const voided = await floor.place(alpha, gone);
  await floor.move(gone, 'void');
  const [won, lost] = pair;
  const asked = [
    await floor.status(alpha, won),
    await floor.status(beta, lost),
    await floor.status(alpha, cancelled),
    await floor.status(alpha, voided),
  ];
  return asked.map(({ status }) => status);
}

/** Pending while the delay runs; Failed where the market takes no orders when it ends. */
async function delayed(floor: Floor): Promise<readonly string[]> {
  const { alpha } = floor;
  const market = await floor.market({ inPlayDelay: DELAY_S });
  await floor.move(market, 'in-play');
  const order = await floor.place(alpha, market);
  await floor.move(market, 'suspend');
  await expect.poll(async () => (await floor.status(alpha, order)).status, { interval: 50 }).not.toBe('Pending');
  return [order.status, (await floor.status(alpha, order)).status];
}

/** Each code with the one that its story met. */
async function everyError(floor: Floor): Promise<readonly (readonly [string, string | undefined])[]> {
  const { alpha, stage } = floor;
  const { control } = stage;
  const open = await floor.market();
  const suspended = await floor.market();
  await floor.move(suspended, 'suspend');
  const locked = await floor.market();
  await floor.move(locked, 'lock');
  const wallet = async (balances: Json[]) =>
    (await control.call('POST', `/apps/${alpha.appId}/wallets`, { balances })).id as string;
  const empty = await wallet([{ currencyId: 'USDC', balance: 0 }]);
  const euros = await wallet([{ currencyId: 'EURC', balance: 5 }]);
  const poor = await wallet([{ currencyId: 'USDC', balance: 5 }]);
  const placed = await floor.place(alpha, open);
  const { reference } = placed;
  const stories: Record<OrderErrorCode, { readonly on?: FloorMarket; readonly changes?: Json; readonly fault?: true }> =
    {
      MARKET_NOT_FOUND: { changes: { marketId: '999999999' } },
      INVALID_MARKET_STATUS: { on: locked },
      SUSPENDED_MARKET: { on: suspended },
      MARKET_OUTCOME_NOT_FOUND: { changes: { outcomeId: '999999999' } },
      COMMISSION_RATE_NOT_FOUND: { changes: { commissionRateId: 'none' } },
      WALLET_NOT_FOUND: { changes: { walletId: 'none' } },
      WALLET_INSUFFICIENT_CREDIT: { changes: { walletId: empty } },
      WALLET_ACCOUNT_NOT_FOUND: { changes: { walletId: euros } },
      WALLET_ACCOUNT_INSUFFICIENT_CREDIT: { changes: { walletId: poor, stake: 50 } },
      MARKET_POSITION_NOT_FOUND: { fault: true },
      ORDER_ALREADY_EXISTS: { changes: { reference } },
      INTERRUPTED: { fault: true },
    };
  const met: (readonly [string, string | undefined])[] = [];
  for (const code of ORDER_ERROR_CODES) {
    const { on = open, changes = {}, fault } = stories[code];
    if (fault) await control.call('POST', '/faults', { kind: 'orderError', code, count: 1, appId: alpha.appId });
    const [result] = await floor.batch(alpha, [floor.order(alpha, on, changes)]);
    met.push([code, result !== undefined && 'errorCode' in result ? result.errorCode : undefined]);
  }
  return met;
}

async function everyReason(floor: Floor): Promise<readonly (string | undefined)[]> {
  const { alpha, stage } = floor;
  const lapse = async () => {
    await stage.control.call('POST', `/apps/${alpha.appId}/heartbeat`, { timeoutMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const cancelling = { eventStartAction: 'CancelUnmatchedLiquidity', marketLockAction: 'CancelUnmatchedLiquidity' };
  const stories: readonly ((market: FloorMarket, id: string) => Promise<unknown>)[] = [
    (_, id) => alpha.client.ask('cancelOrders', { body: { orderIds: [id] } }),
    (market) => floor.move(market, 'in-play'),
    (market) => floor.move(market, 'lock'),
    (market) => floor.move(market, 'settle', { winners: [market.away] }),
    // A bet on what is removed is void; one Against another outcome that rests is cancelled.
    (market) => floor.move(market, 'remove-outcome', { outcomeId: market.home, factor: 10 }),
    lapse,
  ];
  const reasons: (string | undefined)[] = [];
  for (const [index, story] of stories.entries()) {
    const outcomes = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];
    const market = await floor.market({ outcomes, ...(index < 3 ? cancelling : {}) });
    const bet = { side: 'Against', outcomeId: market.away, price: 1.5, keepWhenInPlay: false };
    const order = await floor.place(alpha, market, bet);
    if (index === 3) await floor.move(market, 'lock');
    await story(market, order.id);
    reasons.push((await floor.status(alpha, order)).cancellationReason);
  }
  await alpha.client.ask('deleteHeartbeat', {});
  const market = await floor.market();
  const unmatched = await floor.place(alpha, market, { price: 900, matchBehavior: 'CancelUnmatched' });
  const failed = await alpha.client.ask('listCancelledOrders', { query: { limit: 500 } });
  const failure = failed.documents.orders.find(({ status }) => status === 'Failed');
  return [...reasons, unmatched.cancellationReason, failure?.cancellationReason].sort();
}
