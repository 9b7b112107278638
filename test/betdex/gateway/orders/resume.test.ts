/** A gateway that is started again: the run's orders are found again, reported once, and in the right order. */

import { describe, expect, it } from 'vitest';
import { money } from '../../../../src/core/number/units.ts';
import type { RunState } from '../../../../src/core/run/run-state.ts';
import type { FeedMessage } from '../../../../src/exchange/gateway.ts';
import {
  restored,
  runState,
  type ServedOrder,
  served,
  serveOrders,
  wordOf,
} from '../../../support/betdex/served-orders.ts';
import {
  type AskedInput,
  BESIDE_MARKETS,
  DOWN,
  paged,
  type ScriptedExchange,
} from '../../../support/conformance/scripted-exchange.ts';
import { START, scriptedGateway, type Timed } from '../../../support/conformance/scripted-gateway.ts';

const POLLED = { kind: 'poll', everyMs: 1_000 } as const;
const FEEDS = { markets: POLLED, prices: POLLED, orders: POLLED, wallets: POLLED };
const SETTLED_AT = '2026-03-24T13:59:00.000Z';
const RESETTLED_AT = '2026-03-24T14:00:10.000Z';
const byReference = ({ query }: AskedInput) => query?.['references'] !== undefined;

/**
 * A gateway that is started again with this state over an exchange that holds these orders. The watch itself finds no market.
 */
function again(
  state: RunState,
  orders: Map<string, ServedOrder>,
  prepare: (exchange: ScriptedExchange) => void = () => {},
) {
  return scriptedGateway(
    { feeds: FEEDS },
    undefined,
    0,
    (exchange) => {
      serveOrders(exchange, orders);
      serveMarket(exchange, { status: 'Open' });
      prepare(exchange);
    },
    state,
  );
}

/** Serves the market only by name: the watch asks for markets without a result and gets none. */
function serveMarket(exchange: ScriptedExchange, change: Readonly<Record<string, unknown>>, winner?: string): void {
  exchange.market = { ...exchange.market, ...change };
  const marketOutcomes = BESIDE_MARKETS.marketOutcomes.map((each) => ({ ...each, winner: each.id === winner }));
  exchange.on('listMarkets', ({ query }) =>
    paged({ markets: query?.['ids']?.includes('8801') ? [exchange.market] : [], ...BESIDE_MARKETS, marketOutcomes }),
  );
}

function serveResult(exchange: ScriptedExchange, profitLoss: number, commission: number, createdAt = SETTLED_AT): void {
  const trade = {
    ...{ id: '1', walletId: 'w-1', market: { _ref: 'markets.id', _ids: ['8801'] } },
    ...{ order: { _ref: 'orders.id', _ids: ['730001'] }, side: 'For', outcomeId: '1', price: 2, stake: 10 },
    ...{ createdAt, profitLoss },
  };
  exchange.on('listTrades', () => paged({ trades: [trade], orders: [], markets: [] }));
  const posting = { transactionId: createdAt, code: 'Commission', walletId: 'w-1', currencyId: 'USDC', createdAt };
  exchange.on('listWalletTransactions', () => paged({ transactions: [{ ...posting, amount: -commission }] }));
}

/** The messages about markets, orders and results, in words. */
function story(said: readonly Timed<FeedMessage>[]): readonly string[] {
  return said.flatMap(({ said: message, status }) => {
    if (message.kind === 'market') return message.cause === 'prices' ? [] : [`market ${message.cause} ${status}`];
    if (message.kind === 'order') return [`order ${message.order.client} ${message.order.status}`];
    if (message.kind === 'settled') return [`settled ${message.profit / 1e6} ${message.commission / 1e6}`];
    return message.kind === 'absent' ? [`absent ${message.client}`] : [];
  });
}

describe('an order that was open at the restart', () => {
  it('and was accepted is found by its reference, and reported after its market', () => {
    const bot = again(runState([restored(START - 1_000)]), served({}));
    bot.until(30_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 Unmatched']);
    const looked = bot.exchange.asked.find(({ input }) => byReference(input));
    expect(looked?.input.query).toMatchObject({ references: ['run7-scalp_it-1'], appIds: ['app-1'] });
  });

  it('and never arrived is proven absent by the whole rule', () => {
    // The timeout of 10 s and the margin of 5 s count from the restart, and two look-ups follow after that.
    const bot = again(runState([restored(START - 1_000)]), served());
    bot.until(60_000);
    expect(bot.received('absent').map(({ ms }) => ms)).toEqual([20_020]);
    expect(story(bot.said)).toEqual(['market listed Open', 'absent 1']);
  });

  it('long before is proven no sooner: the clock of before may have been another', () => {
    for (const sentAt of [START - 3_600_000, START + 3_600_000]) {
      const bot = again(runState([restored(sentAt)]), served());
      bot.until(60_000);
      expect(bot.received('absent').map(({ ms }) => ms)).toEqual([20_020]);
    }
  });

  it('waits for the in-play delay of its market too', () => {
    const bot = again(runState([restored(START - 1_000)]), served(), (exchange) =>
      serveMarket(exchange, { inPlayDelay: 8 }),
    );
    bot.until(60_000);
    expect(bot.received('absent').map(({ ms }) => ms)).toEqual([30_020]);
  });

  it('and arrives late is reported when it is there', () => {
    const orders = served();
    const bot = again(runState([restored(START - 1_000)]), orders);
    bot.until(7_000);
    for (const [id, order] of served({})) orders.set(id, order);
    bot.until(60_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 Unmatched']);
  });

  it('and was declared absent before is not declared so again, and reported if it turns up', () => {
    const orders = served();
    const bot = again(runState([restored(START - 100_000, { fate: 'absent' })]), orders);
    bot.until(50_000);
    expect(story(bot.said)).toEqual(['market listed Open']);
    // The order is found by its reference alone: it is on none of the run's lists.
    for (const [id, order] of served({ status: 'Matched', stakeUnmatched: 0 })) orders.set(id, order);
    bot.until(130_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 Matched']);
  });
});

describe('an order that was known at the restart', () => {
  const known = (change: object = {}) =>
    runState([restored(START - 60_000, { fate: 'known', report: wordOf(730_001, START - 50_000), ...change })]);

  it('is reported once though nothing changed, and its market before it', () => {
    const bot = again(known(), served({}));
    bot.until(10_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 Unmatched']);
  });

  it('and is gone from the list of live ones is asked for by its id', () => {
    const orders = served({
      status: 'Cancelled',
      stakeUnmatched: 0,
      stakeVoided: 10,
      cancellationReason: 'UserRequest',
    });
    const bot = again(known(), orders);
    bot.until(10_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 Cancelled']);
  });

  it('is not lost where the market is listed long after it', () => {
    const bot = again(known(), served({}), (exchange) => exchange.on('listPrices', () => DOWN));
    bot.until(5_000);
    expect(story(bot.said)).toEqual([]);
    bot.exchange.on('listPrices', () => ({ kind: 'answered', answer: { _meta: {}, prices: [] } }));
    bot.until(10_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 Unmatched']);
    // The market was listed without a book, so its prices must not count as fresh.
    expect(bot.received('market')[0]?.said.market.updatedAt).toBe(0);
  });

  it('in a market that the exchange does not show is reported all the same, and the market is said', () => {
    const bot = again(known(), served({}), (exchange) =>
      exchange.on('listMarkets', () => paged({ markets: [], ...BESIDE_MARKETS })),
    );
    bot.until(10_000);
    expect(bot.notices).toEqual([{ kind: 'notFound', markets: ['8801'] }]);
    expect(story(bot.said)).toEqual(['order 1 Unmatched']);
  });

  it('and was adopted goes on being ours under its number', () => {
    const orders = served({ reference: 'of-somebody', stakeUnmatched: 4, status: 'PartiallyMatched' });
    const bot = again(known({ foreignOrder: 730_001 }), orders);
    bot.until(10_000);
    expect(story(bot.said)).toEqual(['market listed Open', 'order 1 PartiallyMatched']);
    expect(bot.notices).toEqual([]);
  });
});

describe('a market that ended while the run was down', () => {
  const matched = runState([restored(START - 60_000, { fate: 'known', report: wordOf(730_001, START - 50_000) })]);
  const won = () => served({ status: 'Won', stakeUnmatched: 0 });

  it.each(['Settled', 'Closed'])('reports its orders, then its result, also where it is %s', (status) => {
    const bot = again(matched, won(), (exchange) => {
      serveMarket(exchange, { status, settledAt: SETTLED_AT, modifiedAt: SETTLED_AT }, '1');
      serveResult(exchange, 10, 0.5);
    });
    bot.until(30_000);
    const end = status === 'Closed' ? ['market status Closed'] : [];
    expect(story(bot.said)).toEqual(['market listed Settled', 'order 1 Won', 'settled 9.5 0.5', ...end]);
  });

  it('is shown as void until its result was reported', () => {
    const bot = again(matched, served({ status: 'Voided', stakeUnmatched: 0 }), (exchange) => {
      serveMarket(exchange, { status: 'Closed', settledAt: SETTLED_AT, modifiedAt: SETTLED_AT });
      serveResult(exchange, 0, 0);
    });
    bot.until(30_000);
    expect(story(bot.said)).toEqual(['market listed Voided', 'order 1 Voided', 'settled 0 0', 'market status Closed']);
  });

  it('is not closed while its results cannot be read', () => {
    const bot = again(matched, won(), (exchange) => {
      serveMarket(exchange, { status: 'Closed', settledAt: SETTLED_AT, modifiedAt: SETTLED_AT }, '1');
      serveResult(exchange, 10, 0.5);
      exchange.on('listTrades', () => DOWN);
    });
    bot.until(20_000);
    expect(story(bot.said)).toEqual(['market listed Settled', 'order 1 Won']);
    serveResult(bot.exchange, 10, 0.5);
    bot.until(40_000);
    expect(story(bot.said).slice(2)).toEqual(['settled 9.5 0.5', 'market status Closed']);
  });

  const reported = runState([], [{ market: '8801', wallet: 'w-1', net: money(9.5e6), commission: money(0.5e6) }]);

  it('and was reported before is not reported again', () => {
    const bot = again(reported, won(), (exchange) => {
      serveMarket(exchange, { status: 'Settled', settledAt: SETTLED_AT, modifiedAt: SETTLED_AT }, '1');
      serveResult(exchange, 10, 0.5);
    });
    bot.until(30_000);
    expect(bot.received('settled')).toEqual([]);
    bot.exchange.market = { ...bot.exchange.market, status: 'Closed' };
    bot.until(120_000);
    expect(bot.received('settled')).toEqual([]);
    expect(story(bot.said).at(-1)).toBe('market status Closed');
  });

  it('and got another result while the run was down reports the difference', () => {
    const bot = again(reported, served({ status: 'Lost', stakeUnmatched: 0 }), (exchange) => {
      serveMarket(exchange, { status: 'Settled', settledAt: RESETTLED_AT, modifiedAt: RESETTLED_AT }, '2');
      // The commission is refunded.
      serveResult(exchange, -10, -0.5, RESETTLED_AT);
    });
    bot.until(30_000);
    expect(story(bot.said).filter((line) => line.startsWith('settled'))).toEqual(['settled -19.5 0']);
  });

  it.each([
    ['the same result', '1', [10, 0.5, SETTLED_AT], 'Won', []],
    ['another result', '2', [-10, -0.5, RESETTLED_AT], 'Lost', ['order 1 Lost', 'settled -19.5 0']],
  ] as const)(
    'is not asked for its orders by their ids, and with %s reports what is new',
    (_, winner, result, status, news) => {
      const report = { ...wordOf(730_001, START - 50_000), status: 'Won' as const, stakeMatched: money(10e6) };
      const ended = { ...report, stakeUnmatched: money(0), winningsMatched: money(10e6) };
      const state = runState([restored(START - 60_000, { fate: 'known', report: ended })], reported.results);
      const [profitLoss, commission, at] = result;
      const bot = again(state, served({ status, stakeMatched: 10, stakeUnmatched: 0 }), (exchange) => {
        serveMarket(exchange, { status: 'Settled', settledAt: at, modifiedAt: at }, winner);
        serveResult(exchange, profitLoss, commission, at);
      });
      bot.until(30_000);
      expect(story(bot.said)).toEqual(['market listed Settled', ...news]);
      expect(bot.exchange.asked.filter(({ input }) => input.query?.['ids']?.includes('730001'))).toEqual([]);
    },
  );

  it('and got another result after the restart reports the difference', () => {
    const bot = again(reported, won(), (exchange) => {
      serveMarket(exchange, { status: 'Settled', settledAt: SETTLED_AT, modifiedAt: SETTLED_AT }, '1');
      serveResult(exchange, 10, 0.5);
    });
    bot.until(5_000);
    serveMarket(bot.exchange, { settledAt: RESETTLED_AT, modifiedAt: RESETTLED_AT }, '2');
    serveResult(bot.exchange, -10, -0.5, RESETTLED_AT);
    bot.until(130_000);
    expect(story(bot.said).filter((line) => line.startsWith('settled'))).toEqual(['settled -19.5 0']);
  });
});
