/** The result of a market with a result: gross by its trades, less the commission that was posted. */

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StreamEvent, StreamUpdate } from '../../../../src/betdex/stream/stream-event.ts';
import { instant } from '../../../../src/core/number/units.ts';
import {
  answered,
  BESIDE_MARKETS,
  CUT,
  DOWN,
  MARKET,
  orderDocument,
  ordersAnswer,
  paged,
  type ScriptedExchange,
} from '../../../support/conformance/scripted-exchange.ts';
import { request, START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const FEEDS = { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED };
const SETTLED_AT = '2026-03-24T14:00:01.500Z';
const LATER = '2026-03-24T14:00:04.500Z';

function posting(id: string, amount: number, createdAt = SETTLED_AT, code = 'Commission') {
  return { transactionId: id, code, walletId: 'w-1', currencyId: 'USDC', amount, createdAt };
}

function trade(profitLoss: number, change: object = {}) {
  const references = { market: { _ref: 'markets.id', _ids: ['8801'] }, order: { _ref: 'orders.id', _ids: ['1'] } };
  const rest = { side: 'For', outcomeId: '1', price: 2, stake: 10, createdAt: SETTLED_AT };
  return { id: String(profitLoss), walletId: 'w-1', ...references, ...rest, profitLoss, ...change };
}

function trades(...rows: readonly object[]) {
  return () => paged({ trades: rows, orders: [], markets: [] });
}

function postings(...rows: readonly object[]) {
  return () => paged({ transactions: rows });
}

/** Runs a gateway with polling on a market that is settled for its first outcome after 1.5 s. */
function run(prepare: (exchange: ScriptedExchange) => void) {
  const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => {
    exchange.on('listTrades', trades(trade(20), trade(-5)));
    exchange.on('listWalletTransactions', postings(posting('1', -0.75)));
    prepare(exchange);
  });
  bot.until(1_500);
  settle(bot.exchange, '1', SETTLED_AT);
  return bot;
}

function settle(exchange: ScriptedExchange, winner: string | undefined, settledAt: string): void {
  const status = winner === undefined ? 'Voided' : 'Settled';
  exchange.market = { ...exchange.market, status, settledAt, modifiedAt: settledAt };
  const marketOutcomes = BESIDE_MARKETS.marketOutcomes.map((each) => ({ ...each, winner: each.id === winner }));
  exchange.on('listMarkets', () => paged({ markets: [exchange.market], ...BESIDE_MARKETS, marketOutcomes }));
}

const reported = (bot: ReturnType<typeof run>) =>
  bot.received('settled').map(({ said: { profit, commission } }) => [profit / 1e6, commission / 1e6]);

describe('an order of unknown fate', () => {
  it('is proven absent at once by the orders of a market that is over', () => {
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => {
      exchange.on('listTrades', trades(trade(20)));
      exchange.on('listWalletTransactions', postings(posting('1', -1)));
      exchange.on('createOrders', () => CUT);
    });
    bot.until(200);
    bot.place(request(1));
    bot.until(1_500);
    expect(bot.replies.map(({ said }) => said.kind)).toEqual(['unknown']);
    expect(bot.received('absent')).toEqual([]);
    settle(bot.exchange, '1', SETTLED_AT);
    bot.until(4_000);
    expect(bot.received('absent').map(({ said }) => said.client)).toEqual([1]);
    const [absent] = bot.received('absent');
    expect(absent?.ms).toBeLessThan(bot.received('settled')[0]?.ms ?? 0);
  });
});

describe('a settlement', () => {
  it('is the sum of the trades less what was posted for it', () => {
    const bot = run(() => {});
    bot.until(4_000);
    expect(reported(bot)).toEqual([[14.25, 0.75]]);
    expect(bot.notices).toEqual([]);
  });

  it('takes postings of other kinds, other currencies and other times for none of its own', () => {
    const others = [
      posting('2', -9, '2026-03-24T14:00:01.499Z'),
      posting('3', -9, SETTLED_AT, 'TradeCreation'),
      { ...posting('4', -9), currencyId: 'EURC' },
    ];
    const bot = run((exchange) => exchange.on('listWalletTransactions', postings(...others, posting('1', -0.75))));
    bot.until(4_000);
    expect(reported(bot)).toEqual([[14.25, 0.75]]);
  });

  it('waits for a commission that is posted late', () => {
    const bot = run((exchange) => exchange.on('listWalletTransactions', postings()));
    bot.until(4_000);
    expect(reported(bot)).toEqual([]);
    bot.exchange.on('listWalletTransactions', postings(posting('1', -0.75, LATER)));
    bot.until(9_000);
    expect(reported(bot)).toEqual([[14.25, 0.75]]);
    expect(bot.notices).toEqual([]);
  });

  it('is reported without commission, with a notice, if none is ever posted', () => {
    const bot = run((exchange) => exchange.on('listWalletTransactions', postings()));
    bot.until(9_000);
    expect(reported(bot)).toEqual([[15, 0]]);
    expect(bot.notices).toEqual([{ kind: 'commissionUnproven', market: '8801', wallet: 'w-1' }]);
  });

  it('of a loss asks for no commission', () => {
    const bot = run((exchange) => exchange.on('listTrades', trades(trade(-5))));
    bot.until(4_000);
    expect(reported(bot)).toEqual([[-5, 0]]);
    expect(bot.exchange.times('listWalletTransactions', START)).toEqual([]);
  });

  it('finds the wallet of a trade that does not name it by the trade’s order', () => {
    const order = { id: '1', walletId: 'w-1' };
    const bot = run((exchange) => {
      exchange.on('listOrders', ({ query }) =>
        ordersAnswer(query?.['marketIds'] === undefined ? [] : [orderDocument(order)]),
      );
      exchange.on('listTrades', trades(trade(-5, { walletId: undefined })));
    });
    bot.until(4_000);
    expect(reported(bot)).toEqual([[-5, 0]]);
  });

  it('is read again until it can be', () => {
    const bot = run((exchange) => exchange.on('listTrades', () => DOWN));
    bot.until(9_000);
    expect(reported(bot)).toEqual([]);
    expect(bot.notices[0]).toMatchObject({ kind: 'readFailed', what: 'results of 8801' });
    bot.exchange.on('listTrades', trades(trade(-5)));
    bot.until(15_000);
    expect(reported(bot)).toEqual([[-5, 0]]);
  });

  it('is reported once, however often the market is read, and not again when it is closed', () => {
    const bot = run(() => {});
    bot.until(100_000);
    bot.exchange.market = { ...bot.exchange.market, status: 'Closed', modifiedAt: LATER };
    bot.until(200_000);
    expect(bot.received('market').at(-1)?.said.market.status).toBe('Closed');
    expect(reported(bot)).toEqual([[14.25, 0.75]]);
  });

  it('that is changed later reports the difference', () => {
    const bot = run(() => {});
    bot.until(4_000);
    settle(bot.exchange, '2', LATER);
    bot.exchange.on('listTrades', trades(trade(-10)));
    // The commission is refunded.
    bot.exchange.on('listWalletTransactions', postings(posting('1', -0.75), posting('2', 0.75, LATER)));
    bot.until(100_000);
    expect(reported(bot)).toEqual([
      [14.25, 0.75],
      [-24.25, 0],
    ]);
  });

  it('that is changed later is no cause for alarm where neither is a profit', () => {
    const bot = run((exchange) => exchange.on('listTrades', trades(trade(-5))));
    bot.until(4_000);
    settle(bot.exchange, '2', LATER);
    bot.exchange.on('listTrades', trades(trade(-10)));
    bot.until(100_000);
    expect(reported(bot)).toEqual([
      [-5, 0],
      [-5, 0],
    ]);
    expect(bot.notices).toEqual([]);
  });

  it('that was corrected before the first was reported is reported without the commission of the first', () => {
    const bot = run((exchange) => {
      const first = [posting('1', -0.4), posting('2', -0.3)];
      const second = [posting('3', 0.4, LATER), posting('4', 0.3, LATER), posting('5', -0.75, LATER)];
      exchange.on('listWalletTransactions', postings(...first, posting('9', -0.5), ...second));
    });
    settle(bot.exchange, '1', LATER);
    bot.until(100_000);
    expect(reported(bot)).toEqual([[14.25, 0.75]]);
    expect(bot.notices).toEqual([]);
  });

  it('that was corrected twice, the first time unreported, reports the last', () => {
    const MUCH_LATER = '2026-03-24T14:00:09.500Z';
    const bot = run(() => {});
    bot.until(4_000);
    const unheard = [posting('2', 0.75, LATER), posting('3', -0.5, LATER)];
    const last = [posting('4', 0.5, MUCH_LATER), posting('5', -0.6, MUCH_LATER)];
    bot.exchange.on('listWalletTransactions', postings(posting('1', -0.75), ...unheard, ...last));
    bot.exchange.on('listTrades', trades(trade(12)));
    settle(bot.exchange, '2', MUCH_LATER);
    bot.until(100_000);
    expect(reported(bot)).toEqual([
      [14.25, 0.75],
      [-2.85, 0.6],
    ]);
    expect(bot.notices).toEqual([]);
  });

  it('whose posting moves to the next page while the postings are read is charged once', () => {
    const meta = { _primary_document: 'transactions', _count: 1 };
    const bot = run((exchange) => {
      exchange.on('listWalletTransactions', ({ query }) => {
        const page = Number(query?.['page'] ?? 0);
        const _page = { _pageNumber: page, _pageSize: 1, _totalElements: 2, _totalPages: 2 };
        return answered({ _meta: { ...meta, _page }, transactions: [posting('1', -0.75)] });
      });
    });
    bot.until(4_000);
    expect(reported(bot)).toEqual([[14.25, 0.75]]);
  });

  it('whose refund cannot be explained is reported, with a notice that it does not fit', () => {
    const bot = run((exchange) => {
      exchange.on('listWalletTransactions', postings(posting('1', -0.3), posting('2', 0.4, LATER)));
    });
    settle(bot.exchange, '1', LATER);
    bot.until(100_000);
    expect(reported(bot)).toEqual([[15.4, -0.4]]);
    expect(bot.notices).toEqual([{ kind: 'commissionUnproven', market: '8801', wallet: 'w-1' }]);
  });

  it('that is corrected while its commission is waited for is reported once, as it is now', () => {
    const bot = run((exchange) => exchange.on('listWalletTransactions', postings()));
    bot.until(4_000);
    expect(reported(bot)).toEqual([]);
    settle(bot.exchange, '2', LATER);
    bot.exchange.on('listTrades', trades(trade(12)));
    const first = [posting('1', -0.75), posting('2', 0.75, LATER)];
    bot.exchange.on('listWalletTransactions', postings(...first, posting('3', -0.6, LATER)));
    bot.until(100_000);
    expect(reported(bot)).toEqual([[11.4, 0.6]]);
    expect(bot.notices).toEqual([]);
  });

  it('of a void market is nothing', () => {
    const bot = run((exchange) => exchange.on('listTrades', trades(trade(0))));
    settle(bot.exchange, undefined, SETTLED_AT);
    bot.until(4_000);
    expect(reported(bot)).toEqual([[0, 0]]);
  });

  it.each([
    ['Settled', ['Settled']],
    ['closed in the same breath', ['Settled', 'Closed']],
    ['closed before anything else was heard', ['Closed']],
  ])('that the stream reports by its status alone waits for the document: %s', (_, statuses) => {
    const events$ = new Subject<StreamEvent>();
    const slow = { kind: 'stream', rereadMs: 3_600_000 } as const;
    const feeds = { markets: slow, prices: slow, orders: slow, wallets: slow };
    const wanted = new Set<string>();
    const subscribe = (type: string, ids: readonly string[]) => {
      for (const id of ids) wanted.add(`${type} ${id}`);
    };
    const unsubscribe = (type: string, ids: readonly string[]) => {
      for (const id of ids) wanted.delete(`${type} ${id}`);
    };
    const bot = scriptedGateway({ feeds }, { events$, subscribe, unsubscribe });
    bot.exchange.on('listTrades', trades(trade(20), trade(-5)));
    bot.exchange.on('listWalletTransactions', postings(posting('1', -0.75)));
    bot.until(1_500);
    const last = statuses.at(-1) ?? '';
    settle(bot.exchange, '1', SETTLED_AT);
    bot.exchange.market = { ...bot.exchange.market, status: last };
    for (const status of statuses) {
      const place = { eventId: '501', eventGroupId: '31', categoryId: 'S', subCategoryId: 'F', marketId: '8801' };
      const flags = { published: true, suspended: false, inPlayStatus: 'InPlay' };
      const message: StreamUpdate = { type: 'MarketStatusUpdate', ...place, ...flags, status };
      events$.next({ kind: 'message', receivedAt: instant(START), message });
    }
    bot.until(4_000);
    expect(bot.received('settled').map(({ said }) => said.profit)).toEqual([14.25e6]);
    expect(bot.received('market').at(-1)?.said.market.outcomeStatus(0)).toBe('Winner');
    expect(bot.received('market').at(-1)?.said.market.status).toBe(last);
    // An app has few subscriptions: a market with a result gives its own up, prices first.
    const ofMarket = last === 'Closed' ? [] : ['MarketStatusUpdate 8801', 'MarketUpdate 8801'];
    expect([...wanted].filter((topic) => topic.endsWith(' 8801')).sort()).toEqual(ofMarket);
  });
});

describe('two settlements', () => {
  /** Two markets with gross results of 20 and 40 and commissions of 1 and 2. */
  function both(secondAt: string) {
    const markets = (one: object, other: object) =>
      paged({
        markets: [
          { ...MARKET, ...one },
          { ...MARKET, id: '8802', ...other },
        ],
        ...BESIDE_MARKETS,
      });
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => {
      exchange.on('listTrades', ({ query }) => trades(trade(query?.['marketIds']?.[0] === '8801' ? 20 : 40))());
      exchange.on('listWalletTransactions', postings(posting('1', -1), posting('2', -2, secondAt)));
      exchange.on('listMarkets', () => markets({}, {}));
    });
    bot.until(1_500);
    const settledAt = (time: string) => ({ status: 'Settled', settledAt: time, modifiedAt: time });
    bot.exchange.on('listMarkets', () => markets(settledAt(SETTLED_AT), settledAt(secondAt)));
    bot.until(20_000);
    return bot
      .received('settled')
      .map(({ said: { market, profit, commission } }) => ({ id: market.facts.id, profit, commission }));
  }

  it('claim the postings of their own times', () => {
    expect(both(LATER)).toEqual([
      { id: '8801', profit: 19e6, commission: 1e6 },
      { id: '8802', profit: 38e6, commission: 2e6 },
    ]);
  });

  it('of the same moment report together what was posted for both, and no more', () => {
    const results = both(SETTLED_AT);
    expect(results.map(({ id }) => id).sort()).toEqual(['8801', '8802']);
    expect(results.reduce((sum, { commission }) => sum + commission, 0)).toBe(3e6);
    expect(results.reduce((sum, { profit }) => sum + profit, 0)).toBe(57e6);
  });
});

describe('a trade without its profit', () => {
  /** One trade of 10 at 2.5 of an order with this status and side. */
  function resultOf(status: string, side: string, change: object = {}) {
    const bot = scriptedGateway({ feeds: FEEDS }, undefined, 0, (exchange) => {
      const stakes = { price: 2.5, stakeUnmatched: 0, stakeVoided: status === 'Voided' ? 10 : 0 };
      exchange.on('listOrders', () => ordersAnswer([orderDocument({ id: '1', side, status, ...stakes })]));
      exchange.on('listTrades', trades(trade(0, { side, price: 2.5, profitLoss: undefined, ...change })));
      exchange.on('listWalletTransactions', postings(posting('1', -0.75)));
    });
    bot.until(1_500);
    return bot;
  }

  const gross = (bot: ReturnType<typeof resultOf>) =>
    bot.received('settled').map(({ said: { profit, commission } }) => (profit + commission) / 1e6);

  it.each([
    ['Won', 'For', 15],
    ['Lost', 'For', -10],
    ['Voided', 'For', 0],
    ['Won', 'Against', 10],
    ['Lost', 'Against', -15],
    ['Voided', 'Against', 0],
  ])('has that which its order tells: %s %s is %d', (status, side, profit) => {
    const bot = resultOf(status, side);
    settle(bot.exchange, '1', SETTLED_AT);
    bot.until(4_000);
    expect(gross(bot)).toEqual([profit]);
    expect(bot.notices).toEqual([]);
  });

  it.each([
    ['the order does not say how it ended', 'Matched', {}],
    ['its order is not shown', 'Won', { order: { _ref: 'orders.id', _ids: ['9'] } }],
    ['its price is not told either', 'Won', { price: undefined }],
    ['its stake makes no sense', 'Won', { stake: -10 }],
  ])('is read again where %s, and its profit is what is told then', (_name, status, change) => {
    const bot = resultOf(status, 'For', change);
    settle(bot.exchange, '1', SETTLED_AT);
    bot.until(4_000);
    expect(bot.received('settled')).toEqual([]);
    expect(bot.notices).toContainEqual(expect.objectContaining({ kind: 'readFailed', what: 'results of 8801' }));
    bot.exchange.on('listTrades', trades(trade(15)));
    bot.until(9_000);
    expect(gross(bot)).toEqual([15]);
  });

  it('is not guessed in a dead heat, which pays a part of it', () => {
    const bot = resultOf('Won', 'For');
    bot.exchange.market = { ...bot.exchange.market, status: 'Settled', settledAt: SETTLED_AT, modifiedAt: SETTLED_AT };
    const marketOutcomes = BESIDE_MARKETS.marketOutcomes.map((each) => ({ ...each, winner: true }));
    bot.exchange.on('listMarkets', () => paged({ markets: [bot.exchange.market], ...BESIDE_MARKETS, marketOutcomes }));
    bot.until(4_000);
    expect(bot.received('settled')).toEqual([]);
    bot.exchange.on('listTrades', trades(trade(2.5)));
    bot.until(9_000);
    expect(gross(bot)).toEqual([2.5]);
  });
});
