/** Placing orders: validation first, then each item by itself, in the exchange's order of checks. */

import { describe, expect, test } from 'vitest';
import { ORDER_ERROR_CODES } from '../../../src/core/order.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { type NewOrderBody, TradingFloor } from '../../support/sandbox/trading-floor.ts';

function batch(floor: TradingFloor, ...requests: Partial<NewOrderBody>[]) {
  return floor.ask(floor.a.caller, 'createOrders', { body: { requests: requests.map((each) => floor.body(each)) } });
}

function codes(floor: TradingFloor, ...requests: Partial<NewOrderBody>[]) {
  return batch(floor, ...requests).orders.map((item) => ('errorCode' in item ? item.errorCode : item.status));
}

describe('one order', () => {
  test('is answered as it stands once processed, with its market and the tree above', () => {
    const floor = new TradingFloor();
    const { orders, markets, trades, events, eventGroups, subcategories, categories, _meta } = floor.ask(
      floor.a.caller,
      'createOrder',
      { body: floor.body({ reference: 'mine' }) },
    );
    expect(_meta).toEqual({ _primary_document: 'orders', _count: 1 });
    expect(orders).toEqual([
      {
        id: '1',
        appId: 'appA',
        market: { _ref: 'markets.id', _ids: [floor.marketId] },
        walletId: 'appA-User-1',
        side: 'For',
        outcomeId: floor.outcomeId(0),
        outcomeTitle: 'Arsenal',
        price: 1000,
        stake: 1,
        stakeUnmatched: 1,
        stakeVoided: 0,
        keepWhenInPlay: false,
        createdAt: '2026-03-24T12:00:00.000Z',
        modifiedAt: '2026-03-24T12:00:00.000Z',
        reference: 'mine',
        status: 'Unmatched',
        matchBehavior: 'RetainUnmatched',
      },
    ]);
    expect(markets.map(({ id }) => id)).toEqual([floor.marketId]);
    expect(trades).toEqual([]);
    expect([events, eventGroups, subcategories, categories].map((each) => each.length)).toEqual([1, 1, 1, 1]);
  });

  test('shows its trades so far', () => {
    const floor = new TradingFloor();
    floor.place(floor.b, { side: 'Against', price: 2.5, stake: 4 });
    floor.builder.pass(1_000);
    const { orders, trades } = floor.ask(floor.a.caller, 'createOrder', {
      body: floor.body({ price: 2.4, stake: 10 }),
    });
    expect(orders[0]).toMatchObject({ status: 'PartiallyMatched', stakeUnmatched: 6, price: 2.4 });
    expect(trades).toEqual([
      {
        id: '2',
        order: { _ref: 'orders.id', _ids: ['2'] },
        price: 2.5,
        stake: 4,
        profitLoss: 0,
        createdAt: '2026-03-24T12:00:01.000Z',
      },
    ]);
  });

  test('is Pending while the market is in play, and processed when its delay has ended', () => {
    const floor = new TradingFloor();
    floor.builder.command({ kind: 'setInPlay', market: floor.market, inPlay: true });
    const id = floor.place(floor.a);
    const read = () => floor.ask(floor.a.caller, 'getOrder', { path: { id } }).orders[0]?.status;
    floor.builder.pass(4_999);
    expect(read()).toBe('Pending');
    floor.builder.pass(1);
    expect(read()).toBe('Unmatched');
  });

  test.each([
    [{ outcomeId: '999999' }, 400, 'MARKET_OUTCOME_NOT_FOUND'],
    [{ marketId: '999999' }, 400, 'MARKET_NOT_FOUND'],
    [{ walletId: 'appB-User-1' }, 400, 'WALLET_NOT_FOUND'],
  ])('that fails is a problem of the whole request: %o', (order, status, title) => {
    const floor = new TradingFloor();
    for (const name of ['createOrder', 'requestOrder'] as const)
      expect(floor.askInVain(floor.a.caller, name, { body: floor.body(order) })).toMatchObject({ status, title });
  });

  test('that is interrupted is a 503, which leaves its fate open', () => {
    const floor = new TradingFloor();
    floor.faults.push('INTERRUPTED');
    expect(floor.askInVain(floor.a.caller, 'createOrder', { body: floor.body() })).toMatchObject({
      status: 503,
      title: 'INTERRUPTED',
    });
    expect(floor.place(floor.a)).toBe('1');
  });

  test('cancels what does not match under CancelUnmatched', () => {
    const floor = new TradingFloor();
    const body = floor.body({ matchBehavior: 'CancelUnmatched' });
    const { orders } = floor.ask(floor.a.caller, 'createOrder', { body });
    expect(orders[0]).toMatchObject({ status: 'Cancelled', cancellationReason: 'CancelUnmatched', stakeVoided: 1 });
    floor.place(floor.b, { side: 'Against', price: 3, stake: 1 });
    const partly = floor.ask(floor.a.caller, 'createOrder', {
      body: floor.body({ matchBehavior: 'CancelUnmatched', price: 3, stake: 2 }),
    });
    expect(partly.orders[0]).toMatchObject({ status: 'Matched', stakeVoided: 1, stakeUnmatched: 0 });
    expect(partly.orders[0]).not.toHaveProperty('cancellationReason');
  });
});

describe('a batch', () => {
  test('keeps request order among orders and failures', () => {
    const floor = new TradingFloor();
    const { orders, _meta } = batch(floor, { stake: 1 }, { marketId: '999999999' }, { stake: 3 });
    expect(_meta._count).toBe(3);
    expect(orders).toMatchObject([{ stake: 1 }, { errorCode: 'MARKET_NOT_FOUND' }, { stake: 3 }]);
    expect(Object.keys(orders[1] ?? {})).toEqual(['errorCode', 'errorMessage']);
  });

  test('of 50 is taken in one change', () => {
    const floor = new TradingFloor();
    let changes = 0;
    floor.world.listen(() => {
      changes += 1;
    });
    expect(batch(floor, ...Array.from({ length: 50 }, () => ({}))).orders).toHaveLength(50);
    expect(changes).toBe(1);
  });

  test('shows an order as the later items of the batch left it', () => {
    const floor = new TradingFloor();
    const { orders, trades } = batch(floor, { price: 3, stake: 2 }, { side: 'Against', price: 3, stake: 2 });
    expect(orders.map((item) => 'status' in item && item.status)).toEqual(['Matched', 'Matched']);
    expect(trades.map(({ order }) => order._ids[0])).toEqual(['1', '2']);
  });

  test('with faults of shape creates nothing, and names each item that has one', () => {
    const floor = new TradingFloor();
    const requests = [
      floor.body(),
      floor.body({ price: 2.03 }),
      floor.body({ stake: 0.0001 }),
      floor.body({ price: 1 }),
      floor.body({ stake: 1e308 }),
    ];
    const { status, details } = floor.askInVain(floor.a.caller, 'createOrders', { body: { requests } });
    expect(status).toBe(400);
    expect(details.map((each) => /^requests\[(\d)\]\.(price|stake): /.exec(each)?.[1])).toEqual(['1', '2', '3', '4']);
    expect(floor.place(floor.a)).toBe('1');
  });

  test('is refused as a whole while the heartbeat is lapsed, until it is deleted', () => {
    const floor = new TradingFloor();
    floor.ask(floor.a.caller, 'armHeartbeat', { body: { timeoutMs: 10_000 } });
    floor.builder.pass(10_000);
    for (const name of ['createOrders', 'requestOrders'] as const)
      expect(floor.askInVain(floor.a.caller, name, { body: { requests: [floor.body()] } }).status).toBe(403);
    for (const name of ['createOrder', 'requestOrder'] as const)
      for (const caller of [floor.a.caller, floor.a.walletCaller])
        expect(floor.askInVain(caller, name, { body: floor.body() }).status).toBe(403);
    floor.ask(floor.a.caller, 'deleteHeartbeat');
    expect(codes(floor, {})).toEqual(['Unmatched']);
  });

  test('of requests is answered with the ids of the orders', () => {
    const floor = new TradingFloor();
    const requests = [floor.body({ reference: 'r' }), floor.body({ reference: 'r' })];
    const { ids } = floor.ask(floor.a.caller, 'requestOrders', { body: { requests } });
    expect(ids).toMatchObject([{ id: '1' }, { errorCode: 'ORDER_ALREADY_EXISTS' }]);
    const byReference = floor.ask(floor.a.caller, 'getOrderByReference', { path: { reference: 'r' } });
    expect(byReference.orders[0]?.id).toBe('1');
    expect(floor.ask(floor.a.caller, 'requestOrder', { body: floor.body() }).ids).toEqual(['2']);
  });
});

describe('an item fails', () => {
  /**
   * A cause for each of the specification's codes; the two that cannot be caused otherwise come from injected faults.
   */
  const causes: Readonly<Record<(typeof ORDER_ERROR_CODES)[number], (floor: TradingFloor) => Partial<NewOrderBody>>> = {
    MARKET_NOT_FOUND: () => ({ marketId: '007' }),
    INVALID_MARKET_STATUS: (floor) => {
      floor.builder.command({ kind: 'unopen', market: floor.market });
      return {};
    },
    SUSPENDED_MARKET: (floor) => {
      floor.builder.command({ kind: 'suspend', market: floor.market, suspended: true });
      return {};
    },
    MARKET_OUTCOME_NOT_FOUND: (floor) => {
      const other = floor.builder.openMarket({ app: floor.house, event: floor.event });
      return { outcomeId: floor.outcomeId(0, other) };
    },
    COMMISSION_RATE_NOT_FOUND: () => ({ commissionRateId: '1' }),
    WALLET_NOT_FOUND: (floor) => ({ walletId: floor.b.walletId }),
    WALLET_ACCOUNT_NOT_FOUND: (floor) => {
      const { id } = floor.ask(floor.a.caller, 'createWallet', { body: {} }).wallets[0] ?? { id: '' };
      return { walletId: id };
    },
    WALLET_ACCOUNT_INSUFFICIENT_CREDIT: () => ({ stake: 1000.001 }),
    WALLET_INSUFFICIENT_CREDIT: (floor) => {
      floor.place(floor.a, { stake: 1000 });
      return { outcomeId: floor.outcomeId(1), side: 'Against', price: 3 };
    },
    MARKET_POSITION_NOT_FOUND: (floor) => {
      floor.faults.push('MARKET_POSITION_NOT_FOUND');
      return {};
    },
    ORDER_ALREADY_EXISTS: (floor) => {
      floor.place(floor.a, { reference: 'once' });
      return { reference: 'once' };
    },
    INTERRUPTED: (floor) => {
      floor.faults.push('INTERRUPTED');
      return {};
    },
  };

  test.each(ORDER_ERROR_CODES)('with %s, and leaves no order and no stake held', (code) => {
    const floor = new TradingFloor();
    const order = causes[code](floor);
    const held = () => floor.ask(floor.a.caller, 'getWallet', { path: { id: floor.a.walletId } }).wallets[0]?.balances;
    const before = held();
    expect(codes(floor, order)).toEqual([code]);
    expect(held()).toEqual(before);
    expect(floor.world.exchange.brokenLaws()).toEqual([]);
  });

  test('with the first reason in the order of checks', () => {
    const floor = new TradingFloor();
    const nothing: Partial<NewOrderBody> = { marketId: '9', outcomeId: 'x', walletId: 'y', commissionRateId: 'z' };
    expect(codes(floor, nothing)).toEqual(['MARKET_NOT_FOUND']);
    const { marketId, ...noOutcome } = nothing;
    expect(codes(floor, noOutcome)).toEqual(['MARKET_OUTCOME_NOT_FOUND']);
    const { outcomeId, ...noRate } = noOutcome;
    expect(codes(floor, noRate)).toEqual(['COMMISSION_RATE_NOT_FOUND']);
    floor.builder.command({ kind: 'suspend', market: floor.market, suspended: true });
    expect(codes(floor, noOutcome)).toEqual(['SUSPENDED_MARKET']);
  });

  test('when the commission rate is not of the app; its own and its default are shown', () => {
    const floor = new TradingFloor();
    floor.builder.make({ kind: 'createCommissionRate', app: floor.b.app, ratePpm: 10_000, isDefault: false });
    floor.builder.make({ kind: 'createCommissionRate', app: floor.a.app, ratePpm: 20_000, isDefault: false });
    floor.builder.make({ kind: 'createCommissionRate', app: floor.a.app, ratePpm: 50_000, isDefault: true });
    expect(codes(floor, { commissionRateId: '1' })).toEqual(['COMMISSION_RATE_NOT_FOUND']);
    expect(batch(floor, { commissionRateId: '2' }, {}).orders).toMatchObject([
      { commissionRateId: '2' },
      { commissionRateId: '3' },
    ]);
  });

  test('without using up its reference', () => {
    const floor = new TradingFloor();
    expect(codes(floor, { reference: 'r', stake: 5000 }, { reference: 'r' }, { reference: 'r' })).toEqual([
      'WALLET_ACCOUNT_INSUFFICIENT_CREDIT',
      'Unmatched',
      'ORDER_ALREADY_EXISTS',
    ]);
  });

  test('alone: faults meet one item each, in their order', () => {
    const floor = new TradingFloor();
    floor.faults.push('INTERRUPTED', 'WALLET_NOT_FOUND');
    expect(codes(floor, {}, {}, {})).toEqual(['INTERRUPTED', 'WALLET_NOT_FOUND', 'Unmatched']);
  });
});

test('an unpublished market of another app takes no orders, nor does one of an inactive event', () => {
  const floor = new TradingFloor();
  const hidden = floor.builder.market({ app: floor.b.app, event: floor.event });
  floor.builder.command({ kind: 'open', market: hidden });
  const order = { marketId: numericId(hidden), outcomeId: floor.outcomeId(0, hidden) };
  expect(codes(floor, order)).toEqual(['INVALID_MARKET_STATUS']);
  floor.builder.command({ kind: 'setEventActive', event: floor.event, active: false });
  expect(codes(floor, {})).toEqual(['INVALID_MARKET_STATUS']);
});
