/** A non-runner's reduction factor: which bets it reprices, which resting orders it voids, and which it reduces (Betfair's rules). */

import { describe, expect, it } from 'vitest';
import { RECORDED_RULES, type Rules } from '../../src/matching/messages/rules.ts';
import { Stage } from './stage.ts';

function ready(rules: Partial<Rules> = RECORDED_RULES) {
  const stage = new Stage({ rules });
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  const market = stage.market({ outcomes: 4 });
  const bet = (outcome: number, price: number) => {
    stage.order(market, [one, 'For', outcome, 10, price]);
    return stage.order(market, [two, 'Against', outcome, 10, price]);
  };
  const rest = (outcome: number, price: number, keepWhenInPlay = false) =>
    stage.order(market, [two, 'Against', outcome, 5, price], { keepWhenInPlay });
  const remove = (factorPpm: number, basis: 'win' | 'place', outcome = 3) =>
    stage.do({ kind: 'removeOutcome', market, outcome, factorPpm, basis });
  const priceOf = (order: number) => [...stage.exchange.tradesOfOrder(order)].map(({ price }) => price);
  return { stage, one, two, market, bet, rest, remove, priceOf };
}

describe('a place market', () => {
  it('reprices every matched bet at any factor, and voids resting Against orders from 4 % on', () => {
    for (const [factorPpm, price, standing] of [
      [1_000, 3000, 'Unmatched 5/0'],
      [24_100, 2950, 'Unmatched 5/0'],
      [39_999, 2920, 'Unmatched 5/0'],
      [40_000, 2920, 'Cancelled 0/5 OutcomeRemoved'],
    ] as const) {
      const { stage, bet, rest, remove, priceOf } = ready();
      const matched = bet(0, 3);
      const resting = rest(1, 2);
      remove(factorPpm, 'place');
      expect([factorPpm, priceOf(matched), stage.standing(resting)]).toEqual([factorPpm, [price], standing]);
    }
  });

  it('reduces a kept Against order at any factor, also where the others stay as they are', () => {
    const { stage, rest, remove } = ready();
    const kept = rest(0, 5, true);
    const other = rest(0, 4.9);
    const events = remove(24_100, 'place');
    // 1 + 4 × 0.9759 = 4.9036, and the ladder has 4.9.
    expect(events.filter(({ kind }) => kind === 'orderReduced')).toMatchObject([{ order: kept, price: 4900 }]);
    expect([stage.standing(kept), stage.standing(other)]).toEqual(['Unmatched 5/0', 'Unmatched 5/0']);
    expect(stage.exchange.order(kept)?.tick).toBe(stage.exchange.order(other)?.tick);
  });
});

describe('a win market', () => {
  it('reduces a kept Against order from 2.5 % on, and voids the others', () => {
    for (const [factorPpm, price, standing] of [
      [24_999, 8000, 'Unmatched 5/0'],
      [25_000, 7800, 'Cancelled 0/5 OutcomeRemoved'],
      [250_000, 6000, 'Cancelled 0/5 OutcomeRemoved'],
    ] as const) {
      const { stage, rest, remove } = ready();
      const kept = rest(0, 8, true);
      const other = rest(0, 8);
      remove(factorPpm, 'win');
      expect([stage.priceOf(kept), stage.standing(kept), stage.standing(other)]).toEqual([
        price,
        'Unmatched 5/0',
        standing,
      ]);
    }
  });

  it('rests a reduced order behind what stands at its new price, holds less for it, and never goes below 1.01', () => {
    const { stage, one, two, market, rest, remove } = ready();
    const first = rest(0, 1.02, true);
    const least = rest(0, 1.01, true);
    expect(stage.available(two)).toBe(999.85);
    remove(300_100, 'win');
    expect([stage.priceOf(first), stage.priceOf(least), stage.available(two)]).toEqual([1010, 1010, 999.9]);
    stage.order(market, [one, 'For', 0, 5, 1.01]);
    expect([stage.standing(least), stage.standing(first)]).toEqual(['Matched 0/0', 'Unmatched 5/0']);
  });

  it('leaves a For order alone, kept or not', () => {
    const { stage, one, market, remove } = ready();
    const back = stage.order(market, [one, 'For', 0, 5, 8], { keepWhenInPlay: true });
    remove(250_000, 'win');
    expect([stage.priceOf(back), stage.standing(back)]).toEqual([8000, 'Unmatched 5/0']);
  });
});

it('rounds a repriced bet to the nearest hundredth where the rule says so, and cuts it off after three decimals elsewhere', () => {
  // The trade volume of a recorded removal of 30.01 %: 3.2 became 2.24, 3.25 became 2.27, 3.85 became 2.69.
  for (const [before, hundredths, truncated] of [
    [3.2, 2240, 2239],
    [3.25, 2270, 2274],
    [3.85, 2690, 2694],
  ] as const) {
    for (const [rules, after] of [
      [RECORDED_RULES, hundredths],
      [{}, truncated],
    ] as const) {
      const { bet, remove, priceOf } = ready(rules);
      const matched = bet(0, before);
      remove(300_100, 'win');
      expect(priceOf(matched)).toEqual([after]);
    }
  }
});

it('voids a kept order as any other where nothing else is asked for', () => {
  const { stage, rest, remove } = ready({});
  const kept = rest(0, 8, true);
  remove(250_000, 'win');
  expect(stage.standing(kept)).toBe('Cancelled 0/5 OutcomeRemoved');
});

it('told in play reprices what was matched before the off alone where the rule says so, and leaves resting orders', () => {
  for (const [rules, after, standing] of [
    [RECORDED_RULES, [[1600], [2000]], 'Unmatched 5/0'],
    [{}, [[1600], [1600]], 'Cancelled 0/5 OutcomeRemoved'],
  ] as const) {
    const { stage, market, bet, rest, remove, priceOf } = ready(rules);
    const before = bet(0, 2);
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    const inPlay = bet(0, 2);
    const resting = rest(0, 8);
    remove(200_000, 'win');
    expect([priceOf(before), priceOf(inPlay)]).toEqual(after);
    expect(stage.standing(resting)).toBe(standing);
  }
});

it('counts as before the off what was matched before a market turned in play again', () => {
  const { stage, market, bet, remove, priceOf } = ready(RECORDED_RULES);
  stage.do({ kind: 'setInPlay', market, inPlay: true });
  const early = bet(0, 2);
  stage.do({ kind: 'setInPlay', market, inPlay: false });
  const later = bet(0, 2);
  stage.do({ kind: 'setInPlay', market, inPlay: true });
  remove(200_000, 'win');
  expect([priceOf(early), priceOf(later)]).toEqual([[1600], [1600]]);
});
