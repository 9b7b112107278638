/** Matching: price, then time; improvement; remainders; self-matching; cross matching. */

import { describe, expect, it } from 'vitest';
import type { Price } from '../../src/core/number/units.ts';
import { FOR } from '../../src/core/side.ts';
import { syntheticPrice } from '../../src/matching/state/cross-walk.ts';
import { Stage } from './stage.ts';

function ready(crossMatching = false) {
  const stage = new Stage();
  const [maker, taker] = [stage.wallet(10_000), stage.wallet(10_000)];
  return { stage, maker, taker, market: stage.market({ crossMatching }) };
}

function tradesOf(stage: Stage, order: number): readonly string[] {
  return [...stage.exchange.tradesOfOrder(order)].map((trade) => `${trade.stake / 1e6} @ ${trade.price / 1000}`);
}

describe('price-time priority', () => {
  it('fills a For taker from the highest Against price down, oldest first, at the makers’ prices', () => {
    const { stage, maker, taker, market } = ready();
    const low = stage.order(market, [maker, 'Against', 0, 10, 2]);
    const first = stage.order(market, [maker, 'Against', 0, 10, 2.2]);
    const second = stage.order(market, [maker, 'Against', 0, 10, 2.2]);
    const order = stage.order(market, [taker, 'For', 0, 15, 2]);
    expect(tradesOf(stage, order)).toEqual(['10 @ 2.2', '5 @ 2.2']);
    expect([first, second, low].map((id) => stage.standing(id))).toEqual([
      'Matched 0/0',
      'PartiallyMatched 5/0',
      'Unmatched 10/0',
    ]);
  });

  it('fills an Against taker from the lowest For price up, and holds its improved liability', () => {
    const { stage, maker, taker, market } = ready();
    stage.order(market, [maker, 'For', 0, 10, 3]);
    stage.order(market, [maker, 'For', 0, 10, 2.5]);
    const order = stage.order(market, [taker, 'Against', 0, 20, 4]);
    expect(tradesOf(stage, order)).toEqual(['10 @ 2.5', '10 @ 3']);
    expect(stage.available(taker)).toBe(10_000 - 15 - 20);
  });

  it('rests the remainder at its own limit, or voids it under CancelUnmatched', () => {
    const { stage, maker, taker, market } = ready();
    stage.order(market, [maker, 'Against', 0, 10, 2.2]);
    const rests = stage.order(market, [taker, 'For', 0, 12, 2]);
    expect(stage.standing(rests)).toBe('PartiallyMatched 2/0');
    expect(stage.levels(market, 0)).toEqual(['For 2 2']);
    stage.order(market, [maker, 'Against', 1, 10, 2.2]);
    const partly = stage.order(market, [taker, 'For', 1, 12, 2], { matchBehavior: 'CancelUnmatched' });
    const none = stage.order(market, [taker, 'For', 2, 12, 2], { matchBehavior: 'CancelUnmatched' });
    expect(stage.standing(partly)).toBe('Matched 0/2');
    expect(stage.standing(none)).toBe('Cancelled 0/12 CancelUnmatched');
    expect(stage.levels(market, 1)).toEqual([]);
  });

  it('lets a wallet match itself, which leaves it with nothing at stake', () => {
    const { stage, maker, market } = ready();
    stage.order(market, [maker, 'For', 0, 10, 3]);
    stage.order(market, [maker, 'Against', 0, 10, 3]);
    expect(stage.taken(maker, market)).toBe(0);
    expect(stage.available(maker)).toBe(10_000);
  });

  it('reports the maker, its change, the taker, the taker’s change, then the postings', () => {
    const { stage, maker, taker, market } = ready();
    stage.order(market, [maker, 'Against', 0, 10, 3]);
    const events = stage.place(market, [taker, 'For', 0, 10, 3]).map((event) => {
      if (event.kind === 'transaction')
        return `${event.code} ${event.wallet === taker ? 'taker' : event.wallet === maker ? 'maker' : 'escrow'}`;
      return event.kind === 'orderMatched' || event.kind === 'orderChanged'
        ? `${event.kind} ${event.order}`
        : event.kind;
    });
    expect(events).toEqual([
      'orderAccepted',
      'orderMatched 0',
      'orderChanged 0',
      'orderMatched 1',
      'orderChanged 1',
      'accountOpened',
      'TradeCreation taker',
      'TradeCreation escrow',
      'TradeCreation maker',
      'TradeCreation escrow',
    ]);
  });
});

describe('cross matching', () => {
  it('goes after direct stake at an equal price, and before it at a better one', () => {
    const { stage, maker, taker, market } = ready(true);
    stage.order(market, [maker, 'For', 1, 125, 2.8]);
    stage.order(market, [maker, 'For', 2, 125, 2.8]);
    const direct = stage.order(market, [maker, 'Against', 0, 10, 3.5]);
    const order = stage.order(market, [taker, 'For', 0, 30, 3.5]);
    expect(stage.standing(direct)).toBe('Matched 0/0');
    expect(tradesOf(stage, order)).toEqual(['10 @ 3.5', '20 @ 3.5']);
    const worse = stage.order(market, [maker, 'Against', 0, 10, 3]);
    stage.order(market, [taker, 'For', 0, 30, 3]);
    expect(stage.standing(worse)).toBe('Unmatched 10/0');
  });

  it('makes For stake out of Against orders for an Against taker', () => {
    const { stage, maker, taker, market } = ready(true);
    stage.order(market, [maker, 'Against', 1, 100, 4]);
    stage.order(market, [maker, 'Against', 2, 100, 4]);
    expect(stage.levels(market, 0, true)).toEqual(['For 2 200']);
    const order = stage.order(market, [taker, 'Against', 0, 50, 2]);
    expect(tradesOf(stage, order)).toEqual(['50 @ 2']);
    expect(stage.exposures(maker, market)).toEqual([50, -50, -50]);
    expect(stage.exposures(taker, market)).toEqual([-50, 50, 50]);
  });

  it('passes over a remainder too small for any synthetic stake', () => {
    const { stage, maker, taker, market } = ready(true);
    stage.order(market, [maker, 'For', 1, 0.001, 2.8]);
    stage.order(market, [maker, 'For', 1, 100, 3]);
    stage.order(market, [maker, 'For', 2, 100, 3]);
    const order = stage.order(market, [taker, 'For', 0, 10, 3]);
    expect(tradesOf(stage, order)).toEqual(['10 @ 3']);
  });

  it('never happens with several winners, six outcomes, or where it is not enabled', () => {
    for (const terms of [{ winners: { min: 1, max: 2 } }, { outcomes: 6 }, { crossMatching: false }]) {
      const stage = new Stage();
      const [maker, taker] = [stage.wallet(1000), stage.wallet(1000)];
      const market = stage.market({ crossMatching: true, ...terms });
      for (let i = 1; i < (terms.outcomes ?? 3); i += 1) stage.order(market, [maker, 'For', i, 10, 2.8]);
      expect(stage.standing(stage.order(market, [taker, 'For', 0, 1, 1.5]))).toBe('Unmatched 1/0');
    }
  });

  it('has prices only where they are exact under that rule, and none where the sum reaches one', () => {
    expect(syntheticPrice([2800, 2800], 2, FOR, 'exact')).toBe(3500);
    expect(syntheticPrice([2800, 2900], 2, FOR, 'exact')).toBe(0);
    expect(syntheticPrice([2800, 2900], 2, FOR, 'rounded')).toBe(Math.floor(1000 / (1 - 1 / 2.8 - 1 / 2.9)));
    expect(syntheticPrice([2800, 2900], 2, 1, 'rounded')).toBe(Math.ceil(1000 / (1 - 1 / 2.8 - 1 / 2.9)));
    expect(syntheticPrice([2000, 2000], 2, FOR, 'rounded')).toBeLessThanOrEqual(1);
    // Four sources leave 2⁵³; the fraction is exactly 1/5 each.
    expect(syntheticPrice([5000, 5000, 5000, 5000], 4, FOR, 'exact')).toBe(5000 as Price);
  });
});
