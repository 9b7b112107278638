/** Reading trades: one, those of an order, and pages of the caller's. */

import { expect, test } from 'vitest';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { type Trader, TradingFloor } from '../../support/sandbox/trading-floor.ts';

/** App B offers 1 at each price, and app A matches it. */
function match(floor: TradingFloor, who: Trader, prices: readonly number[], market = floor.market): string {
  const place = { marketId: numericId(market), outcomeId: floor.outcomeId(0, market) };
  for (const price of prices) floor.place(floor.b, { ...place, side: 'Against', price, stake: 1 });
  return floor.place(who, { ...place, price: 2, stake: prices.length });
}

test('a trade is shown with its order reduced and its market', () => {
  const floor = new TradingFloor();
  const order = match(floor, floor.a, [2.5]);
  const { trades, orders, markets } = floor.ask(floor.a.caller, 'getTrade', { path: { id: '2' } });
  expect(trades).toEqual([
    {
      id: '2',
      walletId: floor.a.walletId,
      market: { _ref: 'markets.id', _ids: [floor.marketId] },
      order: { _ref: 'orders.id', _ids: [order] },
      side: 'For',
      outcomeId: floor.outcomeId(0),
      price: 2.5,
      stake: 1,
      profitLoss: 0,
      createdAt: '2026-03-24T12:00:00.000Z',
      modifiedAt: '2026-03-24T12:00:00.000Z',
    },
  ]);
  expect(orders).toEqual([
    {
      id: order,
      market: { _ref: 'markets.id', _ids: [floor.marketId] },
      side: 'For',
      price: 2,
      outcomeId: floor.outcomeId(0),
      outcomeTitle: 'Arsenal',
      stake: 1,
      stakeUnmatched: 0,
      stakeVoided: 0,
      status: 'Matched',
    },
  ]);
  expect(markets.map(({ id }) => id)).toEqual([floor.marketId]);
  for (const id of ['1', '3', '0', 'x', '999999999999'])
    expect(floor.askInVain(floor.a.caller, 'getTrade', { path: { id } }).status).toBe(404);
});

test('trades of an order are paged, and stand beside it though there are none', () => {
  const floor = new TradingFloor();
  const id = match(floor, floor.a, [2.5, 2.6, 2.7]);
  const read = (query: string) => floor.ask(floor.a.caller, 'listOrderTrades', { path: { id }, query });
  expect(read('sort=id').trades.map(({ price }) => price)).toEqual([2.7, 2.6, 2.5]);
  expect(read('size=2&page=1')._meta).toEqual({
    _primary_document: 'trades',
    _count: 1,
    _page: { _pageNumber: 1, _pageSize: 2, _totalElements: 3, _totalPages: 2 },
  });
  const unmatched = floor.ask(floor.a.caller, 'listOrderTrades', { path: { id: floor.place(floor.a) } });
  expect([unmatched.trades, unmatched.orders.length, unmatched.markets.length]).toEqual([[], 1, 1]);
});

test('a list of trades keeps to wallets, markets, orders and period', () => {
  const floor = new TradingFloor();
  const { a } = floor;
  const other = floor.builder.openMarket({ app: floor.house, event: floor.event });
  const first = match(floor, a, [2.5, 2.5]);
  floor.builder.pass(1_000);
  const second = match(floor, { ...a, walletId: a.secondId }, [2.5], other);
  const count = (query: string, caller = a.caller) => floor.ask(caller, 'listTrades', { query }).trades.length;
  expect(count('')).toBe(3);
  expect(count(`walletIds=${a.secondId}`)).toBe(1);
  expect(count(`walletIds=${floor.b.walletId}`)).toBe(0);
  expect(count(`marketIds=${floor.marketId},77`)).toBe(2);
  expect(count(`orderIds=${first},${second},${first},1`)).toBe(3);
  expect(count(`orderIds=${first},${second}&marketIds=${numericId(other)}`)).toBe(1);
  expect(count('orderIds=1'), 'an order of app B').toBe(0);
  expect(count('fromCreatedAt=2026-03-24T12:00:01Z')).toBe(1);
  expect(count('toCreatedAt=2026-03-24T12:00:00.999Z')).toBe(2);
  expect(count('', a.walletCaller)).toBe(2);
  expect(count('', floor.b.caller)).toBe(3);
  const newestFirst = floor.ask(a.caller, 'listTrades').trades.map(({ id }) => Number(id));
  expect(newestFirst).toEqual([...newestFirst].sort((x, y) => y - x));
  const page = floor.ask(a.caller, 'listTrades', { query: 'size=2&page=1&sort=createdAt,desc' });
  expect(page._meta._page).toMatchObject({ _totalElements: 3, _totalPages: 2 });
  expect(page.trades).toHaveLength(1);
});

test('one party to a trade does not see the other’s', () => {
  const floor = new TradingFloor();
  match(floor, floor.a, [2.5]);
  expect(floor.askInVain(floor.b.caller, 'getTrade', { path: { id: '2' } }).status).toBe(404);
  expect(floor.ask(floor.b.caller, 'getTrade', { path: { id: '1' } }).trades[0]?.side).toBe('Against');
});
