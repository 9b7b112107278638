/** Several orders of ours in one queue: what one of them kept others from matching stands before the next. */

import { describe, expect, it } from 'vitest';
import { AGAINST, FOR } from '../../src/core/side.ts';
import { against, forSide, OneModel, traded } from '../support/overlay/level-script.ts';

const EXACT = { size: 'ignored', arrival: 'at-once' } as const;
const WORLDS = ['pessimistic', 'central', 'optimistic'] as const;

describe.each(WORLDS)('under the %s bound', (bound) => {
  it('a trade that filled the first order does not move the second one up', () => {
    const market = new OneModel(bound, EXACT);
    const first = market.place(FOR, 100, 15);
    market.update(forSide(100, 60));
    const second = market.place(FOR, 100, 15);
    // Of 60 that trade, the first order gets 15: 15 of the 60 recorded ones still stand before the second.
    market.update(traded(100, 60), forSide(100, 0));
    expect([market.matched(first), market.matched(second)]).toEqual([15, 0]);
    market.update(forSide(100, 40));
    market.update(traded(100, 15), forSide(100, 25));
    expect(market.matched(second)).toBe(0);
    market.update(traded(100, 4), forSide(100, 21));
    expect(market.matched(second)).toBe(4);
  });

  it('and neither does one that filled an order at a better price', () => {
    const market = new OneModel(bound, EXACT);
    market.update(against(90, 30));
    const better = market.place(AGAINST, 91, 20);
    const worse = market.place(AGAINST, 90, 10);
    market.update(traded(90, 30), against(90, 0));
    expect([market.matched(better), market.matched(worse)]).toEqual([20, 0]);
    market.update(against(90, 10));
    market.update(traded(90, 26), against(90, 0));
    expect(market.matched(worse)).toBe(6);
  });

  it('an order that comes later stands behind it too', () => {
    const market = new OneModel(bound, EXACT);
    market.place(FOR, 100, 10);
    market.update(forSide(100, 10));
    market.update(traded(100, 10), forSide(100, 0));
    const later = market.place(FOR, 100, 5);
    market.update(forSide(100, 20));
    market.update(traded(100, 12), forSide(100, 8));
    expect(market.matched(later)).toBe(2);
  });

  it('a trade at a worse price passes it before it comes to orders there', () => {
    const market = new OneModel(bound, EXACT);
    market.update(against(90, 8));
    market.place(AGAINST, 91, 12);
    market.update(against(91, 12));
    market.update(traded(91, 12), against(91, 0));
    const worse = market.place(AGAINST, 90, 5);
    // 12 at the better price, and then the 8 at this one.
    market.update(traded(90, 8), against(90, 0));
    market.update(against(90, 14));
    market.update(traded(90, 12), against(90, 2));
    expect(market.matched(worse)).toBe(0);
    market.update(traded(90, 2), against(90, 0));
    expect(market.matched(worse)).toBe(2);
  });

  it('it is matched by stake that crosses it, and shown to nobody', () => {
    const market = new OneModel(bound, EXACT);
    market.place(FOR, 100, 10);
    market.update(forSide(100, 10));
    market.update(traded(100, 10), forSide(100, 0));
    expect(market.shown(FOR)).toEqual([]);
    expect(market.model.displacedAt(0, FOR, 100)).toBe(10_000);
    market.update(against(101, 6));
    expect(market.model.displacedAt(0, FOR, 100)).toBe(4_000);
    market.update(against(100, 6));
    expect(market.model.displacedAt(0, FOR, 100)).toBe(0);
    expect(market.model.isIdle).toBe(true);
  });
});

it.each(WORLDS)('as large a share of displaced stake is given up as of recorded stake of its level: %s', (bound) => {
  const market = new OneModel(bound, EXACT);
  market.place(FOR, 100, 8);
  market.update(forSide(100, 48));
  market.update(traded(100, 8), forSide(100, 40));
  expect(market.model.displacedAt(0, FOR, 100)).toBe(8_000);
  market.update(forSide(100, 10));
  expect(market.model.displacedAt(0, FOR, 100)).toBe(2_000);
});

it.each(['lowest', 'highest'] as const)('the %s bound knows no displaced stake', (bound) => {
  const market = new OneModel(bound);
  market.place(FOR, 100, 8);
  market.update(forSide(100, 48));
  market.update(traded(101, 60), forSide(100, 0));
  expect(market.model.displacedAt(0, FOR, 100)).toBe(0);
});
