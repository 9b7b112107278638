import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/model-value.ts';

const OFF = 10_000_000;
const now = OFF - 600_000;
const market = testMarket({
  expectedStartTime: OFF,
  outcomes: [
    { id: 'a', against: [[2.5, 100]] },
    { id: 'b', against: [[4, 100]] },
  ],
});
const believes = (a: number) => ({ signals: { chance: { a, b: 0.2 } } });

describe('model-value', () => {
  it('backs what is worth more to the model than it costs, for a part of the Kelly stake', () => {
    const decided = decideOnce(strategy, {
      market,
      now,
      ...believes(0.45),
      wallet: { balance: 800, balanceAvailable: 800 },
    });
    // Kelly: 0.45 − 0.55 ÷ 1.5 = 1/12 of the bankroll; a quarter of that is 16.666.
    expect(decided.intents).toMatchObject([
      { outcome: 'a', side: 'For', price: 2.5, stake: 16.666, note: 'model 2.22, offered 2.5' },
    ]);
    expect(decided.plotted['edge a']).toBeCloseTo(0.125, 9);
    expect(decided.plotted['edge b']).toBeCloseTo(-0.2, 9);
  });

  it('bets no more than its largest stake, and once an outcome', () => {
    expect(decideOnce(strategy, { market, now, ...believes(0.6) }).intents).toMatchObject([{ stake: 50 }]);
    const position = [{ outcome: 'a', side: 'For', price: 2.5, stake: 10 }] as const;
    expect(decideOnce(strategy, { market, now, ...believes(0.6), position }).intents).toEqual([]);
  });

  it('does nothing without an edge, without a number, or shortly before the off', () => {
    expect(decideOnce(strategy, { market, now, ...believes(0.41) }).intents).toEqual([]);
    expect(decideOnce(strategy, { market, now }).intents).toEqual([]);
    expect(decideOnce(strategy, { market, now: OFF - 30_000, ...believes(0.6) }).intents).toEqual([]);
  });
});
