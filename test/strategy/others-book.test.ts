/** `outcome.without(orders)`: what the others offer, by the testing entry, through which a strategy is asked as in a run. */

import { describe, expect, it } from 'vitest';
import { createFixedMarket } from '../../src/strategy/testing/fixed-market.ts';
import { createMarketView } from '../../src/strategy/views/market-view.ts';
import { ViewClosed, ViewGate } from '../../src/strategy/views/view-gate.ts';
import type { OrderView } from '../../src/strategy/views/views.ts';

const FAR = { for: [[3, 7]] as const, against: [[2.9, 7]] as const };

function opened() {
  const gate = new ViewGate();
  const market = createMarketView(
    createFixedMarket({
      id: 'm',
      outcomes: [
        {
          id: 'a',
          against: [
            [2, 4],
            [1.99, 10.005],
            [1.98, 20],
            [1.97, 30],
          ],
          for: [[2.02, 6]],
        },
        { id: 'b', ...FAR },
      ],
    }),
    gate,
  );
  gate.open();
  const outcome = market.outcome('a');
  if (outcome === undefined) throw new Error('the market has it');
  return { gate, market, outcome };
}

function order(made: Partial<OrderView>): OrderView {
  return {
    id: 1,
    marketId: 'm',
    outcomeId: 'a',
    side: 'Against',
    price: 2,
    stake: 4,
    stakeMatched: 0,
    stakeUnmatched: made.stake ?? 4,
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

describe('the book of the others', () => {
  it('has no level at which nobody else rests, and the rest of one that is shared', () => {
    const { outcome } = opened();
    const others = outcome.without([order({}), order({ price: 1.99, stake: 10 })]);
    expect(outcome.bestAgainst).toEqual({ price: 2, stake: 4 });
    expect(others.bestAgainst).toEqual({ price: 1.99, stake: 0.005 });
    expect(others.bestPrice('Against')).toBe(1.99);
    expect(others.bestPrice('For')).toBe(2.02);
    expect(others.levels('Against', 2)).toEqual([
      { price: 1.99, stake: 0.005 },
      { price: 1.98, stake: 20 },
    ]);
  });

  it('is as deep as it was asked for, however many own orders lie before it', () => {
    const { outcome } = opened();
    const own = [order({}), order({ price: 1.99, stake: 10.005 }), order({ price: 1.98, stake: 20 })];
    expect(outcome.without(own).levels('Against')).toEqual([{ price: 1.97, stake: 30 }]);
    expect(outcome.without([...own, order({ price: 1.97, stake: 40 })]).bestAgainst).toBeUndefined();
  });

  it.each([
    ['it is being cancelled', { inFlight: 'cancel', cancelling: true }, 1.99],
    ['it is partly matched', { status: 'PartiallyMatched', stake: 6, stakeUnmatched: 4 }, 1.99],
    ['it is on its way', { status: undefined, inFlight: 'place' }, 2],
    ['its fate is unknown', { status: undefined, unknown: true }, 2],
    ['it is delayed in play', { status: 'Pending' }, 2],
    ['it is on the other side', { side: 'For' }, 2],
    ['it is on another outcome', { outcomeId: 'b' }, 2],
    ['it is in another market', { marketId: 'n' }, 2],
  ] as const)(
    'where an own order is all that rests at the best price and %s, the others’ best is right',
    (_, made, best) => {
      expect(
        opened()
          .outcome.without([order(made)])
          .bestPrice('Against'),
      ).toBe(best);
    },
  );

  it('can be asked of a snapshot, and of a view during the call alone', () => {
    const { gate, market, outcome } = opened();
    const kept = market.snapshot(4).outcome('a');
    const others = outcome.without([order({})]);
    gate.close();
    expect(kept?.without([order({})]).bestPrice('Against')).toBe(1.99);
    expect(() => others.bestAgainst).toThrow(ViewClosed);
    expect(() => outcome.without([])).toThrow(ViewClosed);
  });
});
