import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/win-and-place.ts';

const OFF = 10_000_000;
const now = OFF - 600_000;

/** Of four runners at 4 each two are placed, so that each ought to be placed at 2. */
const win = testMarket({
  id: 'win',
  marketTypeId: 'WIN',
  expectedStartTime: OFF,
  outcomes: ['A', 'B', 'C', 'D'].map((title) => ({
    id: `w${title}`,
    title,
    against: [[3.95, 100]],
    for: [[4.1, 100]],
  })),
});
const place = (offered: number) =>
  testMarket({
    id: 'place',
    marketTypeId: 'PLACE',
    expectedStartTime: OFF,
    winners: { min: 2, max: 2 },
    outcomes: ['A', 'B', 'C', 'D'].map((title) => ({
      ...{ id: `p${title}`, title, against: [[title === 'C' ? offered : 1.9, 50]], for: [[2.3, 50]] },
    })),
  });

describe('win-and-place', () => {
  it('backs to be placed what is offered longer than the win prices say, and lays it to win', () => {
    const decided = decideOnce(strategy, { market: place(2.2), now, linked: [{ market: win }] });
    expect(decided.refusals).toEqual([]);
    expect(decided.intents).toMatchObject([
      { market: 'place', outcome: 'pC', side: 'For', price: 2.2, stake: 10, note: 'placed at 2.2, fair 2.00' },
      { market: 'win', outcome: 'wC', side: 'Against', price: 4.1, stake: 5 },
    ]);
    expect(decided.plotted['fair C']).toBeCloseTo(2, 9);
  });

  it('stays out at a fair price, of the win market, without it, and while an order is out in either', () => {
    expect(decideOnce(strategy, { market: place(2.1), now, linked: [{ market: win }] }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: win, now, linked: [{ market: place(2.2) }] }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: place(2.2), now }).intents).toEqual([]);
    const orders = [{ outcome: 'wA', side: 'For', price: 4, stake: 2 }] as const;
    expect(decideOnce(strategy, { market: place(2.2), now, linked: [{ market: win, orders }] }).intents).toEqual([]);
  });

  it('leaves both markets before the off', () => {
    const { intents } = decideOnce(strategy, {
      market: place(2.2),
      now: OFF - 120_000,
      position: [{ outcome: 'pC', side: 'For', price: 2.2, stake: 10 }],
      linked: [{ market: win, position: [{ outcome: 'wC', side: 'Against', price: 4.1, stake: 5 }] }],
    });
    expect(intents).toMatchObject([
      { market: 'place', outcome: 'pC', side: 'Against', price: 2.3, stake: 9.565 },
      { market: 'win', outcome: 'wC', side: 'For', price: 3.95, stake: 5.189 },
    ]);
  });
});
