import { exponentialAverage } from 'oddsmith';
import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/pre-off-scalp.ts';

const OFF = 10_000_000;
const MINUTE = 60_000;

/** The favourite offered at 2.4, asked at `ask`; the last price is `last`. */
const race = (ask = 2.44, last = 2.42) =>
  testMarket({
    expectedStartTime: OFF,
    outcomes: [
      { id: 'a', against: [[2.4, 100]], for: [[ask, 80]], lastPrice: last },
      { id: 'b', for: [[4.1, 80]] },
    ],
  });

/** Averages that have watched `price` for half an hour. */
function watched(price: number) {
  const [fast, slow] = [exponentialAverage('20s'), exponentialAverage('3m')];
  for (const average of [fast, slow]) {
    average.add(OFF - 40 * MINUTE, price);
    average.add(OFF - 11 * MINUTE, 2.42);
  }
  return { fast, slow, held: '', entry: 0 };
}
const held = { ...watched(2.6), held: 'a', entry: 2.44 };
const bet = [{ outcome: 'a', side: 'For', price: 2.44, stake: 10 }] as const;
const now = OFF - 10 * MINUTE;

describe('pre-off-scalp', () => {
  it('queues to back the favourite while its price is coming in', () => {
    const decided = decideOnce(strategy, { market: race(), now, state: watched(2.6) });
    expect(decided.intents).toMatchObject([{ outcome: 'a', side: 'For', price: 2.44, stake: 10 }]);
    expect(decided.state).toMatchObject({ held: 'a', entry: 2.44 });
    expect(decided.plotted['fast']).toBeLessThan(decided.plotted['slow'] ?? 0);
  });

  it('stays out while it is going out, before its time, too close to the off, and in a wide market', () => {
    expect(decideOnce(strategy, { market: race(), now, state: watched(2.2) }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: race(), now: OFF - MINUTE, state: watched(2.6) }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: race(), now: OFF - 30 * MINUTE }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: race(2.8), now, state: watched(2.6) }).intents).toEqual([]);
  });

  it('offers what was matched two ticks lower, for the same profit whoever wins', () => {
    const [exit] = decideOnce(strategy, { market: race(), now, state: held, position: bet }).intents;
    expect(exit).toMatchObject({ outcome: 'a', side: 'Against', price: 2.4, stake: 10.166, note: 'take' });
  });

  it('cuts a loss of three ticks at once, and everything before the off: first the orders, then the bet', () => {
    const cut = decideOnce(strategy, { market: race(2.5), now, state: held, position: bet });
    expect(cut.intents).toMatchObject([{ side: 'Against', price: 2.5, matchBehavior: 'CancelUnmatched' }]);
    const late = { market: race(), now: OFF - 2 * MINUTE, state: held, position: bet };
    expect(decideOnce(strategy, late).intents).toMatchObject([{ side: 'Against', price: 2.44 }]);
    const orders = [{ outcome: 'a', side: 'Against', price: 2.4, stake: 10 }] as const;
    expect(decideOnce(strategy, { ...late, orders }).intents).toEqual([{ kind: 'cancel', order: 1 }]);
  });
});
