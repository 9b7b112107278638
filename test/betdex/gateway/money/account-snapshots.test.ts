/** Account snapshots of our wallets, and foreign orders that the run adopts. */

import { describe, expect, it } from 'vitest';
import type { AccountSnapshotReply } from '../../../../src/exchange/live-gateway.ts';
import { served, serveOrders } from '../../../support/betdex/served-orders.ts';
import {
  answered,
  BESIDE_MARKETS,
  DOWN,
  MARKET,
  orderDocument,
  ordersAnswer,
  paged,
  type ScriptedExchange,
} from '../../../support/conformance/scripted-exchange.ts';
import { START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const FEEDS = { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED };

function servePositions(exchange: ScriptedExchange, exposures: Readonly<Record<string, number>>): void {
  const position = { market: { _ref: 'markets.id', _ids: ['8801'] }, walletId: 'w-1', exposures };
  exchange.on('listAllPositions', () => paged({ positions: [position], markets: [] }));
}

function booksOf(bot: ReturnType<typeof scriptedGateway>): AccountSnapshotReply {
  const replies: AccountSnapshotReply[] = [];
  bot.gateway.accountSnapshot().subscribe((reply) => replies.push(reply));
  expect(replies).toEqual([]);
  bot.until(bot.clock.now() - START + 2_000);
  expect(replies).toHaveLength(1);
  return replies[0] as AccountSnapshotReply;
}

describe('the books', () => {
  it('hold every live or matched order of our wallets, foreign orders by the number 0, positions and money', () => {
    const bot = scriptedGateway({}, undefined, 0, (exchange) => {
      serveOrders(
        exchange,
        served(
          {},
          { id: '730002', reference: 'of-somebody', side: 'Against', stakeUnmatched: 4, status: 'PartiallyMatched' },
          { id: '730003', reference: 'run7-scalp_it-3', stakeUnmatched: 0, status: 'Matched' },
          { id: '730004', stakeUnmatched: 0, status: 'Cancelled' },
        ),
      );
      servePositions(exchange, { 1: 6.5, 2: -10 });
    });
    const reply = booksOf(bot);
    expect(reply).toMatchObject({
      kind: 'books',
      books: {
        from: START + 100,
        to: START + 160,
        orders: [
          { client: 1, order: 730_001, wallet: 0, marketId: '8801', outcomeId: '1', side: 'For', stake: 10e6 },
          {
            client: 0,
            order: 730_002,
            reference: 'of-somebody',
            side: 'Against',
            stakeMatched: 6e6,
            stakeUnmatched: 4e6,
          },
          { client: 3, order: 730_003, status: 'Matched' },
        ],
        wallets: [{ wallet: 0, balance: 1_000e6, balanceAvailable: 1_000e6 }],
      },
    });
    if (reply.kind !== 'books') throw new Error('there are books');
    expect(reply.books.orders).toHaveLength(3);
    expect(reply.books.positions).toEqual([
      {
        wallet: 0,
        marketId: '8801',
        profitIfWins: new Map([
          ['1', 6.5e6],
          ['2', -10e6],
        ]),
      },
    ]);
  });

  it('leave out an order that ended, and was reported, after it was read', () => {
    const orders = served({}, { id: '730003', reference: 'run7-scalp_it-3', stakeUnmatched: 0, status: 'Matched' });
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => serveOrders(exchange, orders));
    bot.exchange.on('cancelOrders', () => paged({ orders: [] }));
    // The order is cancelled while the positions are being read.
    bot.exchange.on('listAllPositions', () => {
      for (const [id, order] of served({ stakeUnmatched: 0, stakeVoided: 10, status: 'Cancelled' }))
        orders.set(id, order);
      bot.gateway.cancel([730_001]).subscribe();
      return paged({ positions: [], markets: [] });
    });
    bot.until(1_500);
    expect(bot.received('order').map(({ said }) => said.order.status)).toContain('Unmatched');
    const reply = booksOf(bot);
    expect(reply).toMatchObject({ kind: 'books', books: { orders: [{ order: 730_003 }] } });
    expect(bot.exchange.asked.filter(({ operation }) => operation === 'cancelOrders')).toHaveLength(1);
  });

  it('fail where a page in the middle does, and nothing is asked after it', () => {
    const page = (number: number) => ({
      _meta: {
        ...{ _primary_document: 'orders', _count: 500 },
        _page: { _pageNumber: number, _pageSize: 500, _totalElements: 1_500, _totalPages: 3 },
      },
      orders: Array.from({ length: 500 }, (_, index) => orderDocument({ id: String(1 + number * 500 + index) })),
      ...{ markets: [], trades: [], events: [], eventGroups: [], subcategories: [], categories: [] },
    });
    const bot = scriptedGateway({}, undefined, 0, (exchange) => servePositions(exchange, {}));
    const asked: number[] = [];
    bot.exchange.on('listOrders', ({ query }) => {
      const number = Number(query?.['page'] ?? 0);
      asked.push(number);
      return number === 1 ? DOWN : answered(page(number));
    });
    expect(booksOf(bot)).toEqual({ kind: 'failed', code: 'NOT_SENT', details: 'down' });
    expect(asked).toEqual([0, 1]);
    expect(bot.exchange.times('listAllPositions', START)).toEqual([]);
  });

  it('name an order and a position that make no sense, and hold the others', () => {
    const bot = scriptedGateway({}, undefined, 0, (exchange) => {
      serveOrders(exchange, served({ price: 2.005 }, { id: '730002', reference: 'other' }));
      servePositions(exchange, { '1': 'much' } as never);
    });
    const reply = booksOf(bot);
    expect(reply).toMatchObject({ kind: 'books', books: { orders: [{ order: 730_002 }], positions: [] } });
    const { unreadable } = reply.kind === 'books' ? reply.books : { unreadable: undefined };
    expect([...(unreadable?.orders ?? [])]).toEqual(['730001']);
    expect([...(unreadable?.positions ?? [])]).toEqual(['8801']);
  });

  it.each([
    ['positions that cannot be read', (exchange: ScriptedExchange) => exchange.on('listAllPositions', () => DOWN)],
    ['a wallet missing', (exchange: ScriptedExchange) => exchange.on('listWallets', () => paged({ wallets: [] }))],
  ])('fail with %s', (_, prepare) => {
    const bot = scriptedGateway({}, undefined, 0, (exchange) => {
      servePositions(exchange, {});
      prepare(exchange);
    });
    expect(booksOf(bot).kind).toBe('failed');
  });
});

describe('a foreign order', () => {
  const bought = { reference: 'of-somebody' };

  it('is noted and not reported, and reported under its number once it is adopted', () => {
    const orders = served();
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => serveOrders(exchange, orders));
    bot.until(1_500);
    for (const [id, order] of served(bought)) orders.set(id, order);
    bot.until(3_500);
    expect(bot.notices).toMatchObject([{ kind: 'foreignOrder', order: '730001', reference: 'of-somebody' }]);
    expect(bot.received('order')).toEqual([]);
    bot.gateway.adopt(730_001, 42);
    bot.until(3_600);
    expect(bot.received('order').map(({ said }) => said.order)).toMatchObject([{ client: 42, order: 730_001 }]);
    for (const [id, order] of served({ ...bought, stakeUnmatched: 4, status: 'PartiallyMatched' }))
      orders.set(id, order);
    bot.until(10_000);
    expect(bot.received('order').map(({ said }) => said.order)).toMatchObject([
      { client: 42, status: 'Unmatched' },
      { client: 42, status: 'PartiallyMatched', stakeMatched: 6e6 },
    ]);
    expect(bot.notices).toHaveLength(1);
  });

  it('that was adopted and is gone from the live orders is reported to its end', () => {
    const orders = served(bought);
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => serveOrders(exchange, orders));
    bot.gateway.adopt(730_001, 42);
    bot.until(3_500);
    for (const [id, order] of served({ ...bought, stakeUnmatched: 0, status: 'Matched' })) orders.set(id, order);
    bot.until(6_000);
    expect(bot.received('order').map(({ said }) => said.order.status)).toEqual(['Unmatched', 'Matched']);
  });

  it('in a market that is not watched has it followed, and is reported after it', () => {
    const orders = served({ ...bought, market: { _ref: 'markets.id', _ids: ['9900'] } });
    const bot = scriptedGateway({ feeds: FEEDS, watch: { marketIds: ['8801'] } }, undefined, 0, (exchange) => {
      serveOrders(exchange, orders);
      const named = ['8801', '9900'].map((id) => ({ ...MARKET, id }));
      exchange.on('listMarkets', ({ query }) =>
        paged({ markets: named.filter(({ id }) => query?.['ids']?.includes(id)), ...BESIDE_MARKETS }),
      );
      exchange.on('listPrices', ({ query }) => {
        const prices = (query?.['marketIds'] ?? []).map((marketId) => ({
          marketId,
          liquidity: 0,
          traded: 0,
          prices: [],
        }));
        return answered({ _meta: { _primary_document: 'prices', _count: prices.length }, prices });
      });
    });
    bot.until(1_500);
    const received = () =>
      bot.said.flatMap(({ said }) => {
        if (said.kind === 'market' && said.cause === 'listed') return [`market ${said.market.facts.id}`];
        return said.kind === 'order' ? [`order ${said.order.client}`] : [];
      });
    expect(received()).toEqual(['market 8801']);
    bot.gateway.adopt(730_001, 42);
    bot.until(4_000);
    expect(received()).toEqual(['market 8801', 'market 9900', 'order 42']);
  });
});

describe('a market followed by its name', () => {
  it('is found at once, whatever the watch says', () => {
    const bot = scriptedGateway({}, undefined, 0, (exchange) =>
      exchange.on('listMarkets', ({ query }) =>
        paged({ markets: query?.['ids']?.includes('8801') ? [exchange.market] : [], ...BESIDE_MARKETS }),
      ),
    );
    expect(bot.received('market')).toEqual([]);
    bot.gateway.follow(['8801']);
    bot.until(300);
    expect(bot.received('market').map(({ said }) => said.cause)).toEqual(['listed']);
    bot.gateway.follow(['8801']);
    bot.until(1_000);
    expect(bot.exchange.times('listMarkets', START, ({ query }) => query?.['ids'] !== undefined)).toHaveLength(1);
  });
});

describe('a reading', () => {
  it('that is complete is reported after all that it brought, with the time when it began', () => {
    const bot = scriptedGateway({}, undefined, 0, (exchange) => serveOrders(exchange, served()));
    bot.until(1_000);
    const reads = bot.received('read').map(({ ms, said }) => [said.feed, said.at - START, ms]);
    // Prices are read twice: once without any market, and once for the market that was found.
    expect(reads.sort()).toEqual(
      [
        ['prices', 0, 0],
        ['orders', 0, 20],
        ['wallets', 0, 20],
        ['markets', 0, 20],
        ['prices', 20, 40],
      ].sort(),
    );
    const kinds = bot.said.map(({ said }) => said.kind);
    expect(kinds.indexOf('wallet')).toBeLessThan(kinds.lastIndexOf('read'));
  });

  it.each([
    ['orders', 'listOrders'],
    ['wallets', 'listWallets'],
    ['markets', 'listMarkets'],
    ['prices', 'listPrices'],
  ] as const)('of %s that fails is not told', (feed, operation) => {
    const bot = scriptedGateway({ feeds: FEEDS });
    bot.until(1_500);
    bot.exchange.on(operation, () => DOWN);
    const before = bot.received('read').filter(({ said }) => said.feed === feed).length;
    bot.until(5_500);
    const reported = bot.received('read').filter(({ said }) => said.feed === feed);
    expect(before).toBeGreaterThan(0);
    expect(reported).toHaveLength(before);
  });

  it('of orders among which one makes no sense is told: that one stays as it was known', () => {
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) =>
      exchange.on('listOrders', () => ordersAnswer([orderDocument({ price: 2.005 })])),
    );
    bot.until(3_500);
    expect(bot.received('read').filter(({ said }) => said.feed === 'orders').length).toBeGreaterThan(2);
    expect(bot.notices).toContainEqual({
      ...{ kind: 'unreadable', what: 'order 730001' },
      details: 'price: the price is not one of the 350 ladder prices (OFF_LADDER)',
    });
  });
});

describe('market updates for a recorder', () => {
  it('are what the feed says, without another reading', () => {
    const bot = scriptedGateway({ feeds: FEEDS });
    const calls = () => bot.exchange.times('listPrices', START).length;
    const received: string[] = [];
    bot.gateway.marketUpdates$.subscribe(({ market, cause }) => received.push(`${market.facts.id} ${cause}`));
    const before = bot.received('market').length;
    bot.until(3_500);
    expect(received).toEqual(
      bot
        .received('market')
        .slice(before)
        .map(({ said }) => `${said.market.facts.id} ${said.cause}`),
    );
    expect(received.length).toBeGreaterThan(2);
    expect(calls()).toBeLessThanOrEqual(5);
  });
});
