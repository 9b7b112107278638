/** Cancelling: what any subset of the arrays selects, for which caller, and the answers. */

import { describe, expect, test } from 'vitest';
import { CancelBody } from '../../../src/betdex/wire/basics/requests.ts';
import { requestReader } from '../../../src/codec/codec-read.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { Random } from '../../support/random.ts';
import { TradingFloor } from '../../support/sandbox/trading-floor.ts';

/** Two events: the first with two markets, the second with one. */
class Floor extends TradingFloor {
  readonly markets: readonly number[];
  readonly events: readonly number[];

  constructor() {
    super();
    const { builder, house } = this;
    const other = builder.event({ app: house });
    const terms = { app: house, crossMatching: false };
    this.markets = [
      this.market,
      builder.openMarket({ ...terms, event: this.event }),
      builder.openMarket({ ...terms, event: other }),
    ];
    this.events = [this.event, other];
  }

  rest(who: 'a' | 'b', wallet: 'walletId' | 'secondId', market: number): string {
    const at = this.markets[market] ?? 0;
    return this.place(this[who], {
      walletId: this[who][wallet],
      marketId: numericId(at),
      outcomeId: this.outcomeId(0, at),
    });
  }

  cancel(caller = this.a.caller, body: Record<string, string[]>) {
    return this.ask(caller, 'cancelOrders', { body }).ids;
  }
}

test('cancels an order, and says so at once', () => {
  const floor = new Floor();
  const id = floor.rest('a', 'walletId', 0);
  floor.builder.pass(10);
  expect(floor.cancel(floor.a.caller, { orderIds: [id] })).toEqual([id]);
  expect(floor.ask(floor.a.caller, 'getOrder', { path: { id } }).orders[0]).toMatchObject({
    status: 'Cancelled',
    stakeUnmatched: 0,
    stakeVoided: 1,
    cancellationReason: 'UserRequest',
    modifiedAt: '2026-03-24T12:00:00.010Z',
  });
  expect(floor.cancel(floor.a.caller, { orderIds: [id] }), 'what is cancelled is cancelled once').toEqual([]);
});

test('a body without any of the arrays is malformed; an empty array selects nothing', () => {
  const read = requestReader(CancelBody);
  for (const body of [{}, { orderIds: null }, { orders: ['1'] }]) expect(read(body).kind).toBe('faults');
  expect(read({ orderIds: [] }).kind).toBe('read');
  const floor = new Floor();
  floor.rest('a', 'walletId', 0);
  expect(floor.cancel(floor.a.caller, { orderIds: [], walletIds: [] })).toEqual([]);
});

describe('of the orders that any array holds', () => {
  const PLACES = [0, 1, 2].flatMap((market) =>
    (['a', 'b'] as const).flatMap((who) =>
      (['walletId', 'secondId'] as const).map((wallet) => ({ who, wallet, market })),
    ),
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('exactly the caller’s own are cancelled, seed %i', (seed) => {
    const random = new Random(seed);
    for (let round = 0; round < 12; round += 1) {
      const floor = new Floor();
      const resting = PLACES.map((place) => ({ ...place, id: floor.rest(place.who, place.wallet, place.market) }));
      const some = <T>(from: readonly T[]) => (random.chance(0.5) ? undefined : from.filter(() => random.chance(0.4)));
      const wallets = some([floor.a.walletId, floor.a.secondId, floor.b.walletId, 'nobody']);
      const events = some([0, 1]);
      const markets = some([0, 1, 2]);
      const orders = some([...resting.map(({ id }) => id), '4711', 'x']);
      const body = {
        ...(wallets === undefined ? {} : { walletIds: wallets }),
        ...(events === undefined ? {} : { eventIds: events.map((each) => numericId(floor.events[each] ?? 0)) }),
        ...(markets === undefined ? {} : { marketIds: markets.map((each) => numericId(floor.markets[each] ?? 0)) }),
        ...(orders === undefined ? {} : { orderIds: orders }),
      };
      const isWalletKey = random.chance(0.5);
      const expected = resting.filter(({ who, wallet, market, id }) => {
        if (who !== 'a' || (isWalletKey && wallet !== 'walletId')) return false;
        return (
          wallets?.includes(floor.a[wallet]) === true ||
          events?.includes(market === 2 ? 1 : 0) === true ||
          markets?.includes(market) === true ||
          orders?.includes(id) === true
        );
      });
      const cancelled = floor.cancel(isWalletKey ? floor.a.walletCaller : floor.a.caller, body);
      expect(cancelled, `seed ${seed}, round ${round}, ${JSON.stringify(body)}`).toEqual(expected.map(({ id }) => id));
      expect(floor.world.exchange.brokenLaws()).toEqual([]);
    }
  });
});

test('a partly matched order keeps its matched part, and is among the ids', () => {
  const floor = new Floor();
  const id = floor.place(floor.a, { price: 3, stake: 5 });
  floor.place(floor.b, { side: 'Against', price: 3, stake: 2 });
  const { orders, trades, totalElements, _meta } = floor.ask(floor.a.caller, 'cancelOrdersInFull', {
    body: { walletIds: [floor.a.walletId] },
  });
  expect(orders).toMatchObject([{ id, status: 'Matched', stakeVoided: 3, stakeUnmatched: 0 }]);
  expect(orders[0]).not.toHaveProperty('cancellationReason');
  expect(trades).toMatchObject([{ order: { _ids: [id] }, stake: 2 }]);
  expect([totalElements, _meta._count]).toEqual([1, 1]);
});

test('a Pending order is not yet cancelled: what is left when its delay ends is', () => {
  const floor = new Floor();
  floor.builder.command({ kind: 'setInPlay', market: floor.market, inPlay: true });
  const id = floor.place(floor.a);
  const read = () => floor.ask(floor.a.caller, 'getOrder', { path: { id } }).orders[0];
  expect(floor.cancel(floor.a.caller, { orderIds: [id] })).toEqual([]);
  expect(read()).toMatchObject({ status: 'Pending', matchBehavior: 'CancelUnmatched' });
  floor.builder.pass(5_000);
  expect(read()).toMatchObject({ status: 'Cancelled', cancellationReason: 'CancelUnmatched', stakeVoided: 1 });
});

test('a market that is not Open is skipped, a suspended one is not', () => {
  const floor = new Floor();
  const [first, second] = [floor.rest('a', 'walletId', 0), floor.rest('a', 'walletId', 1)];
  floor.builder.command({ kind: 'suspend', market: floor.markets[0] ?? 0, suspended: true });
  floor.builder.command({ kind: 'lock', market: floor.markets[1] ?? 0 });
  expect(floor.cancel(floor.a.caller, { orderIds: [second, first] })).toEqual([first]);
});

test('one call takes more than 50 ids', () => {
  const floor = new Floor();
  const ids = Array.from({ length: 51 }, () => floor.place(floor.a));
  expect(floor.cancel(floor.a.caller, { orderIds: ids })).toEqual(ids);
});

test('the deprecated cancel of one answers with the order, cancelled now or before', () => {
  const floor = new Floor();
  const id = floor.rest('a', 'walletId', 0);
  for (const _ of [1, 2]) {
    const { orders } = floor.ask(floor.a.caller, 'cancelOrder', { path: { id } });
    expect(orders).toMatchObject([{ id, status: 'Cancelled' }]);
  }
  expect(floor.askInVain(floor.b.caller, 'cancelOrder', { path: { id } }).status).toBe(404);
});
