/** Recorded stake that matches ours: takers, increases that cross us, pauses, and what stays consumed. */

import { describe, expect, it } from 'vitest';
import { AGAINST, FOR } from '../../src/core/side.ts';
import { AT_ONCE, against, forSide, OneModel, traded } from '../support/overlay/level-script.ts';

describe('a taker', () => {
  it('meets the recorded stake ahead of our order, then our order, then the recorded stake behind it', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 20));
    const own = market.place(FOR, 100, 5);
    market.update(forSide(100, 50));
    expect(market.takenFrom(AGAINST, 100, 60)).toEqual(['recorded', own, 'recorded']);
    expect(market.shown(FOR)).toEqual([]);
    expect(market.consumed(FOR, 100)).toBe(50);
  });

  it('meets our order first under the highest fill model and last under the lowest one', () => {
    const from = (['highest', 'lowest'] as const).map((bound) => {
      const market = new OneModel(bound, AT_ONCE);
      market.update(forSide(100, 20));
      market.place(FOR, 100, 5);
      return market.takenFrom(AGAINST, 100, 10);
    });
    expect(from).toEqual([[0, 'recorded'], ['recorded']]);
  });

  it('finds the same recorded stake only once: it comes back as new recorded stake alone', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 50), forSide(101, 40));
    expect(market.matched(market.place(AGAINST, 100, 30))).toBe(30);
    expect(market.shown(FOR)).toEqual([
      [100, 20],
      [101, 40],
    ]);
    const waiting = market.place(AGAINST, 101, 70);
    expect(market.matched(waiting)).toBe(60);
    market.update(forSide(100, 35));
    expect(market.shown(FOR)).toEqual([]);
    expect(market.matched(waiting)).toBe(60);
    market.update(forSide(100, 42));
    expect(market.matched(waiting)).toBe(67);
  });
});

describe('what we consumed of a level', () => {
  it('goes with the level and leaves no trace once the level is gone', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 50));
    market.place(AGAINST, 100, 30);
    market.update(forSide(100, 20));
    expect(market.consumed(FOR, 100)).toBe(20);
    market.update(forSide(100, 25));
    expect(market.shown(FOR)).toEqual([[100, 5]]);
    market.update(forSide(100, 0));
    expect(market.model.isIdle).toBe(true);
    market.update(forSide(100, 25));
    expect(market.shown(FOR)).toEqual([[100, 25]]);
  });

  it('is capped by trades as by cancellations, and a traded level that is full again is new stake', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 50));
    market.place(AGAINST, 100, 50);
    market.update(traded(100, 30));
    expect(market.shown(FOR)).toEqual([[100, 30]]);
  });

  it('is forgotten when the market ends', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 50));
    market.place(AGAINST, 100, 30);
    market.model.release();
    expect(market.shown(FOR)).toEqual([[100, 50]]);
    expect(market.model.isIdle).toBe(true);
  });

  it('cannot be forgotten while an order of ours still rests', () => {
    const market = new OneModel('central');
    market.place(AGAINST, 100, 30);
    expect(() => market.model.release()).toThrow('orders still rest');
  });
});

describe('less than a thousandth of stake', () => {
  it('is neither shown nor matched where it was recorded, and is counted once there is more', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 0.9), forSide(101, 3));
    expect(market.shown(FOR)).toEqual([[101, 3]]);
    const taker = market.place(AGAINST, 100, 2);
    expect([market.matched(taker), market.shown(AGAINST)]).toEqual([0, [[100, 2]]]);
    market.exchange.cancel(taker);
    market.update(forSide(100, 1.1));
    expect(market.shown(FOR)).toEqual([
      [100, 1.1],
      [101, 3],
    ]);
  });

  it('is neither shown nor matched where we left it of a level', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 5), forSide(101, 3));
    market.place(AGAINST, 100, 4.5);
    expect(market.shown(FOR)).toEqual([[101, 3]]);
    const taker = market.place(AGAINST, 101, 4);
    expect([market.matched(taker), market.consumed(FOR, 100)]).toEqual([3, 4.5]);
  });

  it('is neither shown nor matched where it is left of our order, until more rests at its price', () => {
    const market = new OneModel('central');
    const own = market.place(FOR, 100, 4.6);
    market.update(traded(100, 4));
    expect([market.matched(own), market.shown(FOR)]).toEqual([4, []]);
    const taker = market.place(AGAINST, 100, 2);
    expect(market.matched(taker)).toBe(0);
    market.exchange.cancel(taker);
    market.update(forSide(100, 0.7));
    expect(market.shown(FOR)).toEqual([[100, 1.3]]);
    expect(market.takenFrom(AGAINST, 100, 1)).toEqual([own, 'recorded']);
  });
});

describe('an increase that crosses our order', () => {
  it('fills it at its own price and is consumed by as much; its later trade does not fill us again', () => {
    const market = new OneModel('central');
    market.update(against(90, 10));
    const first = market.place(FOR, 100, 5);
    const second = market.place(FOR, 101, 20);
    market.update(against(102, 15));
    expect([market.matched(first), market.matched(second)]).toEqual([5, 10]);
    expect(market.exchange.fills.map((fill) => fill.tick)).toEqual([100, 101]);
    expect(market.shown(AGAINST)).toEqual([[90, 10]]);
    market.update(traded(102, 15), against(102, 0));
    expect(market.matched(second)).toBe(10);
    expect(market.consumed(AGAINST, 102)).toBe(0);
  });

  it('shows what is left of it when it is larger than our order', () => {
    const market = new OneModel('optimistic');
    const order = market.place(FOR, 100, 5);
    market.update(against(100, 8));
    expect(market.matched(order)).toBe(5);
    expect(market.shown(AGAINST)).toEqual([[100, 3]]);
  });

  it('fills no order under the lowest fill model, and is not there for our takers either', () => {
    const market = new OneModel('lowest', AT_ONCE);
    const order = market.place(FOR, 100, 5);
    market.update(against(102, 8));
    expect(market.matched(order)).toBe(0);
    expect(market.shown(AGAINST)).toEqual([[102, 3]]);
    expect(market.matched(market.place(FOR, 101, 8))).toBe(3);
  });
});

describe('a paused market', () => {
  it('fills no order, and meets what still crosses at the end of the update in which it resumes', () => {
    const market = new OneModel('central');
    const order = market.place(FOR, 100, 20);
    market.replay.do({ kind: 'pause' });
    market.update(against(102, 8), against(103, 9), against(104, 7));
    market.update(against(103, 0), traded(99, 50));
    expect(market.matched(order)).toBe(0);
    market.replay.do({ kind: 'resume' });
    expect(market.matched(order)).toBe(0);
    // The resuming message takes 4 away before anything is matched; what it adds is matched like any increase.
    market.update(against(102, 4), against(105, 1));
    expect(market.matched(order)).toBe(12);
    expect(market.shown(AGAINST)).toEqual([]);
  });

  it('lets the recorded queue move up', () => {
    const market = new OneModel('central');
    market.update(forSide(100, 40));
    const order = market.place(FOR, 100, 5);
    market.replay.do({ kind: 'pause' });
    market.update(traded(100, 30), forSide(100, 10));
    market.replay.do({ kind: 'resume' });
    market.update(traded(100, 12), forSide(100, 0));
    expect(market.matched(order)).toBe(2);
  });

  it('reserves at once under the lowest fill model, which fills no order anyhow', () => {
    const market = new OneModel('lowest', AT_ONCE);
    market.place(FOR, 100, 5);
    market.replay.do({ kind: 'pause' });
    market.update(against(102, 8));
    market.replay.do({ kind: 'resume' });
    market.update();
    expect(market.shown(AGAINST)).toEqual([[102, 3]]);
  });
});

describe('the sink', () => {
  it('may withdraw any order in the middle of a walk', () => {
    const market = new OneModel('central');
    const [first, second, third] = [5, 5, 5].map((stake) => market.place(FOR, 100, stake));
    market.exchange.afterFill = () => market.exchange.cancel(second!);
    market.update(traded(100, 8));
    expect([first, second, third].map((client) => market.matched(client!))).toEqual([5, 0, 3]);
  });

  it('must take each fill off its order', () => {
    const market = new OneModel('central');
    market.place(FOR, 100, 5);
    market.exchange.fillResting = () => {};
    expect(() => market.update(traded(100, 8))).toThrow('was not taken off it');
  });
});
