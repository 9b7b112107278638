/** `outcome.others`: what the others offer, over a book of which it is known what of it is whose. */

import { describe, expect, it } from 'vitest';
import type { MarketState, OwnStake } from '../../src/core/market-state.ts';
import { type Side, sideIndex } from '../../src/core/side.ts';
import { defineStrategy } from '../../src/index.ts';
import { createFixedMarket } from '../../src/strategy/testing/fixed-market.ts';
import { createMarketView } from '../../src/strategy/views/market-view.ts';
import { ViewClosed, ViewGate } from '../../src/strategy/views/view-gate.ts';
import { decideOnce, type TestOrder, testMarket } from '../../src/testing.ts';
import { at, units } from '../risk/desk.ts';

const MARKET = {
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
    { id: 'b', for: [[3, 7]], against: [[2.9, 7]] },
  ],
} as const;

interface Own {
  readonly price: number;
  readonly stake: number;
  readonly strategy?: number;
  readonly outcome?: number;
  readonly side?: Side;
}

function opened(own: readonly Own[]) {
  const ownAt: MarketState['ownAt'] = (outcome, side, tick) =>
    own.flatMap((each): readonly OwnStake[] => {
      if ((each.outcome ?? 0) !== outcome || sideIndex(each.side ?? 'Against') !== side) return [];
      return at(each.price) === tick ? [{ strategy: each.strategy ?? 0, stake: units(each.stake) }] : [];
    });
  const gate = new ViewGate();
  const market = createMarketView({ ...createFixedMarket(MARKET), ownAt }, gate);
  gate.open();
  const outcome = market.outcome('a');
  if (outcome === undefined) throw new Error('the market has it');
  return { gate, market, outcome };
}

describe('the book of the others', () => {
  it('has no level at which nobody else rests, and the rest of one that is shared', () => {
    const { outcome } = opened([
      { price: 2, stake: 4 },
      { price: 1.99, stake: 10 },
    ]);
    expect(outcome.bestAgainst).toEqual({ price: 2, stake: 4 });
    expect(outcome.others.bestAgainst).toEqual({ price: 1.99, stake: 0.005 });
    expect(outcome.others.bestPrice('Against')).toBe(1.99);
    expect(outcome.others.bestPrice('For')).toBe(2.02);
    expect(outcome.others.levels('Against', 2)).toEqual([
      { price: 1.99, stake: 0.005 },
      { price: 1.98, stake: 20 },
    ]);
  });

  it('is as deep as it was asked for, however many own orders lie before it, and is empty where nobody else rests', () => {
    const own = [
      { price: 2, stake: 4 },
      { price: 1.99, stake: 10.005 },
      { price: 1.98, stake: 12 },
      { price: 1.98, stake: 8 },
    ];
    expect(opened(own).outcome.others.levels('Against')).toEqual([{ price: 1.97, stake: 30 }]);
    expect(opened([...own, { price: 1.97, stake: 30 }]).outcome.others.bestAgainst).toBeUndefined();
  });

  it('is never below nothing, where more is said to be ours than there is', () => {
    const { others } = opened([{ price: 2, stake: 40 }]).outcome;
    expect(others.levels('Against', 2).map(({ price }) => price)).toEqual([1.99, 1.98]);
  });

  it('is that of the strategy which is asked: the orders of another one stay in it', () => {
    const { gate, outcome } = opened([
      { price: 2, stake: 4, strategy: 1 },
      { price: 1.99, stake: 10, strategy: 0 },
    ]);
    expect(outcome.others.levels('Against', 2)).toEqual([
      { price: 2, stake: 4 },
      { price: 1.99, stake: 0.005 },
    ]);
    gate.openAgain(1);
    expect(outcome.others.bestAgainst).toEqual({ price: 1.99, stake: 10.005 });
  });

  it.each([
    ['on the other side', { side: 'For' }],
    ['on another outcome', { outcome: 1 }],
  ] as const)('is not touched by an order %s', (_, where) => {
    const { others } = opened([{ price: 2, stake: 4, ...where }]).outcome;
    expect(others.bestAgainst).toEqual({ price: 2, stake: 4 });
  });

  it('is kept by a snapshot, and can be asked of a view during the call alone', () => {
    const { gate, market, outcome } = opened([{ price: 2, stake: 4 }]);
    const kept = market.snapshot(4).outcome('a');
    const { others } = outcome;
    gate.close();
    expect(kept?.bestPrice('Against')).toBe(2);
    expect(kept?.others.bestPrice('Against')).toBe(1.99);
    expect(kept?.others.levels('Against', 9).map(({ price }) => price)).toEqual([1.99, 1.98, 1.97]);
    expect(() => others.bestAgainst).toThrow(ViewClosed);
    expect(() => outcome.others).toThrow(ViewClosed);
  });

  it('is the whole book where no order of the run can be in it', () => {
    const gate = new ViewGate();
    const view = createMarketView(createFixedMarket(MARKET), gate);
    gate.open();
    expect(view.outcome('a')?.others.levels('Against')).toEqual(view.outcome('a')?.levels('Against'));
  });
});

describe('a test of a strategy', () => {
  const seen = (order: Partial<TestOrder>): number | undefined => {
    let best: number | undefined;
    const strategy = defineStrategy({
      name: 'looks',
      decide({ market }) {
        best = market.outcome('a')?.others.bestPrice('Against');
        return [];
      },
    });
    const orders = [{ outcome: 'a', side: 'Against', price: 2, stake: 4, ...order } as const];
    decideOnce(strategy, { market: testMarket(MARKET), orders });
    return best;
  };

  it.each([
    ['it rests', {}, 1.99],
    ['it is partly matched', { stake: 6, stakeMatched: 2 }, 1.99],
    ['it is being cancelled', { inFlight: 'cancel' }, 1.99],
    ['it is on its way', { inFlight: 'place' }, 2],
    ['its fate is unknown', { unknown: true }, 2],
  ] as const)('shows the others’ best where the order at the best price is own and %s', (_, order, best) => {
    expect(seen(order)).toBe(best);
  });

  it('takes what it says of a linked market off the book there', () => {
    const linked = testMarket({ ...MARKET, id: 'n' });
    let bests: readonly (number | undefined)[] = [];
    const strategy = defineStrategy({
      name: 'looks-there',
      decide: ({ market, linked: [other] }) => {
        bests = [market, other?.market].map((each) => each?.outcome('a')?.others.bestPrice('Against'));
        return [];
      },
    });
    const orders = [{ outcome: 'a', side: 'Against', price: 2, stake: 4 } as const];
    decideOnce(strategy, { market: testMarket(MARKET), linked: [{ market: linked, orders }] });
    expect(bests).toEqual([2, 1.99]);
  });
});
