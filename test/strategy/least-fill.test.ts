/** The price of a hedge where an exchange matches a least stake at once or nothing. */

import { describe, expect, it } from 'vitest';
import type { MarketState } from '../../src/core/market-state.ts';
import { closeTrade, greenUp, type HedgeOptions } from '../../src/index.ts';
import { createFixedMarket, type MarketSetup } from '../../src/strategy/testing/fixed-market.ts';
import { type Bet, createFixedPosition } from '../../src/strategy/testing/fixed-position.ts';
import { gatedView } from '../support/strategy-view.ts';

function viewOf(state: MarketState) {
  const live = gatedView(state);
  live.open();
  return live.view;
}

describe('a hedge where the exchange has a smallest stake', () => {
  const thin = (more: Partial<MarketSetup>) =>
    createFixedMarket({
      outcomes: [
        {
          id: 'a',
          against: [
            [2, 0.4],
            [1.9, 0.3],
            [1.8, 5],
          ],
          for: [
            [2.1, 0.7],
            [2.2, 0.3],
            [2.4, 9],
          ],
        },
        { id: 'b', against: [[1.5, 9]] },
      ],
      ...more,
    });
  const backed = (stake: number): Bet => ({ outcome: 'a', side: 'For', price: 3, stake });
  function closes(state: MarketState, bet: Bet, options: HedgeOptions = {}) {
    const position = createFixedPosition(state, [bet]);
    const orders = viewOf(state).outcomes.flatMap((each) => closeTrade(each, position, options));
    return orders.map(({ price, stake }) => [price, stake]);
  }

  it('goes as deep as that needs, for the stake that levels what it takes on the way', () => {
    // 0.7 at 2.1 and 0.3 at 2.2 are a stake of 1; what is left of a payout of 12 after 0.7 at 2.1 is a stake of 4.786 at 2.2.
    expect(closes(thin({ stakeMin: 1 }), backed(4))).toEqual([[2.2, 5.486]]);
    expect(closes(thin({ stakeMin: 1.001 }), backed(4))).toEqual([[2.4, 5.112]]);
    expect(closes(thin({ stakeMin: 1 }), { ...backed(4), side: 'Against' })).toEqual([[1.8, 6.605]]);
  });

  it('takes the best price where it has enough, where there is no smallest stake, and where the order may rest', () => {
    expect(closes(thin({ stakeMin: 0.7 }), backed(4))).toEqual([[2.1, 5.714]]);
    expect(closes(thin({}), backed(4))).toEqual([[2.1, 5.714]]);
    expect(closes(thin({ stakeMin: 1 }), backed(4), { matchBehavior: 'RetainUnmatched' })).toEqual([[2.1, 5.714]]);
  });

  it('is not placed where the book has too little; a small one that may be placed must match whole', () => {
    expect(closes(thin({ stakeMin: 10.001 }), backed(40))).toEqual([]);
    expect(closes(thin({ stakeMin: 2, payoutMin: 1 }), backed(0.6))).toEqual([[2.2, 0.85]]);
    expect(closes(thin({ stakeMin: 2 }), backed(0.6))).toEqual([]);
  });

  it('is the same where a whole market is levelled', () => {
    const state = thin({ stakeMin: 1 });
    const orders = greenUp(viewOf(state), createFixedPosition(state, [backed(4)]));
    expect(orders.map(({ price, stake }) => [price, stake])).toEqual([[2.2, 5.486]]);
  });
});
