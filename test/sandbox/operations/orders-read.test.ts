/** Reading orders: by id, by reference, by every filter, in pages. */

import { describe, expect, test } from 'vitest';
import { OrdersQuery } from '../../../src/betdex/wire/basics/queries.ts';
import { queryReader } from '../../../src/codec/request-address.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { Random } from '../../support/random.ts';
import { TradingFloor } from '../../support/sandbox/trading-floor.ts';

function list(floor: TradingFloor, query: string, caller = floor.a.caller) {
  return floor.ask(caller, 'listOrders', { query });
}

function idsOf(floor: TradingFloor, query: string, caller = floor.a.caller) {
  return list(floor, query, caller).orders.map(({ id }) => id);
}

describe('a list of orders', () => {
  test.each(['', 'statuses=Unmatched', 'matchBehavior=RetainUnmatched&size=5', 'references=r'])(
    'needs a list of ids, or references within apps: %s',
    (query) => {
      expect(new TradingFloor().askInVain(new TradingFloor().a.caller, 'listOrders', { query }).status).toBe(400);
    },
  );

  test('has at most 500 on a page, and refuses to be asked for more', () => {
    const read = queryReader(OrdersQuery);
    const sized = (size: string) => read(new URLSearchParams({ ids: '1', size })).kind;
    expect([sized('500'), sized('501'), sized('0')]).toEqual(['read', 'faults', 'faults']);
  });

  test('begins with the newest, and pages walk through all of them once', () => {
    const floor = new TradingFloor();
    const ids = Array.from({ length: 12 }, () => floor.place(floor.a)).reverse();
    const query = `walletIds=${floor.a.walletId}&size=5`;
    const pages = [0, 1, 2, 3].map((page) => idsOf(floor, `${query}&page=${page}`));
    expect(pages).toEqual([ids.slice(0, 5), ids.slice(5, 10), ids.slice(10), []]);
    expect(list(floor, query)._meta._page).toEqual({
      _pageNumber: 0,
      _pageSize: 5,
      _totalElements: 12,
      _totalPages: 3,
    });
    expect(idsOf(floor, `${query}&sort=id`)).toEqual([...ids].reverse().slice(0, 5));
    expect(idsOf(floor, `${query}&sort=createdAt,asc`), 'of one instant the newest first').toEqual(ids.slice(0, 5));
    expect(floor.askInVain(floor.a.caller, 'listOrders', { query: `${query}&sort=price` }).status).toBe(400);
  });

  test('holds what every filter lets through, as a slow look at each order finds it', () => {
    for (const seed of [1, 2, 3]) compareWithSlowFilter(seed);
  });

  test('is of the caller’s own: other apps, their wallets and orders name nothing', () => {
    const floor = new TradingFloor();
    const [mine, theirs] = [floor.place(floor.a), floor.place(floor.b)];
    const second = floor.place(floor.a, { walletId: floor.a.secondId });
    expect(idsOf(floor, `ids=${mine},${theirs},${second},${mine},x,99`)).toEqual([second, mine]);
    expect(idsOf(floor, 'appIds=appB')).toEqual([]);
    expect(idsOf(floor, 'appIds=appA,appB')).toEqual([second, mine]);
    expect(idsOf(floor, `walletIds=${floor.b.walletId}`)).toEqual([]);
    expect(idsOf(floor, `marketIds=${floor.marketId}`)).toEqual([second, mine]);
    expect(idsOf(floor, `eventIds=${numericId(floor.event)}`, floor.a.walletCaller)).toEqual([mine]);
    expect(idsOf(floor, `walletIds=${floor.a.secondId}`, floor.a.walletCaller)).toEqual([]);
    expect(idsOf(floor, 'ids='), 'an empty list lets nothing through').toEqual([]);
  });

  test('is bounded by stakes to the last decimal', () => {
    const floor = new TradingFloor();
    for (const stake of [2.001, 4.035, 8.021, 16.001, 33.013, 64.067]) {
      const id = floor.place(floor.a, { stake });
      expect(idsOf(floor, `appIds=appA&fromStake=${stake}&toStake=${stake}`), String(stake)).toEqual([id]);
    }
  });

  test('by references finds them within the caller’s app alone', () => {
    const floor = new TradingFloor();
    const [mine, theirs] = [floor.place(floor.a, { reference: 'r' }), floor.place(floor.b, { reference: 'r' })];
    expect(idsOf(floor, 'references=r,s&appIds=appA')).toEqual([mine]);
    expect(idsOf(floor, 'references=r&appIds=appA', floor.b.caller)).toEqual([]);
    expect(idsOf(floor, 'references=r&appIds=appB', floor.b.caller)).toEqual([theirs]);
  });
});

describe('an order by its reference', () => {
  test.each(['a/b', 'a\\b'])('%s cannot be asked for, though it can be used', (reference) => {
    const floor = new TradingFloor();
    const id = floor.place(floor.a, { reference });
    expect(floor.askInVain(floor.a.caller, 'getOrderByReference', { path: { reference } }).status).toBe(400);
    expect(idsOf(floor, `references=${encodeURIComponent(reference)}&appIds=appA`)).toEqual([id]);
  });

  test('is found whatever it is written in', () => {
    const floor = new TradingFloor();
    for (const reference of ['é 漢 %2F', '__proto__', 'constructor', '']) {
      const id = floor.place(floor.a, { reference });
      const { orders } = floor.ask(floor.a.caller, 'getOrderByReference', { path: { reference } });
      expect(orders).toMatchObject([{ id, reference }]);
    }
    expect(floor.askInVain(floor.a.caller, 'getOrderByReference', { path: { reference: 'r' } }).status).toBe(404);
  });
});

test('a market lists the caller’s orders in it, the newest first', () => {
  const floor = new TradingFloor();
  const other = floor.builder.openMarket({ app: floor.house, event: floor.event });
  const first = floor.place(floor.a);
  floor.place(floor.b);
  floor.place(floor.a, { marketId: numericId(other), outcomeId: floor.outcomeId(0, other) });
  const last = floor.place(floor.a, { walletId: floor.a.secondId });
  const read = (query = '', caller = floor.a.caller) =>
    floor.ask(caller, 'listMarketOrders', { path: { id: floor.marketId }, query }).orders.map(({ id }) => id);
  expect(read()).toEqual([last, first]);
  expect(read(`walletIds=${floor.a.walletId}`)).toEqual([first]);
  expect(read('', floor.a.walletCaller)).toEqual([first]);
  const hidden = floor.builder.market({ app: floor.b.app, event: floor.event });
  for (const id of ['999', 'x', numericId(hidden)])
    expect(floor.askInVain(floor.a.caller, 'listMarketOrders', { path: { id } }).status).toBe(404);
});

type ListedOrder = ReturnType<typeof list>['orders'][number];

function compareWithSlowFilter(seed: number): void {
  const random = new Random(seed);
  const floor = new TradingFloor();
  const other = floor.builder.openMarket({ app: floor.house, event: floor.builder.event({ app: floor.house }) });
  const markets = [floor.market, other];
  for (let count = 0; count < 120; count += 1) placeAtRandom(floor, random, markets);
  const all = list(floor, 'appIds=appA&size=500').orders;
  for (let round = 0; round < 150; round += 1) {
    const asked = randomQuery(floor, random, markets, all);
    const expected = all.filter((order) => isMeant(order, asked, numericId(other)));
    expect(idsOf(floor, asked.toString()), `seed ${seed}: ${asked}`).toEqual(expected.map(({ id }) => id));
  }
}

function placeAtRandom(floor: TradingFloor, random: Random, markets: readonly number[]): void {
  const who = random.pick([floor.a, floor.b]);
  const market = random.pick(markets);
  const id = floor.place(who, {
    walletId: random.pick([who.walletId, who.secondId]),
    marketId: numericId(market),
    outcomeId: floor.outcomeId(random.between(0, 2), market),
    side: random.pick(['For', 'Against']),
    price: random.pick([2, 2.5, 3]),
    stake: random.between(1, 9),
    matchBehavior: random.chance(0.2) ? 'CancelUnmatched' : 'RetainUnmatched',
  });
  if (random.chance(0.2)) floor.ask(who.caller, 'cancelOrders', { body: { orderIds: [id] } });
  floor.builder.pass(random.between(0, 1_000));
}

const STATUSES = ['Unmatched', 'Unmatched,PartiallyMatched', 'Pending,Push', 'Matched,Unmatched', 'Cancelled'];

/** A random query that contains each filter with a probability of about one third. */
function randomQuery(
  floor: TradingFloor,
  random: Random,
  markets: readonly number[],
  all: readonly ListedOrder[],
): URLSearchParams {
  const asked = new URLSearchParams({ appIds: 'appA', size: '500' });
  const give = (name: string, value: string) => random.chance(0.3) && asked.set(name, value);
  const some = all.filter(() => random.chance(0.5)).map(({ id }) => id);
  give('ids', some.join());
  give('walletIds', random.pick([floor.a.walletId, floor.a.secondId, floor.b.walletId]));
  give('marketIds', numericId(random.pick(markets)));
  give('eventIds', numericId(random.pick([0, 1])));
  give('statuses', random.pick(STATUSES));
  give('fromStake', String(random.between(1, 9)));
  give('toStake', `${random.between(1, 9)}.0`);
  give('fromCreatedAt', random.pick(all).createdAt);
  give('toCreatedAt', random.pick(all).createdAt);
  give('matchBehavior', random.pick(['CancelUnmatched', 'RetainUnmatched']));
  return asked;
}

function isMeant(order: ListedOrder, asked: URLSearchParams, secondMarket: string): boolean {
  const among = (name: string, value = '') => asked.get(name)?.split(',').includes(value) ?? true;
  const [market] = order.market._ids;
  return (
    among('ids', order.id) &&
    among('walletIds', order.walletId) &&
    among('eventIds', market === secondMarket ? '2' : '1') &&
    among('marketIds', market) &&
    among('statuses', order.status) &&
    among('matchBehavior', order.matchBehavior) &&
    order.stake >= Number(asked.get('fromStake') ?? 0) &&
    order.stake <= Number(asked.get('toStake') ?? 99) &&
    order.createdAt >= (asked.get('fromCreatedAt') ?? '') &&
    order.createdAt <= (asked.get('toCreatedAt') ?? '9')
  );
}
