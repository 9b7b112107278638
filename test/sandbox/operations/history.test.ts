/** Historical lists of orders and trades after settlement, by pages and by cursor. */

import { describe, expect, test } from 'vitest';
import { instant } from '../../../src/core/number/units.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { Random } from '../../support/random.ts';
import { TradingFloor } from '../../support/sandbox/trading-floor.ts';
import { HOUR_MS } from '../../support/sandbox/world-builder.ts';

describe('the specification’s profitLoss of a trade', () => {
  /** Columns: side, whether the outcome won, and the result as a factor of a stake of 4 at 2.5. */
  test.each([
    ['For', 'won', 6],
    ['For', 'lost', -4],
    ['For', 'voided', 0],
    ['Against', 'won', 4],
    ['Against', 'lost', -6],
    ['Against', 'voided', 0],
  ] as const)('%s %s is %d', (side, fate, profitLoss) => {
    const floor = new TradingFloor();
    const [maker, taker] = side === 'For' ? [floor.b, floor.a] : [floor.a, floor.b];
    floor.place(maker, { side: 'Against', price: 2.5, stake: 4 });
    floor.place(taker, { side: 'For', price: 2.5, stake: 4 });
    if (fate === 'voided') floor.builder.command({ kind: 'void', market: floor.market });
    // An Against order wins where its outcome loses.
    else floor.builder.settle(floor.market, (fate === 'won') === (side === 'For') ? 0 : 1);
    const status = { won: 'Won', lost: 'Lost', voided: 'Voided' }[fate];
    const { trades, orders } = floor.ask(floor.a.caller, 'listTrades');
    expect(trades).toMatchObject([{ side, profitLoss, stake: 4, price: 2.5, walletId: floor.a.walletId }]);
    expect(orders).toMatchObject([{ status }]);
    const { documents } = floor.ask(floor.a.caller, 'listHistoricalTrades');
    expect(documents.trades).toMatchObject([
      { profitLoss, settledAt: '2026-03-24T12:00:00.000Z', eventExpectedStartTime: '2026-03-24T15:00:00.000Z' },
    ]);
    const read = floor.ask(floor.a.caller, 'listSettledOrders');
    expect(read.orders).toMatchObject([{ status }]);
    expect(read.trades).toMatchObject([{ profitLoss }]);
    expect(read.orders[0]).not.toHaveProperty('settledAt');
    expect(floor.world.exchange.brokenLaws()).toEqual([]);
  });
});

/** Several events and markets with orders of both apps in every final state, spread over time. */
function season(seed: number): TradingFloor {
  const random = new Random(seed);
  const floor = new TradingFloor();
  const { builder } = floor;
  for (let round = 0; round < 6; round += 1) {
    const event = builder.event({
      app: floor.house,
      expectedStartTime: instant(builder.now + random.between(1, 3) * HOUR_MS),
    });
    const markets = [0, 1].map(() => builder.openMarket({ app: floor.house, event, crossMatching: false }));
    for (let count = 0; count < 20; count += 1) {
      const market = random.pick(markets);
      const who = random.pick([floor.a, floor.b]);
      const id = floor.place(who, {
        walletId: random.pick([who.walletId, who.secondId]),
        marketId: numericId(market),
        outcomeId: floor.outcomeId(random.between(0, 1), market),
        side: random.pick(['For', 'Against']),
        price: random.pick([2, 2.5]),
        stake: random.between(1, 4),
      });
      if (random.chance(0.2)) floor.ask(who.caller, 'cancelOrders', { body: { orderIds: [id] } });
      // Sometimes no time passes, so that rows share a date.
      builder.pass(random.between(0, 3));
    }
    for (const market of markets) {
      const fate = random.pick(['settle', 'settle', 'void', 'rest']);
      if (fate === 'void') builder.command({ kind: 'void', market });
      if (fate === 'settle') builder.settle(market, random.between(0, 2));
    }
    builder.pass(random.between(0, 1) * HOUR_MS);
  }
  return floor;
}

type History = 'listHistoricalOrders' | 'listCancelledOrders' | 'listHistoricalTrades';
type Row = { readonly id: string; readonly market: { readonly _ids: readonly string[] }; readonly createdAt: string };
type SettledRow = Row & { readonly settledAt?: string; readonly eventExpectedStartTime?: string | undefined };

function read(floor: TradingFloor, name: History, query: string) {
  const { caller } = floor.a;
  if (name === 'listHistoricalTrades') {
    const { _meta, documents } = floor.ask(caller, name, { query });
    return { nextOffset: _meta.nextOffset, items: documents.trades satisfies readonly SettledRow[] };
  }
  const { _meta, documents } = floor.ask(caller, name, { query });
  return { nextOffset: _meta.nextOffset, items: documents.orders satisfies readonly SettledRow[] };
}

/** All rows, by following the cursors; each page's first row is the last of the page before. */
function walk(floor: TradingFloor, name: History, query: string): readonly SettledRow[] {
  const rows: SettledRow[] = [];
  let cursor = '';
  for (let pages = 0; pages < 500; pages += 1) {
    const { nextOffset, items } = read(floor, name, `${query}${cursor}`);
    if (pages > 0) expect(items[0]?.id, 'the cursor is inclusive').toBe(rows.at(-1)?.id);
    rows.push(...items.slice(pages > 0 ? 1 : 0));
    if (nextOffset === undefined || nextOffset === null) return rows;
    cursor = `&offset=${nextOffset.offset}&secondaryOffset=${nextOffset.secondaryOffset}`;
  }
  throw new Error('the cursor stands still');
}

const LISTS: readonly { readonly name: History; readonly query: string; readonly date: (row: SettledRow) => string }[] =
  [
    { name: 'listHistoricalOrders', query: '', date: (row) => row.settledAt ?? '' },
    {
      name: 'listHistoricalOrders',
      query: 'queryType=EventStartDate',
      date: (row) => row.eventExpectedStartTime ?? '',
    },
    { name: 'listHistoricalTrades', query: 'queryType=SettledDate', date: (row) => row.settledAt ?? '' },
    {
      name: 'listHistoricalTrades',
      query: 'queryType=EventStartDate',
      date: (row) => row.eventExpectedStartTime ?? '',
    },
    { name: 'listCancelledOrders', query: '', date: (row) => row.createdAt },
  ];

describe.each([1, 2, 3])('the cursor, seed %i', (seed) => {
  const floor = season(seed);

  test.each(LISTS)('of $name?$query walks over every row once, in order', ({ name, query, date }) => {
    const key = (row: SettledRow) => `${date(row)} ${row.id.padStart(9, '0')}`;
    const whole = walk(floor, name, `${query}&limit=500`);
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.map(key)).toEqual(whole.map(key).sort());
    for (const limit of [2, 3, 7]) expect(walk(floor, name, `${query}&limit=${limit}`)).toEqual(whole);
    expect(walk(floor, name, `${query}&limit=4&sort=DESC`)).toEqual([...whole].reverse());
  });

  test.each(LISTS)(
    'of $name?$query keeps to period, wallet and market, both ends included',
    ({ name, query, date }) => {
      const whole = walk(floor, name, `${query}&limit=500`);
      const [from = '', to = ''] = [whole[2], whole.at(-3)].map((row) => row && date(row));
      const names = name === 'listCancelledOrders' ? ['fromCreatedAt', 'toCreatedAt'] : ['from', 'to'];
      const within = whole.filter((row) => date(row) >= from && date(row) <= to);
      expect(walk(floor, name, `${query}&${names[0]}=${from}&${names[1]}=${to}&limit=5`)).toEqual(within);
      const marketId = whole[0]?.market._ids[0];
      const inMarket = whole.filter((row) => row.market._ids[0] === marketId);
      expect(walk(floor, name, `${query}&marketId=${marketId}&limit=5`)).toEqual(inMarket);
      const of = (id: string) => walk(floor, name, `${query}&walletId=${id}&limit=500`);
      expect(of(floor.a.walletId).length + of(floor.a.secondId).length).toBe(whole.length);
      expect(of(floor.b.walletId)).toEqual([]);
    },
  );

  test('of settled and of cancelled orders together has each order that is over, and no other', () => {
    const all = floor.ask(floor.a.caller, 'listOrders', { query: 'appIds=appA&size=500' }).orders;
    const ids = (statuses: readonly string[]) =>
      all.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
    const sorted = (rows: readonly { readonly id: string }[]) =>
      rows.map(({ id }) => id).sort((x, y) => Number(y) - Number(x));
    expect(sorted(walk(floor, 'listHistoricalOrders', 'limit=500'))).toEqual(ids(['Won', 'Lost', 'Voided']));
    expect(sorted(walk(floor, 'listCancelledOrders', 'limit=500'))).toEqual(ids(['Cancelled', 'Failed']));
    const paged = floor.ask(floor.a.caller, 'listSettledOrders', { query: 'size=500' });
    expect(paged.orders.map(({ id }) => id)).toEqual(ids(['Won', 'Lost', 'Voided']));
  });
});

test('settled orders are paged between two moments', () => {
  const floor = season(4);
  const rows = walk(floor, 'listHistoricalOrders', 'limit=500');
  const at = rows[Math.floor(rows.length / 2)]?.settledAt ?? '';
  const count = (query: string) =>
    floor.ask(floor.a.caller, 'listSettledOrders', { query })._meta._page?._totalElements ?? 0;
  expect(count(`fromSettledAt=${at}&toSettledAt=${at}`)).toBe(rows.filter(({ settledAt }) => settledAt === at).length);
  expect(count(`walletId=${floor.a.secondId}`) + count(`walletId=${floor.a.walletId}`)).toBe(rows.length);
});

test('a cancelled order shows its reason, one of a market that ended too', () => {
  const floor = new TradingFloor();
  floor.place(floor.a);
  floor.builder.settle(floor.market, 0);
  const { documents } = floor.ask(floor.a.caller, 'listCancelledOrders');
  expect(documents.orders).toMatchObject([{ status: 'Cancelled', cancellationReason: 'MarketSettled' }]);
  expect(floor.ask(floor.a.caller, 'listHistoricalOrders').documents.orders).toEqual([]);
});

test('an order that could not be created is listed with the cancelled ones', () => {
  const floor = new TradingFloor();
  floor.builder.command({ kind: 'setInPlay', market: floor.market, inPlay: true });
  floor.place(floor.a);
  floor.builder.command({ kind: 'suspend', market: floor.market, suspended: true });
  expect(floor.ask(floor.a.caller, 'listCancelledOrders').documents.orders).toEqual([]);
  floor.builder.pass(5_000);
  const { documents } = floor.ask(floor.a.caller, 'listCancelledOrders');
  expect(documents.orders).toMatchObject([{ status: 'Failed', cancellationReason: 'CreationFailed' }]);
});

test('an order is settled when its market is, not while it is Settling', () => {
  const floor = new TradingFloor();
  const { builder, market } = floor;
  floor.place(floor.a, { price: 2 });
  floor.place(floor.b, { price: 2, side: 'Against' });
  builder.command({ kind: 'lock', market });
  builder.command({ kind: 'settle', market, winners: [0], step: 'begin' });
  expect(floor.ask(floor.a.caller, 'listHistoricalOrders').documents.orders).toEqual([]);
  builder.pass(1_000);
  builder.command({ kind: 'settle', market, winners: [0], step: 'finish' });
  const { documents } = floor.ask(floor.a.caller, 'listHistoricalOrders');
  expect(documents.orders).toMatchObject([{ status: 'Won', settledAt: '2026-03-24T12:00:01.000Z' }]);
});
