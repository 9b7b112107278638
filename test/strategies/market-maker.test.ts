import { type OutcomeView, rangeOver, tradedOver } from 'oddsmith';
import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/market-maker.ts';

const OFF = 10_000_000;
const NOW = OFF - 600_000;

const market = (tradedAt = 2.5) =>
  testMarket({
    expectedStartTime: OFF,
    outcomes: [
      {
        id: 'a',
        against: [[2.4, 100]],
        for: [[2.6, 80]],

        tradedLevels: [
          [2, 10],
          [tradedAt, 30],
        ],
      },
      { id: 'b', for: [[1.7, 50]] },
    ],
  });

/** What it knew a little before: nothing traded above 2, a traded price that stood still or ran. */
function watched(last: readonly number[] = [2.5]) {
  const [range, traded] = [rangeOver('30s'), tradedOver('1m')];
  for (const [at, price] of last.entries()) range.add(NOW - 1_000 * (last.length - at), price);
  traded.add(NOW - 10_000, { traded: 10, tradedLevels: () => [{ price: 2, stake: 10 }] } as unknown as OutcomeView);
  return { watched: new Map([['a', { range, traded }]]) };
}
const params = { outcomes: 1 };

describe('market-maker', () => {
  it('quotes both sides around the price at which the last minute was traded', () => {
    const decided = decideOnce(strategy, { market: market(), now: NOW, state: watched(), params });
    expect(decided.refusals).toEqual([]);
    expect(decided.intents).toMatchObject([
      { side: 'For', price: 2.54, stake: 5 },
      { side: 'Against', price: 2.46, stake: 5 },
    ]);
    expect(decided.plotted).toEqual({ 'fair a': 2.5 });
  });

  it('leans against what it holds, and stops adding to a side that is full', () => {
    const position = [{ outcome: 'a', side: 'For', price: 2.5, stake: 10 }] as const;
    const leant = decideOnce(strategy, { market: market(), now: NOW, state: watched(), params, position });
    expect(leant.intents).toMatchObject([{ price: 2.58 }, { price: 2.5 }]);
    const full = [{ outcome: 'a', side: 'For', price: 2.5, stake: 15 }] as const;
    const only = decideOnce(strategy, { market: market(), now: NOW, state: watched(), params, position: full });
    expect(only.intents).toMatchObject([{ side: 'Against' }]);
  });

  it('never quotes through the other side', () => {
    const low = decideOnce(strategy, { market: market(2.2), now: NOW, state: watched([2.2]), params });
    expect(low.intents).toMatchObject([
      { side: 'For', price: 2.42 },
      { side: 'Against', price: 2.16 },
    ]);
  });

  it('lets quotes stand that are right to a tick, and moves others', () => {
    const orders = [
      { outcome: 'a', side: 'For', price: 2.56, stake: 5 },
      { outcome: 'a', side: 'Against', price: 2.4, stake: 5 },
    ] as const;
    const { intents } = decideOnce(strategy, { market: market(), now: NOW, state: watched(), params, orders });
    expect(intents).toEqual([{ kind: 'replace', order: 2, price: 2.46 }]);
  });

  it('stands back while the price runs, and where it knows no trades', () => {
    expect(decideOnce(strategy, { market: market(), now: NOW, state: watched([2, 2.5]), params }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: market(), now: NOW, params }).intents).toEqual([]);
  });

  it('goes flat before the off: first its orders, then its bets', () => {
    const now = OFF - 60_000;
    const position = [{ outcome: 'a', side: 'For', price: 2.5, stake: 10 }] as const;
    const orders = [{ outcome: 'a', side: 'For', price: 2.54, stake: 5 }] as const;
    expect(decideOnce(strategy, { market: market(), now, params, position, orders }).intents).toEqual([
      { kind: 'cancel', order: 1 },
    ]);
    expect(decideOnce(strategy, { market: market(), now, params, position }).intents).toMatchObject([
      { side: 'Against', price: 2.6 },
    ]);
  });
});
