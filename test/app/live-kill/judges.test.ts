/** The judges of the kill loop and of the soak find what they are there to find. */

import { describe, expect, test } from 'vitest';
import { money } from '../../../src/core/number/units.ts';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import { FreshnessWatch } from '../../support/daemon-soak/freshness-watch.ts';
import { floorOf, slopeOf } from '../../support/daemon-soak/slope.ts';
import { type BookParts, compareBooks } from '../../support/kill/compare-books.ts';
import type { ExchangeOrder, ExchangeSide } from '../../support/kill/exchange/exchange-books.ts';
import { limitBreaches } from '../../support/kill/limit-replay.ts';
import { RunFold } from '../../support/kill/run-fold.ts';

const UNIT = 1_000_000;
/** 2.00. */
const EVENS = 99;

function sentOrder(client: number, extra: Partial<SentOrder> = {}): SentOrder {
  return {
    ...{ client, strategy: 'nasty', wallet: 'main', market: '1', marketName: 'Match odds' },
    ...{ outcome: '10', outcomeTitle: 'Home', side: 'For', tick: EVENS, stake: money(10 * UNIT) },
    ...{ keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    ...extra,
  };
}

function reportedOrder(client: number, extra: Partial<ReportedOrder> = {}): ReportedOrder {
  return {
    ...{ client, order: 100 + client, status: 'Matched', at: 5 },
    ...{ stakeMatched: money(10 * UNIT), winningsMatched: money(10 * UNIT) },
    ...{ stakeUnmatched: money(0), stakeVoided: money(0) },
    ...extra,
  };
}

function foldOf(records: readonly JournalRecord[]): RunFold {
  const fold = new RunFold();
  fold.run = 'run';
  for (const [index, record] of records.entries()) fold.take({ sequence: index + 1, at: index, record });
  return fold;
}

const SENT: readonly JournalRecord[] = [
  { kind: 'sent', ...sentOrder(1) },
  { kind: 'reported', ...reportedOrder(1) },
];

function exchangeOrder(client: number, extra: Partial<ExchangeOrder> = {}): ExchangeOrder {
  return {
    ...{ id: String(100 + client), reference: `run-nasty-${client}`, market: '1', outcome: '10', side: 'For' },
    ...{ price: 2_000, stake: 10 * UNIT, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched', status: 'Matched' },
    ...{ stakeUnmatched: 0, stakeVoided: 0, matched: 10 * UNIT, winnings: 10 * UNIT, profit: 0, trades: 1 },
    ...extra,
  };
}

function exchangeSide(orders: readonly ExchangeOrder[], extra: Partial<ExchangeSide> = {}): ExchangeSide {
  const position = new Map([
    ['10', 10 * UNIT],
    ['11', -10 * UNIT],
  ]);
  return {
    orders: new Map(orders.map((order) => [order.id, order])),
    ...{ trades: orders.length, positions: new Map([['1', position]]), balance: 90 * UNIT, unmatchedExposure: 0 },
    ...{
      commission: 0,
      refunds: new Map(),
      settledAt: new Map(),
      over: new Set<string>(),
      outcomes: new Map([['1', ['10', '11']]]),
      troubles: [],
    },
    ...extra,
  };
}

function books(records = SENT, exchange = exchangeSide([exchangeOrder(1)])): BookParts {
  const fold = foldOf(records);
  const rebuilt = [{ terms: sentOrder(1), sentAt: 0, report: reportedOrder(1), fate: 'known' as const }];
  return { fold, exchange, rebuilt, balanceBefore: 100 * UNIT, impostors: new Set() };
}

describe('books that agree', () => {
  test('have no difference', () => {
    expect(compareBooks(books())).toEqual([]);
  });
});

describe('a difference is found where', () => {
  const cases: Readonly<Record<string, readonly [BookParts, string]>> = {
    'an order was never sent': [books(SENT, exchangeSide([exchangeOrder(1), exchangeOrder(2)])), 'was never sent'],
    'an order is at the exchange twice': [
      books(SENT, exchangeSide([exchangeOrder(1), exchangeOrder(1, { id: '900' })])),
      'at the exchange twice',
    ],
    'a stray was not adopted': [
      books(SENT, exchangeSide([exchangeOrder(1), exchangeOrder(2, { reference: undefined })])),
      'was never adopted',
    ],
    'its terms are others': [books(SENT, exchangeSide([exchangeOrder(1, { price: 2_020 })])), 'its price'],
    'a fate is unknown': [
      books([...SENT, { kind: 'sent', ...sentOrder(2) }]),
      'client 2 (sent in record 3): its fate is unknown',
    ],
    'what was reported is gone': [books(SENT, exchangeSide([])), 'the exchange has no such order'],
    'what was refused exists': [
      books(
        [...SENT, { kind: 'sent', ...sentOrder(2) }, { kind: 'rejected', client: 2, code: 'SUSPENDED_MARKET' }],
        exchangeSide([exchangeOrder(1), exchangeOrder(2)]),
      ),
      'the journal says SUSPENDED_MARKET',
    ],
    'more was matched': [
      books(SENT, exchangeSide([exchangeOrder(1, { matched: 11 * UNIT })])),
      'the exchange has 11000000',
    ],
    'an order is left live': [
      books(SENT, exchangeSide([exchangeOrder(1, { status: 'PartiallyMatched', stakeUnmatched: 1 })])),
      'is left PartiallyMatched',
    ],
    'a position is another': [
      books(SENT, exchangeSide([exchangeOrder(1)], { positions: new Map([['1', new Map([['10', 9 * UNIT]])]]) })),
      'if 10 wins, the journal says 10000000 and the exchange 9000000',
    ],
    'money is missing': [
      books(SENT, exchangeSide([exchangeOrder(1)], { balance: 89 * UNIT })),
      'the balance is 89000000',
    ],
    'a result was not told': [
      books(SENT, exchangeSide([exchangeOrder(1, { profit: 10 * UNIT })], { over: new Set(['1']) })),
      'its trades brought 10000000',
    ],
    'a law of the sandbox is broken': [
      books(SENT, exchangeSide([exchangeOrder(1)], { troubles: ['USDC: wallets sum to 1'] })),
      'wallets sum to 1',
    ],
  };
  for (const [name, [parts, words]] of Object.entries(cases))
    test(name, () => {
      expect(compareBooks(parts).join('\n')).toContain(words);
    });

  test('a client number is given twice', () => {
    expect(foldOf([...SENT, { kind: 'sent', ...sentOrder(1) }]).doubled).toEqual([1]);
  });
});

describe('limits played again', () => {
  const limits = { order: 10, outcome: 15, market: 25, strategy: 40, wallet: 50 };
  const counts = { ordersPerSecond: 3, ordersPerMarket: 5, liveOrders: 6 };
  const markets = new Map(['1', '2'].map((id) => [id, { outcomes: ['10', '11', '12'], overAt: undefined }]));
  const breaches = (sent: readonly SentOrder[], everyMs = 1_000) =>
    limitBreaches(
      sent.map((order, index) => ({ at: index * everyMs, record: { kind: 'sent', ...order } as const })),
      { limits: { ...limits, ...counts }, markets },
    );

  test('are kept by orders that are within them', () => {
    expect(breaches([sentOrder(1), sentOrder(2, { outcome: '11' })])).toEqual([]);
  });

  test('name an order that is too large', () => {
    expect(breaches([sentOrder(1, { stake: money(11 * UNIT) })])).toEqual([
      'client 1: order could lose 11, the limit is 10',
    ]);
  });

  test('know of an order that was proven absent and was there after all', () => {
    const back = sentOrder(1);
    const hedge = sentOrder(2, { side: 'Against', stake: money(11 * UNIT) });
    const gone = { kind: 'rejected', client: 1, code: 'PROVEN_ABSENT' } as const;
    const there = { kind: 'reported', ...reportedOrder(1) } as const;
    const told = (records: readonly JournalRecord[]) =>
      limitBreaches(
        records.map((record, index) => ({ at: index * 1_000, record })),
        { limits: { ...limits, ...counts }, markets },
      );
    const sent = { kind: 'sent', ...back } as const;
    expect(told([sent, gone, there, { kind: 'sent', ...hedge }])).toEqual([]);
    expect(told([sent, gone, { kind: 'sent', ...hedge }])).toEqual(['client 2: order could lose 11, the limit is 10']);
  });

  test('name an outcome, a market and a rate that are too much', () => {
    expect(breaches([sentOrder(1), sentOrder(2)])).toEqual(['client 2: outcome could lose 20, the limit is 15']);
    const across = ['10', '11', '12'].map((outcome, index) => sentOrder(index + 1, { outcome }));
    expect(breaches([...across, sentOrder(4, { outcome: '10', side: 'Against' })]).join()).toContain(
      'market could lose',
    );
    const small = [1, 2, 3, 4].map((client) => sentOrder(client, { stake: money(UNIT) }));
    expect(breaches(small, 100)).toEqual(['client 4: 4 orders in a second']);
  });
});

describe('freshness', () => {
  const sample = (ageMs: number, isLate: boolean) => ({
    ...{ at: 100_000, rss: 0, heap: 0, sandboxRss: 0, phase: 'trading', markets: 1, liveOrders: 0, unknown: 0 },
    feeds: [{ feed: 'orders' as const, ageMs, budgetMs: 4_000, isLate }],
  });
  const late = { kind: 'freshness', feed: 'orders', isLate: true, ageMs: 4_100, budgetMs: 4_000 } as const;

  test('that was missed and not reported is found, by the sample and by the outage', () => {
    const watch = new FreshnessWatch();
    const outage = { feed: 'prices', from: 50_000, to: 60_000 } as const;
    expect(watch.findings([sample(7_000, false)], [outage]).unreported).toHaveLength(3);
  });

  test('that was missed and reported is well', () => {
    const watch = new FreshnessWatch();
    watch.take({ sequence: 1, at: 97_100, record: late });
    expect(watch.findings([sample(7_000, true)], []).unreported).toEqual([]);
  });
});

describe('growth', () => {
  test('is the slope of what was left at the least of each minute', () => {
    const points = Array.from({ length: 240 }, (_, index) => ({
      at: index * 5_000,
      value: 100 + index / 60 + 40 * (index % 12),
    }));
    const floors = floorOf(points, 60_000);
    expect(floors).toHaveLength(20);
    // 1/60 MB in 5 s is 12 MB an hour.
    expect(slopeOf(floors).perHour).toBeCloseTo(12, 6);
    expect(slopeOf(floors).error).toBeCloseTo(0, 6);
  });
});
