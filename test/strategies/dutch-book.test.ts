import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/dutch-book.ts';

/** Other backers ask 2.1 and 2, a book of 97.6 %. */
const market = testMarket({
  updatedAt: 1_000,
  outcomes: [
    { id: 'a', against: [[2.04, 100]], for: [[2.1, 100]] },
    { id: 'b', against: [[1.95, 100]], for: [[2, 100]] },
  ],
});
const queued = { outcome: 'a', side: 'For', price: 2.1, stake: 10, placedAt: 1_000 } as const;

describe('dutch-book', () => {
  it('queues on every outcome for the same profit when the book of asking prices is short enough', () => {
    const { intents, refusals, wakeAt } = decideOnce(strategy, { market, params: { stake: 41 } });
    expect(refusals).toEqual([]);
    expect(intents).toMatchObject([
      { outcome: 'a', side: 'For', price: 2.1, stake: 20 },
      { outcome: 'b', side: 'For', price: 2, stake: 21 },
    ]);
    expect(wakeAt).toBe(21_000);
  });

  it('stays out of a dear book, of one with a price missing, and of a suspended one', () => {
    expect(decideOnce(strategy, { market, params: { edge: 0.03 } }).intents).toEqual([]);
    const gap = testMarket({ outcomes: [{ id: 'a', for: [[9, 1]] }, { id: 'b' }] });
    expect(decideOnce(strategy, { market: gap }).intents).toEqual([]);
    const suspended = testMarket({
      outcomes: [
        { id: 'a', for: [[9, 1]] },
        { id: 'b', for: [[9, 1]] },
      ],
      suspended: true,
    });
    expect(decideOnce(strategy, { market: suspended }).intents).toEqual([]);
  });

  it('waits as long as its patience lasts, then cancels once', () => {
    const patient = decideOnce(strategy, { market, orders: [queued], now: 20_999 });
    expect(patient).toMatchObject({ intents: [], wakeAt: 21_000 });
    expect(decideOnce(strategy, { market, orders: [queued], now: 21_000 }).intents).toEqual([
      { kind: 'cancelAll', market: 'market' },
    ]);
    const cancelling = [{ ...queued, inFlight: 'cancel' } as const];
    expect(decideOnce(strategy, { market, orders: cancelling, now: 22_000 }).intents).toEqual([]);
  });

  it('levels out what has matched on one outcome only', () => {
    const position = [{ outcome: 'a', side: 'For', price: 2.1, stake: 10 }] as const;
    const { intents } = decideOnce(strategy, { market, position });
    expect(intents).toMatchObject([{ outcome: 'b', side: 'For', price: 1.95, stake: 10.769 }]);
  });
});
