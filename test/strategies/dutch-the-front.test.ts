import { simpleAverage } from 'oddsmith';
import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/dutch-the-front.ts';

const OFF = 10_000_000;
const now = OFF - 300_000;

/** Two favourites at 2.5 and 4, a book of 0.65, with `stake` on offer at each. */
const market = (stake = 100, winners = { min: 1, max: 1 }) =>
  testMarket({
    expectedStartTime: OFF,
    winners,
    outcomes: [
      { id: 'a', against: [[2.5, stake]] },
      { id: 'b', against: [[4, stake]] },
      { id: 'c', against: [[9, stake]] },
    ],
  });

/** The book was this for ten minutes. */
function usually(book: number) {
  const usual = simpleAverage('5m');
  usual.add(now - 600_000, book);
  return { usual, isIn: false };
}

describe('dutch-the-front', () => {
  it('backs both for the same profit when they are cheaper than usual, once', () => {
    const decided = decideOnce(strategy, { market: market(), now, state: usually(0.66) });
    expect(decided.refusals).toEqual([]);
    expect(decided.intents).toMatchObject([
      { outcome: 'a', price: 2.5, stake: 6.153, note: 'book 0.650, usually 0.660' },
      { outcome: 'b', price: 4, stake: 3.846 },
    ]);
    expect(decided.state?.isIn).toBe(true);
    const state = { ...usually(0.66), isIn: true };
    expect(decideOnce(strategy, { market: market(), now, state }).intents).toEqual([]);
  });

  it('stays out of a book as dear as usual, out of its time, and where several win', () => {
    expect(decideOnce(strategy, { market: market(), now, state: usually(0.655) }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: market(), now: OFF - 30_000, state: usually(0.7) }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: market(), now }).intents).toEqual([]);
    const places = market(100, { min: 2, max: 2 });
    expect(decideOnce(strategy, { market: places, now, state: usually(0.7) }).intents).toEqual([]);
  });

  it('takes no part of a dutch', () => {
    expect(decideOnce(strategy, { market: market(5), now, state: usually(0.66) }).intents).toEqual([]);
  });
});
