/** A run with real orders at work: differences, feeds, replacing, halt, end. */

import { describe, expect, it } from 'vitest';
import { instant, type Money, ZERO } from '../../src/core/number/units.ts';
import { MARK, newMark } from '../../src/engine/guest/decision-mark.ts';
import { SETTINGS, START, stage } from '../support/engine/bot-stage.ts';

it('an order is journalled with the names that a person knows it by', () => {
  const { until, of } = stage();
  until(5_000);
  expect(of('sent')).toMatchObject([{ eventName: 'Event', marketName: 'Market', outcomeTitle: 'a' }]);
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

  it.each([
    { matchedFrom: 14_000, why: 'a difference that lasts keeps its market off while bets are matched' },
    { matchedFrom: 3_000, why: 'a difference that stays the same lasts though bets are matched between comparisons' },
  ])('$why', ({ matchedFrom }) => {
    const { until, exchange, bot, of } = stage();
    until(3_000);
    const [order] = exchange.orders.values();
    if (order === undefined) throw new Error('it quotes');
    const matchedIs = (matched: number): void => {
      const stakes = { stakeMatched: matched as Money, winningsMatched: matched as Money };
      const stakeUnmatched = (order.stake - matched) as Money;
      if (matched > 0) exchange.report(order.order, { ...stakes, stakeUnmatched, status: 'PartiallyMatched' });
      // The exchange has a bet of 3 besides, which no order tells.
      const profitIfWins = new Map([
        ['a', (matched + 3e6) as Money],
        ['b', (-matched - 3e6) as Money],
      ]);
      exchange.positions = [{ wallet: 0, marketId: 'm1', profitIfWins }];
    };
    matchedIs(0);
    for (let at = 3_500; at < 24_000; at += 1_000) {
      until(at);
      if (at > matchedFrom) matchedIs((at - matchedFrom) * 400);
    }
    expect(of('difference').map(({ verdict }) => verdict)).toEqual(['seen', 'seen', 'lasting', 'lasting']);
    expect(of('marketRisk').map(({ isOff }) => isOff)).toEqual([true]);
    expect(bot.status().marketsOff).toMatchObject([{ market: 'm1' }]);
  });

  it.each([
    [undefined, 2],
    [10_000, 0],
  ])('whose stakes have the step %o may differ by it for each matched order, and by no more', (step, found) => {
    const { until, exchange, bot, market } = stage();
    if (step !== undefined) market.minimumStake = { stake: 1e6 as Money, step: step as Money };
    until(3_000);
    const [order] = exchange.orders.values();
    if (order === undefined) throw new Error('it quotes');
    const all = { stakeMatched: order.stake, winningsMatched: order.stake, stakeUnmatched: ZERO } as const;
    exchange.report(order.order, { ...all, status: 'Matched' });
    const profitIfWins = new Map([
      ['a', (order.stake + 8_000) as Money],
      ['b', (-order.stake - 8_000) as Money],
    ]);
    exchange.positions = [{ wallet: 0, marketId: 'm1', profitIfWins }];
    until(14_000);
    expect(bot.status().reconciliation.differences).toHaveLength(found);
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
      settings: { reconcile: { ...SETTINGS.reconcile, foreignOrders: 'cancel' } },
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

  it('an order of ours that matched on though it was taken for ended counts with all that matched', () => {
    const { until, exchange, bot, quiet } = stage();
    until(3_000);
    quiet();
    const [order] = exchange.orders.values();
    if (order === undefined) throw new Error('it quotes');
    const [matched, left] = [4e6 as Money, 6e6 as Money];
    const half = { stakeMatched: matched, winningsMatched: matched, stakeUnmatched: ZERO, stakeVoided: left };
    exchange.report(order.order, { ...half, status: 'Matched' });
    // Nobody asks for it any more: it is among the exchange's own books alone.
    exchange.tellsOrders = false;
    const all = { stakeMatched: order.stake, winningsMatched: order.stake, stakeUnmatched: ZERO, stakeVoided: ZERO };
    exchange.orders.set(order.order, { ...order, ...all, status: 'Matched' });
    exchange.positions = [
      {
        wallet: 0,
        marketId: 'm1',
        profitIfWins: new Map([
          ['a', order.stake],
          ['b', -order.stake as Money],
        ]),
      },
    ];
    until(14_000);
    expect(bot.status().reconciliation.differences).toEqual([]);
    expect(bot.status().wallets[0]?.worstLoss).toBe(10);
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

  it('are late once their time has passed, and not only at the next tick', () => {
    const freshness = { ...SETTINGS.freshness, wallets: 4_500 };
    const { until, exchange, of } = stage({ settings: { tickMs: 4_000, freshness } });
    until(8_100);
    exchange.silent.add('wallets');
    until(13_900);
    expect(of('freshness')).toMatchObject([{ feed: 'wallets', isLate: true, ageMs: 5_000 }]);
  });

  it('stop orders once the status of their market, or what is known of their wallet, is too old, and not only at the next tick', () => {
    const freshness = { ...SETTINGS.freshness, markets: 4_500, wallets: 2_500 };
    const place = { kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 1 } as const;
    const refusedAfter = (make: (it: ReturnType<typeof stage>) => void) => {
      const it = stage({
        settings: { tickMs: 4_000, freshness },
        decide: ({ why }) => (why === 'prices' ? [place] : []),
      });
      it.until(16_100);
      make(it);
      it.until(19_900);
      const refused = it.journal.records.flatMap((record) => (record.kind === 'refused' ? [record.code] : []));
      return { refused: new Set(refused), times: it.askedAt('place').filter((at) => at > 16_100) };
    };
    expect(refusedAfter(() => {})).toEqual({ refused: new Set(), times: [17_000, 18_000, 19_000] });
    const ofStatus = refusedAfter(({ market }) => {
      market.statusFreshAt = instant(START + 13_500);
    });
    expect(ofStatus).toEqual({ refused: new Set(['FEED_STALE']), times: [17_000, 18_000] });
    const ofWallet = refusedAfter(({ exchange }) => exchange.unreadWallets.push(0));
    expect(ofWallet).toEqual({ refused: new Set(['STATE_UNKNOWN']), times: [17_000, 18_000] });
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

  it('stays where what it was judged by has become too old meanwhile, also between two ticks', () => {
    const freshness = { markets: 4_500, prices: 4_500, orders: 4_500, wallets: 4_500 };
    const place = { kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 1 } as const;
    const leavesAfter = (make: (it: ReturnType<typeof stage>) => void) => {
      const settings = { tickMs: 4_000, freshness };
      const it = stage({ settings, decide: ({ why }) => (why === 'prices' ? [place] : []) });
      const asked: (() => boolean)[] = [];
      const answer = it.exchange.place.bind(it.exchange);
      it.exchange.place = (batch, mayLeave) => {
        if (mayLeave !== undefined) asked.push(mayLeave);
        return answer(batch);
      };
      it.until(13_100);
      const mayLeave = asked.at(-1);
      make(it);
      it.until(15_900);
      const before = mayLeave?.();
      it.until(17_900);
      return [before, mayLeave?.()];
    };
    expect(leavesAfter(() => {})).toEqual([true, true]);
    const made: readonly ((it: ReturnType<typeof stage>) => void)[] = [
      ({ market }) => {
        market.statusFreshAt = instant(START + 13_000);
      },
      ({ exchange }) => exchange.silent.add('prices'),
      ({ exchange }) => exchange.silent.add('orders'),
      ({ exchange }) => exchange.unreadWallets.push(0),
    ];
    for (const make of made) expect(leavesAfter(make)).toEqual([true, false]);
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

it('orders that are refused because the exchange blocks all of them put the heartbeat in doubt, other refusals do not', () => {
  const doubts = (placing: 'is refused' | 'is blocked') => {
    const { until, exchange, of } = stage();
    exchange.placing = placing;
    until(5_000);
    return of('heartbeat').flatMap(({ to, cause }) => (to === 'late' ? cause : []));
  };
  expect(doubts('is refused')).toEqual([]);
  expect(doubts('is blocked')).toContain('orders are refused: HTTP_403');
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

  it('notes since when no strategy was asked, where a signal came in the middle of its work', () => {
    const mark = newMark();
    const { until, bot, of, whys } = stage({ mark });
    until(5_500);
    const asked = whys.length;
    mark[MARK.ends] = 1;
    until(7_500);
    bot.stop('signal', 'SIGINT');
    until(12_000);
    expect(whys.length).toBe(asked);
    const ending = of('phase').find(({ to }) => to === 'ending');
    expect(ending).toMatchObject({ from: 'trading', unaskedSince: START + 6_000 });
  });

  it('has nothing to note where all were asked', () => {
    const { until, bot, of } = stage();
    until(5_500);
    bot.stop('command', 'upgrade');
    until(9_000);
    expect(of('phase').map((phase) => 'unaskedSince' in phase)).not.toContain(true);
  });
});
