import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaceIntent } from '../../src/core/intent.ts';
import { requote } from '../../src/strategy/helpers/requote.ts';
import type { OrderView } from '../../src/strategy/views/views.ts';

function order(made: Partial<OrderView> & { readonly id: number }): OrderView {
  return {
    marketId: 'm',
    outcomeId: 'a',
    side: 'For',
    price: 2,
    stake: 5,
    stakeMatched: 0,
    stakeUnmatched: 5,
    stakeVoided: 0,
    averagePrice: undefined,
    status: 'Unmatched',
    inFlight: undefined,
    unknown: false,
    cancelling: false,
    placedAt: 0,
    stakeMin: undefined,
    payoutMin: undefined,
    note: undefined,
    ...made,
  };
}

function quote(made: Partial<PlaceIntent> = {}): PlaceIntent {
  return { kind: 'place', market: 'm', outcome: 'a', side: 'For', price: 2, stake: 5, ...made };
}

describe('requote', () => {
  it('keeps, moves, places and cancels', () => {
    const orders = [
      order({ id: 1 }),
      order({ id: 2, side: 'Against', price: 1.9 }),
      order({ id: 3, outcomeId: 'gone' }),
      order({ id: 4, marketId: 'other' }),
    ];
    const fresh = quote({ outcome: 'b' });
    expect(requote(orders, [quote(), quote({ side: 'Against', price: 1.8 }), fresh])).toEqual([
      { kind: 'replace', order: 2, price: 1.8 },
      fresh,
      { kind: 'cancel', order: 3 },
      { kind: 'cancel', order: 4 },
    ]);
  });

  it('moves as few orders of a ladder of quotes as it can', () => {
    const orders = [order({ id: 1, price: 2 }), order({ id: 2, price: 2.02 }), order({ id: 3, price: 2.04 })];
    const quotes = [2.02, 2.04, 2.06].map((price) => quote({ price }));
    expect(requote(orders, quotes)).toEqual([{ kind: 'replace', order: 1, price: 2.06 }]);
  });

  it('waits for what is on its way or of unknown fate', () => {
    const orders = [
      order({ id: 1, inFlight: 'place' }),
      order({ id: 2, side: 'Against', inFlight: 'cancel' }),
      order({ id: 3, outcomeId: 'b', unknown: true }),
      order({ id: 4, outcomeId: 'c', status: 'Pending', cancelling: true }),
    ];
    const onC = quote({ outcome: 'c', price: 3 });
    expect(
      requote(orders, [
        quote({ price: 3 }),
        quote({ side: 'Against', price: 3 }),
        quote({ outcome: 'b', price: 3 }),
        onC,
      ]),
    ).toEqual([]);
    expect(requote(orders, [])).toEqual([]);
  });

  it('counts a remainder below the exchange’s minimum as no quote: it goes, and the quote is placed anew', () => {
    const minimum = { stakeMin: 1, payoutMin: 10 };
    const remainder = { ...minimum, status: 'PartiallyMatched' as const, stakeMatched: 4.2, stakeUnmatched: 0.8 };
    expect(requote([order({ id: 1, ...remainder })], [quote()])).toEqual([quote(), { kind: 'cancel', order: 1 }]);
    // Moved it would be refused as too small.
    const moved = quote({ price: 2.02 });
    expect(requote([order({ id: 1, ...remainder })], [moved])).toEqual([moved, { kind: 'cancel', order: 1 }]);
    // A payout of 0.8 × 12.5 is enough, and so is a stake of 1.
    const enough = order({ id: 1, ...remainder, price: 12.5 });
    expect(requote([enough], [quote({ price: 12.5 })])).toEqual([]);
    expect(requote([order({ id: 1, ...remainder, stakeUnmatched: 1 })], [quote()])).toEqual([]);
    expect(requote([order({ id: 1, ...remainder, cancelling: true })], [quote()])).toEqual([quote()]);
  });

  it('once all it asked for is done, asks for nothing more', () => {
    const spot = fc.record({
      outcome: fc.constantFrom('a', 'b'),
      side: fc.constantFrom('For' as const, 'Against' as const),
      price: fc.constantFrom(2, 2.02, 2.04),
    });
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 8 }), fc.array(spot, { maxLength: 8 }), (standing, wanted) => {
        let next = standing.length;
        let orders = standing.map(({ outcome, side, price }, id) => order({ id, outcomeId: outcome, side, price }));
        const quotes = wanted.map(quote);
        for (const intent of requote(orders, quotes)) {
          if (intent.kind === 'place') {
            orders.push(order({ id: next, outcomeId: intent.outcome, side: intent.side, price: intent.price }));
            next += 1;
          }
          if (intent.kind === 'cancel') orders = orders.filter(({ id }) => id !== intent.order);
          if (intent.kind === 'replace') {
            orders = orders.map((each) => (each.id === intent.order ? { ...each, price: intent.price } : each));
          }
        }
        const key = (on: string, side: string, price: number) => `${on} ${side} ${price}`;
        expect(orders.map((o) => key(o.outcomeId, o.side, o.price)).toSorted()).toEqual(
          quotes.map((q) => key(q.outcome, q.side, q.price)).toSorted(),
        );
        expect(requote(orders, quotes)).toEqual([]);
      }),
    );
  });
});
