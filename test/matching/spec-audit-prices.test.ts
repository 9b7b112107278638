/** Sentences of the profile's section 3 and of its display rules, each checked by numbers worked out from the text. */

import { describe, expect, it } from 'vitest';
import { decimalOfTick, TICK_COUNT, type Tick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import type { Instant } from '../../src/core/number/units.ts';
import { FOR } from '../../src/core/side.ts';
import { syntheticPrice } from '../../src/matching/state/cross-walk.ts';
import { Random } from '../support/random.ts';
import { Stage, units } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1_000_000), stage.wallet(1_000_000)];
  return { stage, one, two, market: stage.market(terms) };
}

function tradesOf(stage: Stage, order: number): readonly string[] {
  return [...stage.exchange.tradesOfOrder(order)].map((trade) => `${trade.stake / 1e6} @ ${trade.price / 1000}`);
}

describe('“one ladder of 350 prices”', () => {
  it('steps by 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5 and 10 from the bounds the text names', () => {
    const prices = Array.from({ length: TICK_COUNT }, (_, tick) => decimalOfTick(tick as Tick));
    expect([prices.length, prices[0], prices.at(-1)]).toEqual([350, 1.01, 1000]);
    const after = (price: number) => prices[prices.indexOf(price) + 1];
    const bounds = [1.99, 2, 2.98, 3, 3.95, 4, 5.9, 6, 9.8, 10, 19.5, 20, 29, 30, 48, 50, 95, 100, 990];
    const next = [2, 2.02, 3, 3.05, 4, 4.1, 6, 6.2, 10, 10.5, 20, 21, 30, 32, 50, 55, 100, 110, 1000];
    expect(bounds.map(after)).toEqual(next);
  });

  it('“exact” leaves 24 of its prices with a synthetic counterpart of three decimals between two outcomes', () => {
    const exact = Array.from({ length: TICK_COUNT }, (_, tick) => Math.round(decimalOfTick(tick as Tick) * 1000));
    expect(exact.filter((price) => syntheticPrice([price], 1, FOR, 'exact') > 1000)).toHaveLength(24);
  });
});

it('“stake is always the backer’s stake; liability of an Against order = stake × (price − 1)”', () => {
  const { stage, one, two, market } = ready();
  stage.order(market, [one, 'Against', 0, 10, 3.5]);
  expect([stage.taken(one, market), stage.available(one)]).toEqual([25, 999_975]);
  stage.order(market, [two, 'For', 0, 4, 3.5]);
  // Both figures of the level are the backer's stake.
  const [level] = stage.exchange.prices(market);
  expect(level).toMatchObject({ side: 'Against', price: 3500, amount: 6_000_000, matched: 4_000_000 });
});

it('“a For taker hits Against levels, best = highest; an Against taker hits For levels, best = lowest”', () => {
  const { stage, one, two, market } = ready();
  for (const price of [2.5, 2.6, 2.4]) stage.order(market, [one, 'Against', 0, 1, price]);
  for (const price of [3.5, 3.4, 3.6]) stage.order(market, [one, 'For', 1, 1, price]);
  expect(stage.levels(market, 0)).toEqual(['Against 2.6 1', 'Against 2.5 1', 'Against 2.4 1']);
  expect(stage.levels(market, 1)).toEqual(['For 3.4 1', 'For 3.5 1', 'For 3.6 1']);
  expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 2, 2.4]))).toEqual(['1 @ 2.6', '1 @ 2.5']);
  expect(tradesOf(stage, stage.order(market, [two, 'Against', 1, 2, 3.6]))).toEqual(['1 @ 3.4', '1 @ 3.5']);
});

it('“a book is never crossed: best Against-level price < best For-level price”: an order at the price matches', () => {
  const { stage, one, two, market } = ready();
  stage.order(market, [one, 'Against', 0, 5, 2.5]);
  stage.order(market, [two, 'For', 0, 8, 2.5]);
  expect(stage.levels(market, 0)).toEqual(['For 2.5 3']);
});

describe('“synthetic levels are displayed at the nearest ladder price that is worse for the taker”', () => {
  it('higher for an Against taker, who still deals at the 10⁻³ price', () => {
    const { stage, one, two, market } = ready({ crossMatching: true });
    stage.order(market, [one, 'Against', 1, 10, 3]);
    stage.order(market, [one, 'Against', 2, 10, 3.2]);
    // 1 − 1/3 − 1/3.2 = 0.3541666…, so P = 2.823529…, up to 2.824; min(30, 32) / 2.824 = 10.6232…, down to 10.623.
    expect(stage.levels(market, 0, true)).toEqual(['For 2.84 10.623']);
    expect(stage.levels(market, 0, false)).toEqual([]);
    const order = stage.order(market, [two, 'Against', 0, 10, 2.84]);
    expect(tradesOf(stage, order)).toEqual(['10 @ 2.824']);
    // 28.24 / 3 = 9.413333…, up; 28.24 / 3.2 = 8.825.
    expect(stage.levels(market, 1)).toEqual(['Against 3 0.586666']);
    expect(stage.levels(market, 2)).toEqual(['Against 3.2 1.175']);
  });

  it('and nowhere where the ladder has no worse price', () => {
    const low = ready({ crossMatching: true, outcomes: 2 });
    low.stage.order(low.market, [low.one, 'For', 1, 10, 1000]);
    // P = 1.001 is below 1.01: no For order can ask for it.
    expect(low.stage.levels(low.market, 0, true)).toEqual([]);
    const high = ready({ crossMatching: true });
    high.stage.order(high.market, [high.one, 'Against', 1, 10, 1.01]);
    high.stage.order(high.market, [high.one, 'Against', 2, 10, 110]);
    // 1 − 1/1.01 − 1/110 = 0.00081…, so P = 1234.4…, above 1000.
    expect(high.stage.levels(high.market, 0, true)).toEqual([]);
  });

  it('an Against order may be met below 1.01, where an outcome is all but sure to lose', () => {
    const { stage, one, two, market } = ready({ crossMatching: true, outcomes: 2 });
    stage.order(market, [one, 'Against', 1, 10, 1000]);
    expect(stage.levels(market, 0, true)[0]).toMatch(/^For 1\.01 /);
    const order = stage.order(market, [two, 'Against', 0, 1, 1.01]);
    // P = 1.001001…, up to 1.002.
    expect(tradesOf(stage, order)).toEqual(['1 @ 1.002']);
  });

  it('level by level inward, each level’s own amounts', () => {
    const { stage, one, market } = ready({ crossMatching: true });
    stage.order(market, [one, 'For', 1, 125, 2.8]);
    stage.order(market, [one, 'For', 2, 50, 2.8]);
    stage.order(market, [one, 'For', 2, 100, 3]);
    // 140 / 3.5 = 40 at 3.5. Then 210 left of the first against 300 of 3.0: 1 − 1/2.8 − 1/3 gives 3.2307…, 210 / 3.23.
    expect(stage.levels(market, 0, true)).toEqual(['Against 3.5 40', 'Against 3.2 65.015']);
  });
});

describe('“matched = stake matched there”', () => {
  it('counts what makers of a cross match gave at their own levels, and what its taker took at the level that it met', () => {
    const { stage, one, two, market } = ready({ crossMatching: true });
    for (const other of [1, 2]) stage.order(market, [one, 'For', other, 125, 2.8]);
    stage.order(market, [two, 'For', 0, 80, 3.5]);
    const shown = stage.exchange.prices(market, { cross: true, empty: true });
    expect(shown.map((level) => [level.outcome, level.side, level.price, level.amount, level.matched])).toEqual([
      [0, 'Against', 3500, 20_000_000, 80_000_000],
      [1, 'For', 2800, 25_000_000, 100_000_000],
      [2, 'For', 2800, 25_000_000, 100_000_000],
    ]);
    expect(stage.exchange.market(market)?.traded).toEqual([80_000_000, 100_000_000, 100_000_000]);
  });

  it('of a cross match off the ladder, at the ladder price at which its level was shown', () => {
    const { stage, one, two, market } = ready({ crossMatching: true });
    for (const other of [1, 2]) stage.order(market, [one, 'For', other, 100, 2.9]);
    // 1 − 2 / 2.9 gives 3.2222…, shown at 3.2.
    expect(stage.levels(market, 0, true)[0]).toMatch(/^Against 3.2 /);
    stage.order(market, [two, 'For', 0, 10, 3]);
    const [taken] = stage.exchange.prices(market, { cross: true, empty: true });
    expect(taken).toMatchObject({ outcome: 0, side: 'Against', price: 3200, matched: 10_000_000 });
  });

  it('of a cross match against Against makers, at the For level that its taker met', () => {
    const { stage, one, two, market } = ready({ crossMatching: true });
    for (const other of [1, 2]) stage.order(market, [one, 'Against', other, 100, 2.9]);
    // 3.2222… again, shown at 3.25.
    expect(stage.levels(market, 0, true)[0]).toMatch(/^For 3.25 /);
    stage.order(market, [two, 'Against', 0, 10, 3.3]);
    stage.order(market, [two, 'Against', 0, 10, 3.25]);
    const [taken] = stage.exchange.prices(market, { cross: true, empty: true });
    expect(taken).toMatchObject({ outcome: 0, side: 'For', price: 3250 });
    expect(taken?.matched).toBe(stage.exchange.market(market)?.traded[0]);
  });

  it('so that an outcome’s traded stake is always the sum of its levels’', () => {
    const random = new Random(5);
    for (let round = 0; round < 40; round += 1) {
      const { stage, one, two, market } = ready({ crossMatching: true });
      for (let made = 0; made < 60; made += 1) {
        const side = random.between(0, 1) === 0 ? 'For' : 'Against';
        const price = [1.9, 2.5, 2.8, 2.9, 3, 3.5, 4.1, 6][random.between(0, 7)] ?? 3;
        stage.order(market, [
          random.between(0, 1) === 0 ? one : two,
          side,
          random.between(0, 2),
          random.between(1, 9),
          price,
        ]);
      }
      const sums = [0, 0, 0];
      for (const { outcome, matched } of stage.exchange.prices(market, { empty: true }))
        sums[outcome] = (sums[outcome] ?? 0) + matched;
      expect(sums).toEqual(stage.exchange.market(market)?.traded);
    }
  });

  it('counts a fill against recorded stake', () => {
    const { stage, one, market } = ready();
    const order = stage.order(market, [one, 'For', 1, 5, 2.8]);
    stage.exchange.matchWithRecorded({ at: stage.now as Instant, order, stake: units(2) });
    expect(stage.exchange.prices(market)).toMatchObject([{ amount: 3_000_000, matched: 2_000_000 }]);
    expect(stage.exchange.market(market)?.traded).toEqual([0, 2_000_000, 0]);
  });
});

it('a removed outcome shows no synthetic stake, because no order on it is taken', () => {
  const { stage, one, market } = ready({ crossMatching: true });
  stage.order(market, [one, 'For', 0, 10, 3]);
  stage.order(market, [one, 'For', 1, 10, 3]);
  stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 0, basis: 'win' });
  expect(stage.levels(market, 2, true)).toEqual([]);
  expect(stage.refusal(market, [one, 'For', 2, 1, 1.01])).toBe('MARKET_OUTCOME_NOT_FOUND');
  // Between the two that are left each gives the other 1.5: 30 / 1.5 = 20.
  expect(stage.levels(market, 0, true)).toEqual(['For 3 10', 'Against 1.5 20']);
});

it('what is shown can be met: a taker at a shown price gets all that is shown there and better, over random books', () => {
  let synthetic = 0;
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = new Random(seed);
    const outcomes = random.between(2, 5);
    const { stage, one, two, market } = ready({ crossMatching: true, outcomes });
    const middle = tickOfDecimal(outcomes) ?? 0;
    for (let order = 0; order < 12; order += 1) {
      const at = decimalOfTick((middle + random.between(-8, 8)) as Tick);
      const bet = [one, random.pick(['For', 'Against'] as const), random.between(0, outcomes - 1)] as const;
      stage.order(market, [...bet, random.between(1, 20_000) / 1000, at]);
    }
    const side = random.pick(['For', 'Against'] as const);
    const shown = stage.exchange.prices(market, { cross: true }).filter((each) => each.side !== side);
    const levels = shown.filter((each) => each.outcome === shown[0]?.outcome);
    if (levels.length === 0) continue;
    const last = random.between(0, levels.length - 1);
    const offered = levels.slice(0, last + 1).reduce((sum, each) => sum + each.amount, 0);
    const limit = (levels[last]?.price ?? 0) / 1000;
    const order = stage.order(market, [two, side, levels[0]?.outcome ?? 0, 900, limit]);
    const trades = [...stage.exchange.tradesOfOrder(order)];
    const met = trades.reduce((sum, each) => sum + each.stake, 0);
    expect(met, `seed ${seed}`).toBe(offered);
    synthetic += trades.some((each) => each.price % 10 !== 0) ? 1 : 0;
  }
  expect(synthetic).toBeGreaterThan(20);
});
