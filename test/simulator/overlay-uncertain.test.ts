/**
 * What is uncertain apart from the queue: when an order arrived, what its size changes, and how taken stake comes back.
 */

import { describe, expect, it } from 'vitest';
import { instant } from '../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../src/core/side.ts';
import { against, forSide, OneModel, traded } from '../support/overlay/level-script.ts';

describe('an order that arrives between two messages', () => {
  const late = { arrival: 'after-next', size: 'ignored' } as const;

  it('is passed by the trades of the next one, and stands behind what rests after it', () => {
    const market = new OneModel('pessimistic', late);
    market.update(forSide(100, 20));
    const order = market.place(FOR, 100, 5);
    market.update(traded(100, 30), forSide(100, 40));
    expect(market.matched(order)).toBe(0);
    market.update(traded(100, 39), forSide(100, 1));
    expect(market.matched(order)).toBe(0);
    market.update(traded(100, 3), forSide(100, 0));
    expect(market.matched(order)).toBe(2);
  });

  it('takes its part of a trade at a worse price without being filled: no order of ours gains by its absence', () => {
    const market = new OneModel('pessimistic', late);
    market.update(forSide(102, 10));
    const old = market.place(FOR, 102, 20);
    market.update();
    const better = market.place(FOR, 100, 15);
    // 15 would go to those at the better price, 10 to the recorded stake, 5 to the older order.
    market.update(traded(102, 30), forSide(102, 0));
    expect([market.matched(better), market.matched(old)]).toEqual([0, 5]);
  });

  it('meets what crosses it all the same: that is there at the end of the message', () => {
    const market = new OneModel('pessimistic', late);
    market.update(forSide(100, 20));
    const order = market.place(FOR, 100, 5);
    market.update(against(101, 3));
    expect(market.matched(order)).toBe(3);
  });

  it('is forgotten with the order: its slot is used again in time', () => {
    const market = new OneModel('pessimistic', late);
    market.update(forSide(100, 20));
    market.exchange.cancel(market.place(FOR, 100, 5));
    market.update();
    const order = market.place(FOR, 100, 5);
    market.update();
    market.update(traded(100, 22), forSide(100, 0));
    expect(market.matched(order)).toBe(2);
  });
});

describe("an order's own size", () => {
  it('is counted against it: what it kept alive is reached first', () => {
    const market = new OneModel('pessimistic', { arrival: 'at-once' });
    market.update(forSide(100, 20));
    const order = market.place(FOR, 100, 10);
    // 20 of the recorded stake, then 2 × 10 × 10 ÷ 20, then the order.
    market.update(traded(100, 27), forSide(100, 0));
    expect(market.matched(order)).toBe(0);
    market.update(traded(100, 7));
    expect(market.matched(order)).toBe(4);
  });

  it('does not matter once the price was traded through', () => {
    const market = new OneModel('pessimistic', { arrival: 'at-once' });
    market.update(forSide(100, 20), forSide(102, 5));
    const order = market.place(FOR, 100, 10);
    market.update(traded(102, 15), forSide(100, 0), forSide(102, 0));
    expect(market.matched(order)).toBe(10);
  });

  it('is counted for it: so much less is ahead, but never less than of an earlier order of ours', () => {
    const market = new OneModel('optimistic');
    market.update(forSide(100, 20));
    const first = market.place(FOR, 100, 2);
    const second = market.place(FOR, 100, 30);
    // 20 − 2 × 2 × 2 ÷ 20 = 19.6; the second order would have 0.
    market.update(traded(100, 22), forSide(100, 0));
    expect([market.matched(first), market.matched(second)]).toEqual([2, 0.4]);
  });
});

describe('what we took', () => {
  function taken(refill: 'never' | 'next-change' | { halfLifeMs: number }): OneModel {
    const market = new OneModel('central', { refill });
    market.update(forSide(100, 40), forSide(101, 10));
    market.place(AGAINST, 100, 40);
    return market;
  }

  it('never comes back by itself', () => {
    const market = taken('never');
    market.update(forSide(100, 41));
    expect(market.shown(FOR)).toEqual([
      [100, 1],
      [101, 10],
    ]);
  });

  it.each([35, 41])('comes back with the next change of its level, to %d', (to) => {
    const market = taken('next-change');
    market.update(forSide(101, 12));
    expect(market.shown(FOR)).toEqual([[101, 12]]);
    market.update(forSide(100, to));
    expect(market.shown(FOR)).toEqual([
      [100, to],
      [101, 12],
    ]);
  });

  it('comes back by half in a half-life, counted from the taking and seen with the next update', () => {
    const market = taken({ halfLifeMs: 1_000 });
    market.replay.now = instant(1_000);
    expect(market.consumed(FOR, 100)).toBe(40);
    market.update();
    expect(market.consumed(FOR, 100)).toBe(20);
    market.replay.now = instant(2_000);
    // 10 of the first 40 are missing by now, and 8 more are taken.
    market.place(AGAINST, 100, 8);
    market.replay.now = instant(3_000);
    market.update();
    expect(market.consumed(FOR, 100)).toBe(9);
    market.replay.now = instant(60_000);
    market.update();
    expect(market.model.isIdle).toBe(true);
  });

  it('is not missing any more once the level that held it went: what is taken there later has a half-life of its own', () => {
    const market = taken({ halfLifeMs: 1_000 });
    market.update(forSide(100, 0));
    market.update(forSide(100, 40));
    market.place(AGAINST, 100, 8);
    market.replay.now = instant(1_000);
    market.update();
    expect(market.consumed(FOR, 100)).toBe(4);
  });

  it('meets what of ours it crosses when it comes back', () => {
    const market = new OneModel('central', { refill: 'next-change' });
    market.update(forSide(100, 40));
    const order = market.place(AGAINST, 100, 50);
    expect(market.matched(order)).toBe(40);
    market.update(forSide(100, 38));
    expect(market.matched(order)).toBe(50);
  });
});
