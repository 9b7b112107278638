/** Where our orders stand in a recorded queue, and what trades and cancellations do to their place. */

import { describe, expect, it } from 'vitest';
import { AGAINST, FOR } from '../../src/core/side.ts';
import type { CancellationRule } from '../../src/simulator/overlay/fill-rules.ts';
import { AT_ONCE, against, forSide, OneModel, traded } from '../support/overlay/level-script.ts';

describe('a passive order', () => {
  it('waits behind what rested when it came, and is then filled at its own price', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 50));
    const order = market.place(FOR, 100, 10);
    market.update(traded(100, 50), forSide(100, 0));
    expect(market.matched(order)).toBe(0);
    market.update(forSide(100, 30));
    market.update(traded(100, 4), forSide(100, 26));
    expect(market.matched(order)).toBe(4);
    expect(market.exchange.fills).toEqual([
      { client: 0, how: 'recorded', tick: 100, stake: 4_000, fromRecorded: true },
    ]);
  });

  it('shares one trade with the orders of ours before it', () => {
    const market = new OneModel('central');
    market.update(against(100, 50));
    const first = market.place(AGAINST, 100, 10);
    market.update(against(100, 70));
    const second = market.place(AGAINST, 100, 10);
    market.update(traded(100, 84), against(100, 0));
    // 50 recorded, 10 of ours, the 20 recorded that came in between, and 4 for the second order.
    expect([market.matched(first), market.matched(second)]).toEqual([10, 4]);
  });

  it('is filled by a trade at a worse price before that price is', () => {
    const market = new OneModel('lowest', AT_ONCE);
    market.update(forSide(100, 50), forSide(102, 50));
    const better = market.place(FOR, 100, 10);
    const worse = market.place(FOR, 102, 10);
    market.update(traded(102, 62), forSide(100, 0), forSide(102, 0));
    expect([market.matched(better), market.matched(worse)]).toEqual([10, 2]);
  });

  it.each<[CancellationRule, number]>([
    // 30 ahead of 100, the level falls to 35: 10.5 = 30 × 35 ÷ 100; 0 = max(0, 30 − 65); 30 = min(30, 35).
    ['pro-rata', 10.5],
    ['ahead', 0],
    ['behind', 30],
  ])('moves up by the rule %s when stake leaves without a trade', (cancellations, ahead) => {
    const market = new OneModel('central', { cancellations });
    market.update(forSide(100, 30));
    const order = market.place(FOR, 100, 5);
    market.update(forSide(100, 100));
    market.update(forSide(100, 35));
    market.update(traded(100, ahead), forSide(100, 35 - ahead));
    expect(market.matched(order)).toBe(0);
    market.update(traded(100, 1), forSide(100, 34 - ahead));
    expect(market.matched(order)).toBe(1);
  });

  it('takes only the part of a decrease that trades do not explain for a cancellation', () => {
    const market = new OneModel('central', { cancellations: 'behind' });
    market.update(forSide(100, 60));
    const order = market.place(FOR, 100, 5);
    market.update(forSide(100, 100));
    market.update(traded(100, 30), forSide(100, 50));
    market.update(traded(100, 30), forSide(100, 20));
    expect(market.matched(order)).toBe(0);
    market.update(traded(100, 2), forSide(100, 18));
    expect(market.matched(order)).toBe(2);
  });

  it('stands first once its level was removed, also when recorded stake comes back', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 80));
    const order = market.place(FOR, 100, 5);
    market.update(forSide(100, 0));
    market.update(forSide(100, 90));
    market.update(traded(100, 3), forSide(100, 87));
    expect(market.matched(order)).toBe(3);
  });

  it('stands behind later arrivals too under the lowest fill model, and before everybody under the highest', () => {
    const matched = (['lowest', 'highest'] as const).map((bound) => {
      const market = new OneModel(bound, AT_ONCE);
      market.update(forSide(100, 20));
      const order = market.place(FOR, 100, 5);
      market.update(forSide(100, 0));
      market.update(forSide(100, 90));
      market.update(traded(100, 88), forSide(100, 2));
      return market.matched(order);
    });
    expect(matched).toEqual([0, 5]);
  });

  it('is passed by volume that was never displayed, in its turn', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 20));
    const order = market.place(FOR, 100, 5);
    market.update(traded(100, 23), forSide(100, 0));
    expect(market.matched(order)).toBe(3);
  });

  it('is filled by a trade at or through its price where nothing was displayed', () => {
    const market = new OneModel('lowest', AT_ONCE);
    market.update(against(90, 50), forSide(110, 50));
    const order = market.place(FOR, 100, 9);
    market.update(traded(99, 7));
    expect(market.matched(order)).toBe(0);
    market.update(traded(100, 4));
    market.update(traded(101, 3));
    expect(market.matched(order)).toBe(7);
  });

  it('is not filled by a trade of the other side, though it stands through its price', () => {
    const market = new OneModel('lowest', AT_ONCE);
    market.update(against(95, 50));
    const order = market.place(FOR, 100, 10);
    market.update(against(101, 30));
    market.update(traded(101, 30), against(101, 0));
    expect(market.matched(order)).toBe(0);
  });

  it('is filled best price first by several prices in one message, whatever their order on the tape', () => {
    const market = new OneModel('central');
    market.update(against(90, 50));
    const better = market.place(FOR, 98, 4);
    const worse = market.place(FOR, 100, 4);
    market.update(traded(100, 3), traded(98, 3));
    expect([market.matched(better), market.matched(worse)]).toEqual([4, 2]);
  });
});

describe('a last price alone', () => {
  it('fills no order, unless the rule `through` is on and the price went beyond ours', () => {
    const fill = (lastPrice: 'ignored' | 'through', lastTick: number, bound: 'central' | 'lowest' = 'central') => {
      const market = new OneModel(bound, { lastPrice });
      const order = market.place(FOR, 100, 5);
      market.update({ lastTick });
      return market.matched(order);
    };
    expect([fill('ignored', 120), fill('through', 100), fill('through', 101)]).toEqual([0, 0, 5]);
    expect(fill('through', 101, 'lowest')).toBe(0);
  });
});
