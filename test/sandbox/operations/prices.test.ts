/**
 * Operations that read prices: books equal the machine's levels, cross matching is shown, and cached texts are never
 * stale.
 */

import { describe, expect, test } from 'vitest';
import { moneyToDecimal, priceToDecimal } from '../../../src/core/number/units.ts';
import { PRICE_OPERATIONS as operations } from '../../../src/sandbox/operations/catalogue/prices.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { Random } from '../../support/random.ts';
import { asker } from '../../support/sandbox/ask.ts';
import { WorldBuilder } from '../../support/sandbox/world-builder.ts';

function worldOfPrices() {
  const builder = new WorldBuilder().catalogue();
  const [house, trader] = [builder.app('House', { isHouse: true }), builder.app('trader')];
  const event = builder.event({ app: house });
  const market = builder.openMarket({ app: house, event });
  const wallet = builder.wallet(trader, 1_000_000);
  const asking = asker(operations, { context: builder.context, caller: builder.caller(trader) });
  return { builder, ...asking, house, trader, event, market, wallet };
}
type Prices = ReturnType<typeof worldOfPrices>;

const rows = ({ ask }: Prices, market: number, query = '') =>
  ask('listMarketPriceRows', { path: { id: numericId(market) }, query });
const book = ({ ask }: Prices, market: number, query = '') =>
  ask('getMarketPriceBook', { path: { id: numericId(market) }, query }).prices[0];
const books = ({ ask }: Prices, marketIds: string, query = '') =>
  ask('listPrices', { query: `marketIds=${marketIds}${query}` }).prices;

/** The levels that the machine shows, as rows. */
function expectedRows({ builder }: Prices, market: number, view: { cross: boolean; empty: boolean }) {
  const outcomes = builder.world.catalogue.markets.get(market)?.outcomes ?? [];
  return builder.world.exchange.prices(market, view).map(({ side, outcome, price, amount, matched }) => ({
    side,
    outcomeId: outcomes[outcome]?.id,
    price: priceToDecimal(price),
    amount: moneyToDecimal(amount),
    matched: moneyToDecimal(matched),
  }));
}

describe('GET /markets/{id}/prices and prices-v2', () => {
  test('show the resting side, best first, with what is left and what was matched', () => {
    const world = worldOfPrices();
    const { builder, trader, market, wallet } = world;
    const order = { wallet, market, price: 3 };
    builder.place(trader, { ...order, side: 'Against', stake: 10 });
    builder.place(trader, { ...order, side: 'Against', price: 2.9, stake: 5.125 });
    builder.place(trader, { ...order, side: 'For', stake: 4 });
    builder.place(trader, { ...order, side: 'For', price: 3.5, stake: 7 });
    const [outcome] = builder.world.catalogue.markets.get(market)?.outcomes ?? [];
    const outcomeId = outcome?.id;
    const expected = [
      { side: 'For', outcomeId, price: 3.5, amount: 7, matched: 0 },
      { side: 'Against', outcomeId, price: 3, amount: 6, matched: 4 },
      { side: 'Against', outcomeId, price: 2.9, amount: 5.125, matched: 0 },
    ];
    expect(rows(world, market).prices).toEqual(expected);
    expect(rows(world, market)._meta).toEqual({ _primary_document: 'prices', _count: 3 });
    expect(book(world, market)).toEqual({
      marketId: numericId(market),
      liquidity: 18.125,
      traded: 4,
      prices: expected,
    });
  });

  test('keep levels where all was matched only with includeEmpty', () => {
    const world = worldOfPrices();
    const { builder, trader, market, wallet } = world;
    builder.place(trader, { wallet, market, side: 'Against', price: 3, stake: 10 });
    builder.place(trader, { wallet, market, side: 'For', price: 3, stake: 10 });
    expect(rows(world, market).prices).toEqual([]);
    expect(rows(world, market, 'includeEmpty=true').prices).toMatchObject([{ price: 3, amount: 0, matched: 10 }]);
    expect(book(world, market)).toMatchObject({ liquidity: 0, traded: 10, prices: [] });
    expect(book(world, market, 'includeEmpty=true')).toMatchObject({ prices: [{ amount: 0 }] });
  });

  test('show cross-matched liquidity unless directOnly', () => {
    const world = worldOfPrices();
    const { builder, trader, market, wallet } = world;
    for (const outcome of [1, 2])
      builder.place(trader, { wallet, market, outcome, side: 'For', price: 2.8, stake: 10 });
    const sides = (query: string) =>
      rows(world, market, query).prices.map(({ side, price, amount }) => [side, price, amount]);
    const direct = [
      ['For', 2.8, 10],
      ['For', 2.8, 10],
    ];
    // 1 − 1/2.8 − 1/2.8 is 1/3.5, and 28 there is 10 × 2.8 (profile section 8, number 4).
    expect(sides('')).toEqual([['Against', 3.5, 8], ...direct]);
    expect(sides('directOnly=true')).toEqual(direct);
    expect(book(world, market)).toMatchObject({ liquidity: 20, traded: 0 });
    expect(book(world, market, 'directOnly=true')?.liquidity).toBe(20);
  });

  test('show what a cross match gave its taker at the level that it met, so that traded is the sum of all levels', () => {
    const world = worldOfPrices();
    const { builder, trader, market, wallet } = world;
    for (const outcome of [1, 2])
      builder.place(trader, { wallet, market, outcome, side: 'For', price: 2.8, stake: 10 });
    builder.place(trader, { wallet, market, outcome: 0, side: 'For', price: 3.5, stake: 4 });
    const levels = (query: string) =>
      rows(world, market, query).prices.map(({ side, price, amount, matched }) => [side, price, amount, matched]);
    const makers = [
      ['For', 2.8, 5, 5],
      ['For', 2.8, 5, 5],
    ];
    expect(levels('')).toEqual([['Against', 3.5, 4, 4], ...makers]);
    // Matched volume is no liquidity: it is shown on empty levels, with or without synthetic stake.
    expect(levels('directOnly=true&includeEmpty=true')).toEqual([['Against', 3.5, 0, 4], ...makers]);
    expect(book(world, market)).toMatchObject({ liquidity: 10, traded: 14 });
    builder.place(trader, { wallet, market, outcome: 0, side: 'For', price: 3.5, stake: 4 });
    const { prices = [], traded } = book(world, market, 'includeEmpty=true') ?? {};
    expect(prices.map(({ amount, matched }) => [amount, matched])).toEqual([
      [0, 8],
      [0, 10],
      [0, 10],
    ]);
    expect(prices.reduce((sum, { matched }) => sum + matched, 0)).toBe(traded);
  });

  test('an order that was delayed shows as soon as its delay is over, though nothing else happened', () => {
    const world = worldOfPrices();
    const { builder, trader, market, wallet } = world;
    builder.command({ kind: 'setInPlay', market, inPlay: true });
    builder.place(trader, { wallet, market, side: 'For', price: 3, stake: 10 });
    builder.pass(4999);
    expect(rows(world, market).prices).toEqual([]);
    builder.pass(1);
    expect(rows(world, market).prices).toHaveLength(1);
    expect(book(world, market)?.liquidity).toBe(10);
    expect(books(world, numericId(market))).toEqual([book(world, market)]);
  });
});

describe('GET /market-prices', () => {
  test('exactly one book for each market asked for, in the order asked, empty ones too', () => {
    const world = worldOfPrices();
    const { builder, house, trader, event, market, wallet } = world;
    const empty = builder.openMarket({ app: house, event });
    const unopened = builder.market({ app: house, event });
    builder.command({ kind: 'publish', market: unopened, published: true });
    builder.place(trader, { wallet, market, side: 'For', price: 3, stake: 10 });
    const ids = [unopened, market, empty].map(numericId);
    const asked = [...ids, numericId(market)].join('%2C');
    expect(books(world, asked).map(({ marketId }) => marketId)).toEqual(ids);
    expect(books(world, asked)).toMatchObject([
      { prices: [] },
      { prices: [{ amount: 10 }] },
      { liquidity: 0, prices: [] },
    ]);
    expect(books(world, asked, '&directOnly=true')).toHaveLength(3);
    expect(books(world, '')).toEqual([]);
  });

  test('unknown markets are a 404 that names them, and those of others that are not published look the same', () => {
    const world = worldOfPrices();
    const { builder, askInVain, house, event, market } = world;
    const hidden = numericId(builder.market({ app: house, event }));
    const query = `marketIds=${numericId(market)}%2C${hidden}%2C999%2Cx`;
    const { status, details } = askInVain('listPrices', { query });
    expect([status, details]).toEqual([404, [`no market ${hidden}`, 'no market 999', 'no market x']]);
    const path = { id: hidden };
    expect(askInVain('listMarketPriceRows', { path }).status).toBe(404);
    expect(askInVain('getMarketPriceBook', { path }).status).toBe(404);
  });

  test('an owner sees the book of a market that is not published', () => {
    const world = worldOfPrices();
    const own = world.builder.market({ app: world.trader, event: world.event });
    expect(books(world, numericId(own))).toEqual([{ marketId: numericId(own), liquidity: 0, traded: 0, prices: [] }]);
  });
});

test('after any change every view shows what the machine shows', () => {
  const seed = 20_260_324;
  const random = new Random(seed);
  const world = worldOfPrices();
  const { builder, trader, market, wallet } = world;
  const orders: number[] = [];
  for (let step = 0; step < 150; step += 1) {
    if (random.chance(0.75)) {
      const side = random.pick(['For', 'Against'] as const);
      const price = random.pick(side === 'For' ? [2.9, 3, 3.05, 3.1] : [2.86, 2.9, 2.96, 3.05]);
      const stake = random.between(1, 40) / 4;
      orders.push(builder.place(trader, { wallet, market, side, price, stake, outcome: random.between(0, 2) }));
    } else if (orders.length > 0) builder.command({ kind: 'cancel', app: trader, orders: [random.pick(orders)] });
    for (const cross of [true, false])
      for (const empty of [true, false]) {
        const query = `directOnly=${!cross}&includeEmpty=${empty}`;
        const expected = expectedRows(world, market, { cross, empty });
        const where = `seed ${seed}, step ${step}, ${query}`;
        expect(rows(world, market, query).prices, where).toEqual(expected);
        const shown = book(world, market, query);
        expect(shown?.prices, where).toEqual(expected);
        expect(shown?.liquidity, where).toBe(moneyToDecimal(builder.world.exchange.liquidityOf(market)));
        expect(books(world, numericId(market), `&${query}`), where).toEqual([shown]);
      }
  }
});

test('sums beyond what a JSON number holds exactly are shown as that maximum', () => {
  const world = worldOfPrices();
  const { builder, trader, market, wallet } = world;
  // At 1.01 a unit of stake costs the layer a hundredth.
  for (let order = 0; order < 10; order += 1)
    builder.place(trader, { wallet, market, side: 'Against', price: 1.01, stake: 10_000_000 });
  expect(book(world, market)?.liquidity).toBe(100_000_000);
  const rich = builder.wallet(trader, 1_000_000_000);
  for (let order = 0; order < 10; order += 1)
    builder.place(trader, { wallet: rich, market, side: 'Against', price: 1.01, stake: 999_999_999 });
  expect(book(world, market)).toMatchObject({ liquidity: 2 ** 33, prices: [{ price: 1.01, amount: 2 ** 33 }] });
});

test('the ladder has the 350 prices', () => {
  const { ask } = worldOfPrices();
  const { marketPriceLadders, _meta } = ask('getPriceLadder');
  expect(_meta).toEqual({ _primary_document: 'priceLadders', _count: 1 });
  const prices = marketPriceLadders[0]?.prices ?? [];
  expect(prices).toHaveLength(350);
  expect([prices[0], prices[99], prices[100], prices[149], prices[150], prices[349]]).toEqual([
    1.01, 2, 2.02, 3, 3.05, 1000,
  ]);
  expect([...prices].sort((left, right) => left - right)).toEqual(prices);
});
