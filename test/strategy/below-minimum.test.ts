/** Helpers place no order that the exchange would refuse as too small. */

import { describe, expect, it } from 'vitest';
import type { MarketState } from '../../src/core/market-state.ts';
import { closeTrade, dutch, greenUp, type MarketView } from '../../src/index.ts';
import { createFixedMarket, type MarketSetup } from '../../src/strategy/testing/fixed-market.ts';
import { createFixedPosition } from '../../src/strategy/testing/fixed-position.ts';
import { gatedView } from '../support/strategy-view.ts';

function viewOf(state: MarketState): MarketView {
  const { view, open } = gatedView(state);
  open();
  return view;
}

function market(setup: MarketSetup): MarketView {
  return viewOf(createFixedMarket(setup));
}

describe('hedges', () => {
  const setup = {
    outcomes: [
      { id: 'a', against: [[2, 100]], for: [[2.02, 100]] },
      { id: 'b', against: [[1.98, 100]], for: [[2, 100]] },
    ],
  } as const;
  const minimum = { stakeMin: 1, payoutMin: 10 };
  const bought = (stake: number) => [{ outcome: 'a', side: 'For', price: 2.02, stake }] as const;
  const hedgesOf = (stake: number, change: object, options = {}) => {
    const state = createFixedMarket({ ...setup, ...change });
    const position = createFixedPosition(state, bought(stake));
    const [first] = viewOf(state).outcomes;
    if (first === undefined) throw new Error('the market has outcomes');
    return [greenUp(viewOf(state), position, options), closeTrade(first, position, options)].map((all) => all.length);
  };

  it('that are smaller than the exchange takes are left out', () => {
    expect(hedgesOf(0.9, {})).toEqual([1, 1]);
    expect(hedgesOf(0.9, minimum)).toEqual([0, 0]);
    expect(hedgesOf(1, minimum)).toEqual([1, 1]);
    expect(hedgesOf(0.9, minimum, { stakeMin: 0.001 })).toEqual([0, 0]);
    expect(hedgesOf(1, minimum, { stakeMin: 2 })).toEqual([0, 0]);
  });

  it('are taken for what they pay where their stake is small', () => {
    const outcomes = [{ id: 'a', against: [[38, 9]], for: [[40, 9]] }, { id: 'b' }] as const;
    const state = createFixedMarket({ ...minimum, outcomes });
    const hedges = (stake: number) =>
      greenUp(viewOf(state), createFixedPosition(state, [{ outcome: 'a', side: 'For', price: 40, stake }]));
    expect(hedges(0.25)).toMatchObject([{ outcome: 'a', side: 'Against', price: 40, stake: 0.25 }]);
    expect(hedges(0.24)).toEqual([]);
  });
});

describe('dutch', () => {
  it('gives no order where one of them is smaller than the exchange takes: the others alone are another bet', () => {
    const uneven = market({
      outcomes: [
        { id: 'a', against: [[1.2, 9]] },
        { id: 'b', against: [[7, 9]] },
      ],
      stakeMin: 1,
      payoutMin: 10,
    });
    // The stake on b is 1.002, then 0.995 with a payout of 6.97.
    expect(dutch(uneven.outcomes, { stake: 6.85 })).toHaveLength(2);
    expect(dutch(uneven.outcomes, { stake: 6.8 })).toEqual([]);
    const long = market({
      outcomes: [
        { id: 'a', against: [[1.2, 9]] },
        { id: 'b', against: [[70, 9]] },
      ],
      stakeMin: 1,
      payoutMin: 10,
    });
    // The smaller stake is 0.144 with a payout of 10.08.
    expect(dutch(long.outcomes, { stake: 8.6 })).toHaveLength(2);
  });
});
