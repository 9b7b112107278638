/** Markets of which too little is known: orders of ours that rest there are withdrawn, or left to the exchange's heartbeat. */

import { describe, expect, it } from 'vitest';
import { type Instant, instant, type Money } from '../../src/core/number/units.ts';
import type { BotSettings } from '../../src/engine/live/bot-settings.ts';
import type { FeedName } from '../../src/exchange/gateway.ts';
import type { Limits } from '../../src/risk/limits/limits.ts';
import { RESTORED, restoredOrder, SETTINGS, START, stage } from '../support/engine/bot-stage.ts';

type Stage = ReturnType<typeof stage>;

/** What is left of the tightest budget, the answer to a cancellation, and a few ticks. */
const SOON_MS = 1_000;
const FIRST = 101;

const { heartbeat: _heartbeat, ...UNGUARDED } = SETTINGS;

function patient(orders: BotSettings['dark']['orders'] = 'cancel'): Partial<BotSettings> {
  return { dark: { afterMs: { markets: 60_000, prices: 60_000, orders: 60_000 }, orders } };
}

const statusOf = ({ exchange }: Stage, order = FIRST) => exchange.orders.get(order)?.status;
const darkNotes = ({ of }: Stage) => of('marketRisk').filter(({ dark }) => dark !== undefined);

describe('a feed that is not read any more', () => {
  it.each([
    ['markets', SETTINGS.freshness.markets, 'its status was'],
    ['prices', SETTINGS.freshness.prices, 'its prices were'],
    ['orders', SETTINGS.freshness.orders, 'our orders were'],
  ] as const)('%s: what rests is cancelled once its freshness has passed, and told of', (feed, budgetMs, what) => {
    const it = stage();
    it.until(4_000);
    expect(statusOf(it)).toBe('Unmatched');
    it.exchange.silent.add(feed);
    it.until(4_000 + budgetMs - SOON_MS);
    expect(statusOf(it), 'not before').toBe('Unmatched');
    it.until(4_000 + budgetMs + SOON_MS);
    expect(statusOf(it)).toBe('Cancelled');
    expect(it.whys.filter((why) => why === 'stale')).toHaveLength(1);
    const dark = { orders: 'cancel', sparesInPlay: false };
    expect(darkNotes(it)).toMatchObject([{ market: 'm1', isOff: true, dark, cause: expect.stringContaining(what) }]);
    expect(it.bot.status().marketsOff).toMatchObject([{ market: 'm1', cause: expect.stringContaining('dark: ') }]);
    const sent = it.of('sent').length;
    it.until(30_000);
    expect(it.of('sent'), 'nothing new').toHaveLength(sent);
    it.exchange.silent.delete(feed);
    it.until(34_000);
    expect(darkNotes(it).at(-1)).toMatchObject({ isOff: false });
    expect(it.bot.status().marketsOff).toEqual([]);
    expect(it.of('sent').length, 'it trades on').toBeGreaterThan(sent);
  });

  it('wallets have no say in it: what they hold decides nothing about an order that rests', () => {
    const it = stage();
    it.until(4_000);
    it.exchange.silent.add('wallets');
    it.until(30_000);
    expect(statusOf(it)).toBe('Unmatched');
  });

  it.each(['markets', 'prices', 'orders'] as const)('%s: orders are kept where the run was told so', (feed) => {
    const it = stage({
      settings: { ...UNGUARDED, heartbeat: undefined, dark: { ...SETTINGS.dark, orders: 'keep' } } as never,
    });
    it.until(4_000);
    it.exchange.silent.add(feed);
    it.until(30_000);
    expect(statusOf(it)).toBe('Unmatched');
    expect(darkNotes(it)).toMatchObject([{ isOff: true, dark: { orders: 'keep' } }]);
  });

  it('leaves the orders alone that the end of the run leaves', () => {
    const it = stage();
    it.until(4_000);
    it.exchange.silent.add('orders');
    it.exchange.tellsBooks = false;
    it.bot.stop('command', 'asked to', 'keep');
    it.until(8_900);
    expect(statusOf(it)).toBe('Unmatched');
  });
});

describe('a cancellation that is not proven', () => {
  it.each(['does nothing', 'loses'] as const)(
    '(it %s) lets the heartbeat lapse, and is asked for again',
    (cancelling) => {
      const it = stage();
      it.until(4_000);
      it.exchange.silent.add('markets');
      it.exchange.cancelling = cancelling;
      it.until(14_000);
      expect(it.of('heartbeat').at(-1)).toMatchObject({ to: 'late', cause: expect.stringContaining('dark') });
      it.until(25_000);
      expect(it.askedAt('heartbeat').filter((at) => at > 8_000 && at < 17_000)).toEqual([]);
      expect(statusOf(it), 'by the exchange').toBe('Cancelled');
      expect(it.askedAt('cancel').length).toBeGreaterThan(2);
      expect(it.of('withdrawal')[0]).toMatchObject({ left: 1 });
      expect(it.of('withdrawal')[0]).not.toHaveProperty('isUnguarded');
      it.exchange.silent.clear();
      it.exchange.cancelling = 'answers';
      it.until(60_000);
      expect(it.bot.status()).toMatchObject({ phase: 'trading', heartbeat: 'active', ordersLeft: [] });
    },
  );

  it('says where nothing protects the order', () => {
    const it = stage({ settings: { heartbeat: undefined } as never });
    it.until(4_000);
    it.exchange.silent.add('markets');
    it.exchange.cancelling = 'does nothing';
    it.until(20_000);
    expect(it.of('withdrawal')[0]).toMatchObject({ left: 1, isUnguarded: true });
    expect(it.askedAt('heartbeat')).toEqual([]);
  });

  it('holds the heartbeat up no longer than until the end is proven, whatever an operator resumes', () => {
    const it = stage();
    it.until(4_000);
    it.exchange.silent.add('markets');
    it.exchange.cancelling = 'does nothing';
    it.until(12_000);
    it.exchange.silent.clear();
    it.bot.resume('command');
    it.exchange.cancelling = 'answers';
    it.until(50_000);
    expect(statusOf(it)).toBe('Cancelled');
    expect(it.bot.status()).toMatchObject({ phase: 'trading', heartbeat: 'active', ordersLeft: [] });
  });
});

describe('a market that does not come, with orders of an earlier process', () => {
  const CLIENT = 3;

  /** Its one order rests at the exchange, as the journal says. */
  function left(settings: Partial<BotSettings> = {}, limits: Limits = {}, event?: string) {
    const order = restoredOrder(CLIENT, 'known', 'gone');
    const kept = { ...order, terms: { ...order.terms, event } };
    const run = stage({ restored: { ...RESTORED, heartbeat: 'active', orders: [kept] }, settings, limits });
    const foreign = run.exchange.placeForeign({ marketId: 'gone', outcomeId: 'a', client: CLIENT });
    run.exchange.adopt(foreign.order, CLIENT);
    const { stake, side, tick } = kept.terms;
    const figures = { stake, stakeUnmatched: stake, side, tick: tick as typeof foreign.tick };
    run.exchange.report(foreign.order, { ...figures, status: 'Unmatched' });
    return { ...run, order: foreign.order };
  }

  it('is a dark one: they end by their ids, status and journal say so, and the rest trades', () => {
    const it = left();
    it.until(SETTINGS.dark.afterMs.markets - SOON_MS);
    expect(it.bot.status(), 'while there is hope').toMatchObject({ phase: 'recovering', waitsFor: /gone/ });
    it.until(SETTINGS.dark.afterMs.markets + SOON_MS);
    expect(statusOf(it, it.order)).toBe('Cancelled');
    expect(darkNotes(it)).toMatchObject([{ market: 'gone', isOff: true, dark: { orders: 'cancel' } }]);
    const off = [{ market: 'gone', cause: expect.stringContaining('dark: its status was last known') }];
    expect(it.bot.status().marketsOff).toMatchObject(off);
    it.until(20_000);
    expect(it.bot.status()).toMatchObject({ phase: 'trading', heartbeat: 'active', ordersLeft: [] });
    expect(it.of('sent').map(({ market }) => market)).toContain('m1');
    expect(it.whys).not.toContain('stale');
  });

  it.each([
    ['event', ['LIMIT_EVENT']],
    ['another', []],
  ])('counts what they hold in its event, as the journal names it: %s', (event, refused) => {
    const it = left({ dark: { ...SETTINGS.dark, orders: 'keep' } }, { event: 15e6 as Money }, event);
    it.until(20_000);
    const codes = new Set(it.of('refused').map(({ code }) => code));
    expect([[...codes], it.of('sent').length]).toEqual([refused, refused.length === 0 ? 1 : 0]);
  });

  it('counts what they hold, and stops the heartbeat where they cannot be ended', () => {
    const it = left();
    it.exchange.cancelling = 'does nothing';
    it.until(9_000);
    expect(it.bot.status().strategies[0]?.worstLoss).toBeGreaterThanOrEqual(10);
    it.until(12_000);
    expect(it.bot.status().ordersLeft).toMatchObject([{ market: 'gone', client: CLIENT }]);
    it.until(30_000);
    expect(it.askedAt('heartbeat').filter((at) => at > 8_000 && at < 13_000)).toEqual([]);
    expect(statusOf(it, it.order), 'by the exchange').toBe('Cancelled');
    expect(it.bot.status()).toMatchObject({ phase: 'trading', ordersLeft: [] });
  });

  it('keeps them where the run was told so, and trades', () => {
    const it = left({ dark: { ...SETTINGS.dark, orders: 'keep' } });
    it.until(20_000);
    expect(statusOf(it, it.order)).toBe('Unmatched');
    expect(it.bot.status()).toMatchObject({ phase: 'trading' });
    expect(it.bot.status().strategies[0]?.worstLoss).toBe(20);
  });

  it('takes them over once it comes after all, with all that became of them, and is dark no more', () => {
    const it = left({ dark: { ...SETTINGS.dark, orders: 'keep' } });
    it.until(10_000);
    const matched = { stakeMatched: 4e6 as never, stakeUnmatched: 6e6 as never, winningsMatched: 4e6 as never };
    it.exchange.report(it.order, { ...matched, status: 'PartiallyMatched' });
    it.until(12_000);
    it.quiet();
    const facts = { ...it.market.facts, id: 'gone', name: 'M' };
    it.exchange.tell({ kind: 'market', market: { ...it.market, index: 9, facts }, cause: 'listed' });
    it.until(14_000);
    expect(it.bot.status().marketsOff).toEqual([]);
    expect(it.bot.status().markets).toBe(2);
    expect(it.bot.status().orders.live).toBe(2);
    expect(it.bot.status().strategies[0]?.worstLoss).toBe(20);
    it.exchange.report(it.order, { status: 'Cancelled', stakeUnmatched: 0 as never, stakeVoided: 6e6 as never });
    it.until(16_000);
    expect(it.bot.status().strategies[0]?.worstLoss).toBe(14);
  });
});

describe('the scheduled start of a market whose status is late', () => {
  /** The one order is to stay in play, or not. */
  const startingAt = (startsAt: number, keepWhenInPlay: boolean, silent: FeedName = 'markets') => {
    const it = stage({
      settings: patient(),
      decide: ({ orders, why }) =>
        orders.length > 0 || why === 'stale'
          ? []
          : [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 10, keepWhenInPlay }],
    });
    it.market.facts = { ...it.market.facts, expectedStartTime: instant(START + startsAt) };
    it.until(4_000);
    it.exchange.silent.add(silent);
    return it;
  };

  it('ends what is not to stay in play, though darkness has not lasted long enough', () => {
    const it = startingAt(20_000, false);
    it.until(19_900);
    expect(statusOf(it)).toBe('Unmatched');
    it.until(20_000 + SOON_MS);
    expect(statusOf(it)).toBe('Cancelled');
    expect(darkNotes(it)).toMatchObject([{ dark: { sparesInPlay: true }, cause: expect.stringContaining('start') }]);
  });

  it('leaves what is to stay in play, until darkness has lasted long enough', () => {
    const it = startingAt(20_000, true);
    it.until(60_000);
    expect(statusOf(it)).toBe('Unmatched');
    it.until(64_000 + SOON_MS);
    expect(statusOf(it)).toBe('Cancelled');
  });

  it('is its lock where that comes first, and nothing once it is known to be in play', () => {
    const locked = startingAt(40_000, false);
    locked.market.lockAt = instant(START + 20_000);
    locked.until(20_000 + SOON_MS);
    expect(statusOf(locked)).toBe('Cancelled');
    const inPlay = startingAt(20_000, false);
    inPlay.market.inPlayStatus = 'InPlay';
    inPlay.until(30_000);
    expect(statusOf(inPlay)).toBe('Unmatched');
  });

  it('is nothing to a market whose status is known', () => {
    const it = startingAt(20_000, false, 'wallets');
    it.until(30_000);
    expect(statusOf(it)).toBe('Unmatched');
  });
});

describe('a market that is dark alone', () => {
  /** Its document does not come any more, although the feed is read whole. */
  const lonely = (settings: Partial<BotSettings> = {}) => {
    const refused = { isAsked: false };
    const it = stage({
      settings,
      decide: ({ orders, why }) => {
        if (orders.length > 0 && !refused.isAsked) return [];
        if (why === 'stale' && !refused.isAsked) return [];
        return [{ kind: 'place', market: 'm1', outcome: 'a', side: 'For', price: 2, stake: 10 }];
      },
    });
    const known = (at: number): void => {
      it.market.statusFreshAt = (START + at) as Instant;
    };
    for (let at = 0; at <= 4_000; at += 1_000) it.clock.at(START + at, () => known(at));
    return { it, known, refused };
  };

  it('has its orders withdrawn, takes no new ones, and is told of', () => {
    const { it, known } = lonely();
    it.until(4_000 + SETTINGS.freshness.markets + SOON_MS);
    expect(statusOf(it)).toBe('Cancelled');
    expect(it.of('freshness')).toMatchObject([{ feed: 'markets', market: 'm1', isLate: true }]);
    expect(it.of('refused').at(-1)).toMatchObject({ code: 'FEED_STALE' });
    expect(it.bot.status().feeds.every(({ isLate }) => !isLate)).toBe(true);
    const sent = it.of('sent').length;
    for (let at = 11_000; at <= 20_000; at += 1_000) it.clock.at(START + at, () => known(at));
    it.until(14_000);
    expect(it.of('freshness').at(-1)).toMatchObject({ feed: 'markets', market: 'm1', isLate: false });
    expect(it.of('sent').length).toBeGreaterThan(sent);
  });

  it('takes no new orders before its old ones are withdrawn, either', () => {
    const { it, refused } = lonely(patient());
    it.until(10_500);
    refused.isAsked = true;
    const sent = it.of('sent').length;
    it.until(14_000);
    expect(statusOf(it)).toBe('Unmatched');
    expect(it.of('sent')).toHaveLength(sent);
    expect(it.bot.status().marketsOff).toEqual([{ market: 'm1', cause: 'its status is late' }]);
    expect(it.of('refused').at(-1)).toMatchObject({ code: 'FEED_STALE' });
  });

  it('and is over or not open is not dark: no order of ours can match there', () => {
    const { it } = lonely();
    it.until(3_000);
    it.market.status = 'Settled';
    it.until(30_000);
    expect(darkNotes(it)).toEqual([]);
  });
});
