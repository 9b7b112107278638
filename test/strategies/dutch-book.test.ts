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
const queued = [
  { id: 1, outcome: 'a', side: 'For', price: 2.1, stake: 10 },
  { id: 2, outcome: 'b', side: 'For', price: 2, stake: 10.5 },
] as const;
const part = [{ outcome: 'a', side: 'For', price: 2.1, stake: 10 }] as const;

describe('dutch-book', () => {
  it('queues on every outcome for the same profit when the book of asking prices is short enough', () => {
    const { intents, refusals } = decideOnce(strategy, { market, params: { stake: 41 } });
    expect(refusals).toEqual([]);
    expect(intents).toMatchObject([
      { outcome: 'a', side: 'For', price: 2.1, stake: 20 },
      { outcome: 'b', side: 'For', price: 2, stake: 21 },
    ]);
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

  it('follows the asking prices while nothing has matched, and leaves a book that has become dear', () => {
    expect(decideOnce(strategy, { market, orders: queued }).intents).toEqual([]);
    const outcomes = [
      {
        id: 'a',
        for: [
          [2.12, 100],
          [2.1, 0],
        ],
      },
      { id: 'b', for: [[2, 100]] },
    ] as const;
    expect(decideOnce(strategy, { market: testMarket({ outcomes }), orders: queued }).intents).toEqual([
      { kind: 'replace', order: 1, price: 2.12 },
    ]);
    expect(decideOnce(strategy, { market, orders: queued, params: { edge: 0.03 } }).intents).toEqual([
      { kind: 'cancel', order: 1 },
      { kind: 'cancel', order: 2 },
    ]);
  });

  it('waits for the rest of a part match as long as its patience lasts', () => {
    const first = decideOnce(strategy, { market, orders: queued.slice(1), position: part, now: 5_000 });
    expect(first).toMatchObject({ intents: [], state: { partSince: 5_000 }, wakeAt: 25_000 });
    const { state } = first;
    const last = { market, position: part, ...(state === undefined ? {} : { state }), now: 25_000 };
    expect(decideOnce(strategy, { ...last, now: 24_999, orders: queued.slice(1) }).intents).toEqual([]);
    expect(decideOnce(strategy, { ...last, orders: queued.slice(1) }).intents).toEqual([{ kind: 'cancel', order: 2 }]);
    expect(decideOnce(strategy, last).intents).toMatchObject([
      { outcome: 'b', side: 'For', price: 1.95, stake: 10.769, matchBehavior: 'CancelUnmatched' },
    ]);
  });

  it('starts afresh once it is level', () => {
    const position = [...part, { outcome: 'b', side: 'For', price: 2, stake: 10.5 }] as const;
    const decided = decideOnce(strategy, { market, position, state: { partSince: 1 }, params: { stake: 41 } });
    expect(decided.intents).toHaveLength(2);
    expect(decided.state).toEqual({ partSince: Number.POSITIVE_INFINITY });
    expect(decideOnce(strategy, { market, position, params: { most: 10 } }).intents).toEqual([]);
  });
});
