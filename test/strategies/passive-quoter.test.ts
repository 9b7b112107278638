import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/passive-quoter.ts';

const setup = {
  outcomes: [
    { id: 'a', against: [[2, 100]], for: [[2.04, 80]] },
    { id: 'b', against: [[3, 100]], for: [[3.05, 80]] },
    { id: 'wide', against: [[4, 100]], for: [[50, 80]] },
    { id: 'fourth', against: [[9, 100]], for: [[9.2, 80]] },
  ],
} as const;
const market = testMarket(setup);
const quotesOnA = [
  { id: 1, outcome: 'a', side: 'For', price: 2.04, stake: 5 },
  { id: 2, outcome: 'a', side: 'Against', price: 2, stake: 5 },
] as const;

describe('passive-quoter', () => {
  it('joins the queue on both sides of the favourites whose spread is sane', () => {
    const { intents, refusals } = decideOnce(strategy, { market, params: { stake: 3 } });
    expect(refusals).toEqual([]);
    expect(intents).toEqual([
      { kind: 'place', market: 'market', outcome: 'a', side: 'For', price: 2.04, stake: 3 },
      { kind: 'place', market: 'market', outcome: 'a', side: 'Against', price: 2, stake: 3 },
      { kind: 'place', market: 'market', outcome: 'b', side: 'For', price: 3.05, stake: 3 },
      { kind: 'place', market: 'market', outcome: 'b', side: 'Against', price: 3, stake: 3 },
    ]);
  });

  it('leaves quotes at the best prices where they are and moves those the book has left', () => {
    const params = { outcomes: 1 };
    expect(decideOnce(strategy, { market, params, orders: quotesOnA }).intents).toEqual([]);
    const moved = testMarket({
      outcomes: [
        {
          id: 'a',
          against: [[1.98, 100]],
          for: [
            [2.02, 80],
            [2.04, 5],
          ],
        },
      ],
    });
    expect(decideOnce(strategy, { market: moved, params, orders: quotesOnA }).intents).toEqual([
      { kind: 'replace', order: 1, price: 2.02 },
      { kind: 'replace', order: 2, price: 1.98 },
    ]);
  });

  it('sends nothing twice while an answer is awaited', () => {
    const orders = quotesOnA.map((order) => ({ ...order, price: 1.5, inFlight: 'cancel' as const }));
    expect(decideOnce(strategy, { market, params: { outcomes: 1 }, orders }).intents).toEqual([]);
  });

  it('stops adding to a side that is full, and cancels what it no longer quotes', () => {
    const position = [{ outcome: 'a', side: 'For', price: 2.04, stake: 20 }] as const;
    const orders = [...quotesOnA, { id: 3, outcome: 'fourth', side: 'For', price: 9.2, stake: 5 } as const];
    const { intents } = decideOnce(strategy, { market, params: { outcomes: 1 }, orders, position });
    expect(intents).toEqual([
      { kind: 'cancel', order: 1 },
      { kind: 'cancel', order: 3 },
    ]);
  });

  it('cancels everything at in play, then goes flat', () => {
    const inPlay = testMarket({ ...setup, inPlay: true });
    expect(decideOnce(strategy, { market: inPlay, orders: quotesOnA }).intents).toEqual([
      { kind: 'cancel', order: 1 },
      { kind: 'cancel', order: 2 },
    ]);
    const position = [{ outcome: 'a', side: 'For', price: 2.04, stake: 5 }] as const;
    expect(decideOnce(strategy, { market: inPlay, position }).intents).toMatchObject([
      { kind: 'place', outcome: 'a', side: 'Against', price: 2.04, stake: 5 },
    ]);
    expect(decideOnce(strategy, { market: inPlay }).intents).toEqual([]);
  });
});
