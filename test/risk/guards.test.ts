/** When nothing may be placed, whatever it would risk. */

import { describe, expect, it } from 'vitest';
import { NO_TICK } from '../../src/core/number/ladder.ts';
import { type Instant, instant } from '../../src/core/number/units.ts';
import type { LimitsConfig } from '../../src/risk/limits/limits.ts';
import { at, NOON, RiskDesk, TestMarket } from './desk.ts';

const LATER = (ms: number): Instant => instant(NOON + ms);

describe('guards', () => {
  const refusalOf = (limits: LimitsConfig, spoil: (market: TestMarket, entry: RiskDesk) => void): string => {
    const market = new TestMarket(0);
    const entry = new RiskDesk(limits, [market]);
    spoil(market, entry);
    return entry.verdict();
  };

  it.each<readonly [string, LimitsConfig, (market: TestMarket, entry: RiskDesk) => void]>([
    ['HALTED', {}, (_, entry) => entry.state.moveTrading({ to: 'halted', cause: 'test', by: 'command' })],
    ['STRATEGY_HALTED', {}, (_, entry) => entry.state.haltStrategy(0)],
    ['sent', {}, (_, entry) => entry.state.haltStrategy(1)],
    ['MARKET_NOT_OPEN', {}, (market) => (market.status = 'Initializing')],
    ['MARKET_NOT_OPEN', {}, (market) => (market.status = 'Locked')],
    ['MARKET_NOT_OPEN', {}, (market) => (market.published = false)],
    ['MARKET_NOT_OPEN', {}, (market) => (market.lockAt = NOON)],
    ['sent', {}, (market) => (market.lockAt = LATER(1))],
    ['MARKET_SUSPENDED', {}, (market) => (market.suspended = true)],
    ['OUTCOME_NOT_ACTIVE', {}, (market) => (market.statuses[0] = 'Removed')],
    ['OUTCOME_NOT_ACTIVE', {}, (market) => (market.statuses[0] = 'Hidden')],
    ['sent', {}, (market) => (market.statuses[1] = 'Removed')],
    ['sent', { staleMs: 2_000 }, (_, entry) => (entry.now = LATER(2_000))],
    ['FEED_STALE', { staleMs: 2_000 }, (_, entry) => (entry.now = LATER(2_001))],
    ['HEARTBEAT_NOT_ACTIVE', { heartbeat: true }, () => undefined],
    ['sent', { heartbeat: false }, () => undefined],
    ['sent', { heartbeat: true }, (_, entry) => entry.state.setHeartbeat(true, undefined)],
  ])('answers %s with limits %j (%#)', (expected, limits, spoil) => {
    expect(refusalOf(limits, spoil)).toBe(expected);
  });

  it('stops trusting a heartbeat at the instant when it may have lapsed', () => {
    const entry = new RiskDesk({ heartbeat: true });
    entry.state.setHeartbeat(true, LATER(5_000));
    entry.now = LATER(4_999);
    expect(entry.verdict()).toBe('sent');
    entry.now = LATER(5_000);
    expect(entry.verdict()).toBe('HEARTBEAT_NOT_ACTIVE');
  });

  it('tells how old the prices are', () => {
    const entry = new RiskDesk({ staleMs: 2_000 });
    entry.now = LATER(3_500);
    expect(entry.judge()).toEqual({ code: 'FEED_STALE', limit: 2_000, value: 3_500, wouldBe: 3_500 });
  });

  it('names the first guard when several stand in the way', () => {
    const verdict = refusalOf({ staleMs: 1, order: 1 }, (market, entry) => {
      entry.state.moveTrading({ to: 'halted', cause: 'test', by: 'command' });
      market.suspended = true;
      entry.now = LATER(10);
    });
    expect(verdict).toBe('HALTED');
  });
});

describe('price sanity', () => {
  const verdict = (price: number, spoil: (market: TestMarket) => void = () => undefined): string => {
    const market = new TestMarket(0);
    spoil(market);
    return new RiskDesk({ ticksFromBook: 3 }, [market]).verdict({ price });
  };
  const emptied = (market: TestMarket): void => {
    market.bestFor = NO_TICK;
    market.bestAgainst = NO_TICK;
  };

  it('takes prices up to the limit outside the best of both sides', () => {
    expect([1.96, 1.97, 2, 2.02, 2.08, 2.1].map((price) => verdict(price))).toEqual([
      'PRICE_FAR_FROM_BOOK',
      'sent',
      'sent',
      'sent',
      'sent',
      'PRICE_FAR_FROM_BOOK',
    ]);
  });

  it('takes any price inside a wide spread', () => {
    const wide = (market: TestMarket): void => {
      market.bestAgainst = at(1.5);
      market.bestFor = at(8);
    };
    expect(verdict(4, wide)).toBe('sent');
    expect(verdict(1.46, wide)).toBe('PRICE_FAR_FROM_BOOK');
  });

  it('measures from the one side that is there', () => {
    const oneSided = (market: TestMarket): void => {
      market.bestFor = NO_TICK;
    };
    expect([verdict(2.06, oneSided), verdict(2.08, oneSided)]).toEqual(['sent', 'PRICE_FAR_FROM_BOOK']);
  });

  it('lets the last traded price stand in for an empty side', () => {
    const last = (market: TestMarket): void => {
      emptied(market);
      market.setLast(3.015);
    };
    expect([2.92, 2.94, 3.2, 3.25].map((price) => verdict(price, last))).toEqual([
      'PRICE_FAR_FROM_BOOK',
      'sent',
      'sent',
      'PRICE_FAR_FROM_BOOK',
    ]);
  });

  it('refuses a price that nothing vouches for, and says no distance', () => {
    const market = new TestMarket(0);
    emptied(market);
    const entry = new RiskDesk({ ticksFromBook: 3 }, [market]);
    expect(entry.judge()).toEqual({ code: 'PRICE_FAR_FROM_BOOK', limit: 3 });
  });
});
