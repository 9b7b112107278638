/** What risk approves and refuses, scenario by scenario. */

import { describe, expect, it } from 'vitest';
import { AssertionFailure } from '../../src/core/checks/assert.ts';
import { type Instant, instant } from '../../src/core/number/units.ts';
import type { JudgedOrder } from '../../src/risk/exposure/exposed.ts';
import { NO_STAKES } from '../../src/risk/exposure/exposure-book.ts';
import { type Approved, isApproved } from '../../src/risk/judge.ts';
import type { LimitsConfig } from '../../src/risk/limits/limits.ts';
import { lossInMarket } from '../support/risk/held-losses.ts';
import { NOON, type OrderSketch, order, RiskDesk, TestMarket, units } from './desk.ts';

const LATER = (ms: number): Instant => instant(NOON + ms);

describe('orders in flight', () => {
  it('sends the first of a burst of five against a limit of one, and refuses four with a code', () => {
    const entry = new RiskDesk({ market: 10 });
    const verdicts = Array.from({ length: 5 }, () => entry.judge({ stake: 10 }));
    expect(isApproved(verdicts[0] ?? { code: 'HALTED' })).toBe(true);
    expect(verdicts.slice(1)).toEqual(Array(4).fill({ code: 'LIMIT_MARKET', limit: 10, value: 10, wouldBe: 20 }));
    expect(lossInMarket(entry.exposure, 0)).toBe(units(10));
  });

  it('keeps counting an order whose fate is unknown until it is released', () => {
    const entry = new RiskDesk({ market: 10 });
    expect(entry.verdict()).toBe('sent');
    entry.now = LATER(3_600_000);
    expect(entry.verdict()).toBe('LIMIT_MARKET');
    entry.exposure.change(order(), { ...NO_STAKES, stakeUnmatched: units(10) }, NO_STAKES);
    expect(entry.verdict()).toBe('sent');
  });

  it('counts the stake of an order only once when part of it matches', () => {
    const entry = new RiskDesk({ market: 10 });
    expect(entry.verdict()).toBe('sent');
    entry.exposure.change(
      order(),
      { ...NO_STAKES, stakeUnmatched: units(10) },
      { stakeUnmatched: units(6), stakeMatched: units(4), winningsMatched: units(4) },
    );
    expect(lossInMarket(entry.exposure, 0)).toBe(units(10));
    expect(entry.verdict({ stake: 0.001 })).toBe('LIMIT_MARKET');
  });
});

interface Scenario {
  readonly what: string;
  readonly limits: LimitsConfig;
  readonly markets?: () => TestMarket[];
  /** Orders with the verdict that each gets, judged one after another. */
  readonly orders: readonly (readonly [OrderSketch, string])[];
}

const twoMarketsOfOneEvent = (): TestMarket[] => [
  new TestMarket(0),
  new TestMarket(1),
  new TestMarket(2, { event: 'e1' }),
];

const SCENARIOS: readonly Scenario[] = [
  { what: 'no limits send everything', limits: {}, orders: [[{ stake: 1_000_000 }, 'sent']] },
  {
    what: 'an order may lose its limit and no more: the stake of a For',
    limits: { order: 10 },
    orders: [
      [{ stake: 10 }, 'sent'],
      [{ stake: 10.001 }, 'LIMIT_ORDER'],
    ],
  },
  {
    what: 'an order may lose its limit and no more: stake × (price − 1) of an Against',
    limits: { order: 10 },
    orders: [
      [{ side: 'Against', price: 3, stake: 5 }, 'sent'],
      [{ side: 'Against', price: 3, stake: 5.001 }, 'LIMIT_ORDER'],
      [{ side: 'Against', price: 1.5, stake: 20 }, 'sent'],
    ],
  },
  {
    what: 'later orders are judged greedily: one that does not fit leaves room for a smaller one',
    limits: { market: 10 },
    orders: [
      [{ stake: 6 }, 'sent'],
      [{ stake: 5 }, 'LIMIT_MARKET'],
      [{ stake: 4 }, 'sent'],
      [{ stake: 0.001 }, 'LIMIT_MARKET'],
    ],
  },
  {
    what: 'opposite unmatched orders do not offset each other in the outcome, and neither pays for the other',
    limits: { outcome: 10 },
    orders: [
      [{ side: 'For', stake: 10 }, 'sent'],
      [{ side: 'Against', stake: 10 }, 'sent'],
      [{ side: 'For', stake: 1 }, 'LIMIT_OUTCOME'],
      [{ side: 'Against', stake: 1 }, 'LIMIT_OUTCOME'],
    ],
  },
  {
    what: 'bets For all three outcomes of one winner lose at most two of the stakes',
    limits: { market: 20 },
    orders: [
      [{ outcome: 0, price: 3 }, 'sent'],
      [{ outcome: 1, price: 3 }, 'sent'],
      [{ outcome: 2, price: 3 }, 'sent'],
      [{ outcome: 2, price: 3 }, 'LIMIT_MARKET'],
    ],
  },
  {
    what: 'bets Against all three outcomes of one winner lose at most one of them',
    limits: { market: 10 },
    orders: [
      [{ outcome: 0, side: 'Against' }, 'sent'],
      [{ outcome: 1, side: 'Against' }, 'sent'],
      [{ outcome: 2, side: 'Against' }, 'sent'],
      [{ outcome: 2, side: 'Against' }, 'LIMIT_MARKET'],
    ],
  },
  {
    what: 'with two winners two of three bets Against lose together',
    limits: { market: 20 },
    markets: () => [new TestMarket(0, { winners: { min: 2, max: 2 } })],
    orders: [
      [{ outcome: 0, side: 'Against' }, 'sent'],
      [{ outcome: 1, side: 'Against' }, 'sent'],
      [{ outcome: 2, side: 'Against' }, 'sent'],
      [{ outcome: 2, side: 'Against', stake: 1 }, 'LIMIT_MARKET'],
    ],
  },
  {
    what: 'with one to two winners bets For three outcomes lose as if one won',
    limits: { market: 20 },
    markets: () => [new TestMarket(0, { winners: { min: 1, max: 2 } })],
    orders: [
      [{ outcome: 0 }, 'sent'],
      [{ outcome: 1 }, 'sent'],
      [{ outcome: 2 }, 'sent'],
      [{ outcome: 0, stake: 1 }, 'LIMIT_MARKET'],
    ],
  },
  {
    what: 'markets of one event share its limit, another event has its own',
    limits: { event: 15 },
    markets: twoMarketsOfOneEvent,
    orders: [
      [{ market: 0 }, 'sent'],
      [{ market: 1 }, 'LIMIT_EVENT'],
      [{ market: 1, stake: 5 }, 'sent'],
      [{ market: 2 }, 'sent'],
    ],
  },
  {
    what: 'each strategy has its limit over all markets',
    limits: { strategy: 15 },
    markets: twoMarketsOfOneEvent,
    orders: [
      [{ strategy: 0, market: 0 }, 'sent'],
      [{ strategy: 0, market: 2 }, 'LIMIT_STRATEGY'],
      [{ strategy: 1, market: 2 }, 'sent'],
    ],
  },
  {
    what: 'each wallet has its limit over all markets and strategies',
    limits: { wallet: 15 },
    markets: twoMarketsOfOneEvent,
    orders: [
      [{ wallet: 0, strategy: 0, market: 0 }, 'sent'],
      [{ wallet: 0, strategy: 1, market: 2 }, 'LIMIT_WALLET'],
      [{ wallet: 1, strategy: 1, market: 2 }, 'sent'],
    ],
  },
  {
    what: 'two strategies on one market share its limit',
    limits: { market: 15 },
    orders: [
      [{ strategy: 0 }, 'sent'],
      [{ strategy: 1 }, 'LIMIT_MARKET'],
    ],
  },
  {
    what: 'the narrower limit answers first',
    limits: { order: 5, outcome: 4, market: 3 },
    orders: [
      [{ stake: 6 }, 'LIMIT_ORDER'],
      [{ stake: 5 }, 'LIMIT_OUTCOME'],
      [{ stake: 4 }, 'LIMIT_MARKET'],
      [{ stake: 3 }, 'sent'],
    ],
  },
];

describe('limits', () => {
  it.each(SCENARIOS)('$what', ({ limits, markets, orders }) => {
    const entry = new RiskDesk(limits, markets?.());
    expect(orders.map(([sketch]) => entry.verdict(sketch))).toEqual(orders.map(([, verdict]) => verdict));
  });

  it('names the limit, the figure before and the figure it would be', () => {
    const entry = new RiskDesk({ strategy: 12.5 });
    entry.judge({ stake: 10 });
    expect(entry.judge({ stake: 3 })).toEqual({ code: 'LIMIT_STRATEGY', limit: 12.5, value: 10, wouldBe: 13 });
  });

  it('lets a hedge pass though every limit is exceeded, and the other direction not', () => {
    const all = { outcome: 5, market: 5, event: 5, strategy: 5, wallet: 5, dailyLoss: 0 };
    const entry = new RiskDesk(all);
    entry.matched({ side: 'For', stake: 20 });
    expect(entry.verdict({ side: 'For', stake: 1 })).toBe('LIMIT_OUTCOME');
    expect(entry.verdict({ side: 'Against', stake: 20 })).toBe('sent');
    expect(entry.verdict({ side: 'Against', stake: 20.001 })).toBe('LIMIT_OUTCOME');
  });

  it('lets a hedge exceed the limit per order, but not an order that is larger than what it hedges', () => {
    const entry = new RiskDesk({ order: 10 });
    entry.matched({ side: 'For', stake: 10 });
    expect(entry.verdict({ strategy: 1, side: 'Against', price: 3, stake: 6 })).toBe('LIMIT_ORDER');
    expect(entry.verdict({ side: 'Against', price: 3, stake: 20 })).toBe('LIMIT_ORDER');
    expect(entry.verdict({ side: 'Against', price: 3, stake: 6 })).toBe('sent');
  });

  it('refuses an order that offsets the market but burdens its own strategy', () => {
    const entry = new RiskDesk({ strategy: 5 });
    entry.matched({ strategy: 0, side: 'For', stake: 20 });
    expect(entry.verdict({ strategy: 1, side: 'Against', stake: 20 })).toBe('LIMIT_STRATEGY');
  });

  it('has a ceiling per order even without limits, so that sums stay exact integers', () => {
    const entry = new RiskDesk({});
    expect(entry.verdict({ stake: 9_000_000 })).toBe('LIMIT_ORDER');
    expect(entry.exposure.isZero()).toBe(true);
  });

  it('asserts on a stake that is not positive', () => {
    expect(() => new RiskDesk({}).judge({ stake: 0 })).toThrow(AssertionFailure);
  });
});

describe('funds', () => {
  const fund = (entry: RiskDesk, balance: number): void =>
    entry.state.funds.report({
      wallet: 0,
      balance: units(balance),
      balanceAvailable: units(balance),
      required: entry.exposure.requiredOfWallet(0),
      matched: entry.exposure.matchedOfWallet(0),
      inFlight: false,
    });

  it('limits nothing while no balance is known', () => {
    expect(new RiskDesk({}).verdict({ stake: 5_000 })).toBe('sent');
  });

  it('counts what is in flight against the balance', () => {
    const entry = new RiskDesk({});
    fund(entry, 25);
    expect([entry.verdict(), entry.verdict()]).toEqual(['sent', 'sent']);
    expect(entry.judge()).toEqual({ code: 'INSUFFICIENT_FUNDS', limit: 25, value: 20, wouldBe: 30 });
    expect(entry.verdict({ stake: 5 })).toBe('sent');
  });

  it('lets an order that does not raise the required funds pass with an overdrawn wallet', () => {
    const entry = new RiskDesk({});
    entry.matched({ side: 'For', stake: 20 });
    fund(entry, -5);
    expect(entry.verdict({ side: 'Against', stake: 20 })).toBe('sent');
    expect(entry.verdict({ side: 'Against', stake: 1 })).toBe('INSUFFICIENT_FUNDS');
  });
});

describe('rate and daily loss', () => {
  it('approves at most the limit in any span of one second', () => {
    const entry = new RiskDesk({ ordersPerSecond: 2 });
    const verdicts = [0, 600, 999, 1_000, 1_599, 1_600].map((ms) => {
      entry.now = LATER(ms);
      return entry.verdict({ stake: 1 });
    });
    expect(verdicts).toEqual(['sent', 'sent', 'LIMIT_RATE', 'sent', 'LIMIT_RATE', 'sent']);
  });

  it('refuses by rate with counts, and even what reduces risk', () => {
    const entry = new RiskDesk({ ordersPerSecond: 1 });
    entry.matched({ stake: 20 });
    entry.judge({ stake: 1 });
    expect(entry.judge({ side: 'Against', stake: 1 })).toEqual({ code: 'LIMIT_RATE', limit: 1, value: 1, wouldBe: 2 });
  });

  it('does not count refused orders', () => {
    const entry = new RiskDesk({ ordersPerSecond: 1, order: 10 });
    for (let i = 0; i < 50; i += 1) expect(entry.verdict({ stake: 11 })).toBe('LIMIT_ORDER');
    expect(entry.verdict({ stake: 10 })).toBe('sent');
  });

  it('stops new risk once the settled loss of the day reaches the limit, until midnight UTC', () => {
    const entry = new RiskDesk({ dailyLoss: 50 });
    entry.matched({ stake: 20 });
    entry.state.recordSettled(units(-49.99), NOON);
    expect(entry.verdict({ stake: 1 })).toBe('sent');
    entry.state.recordSettled(units(-0.01), NOON);
    expect(entry.judge({ stake: 1 })).toEqual({ code: 'LIMIT_DAILY_LOSS', limit: 50, value: 50, wouldBe: 50 });
    expect(entry.verdict({ side: 'Against', stake: 20 })).toBe('sent');
    entry.now = instant(Date.UTC(2026, 2, 24, 23, 59, 59, 999));
    expect(entry.verdict({ stake: 1 })).toBe('LIMIT_DAILY_LOSS');
    entry.now = instant(Date.UTC(2026, 2, 25));
    expect(entry.verdict({ stake: 1 })).toBe('sent');
  });
});

describe('a verdict', () => {
  it('leaves nothing behind when it is a refusal, whatever refused', () => {
    const limits: LimitsConfig = { market: 10, ordersPerSecond: 1 };
    const entry = new RiskDesk(limits);
    expect(entry.verdict({ stake: 11 })).toBe('LIMIT_MARKET');
    expect(entry.exposure.isZero()).toBe(true);
    expect(entry.verdict({ side: 'Against', price: 1.01, stake: 0.001 })).toBe('sent');
    expect(entry.verdict({ stake: 1 })).toBe('LIMIT_RATE');
    expect(lossInMarket(entry.exposure, 0)).toBe(10);
  });

  it('carries the very order that was judged', () => {
    const verdict = new RiskDesk({}).judge({ stake: 7 });
    expect(isApproved(verdict) && verdict.order.stake).toBe(units(7));
  });

  it('cannot be made by hand', () => {
    const send = (approved: Approved): JudgedOrder => approved.order;
    const forged = { kind: 'approved', order: order() } as const;
    // @ts-expect-error only judge makes an Approved
    send(forged);
    expect(isApproved({ code: 'HALTED', ...forged })).toBe(false);
  });
});
