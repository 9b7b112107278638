/** Positions: exposures by outcome, before settlement and after, of a wallet and in a market. */

import { expect, test } from 'vitest';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { TradingFloor } from '../../support/sandbox/trading-floor.ts';

/** Adds two markets; in each of the three app A backs 10 at 3 on the first outcome against app B. */
function floorOfThree() {
  const floor = new TradingFloor();
  const markets = [floor.market];
  for (let count = 0; count < 2; count += 1)
    markets.push(floor.builder.openMarket({ app: floor.house, event: floor.event, crossMatching: false }));
  for (const market of markets) {
    const bet = { marketId: numericId(market), outcomeId: floor.outcomeId(0, market), price: 3, stake: 10 };
    floor.place(floor.a, bet);
    floor.place(floor.b, { ...bet, side: 'Against' });
  }
  return { floor, markets, ids: markets.map(numericId) };
}

type Positions = { readonly positions: readonly { readonly market: { readonly _ids: readonly string[] } }[] };
const marketsOf = ({ positions }: Positions) => positions.map(({ market }) => market._ids[0]);

test('a position says what each outcome would bring', () => {
  const { floor, ids } = floorOfThree();
  const path = { id: floor.a.walletId };
  const { positions, markets, _meta } = floor.ask(floor.a.caller, 'listWalletPositions', {
    path,
    query: `marketIds=${ids[0]},99`,
  });
  expect(positions).toEqual([
    {
      market: { _ref: 'markets.id', _ids: [ids[0]] },
      walletId: floor.a.walletId,
      exposures: { [floor.outcomeId(0)]: 20, [floor.outcomeId(1)]: -10, [floor.outcomeId(2)]: -10 },
    },
  ]);
  expect(markets.map(({ id }) => id)).toEqual([ids[0]]);
  expect(_meta).toMatchObject({ _primary_document: 'marketPositions', _count: 1 });
  const [other] = floor.ask(floor.b.caller, 'listWalletPositions', { path: { id: floor.b.walletId } }).positions;
  expect(Object.values(other?.exposures ?? {})).toEqual([-20, 10, 10]);
});

test('an order alone is no exposure yet', () => {
  const floor = new TradingFloor();
  floor.place(floor.a);
  const { positions } = floor.ask(floor.a.caller, 'listAllPositions', { path: { id: floor.a.walletId } });
  expect(Object.values(positions[0]?.exposures ?? {})).toEqual([0, 0, 0]);
});

test('all positions are paged, those before settlement apart from those after', () => {
  const { floor, markets, ids } = floorOfThree();
  const read = (query: string) =>
    floor.ask(floor.a.caller, 'listAllPositions', { path: { id: floor.a.walletId }, query });
  expect(marketsOf(read(''))).toEqual([ids[2], ids[1], ids[0]]);
  expect(marketsOf(read('size=2&page=1'))).toEqual([ids[0]]);
  expect(read('size=2')._meta._page).toMatchObject({ _totalElements: 3, _totalPages: 2 });
  expect(marketsOf(read('filter=Settled'))).toEqual([]);
  const [first = 0, second = 0] = markets;
  floor.builder.command({ kind: 'lock', market: first });
  floor.builder.command({ kind: 'settle', market: first, winners: [0], step: 'begin' });
  expect(marketsOf(read('filter=Active'))).toEqual([ids[2], ids[1], ids[0]]);
  floor.builder.command({ kind: 'settle', market: first, winners: [0], step: 'finish' });
  floor.builder.command({ kind: 'void', market: second });
  expect(marketsOf(read('filter=Active'))).toEqual([ids[2]]);
  expect(marketsOf(read('filter=Settled'))).toEqual([ids[1], ids[0]]);
  expect(
    floor.askInVain(floor.a.caller, 'listAllPositions', { path: { id: floor.a.walletId }, query: 'sort=name' }).status,
  ).toBe(400);
});

test('a market shows the caller’s positions in it', () => {
  const { floor, ids } = floorOfThree();
  floor.place(floor.a, { walletId: floor.a.secondId });
  const read = (query = '', caller = floor.a.caller) =>
    floor.ask(caller, 'listMarketPositions', { path: { id: floor.marketId }, query });
  const wallets = (query?: string, caller = floor.a.caller) =>
    read(query, caller).positions.map(({ walletId }) => walletId);
  expect(wallets()).toEqual([floor.a.secondId, floor.a.walletId]);
  expect(wallets(`walletIds=${floor.a.secondId},${floor.b.walletId}`)).toEqual([floor.a.secondId]);
  expect(wallets('', floor.a.walletCaller)).toEqual([floor.a.walletId]);
  expect(wallets('', floor.b.caller)).toEqual([floor.b.walletId]);
  expect(read().markets.map(({ id }) => id)).toEqual([ids[0]]);
  expect(floor.askInVain(floor.a.caller, 'listMarketPositions', { path: { id: '99' } }).status).toBe(404);
});

test('positions are sorted by when their wallet first had an order there, too', () => {
  const floor = new TradingFloor();
  const later = floor.builder.openMarket({ app: floor.house, event: floor.event, crossMatching: false });
  const ids = [later, floor.market].map(numericId);
  for (const market of [later, floor.market, later]) {
    floor.builder.pass(1_000);
    floor.place(floor.a, { marketId: numericId(market), outcomeId: floor.outcomeId(0, market), price: 3, stake: 10 });
  }
  const path = { id: floor.a.walletId };
  const read = (query: string) => marketsOf(floor.ask(floor.a.caller, 'listWalletPositions', { path, query }));
  expect(read('sort=createdAt,asc')).toEqual(ids);
  expect(read('sort=createdAt%2Cdesc')).toEqual([...ids].reverse());
  expect(read('sort=id,asc')).toEqual([...ids].reverse());
  expect(marketsOf(floor.ask(floor.a.caller, 'listAllPositions', { path, query: 'sort=createdAt' }))).toEqual(ids);
  const inMarket = { path: { id: numericId(later) }, query: 'sort=createdAt,desc' };
  expect(marketsOf(floor.ask(floor.a.caller, 'listMarketPositions', inMarket))).toEqual([numericId(later)]);
});
