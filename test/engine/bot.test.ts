/** A run with real orders, before an exchange that does as it is told: start, recovery, lapse, differences, halt, end. */

import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import type { Journal, JournalRecord } from '../../src/core/journal.ts';
import type { SentOrder } from '../../src/core/kept-order.ts';
import { NO_RISK_MEMORY, type RestoredOrder, type RunState } from '../../src/core/run-state.ts';
import { instant, type Money } from '../../src/core/units.ts';
import { Bot } from '../../src/engine/bot.ts';
import type { BotSettings } from '../../src/engine/bot-settings.ts';
import { newSeat } from '../../src/engine/runtime.ts';
import type { FeedName } from '../../src/exchange/gateway.ts';
import type { Limits } from '../../src/risk/limits.ts';
import type { DecideInput, StrategyPlugin, Why } from '../../src/strategy/contract.ts';
import { createFixedMarket } from '../../src/strategy/fixed-market.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { PlainExchange } from '../support/engine/plain-exchange.ts';

const START = Date.UTC(2026, 2, 24, 14);
const SETTINGS: BotSettings = {
  tickMs: 250,
  heartbeat: { timeoutMs: 10_000, pollBudgetMs: 3_000, atEnd: 'clear' },
  reconcile: { everyMs: 2_000, lastingAfter: 3, strays: 'adopt' },
  freshness: { markets: 5_000, prices: 3_000, orders: 3_000, wallets: 5_000 },
  end: { orders: 'cancel', deadlineMs: 5_000 },
  intentsMax: 10,
};

/** A journal that only remembers, and how much of it was committed. */
class NotedJournal implements Journal {
  readonly records: JournalRecord[] = [];
  committed = 0;
  isFull = false;
  append(_at: number, record: JournalRecord): void {
    this.records.push(record);
  }
  commit(): void {
    if (this.isFull) throw new Error('no space left on the device');
    this.committed = this.records.length;
  }
}

interface StageSettings {
  readonly settings?: Partial<BotSettings>;
  readonly restored?: RunState;
  readonly limits?: Limits;
  /** Whether it places one order of 10 at 2.00 whenever it has none and may. */
  readonly quotes?: boolean;
  /** Instead of that one. */
  readonly decide?: (input: DecideInput) => readonly Intent[];
  /** A feed that is not read at first. */
  readonly silent?: FeedName;
}

function stage({ settings = {}, restored, limits = {}, quotes = true, silent, decide }: StageSettings = {}) {
  const clock = new SimulatedClock(START);
  const market = createFixedMarket({
    ...{ id: 'm1', updatedAt: START },
    outcomes: [{ id: 'a', against: [[2, 50]], for: [[2.2, 50]] }, { id: 'b' }],
  });
  const exchange = new PlainExchange(clock, market);
  const journal = new NotedJournal();
  const whys: Why[] = [];
  let isDone = false;
  const plugin: StrategyPlugin = {
    name: 'quoter',
    decide: (input: DecideInput) => {
      whys.push(input.why);
      if (decide !== undefined) return decide(input);
      if (!quotes || isDone || input.orders.length > 0 || input.why === 'stale') return [];
      return [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 10 }];
    },
  };
  const seats = [newSeat({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })];
  const bot = new Bot({
    ...{ clock, gateway: exchange, journal, restored, run: 'run', seats, limits },
    names: { strategies: ['quoter'], wallets: ['main'] },
    settings: { ...SETTINGS, ...settings },
    tell: () => {},
  });
  let outcome = 'running';
  bot.run$.subscribe({
    complete: () => {
      outcome = 'completed';
    },
    error: (error: Error) => {
      outcome = `failed: ${error.message}`;
    },
  });
  if (silent !== undefined) exchange.silent.add(silent);
  exchange.listen();
  return {
    ...{ clock, exchange, journal, bot, whys },
    outcome: () => outcome,
    /** The strategy places nothing more. */
    quiet: () => {
      isDone = true;
    },
    until: (ms: number) => clock.runUntil(START + ms),
    of: <K extends JournalRecord['kind']>(kind: K) =>
      journal.records.filter((record): record is Extract<JournalRecord, { kind: K }> => record.kind === kind),
    askedAt: (what: string) => exchange.asked.filter((each) => each.what === what).map(({ at }) => at),
  };
}

const RESTORED: RunState = {
  ...{ run: 'run', lastClient: 7, results: [], haltedStrategies: [], riskMemory: NO_RISK_MEMORY },
  ...{ trading: 'running', tradingCause: '', heartbeat: 'unarmed', orders: [] },
};

function restoredOrder(client: number, fate: 'open' | 'known', market = 'm1'): RestoredOrder {
  const stake = 10e6 as Money;
  const terms: SentOrder = {
    ...{ client, strategy: 'quoter', wallet: 'main', market, marketName: 'M', outcome: 'a', outcomeTitle: 'A' },
    ...{ side: 'For', tick: 100, stake, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
  };
  return { terms, sentAt: START - 1_000, fate };
}

describe('the start', () => {
  it('trades only after all feeds were read, ledger and exchange agree, and the heartbeat is active', () => {
    const { until, bot, askedAt, whys, of } = stage();
    until(5_000);
    expect(bot.status().phase).toBe('trading');
    const [books] = askedAt('books');
    const [heartbeat] = askedAt('heartbeat');
    const [place] = askedAt('place');
    expect(books).toBeLessThan(heartbeat ?? 0);
    expect(heartbeat).toBeLessThan(place ?? 0);
    expect(whys[0]).toBe('status');
    expect(of('phase').map(({ to }) => to)).toEqual(['arming', 'trading']);
  });

  it('waits while a feed has not been read', () => {
    const { until, bot, exchange, askedAt } = stage({ silent: 'wallets' });
    until(4_000);
    expect(bot.status()).toMatchObject({ phase: 'recovering', waitsFor: 'a first whole reading of all feeds' });
    expect(askedAt('place')).toEqual([]);
    exchange.silent.delete('wallets');
    until(8_000);
    expect(askedAt('place')).toHaveLength(1);
  });

  it('waits for the fate of an order that an earlier process left open, and counts its exposure meanwhile', () => {
    const { until, bot, exchange, of } = stage({
      restored: { ...RESTORED, orders: [restoredOrder(7, 'open')] },
      quotes: false,
    });
    until(4_000);
    expect(bot.status()).toMatchObject({ phase: 'recovering', waitsFor: 'the fate of order 7' });
    expect(bot.status().wallets[0]?.worstLoss).toBe(10);
    exchange.tell({ kind: 'absent', client: 7, at: instant(START + 4_000) });
    until(7_000);
    expect(bot.status()).toMatchObject({ phase: 'trading', orders: { live: 0 } });
    expect(of('rejected')).toEqual([{ kind: 'rejected', client: 7, code: 'PROVEN_ABSENT' }]);
  });

  it('hears of a restored order before its market is listed, and loses nothing of it', () => {
    const { bot, exchange, until } = stage({
      restored: {
        ...RESTORED,
        orders: [restoredOrder(7, 'open', 'm2')],
      },
    });
    const second = createFixedMarket({ id: 'm2', updatedAt: START, outcomes: [{ id: 'a' }, { id: 'b' }] });
    const stakes = {
      stakeMatched: 4e6 as Money,
      winningsMatched: 4e6 as Money,
      stakeUnmatched: 0 as Money,
      stakeVoided: 6e6 as Money,
    };
    exchange.tell({ kind: 'order', order: { client: 7, order: 55, status: 'Matched', ...stakes, at: instant(START) } });
    until(3_000);
    expect(bot.status().waitsFor).toBe('market m2, in which the run has orders');
    exchange.tell({ kind: 'market', market: { ...second, index: 1 }, cause: 'listed' });
    expect(bot.ledger.exposure.requiredInMarket(1)).toBe(4e6);
  });

  it('never gives a number twice', () => {
    const { until, of } = stage({ restored: RESTORED });
    until(5_000);
    expect(of('sent').map(({ client }) => client)).toEqual([8]);
  });

  it('stays halted where it was halted', () => {
    const { until, bot, askedAt, of } = stage({
      restored: { ...RESTORED, trading: 'halted', tradingCause: 'by hand' },
    });
    until(6_000);
    expect(bot.status()).toMatchObject({ phase: 'trading', trading: 'halted', tradingCause: 'by hand' });
    expect(askedAt('place')).toEqual([]);
    expect(of('refused').map(({ code }) => code)).toContain('HALTED');
    bot.resume('command');
    until(8_000);
    expect(askedAt('place')).toHaveLength(1);
  });
});

describe('the journal', () => {
  it('has each order durable before its bytes leave', () => {
    const { until, journal, exchange, of } = stage();
    const place = exchange.place.bind(exchange);
    let durable: string[] = [];
    exchange.place = (batch) => {
      durable = journal.records.slice(0, journal.committed).map(({ kind }) => kind);
      return place(batch);
    };
    until(5_000);
    expect(durable).toContain('sent');
    expect(durable).toContain('requested');
    expect(of('sent')).toHaveLength(1);
  });

  it('that cannot be written ends the run, and nothing is sent', () => {
    const { until, journal, exchange, outcome, askedAt } = stage();
    until(400);
    journal.isFull = true;
    until(5_000);
    expect(outcome()).toBe('failed: no space left on the device');
    expect(askedAt('place')).toEqual([]);
    expect(exchange.orders.size).toBe(0);
  });
});

describe('the heartbeat', () => {
  it('lapses when nothing is read any more; then: DELETE, compare, arm, trade', () => {
    const { until, exchange, bot, of, askedAt } = stage();
    until(5_000);
    exchange.silent.add('orders');
    until(20_000);
    expect(of('heartbeat').map(({ to }) => to)).toEqual(['active', 'late', 'lapsed']);
    expect(bot.status().phase).toBe('recovering');
    const placed = askedAt('place').length;
    exchange.silent.delete('orders');
    until(26_000);
    expect(of('heartbeat').map(({ to }) => to)).toEqual(['active', 'late', 'lapsed', 'cleared', 'active']);
    expect(of('phase').map(({ to }) => to)).toEqual(['arming', 'trading', 'recovering', 'arming', 'trading']);
    expect(exchange.orders.get(101)?.status).toBe('Cancelled');
    // The strategy quotes again.
    until(29_000);
    expect(askedAt('place').length).toBe(placed + 1);
  });

  it('that nobody answers is late, and no order leaves', () => {
    const { until, exchange, of } = stage();
    exchange.heartbeats = 'are lost';
    until(6_000);
    expect(of('sent')).toEqual([]);
    exchange.heartbeats = 'answer';
    until(9_000);
    expect(of('sent')).toHaveLength(1);
  });
});

describe('ledger and exchange', () => {
  it('that keep differing stop new orders on the market, until they agree again', () => {
    const { until, exchange, bot, of } = stage();
    until(5_000);
    exchange.tellsOrders = false;
    const [order] = exchange.orders.keys();
    const booked = exchange.orders.get(order ?? 0);
    if (booked === undefined) throw new Error('it quotes');
    // Matched without a word to the feed.
    const matched = {
      status: 'PartiallyMatched',
      stakeMatched: 3e6 as Money,
      winningsMatched: 3e6 as Money,
      stakeUnmatched: 7e6 as Money,
    } as const;
    exchange.orders.set(booked.order, { ...booked, ...matched });
    until(14_000);
    expect(of('difference').map(({ verdict }) => verdict)).toEqual(['seen', 'lasting']);
    expect(bot.status().marketsOff).toMatchObject([{ market: 'm1' }]);
    exchange.positions = [
      {
        wallet: 0,
        marketId: 'm1',
        profitIfWins: new Map([
          ['a', 3e6 as Money],
          ['b', -3e6 as Money],
        ]),
      },
    ];
    exchange.report(booked.order, {});
    until(18_000);
    expect(of('difference').map(({ verdict }) => verdict)).toEqual(['seen', 'lasting', 'gone']);
    expect(bot.status().marketsOff).toEqual([]);
  });

  it('differ in a position alone: that is found too', () => {
    const { until, exchange, bot } = stage({ quotes: false });
    until(3_000);
    exchange.positions = [{ wallet: 0, marketId: 'm1', profitIfWins: new Map([['a', 3e6 as Money]]) }];
    until(14_000);
    expect(bot.status().reconciliation.differences[0]).toContain('position m1 a main');
  });

  it('a stray is adopted: it counts, and is told under a number of ours', () => {
    const { until, exchange, bot, of } = stage({ quotes: false });
    exchange.placeForeign();
    until(4_000);
    expect(of('adopted')).toMatchObject([{ client: 1, foreignReference: 'by-hand-1', strategy: '(adopted)' }]);
    expect([...exchange.adopted]).toEqual([[101, 1]]);
    expect(bot.status()).toMatchObject({ phase: 'trading', orders: { live: 1 } });
    expect(bot.status().wallets[0]?.worstLoss).toBe(5);
  });

  it('a stray is cancelled where the configuration says so', () => {
    const { until, exchange } = stage({
      quotes: false,
      settings: { reconcile: { ...SETTINGS.reconcile, strays: 'cancel' } },
    });
    exchange.placeForeign();
    until(4_000);
    expect([...exchange.orders.values()].map(({ status }) => status)).toEqual(['Cancelled']);
  });

  it('an order of ours that was taken for refused and exists is taken in again', () => {
    const { until, exchange, bot, of } = stage({ quotes: false });
    until(3_000);
    exchange.placeForeign({ client: 3, reference: 'run-quoter-3' });
    until(14_000);
    expect(of('adopted')).toMatchObject([{ client: 3, order: 101 }]);
    expect(bot.status()).toMatchObject({ marketsOff: [], orders: { live: 1 } });
    expect(bot.status().wallets[0]?.worstLoss).toBe(5);
  });

  it('a stray in a market that is not followed has the market followed', () => {
    const { until, exchange } = stage({ quotes: false });
    exchange.placeForeign({ marketId: 'elsewhere' });
    until(2_000);
    expect(exchange.followed).toContain('elsewhere');
  });
});

describe('feeds', () => {
  it('late orders stop new orders everywhere', () => {
    const { until, exchange, of, quiet, bot } = stage();
    until(4_000);
    quiet();
    exchange.silent.add('wallets');
    until(12_000);
    expect(bot.status().feeds.find(({ feed }) => feed === 'wallets')?.isLate).toBe(true);
    expect(of('freshness')).toMatchObject([{ feed: 'wallets', isLate: true, budgetMs: 5_000 }]);
  });

  it('late prices are an event that strategies see', () => {
    const { until, exchange, whys, of } = stage();
    until(4_000);
    exchange.silent.add('prices');
    until(9_000);
    expect(whys.filter((why) => why === 'stale')).toHaveLength(1);
    expect(of('freshness').filter(({ market }) => market === 'm1')).toMatchObject([{ isLate: true }]);
    exchange.silent.delete('prices');
    until(11_000);
    expect(of('freshness').filter(({ market }) => market === 'm1')).toMatchObject([
      { isLate: true },
      { isLate: false },
    ]);
  });
});

describe('replacing', () => {
  it('asks the strategy once the new order is among its orders', () => {
    const seen: string[] = [];
    const { until, of } = stage({
      decide: ({ orders, why }) => {
        seen.push(`${why} ${orders.map(({ price }) => price).join()}`);
        const [order] = orders;
        if (order === undefined)
          return [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 10 }];
        return order.price === 2 && order.inFlight === undefined
          ? [{ kind: 'replace', order: order.id, price: 2.1 }]
          : [];
      },
    });
    until(5_000);
    expect(of('sent').map(({ tick }) => tick)).toHaveLength(2);
    expect(seen).toContain('order 2.1');
    expect(seen).not.toContain('order ');
  });
});

describe('an order that had to wait before it left', () => {
  it('is asked for again in that moment', () => {
    const { until, exchange, bot } = stage();
    const asked: (() => boolean)[] = [];
    const place = exchange.place.bind(exchange);
    exchange.place = (batch, mayLeave) => {
      if (mayLeave !== undefined) asked.push(mayLeave);
      return place(batch);
    };
    until(5_000);
    const [mayLeave] = asked;
    expect(mayLeave?.()).toBe(true);
    bot.reduceOnly('command', 'the operator is uneasy');
    expect(mayLeave?.()).toBe(false);
    until(5_100);
    bot.resume('command');
    expect(mayLeave?.()).toBe(false);
  });

  it('stays where the heartbeat is not active any more', () => {
    const { until, exchange } = stage();
    const asked: (() => boolean)[] = [];
    const place = exchange.place.bind(exchange);
    exchange.place = (batch, mayLeave) => {
      if (mayLeave !== undefined) asked.push(mayLeave);
      return place(batch);
    };
    until(5_000);
    exchange.heartbeats = 'are lost';
    until(9_000);
    expect(asked[0]?.()).toBe(false);
  });
});

describe('halting', () => {
  it('cancels what is live, lets no order pass, and is durable at once', () => {
    const { until, exchange, bot, journal, of } = stage();
    until(5_000);
    bot.halt('command', 'the operator is uneasy');
    const durable = journal.records.slice(0, journal.committed);
    expect(durable.some((record) => record.kind === 'trading' && record.to === 'halted')).toBe(true);
    until(8_000);
    expect([...exchange.orders.values()].map(({ status }) => status)).toEqual(['Cancelled']);
    expect(of('trading')).toMatchObject([{ from: 'running', to: 'halted', by: 'command' }]);
  });
});

describe('the end', () => {
  it('cancels what is unmatched, waits for its fate, takes the heartbeat away and completes', () => {
    const { until, exchange, bot, outcome, of } = stage();
    until(5_000);
    bot.stop('signal', 'SIGTERM');
    until(9_000);
    expect(outcome()).toBe('completed');
    expect([...exchange.orders.values()].map(({ status }) => status)).toEqual(['Cancelled']);
    expect(exchange.heartbeatUntil).toBeUndefined();
    expect(of('ended')).toEqual([{ kind: 'ended', cause: 'SIGTERM', liveOrders: 0 }]);
  });

  it('keeps orders where it is told to', () => {
    const { until, exchange, bot, outcome } = stage();
    until(5_000);
    bot.stop('command', 'upgrade', 'keep');
    until(9_000);
    expect(outcome()).toBe('completed');
    expect([...exchange.orders.values()].map(({ status }) => status)).toEqual(['Unmatched']);
  });

  it('does not wait longer than its deadline', () => {
    const { until, exchange, bot, outcome, of } = stage();
    until(5_000);
    exchange.cancelling = 'loses';
    bot.stop('signal', 'SIGTERM');
    until(9_900);
    expect(outcome()).toBe('running');
    until(10_600);
    expect(outcome()).toBe('completed');
    expect(of('ended')).toMatchObject([{ liveOrders: 1 }]);
  });
});
