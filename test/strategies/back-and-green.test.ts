import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/back-and-green.ts';

const OFF = 10_000_000;
const now = OFF - 600_000;

/** The favourite can be laid at `toLay`. */
const market = (toLay = 2.52) =>
  testMarket({
    expectedStartTime: OFF,
    outcomes: [
      { id: 'a', against: [[2.5, 100]], for: [[toLay, 80]] },
      { id: 'b', for: [[4.1, 80]] },
    ],
  });
const held = {
  now,
  state: { held: 'a', entry: 2.5 },
  position: [{ outcome: 'a', side: 'For', price: 2.5, stake: 10 }],
} as const;

describe('back-and-green', () => {
  it('backs the favourite at the price on offer, once, in its time', () => {
    const decided = decideOnce(strategy, { market: market(), now });
    expect(decided.intents).toMatchObject([{ outcome: 'a', side: 'For', price: 2.5, stake: 10, note: 'enter' }]);
    expect(decided.state).toEqual({ held: 'a', entry: 2.5 });
    expect(decideOnce(strategy, { market: market(), now, state: { held: 'a', entry: 2.5 } }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: market(), now: OFF - 20 * 60_000 }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: market(2.7), now }).intents).toEqual([]);
  });

  it('holds while little happens', () => {
    const decided = decideOnce(strategy, { market: market(2.46), ...held });
    expect(decided.intents).toEqual([]);
    expect(decided.plotted).toEqual({ gained: 2 });
  });

  it.each([
    ['its profit', 2.42, now],
    ['its loss', 2.62, now],
    ['what it has a minute before the off', 2.5, OFF - 60_000],
  ])('takes %s, the same whichever outcome wins', (_what, toLay, at) => {
    const [exit] = decideOnce(strategy, { market: market(toLay), ...held, now: at }).intents;
    expect(exit).toMatchObject({ outcome: 'a', side: 'Against', price: toLay, note: 'green up' });
    if (exit?.kind === 'place') expect(exit.stake * exit.price).toBeCloseTo(25, 1);
  });

  it('waits while an order is on its way', () => {
    const orders = [{ outcome: 'a', side: 'Against', price: 2.42, stake: 10, inFlight: 'place' }] as const;
    expect(decideOnce(strategy, { market: market(2.42), ...held, orders }).intents).toEqual([]);
  });
});
