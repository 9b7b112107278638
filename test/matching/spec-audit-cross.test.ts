/** The profile's section 6 on cross matching, sentence by sentence, by numbers worked out from the text. */

import { describe, expect, it } from 'vitest';
import { decimalOfTick, type Tick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import { type Price, profitAt } from '../../src/core/number/units.ts';
import type { ExchangeOptions } from '../../src/matching/exchange.ts';
import { Random } from '../support/random.ts';
import { Stage } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}, options: ExchangeOptions = {}) {
  const stage = new Stage(options);
  const [one, two, three] = [stage.wallet(1_000_000), stage.wallet(1_000_000), stage.wallet(1_000_000)];
  return { stage, one, two, three, market: stage.market({ crossMatching: true, ...terms }) };
}

function tradesOf(stage: Stage, order: number): readonly string[] {
  return [...stage.exchange.tradesOfOrder(order)].map((trade) => `${trade.stake / 1e6} @ ${trade.price / 1000}`);
}

describe('“where crossMatchingEnabled, 2 to 5 outcomes and exactly one winner”', () => {
  it.each([2, 3, 4, 5])('orders on %i outcomes match at the price that the others leave', (outcomes) => {
    const { stage, one, two, market } = ready({ outcomes });
    // Each other outcome at n leaves 1 − (n − 1)/n = 1/n.
    for (let other = 1; other < outcomes; other += 1) stage.order(market, [one, 'For', other, 6, outcomes]);
    const order = stage.order(market, [two, 'For', 0, 6, outcomes]);
    expect(tradesOf(stage, order)).toEqual([`6 @ ${outcomes}`]);
    expect(stage.escrow(market)).toBe(6 * outcomes);
  });

  it('of six outcomes one is removed: the five that can win cross match, the removed one is no part of it', () => {
    const { stage, one, two, market } = ready({ outcomes: 6 });
    for (const other of [1, 2, 3, 4, 5]) stage.order(market, [one, 'For', other, 6, 5]);
    expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 3, 5]))).toEqual([]);
    stage.do({ kind: 'cancel', app: 1, wallets: [two] });
    stage.do({ kind: 'removeOutcome', market, outcome: 5, factorPpm: 10_000, basis: 'win' });
    expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 3, 5]))).toEqual(['3 @ 5']);
  });

  it('of two outcomes one is removed: nothing is left to cross match with', () => {
    const { stage, one, two, market } = ready({ outcomes: 2 });
    stage.order(market, [one, 'For', 1, 10, 2]);
    stage.do({ kind: 'removeOutcome', market, outcome: 1, factorPpm: 10_000, basis: 'win' });
    expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 10, 1.01]))).toEqual([]);
    expect(stage.levels(market, 0, true)).toEqual(['For 1.01 10']);
  });

  it.each([[{ crossMatching: false }], [{ winners: { min: 1, max: 2 } }], [{ winners: { min: 0, max: 1 } }]])(
    'never with %j',
    (terms) => {
      const { stage, one, two, market } = ready(terms);
      for (const other of [1, 2]) stage.order(market, [one, 'For', other, 10, 2.8]);
      expect(stage.levels(market, 0, true)).toEqual([]);
      expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 1, 1.01]))).toEqual([]);
    },
  );
});

describe('a synthetic price far beyond the ladder', () => {
  it('is kept whole where the others leave next to nothing of certainty', () => {
    const { stage, one, two, market } = ready({ outcomes: 5 });
    stage.order(market, [one, 'For', 1, 10_000, 1.46]);
    stage.order(market, [one, 'For', 2, 4_000, 4.6]);
    stage.order(market, [one, 'For', 3, 2_000, 10.5]);
    stage.order(market, [one, 'For', 4, 50, 410]);
    const order = stage.order(market, [two, 'For', 0, 0.001, 1.01]);
    expect(tradesOf(stage, order)).toEqual(['0.001 @ 14456190']);
    stage.settle(market, [0]);
    expect([...stage.exchange.tradesOfOrder(order)].map(({ profitLoss }) => profitLoss)).toEqual([14_456_189_000]);
  });
});

describe('“guard 1 − Σ 1/pᵢ ≤ 0”', () => {
  it.each(['rounded', 'exact'] as const)(
    'no synthetic stake where the others take all of certainty (%s)',
    (crossPrice) => {
      const { stage, one, two, market } = ready({}, { rules: { crossPrice } });
      for (const other of [1, 2]) stage.order(market, [one, 'For', other, 10, 2]);
      expect(stage.levels(market, 0, true)).toEqual([]);
      expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 1, 1.01]))).toEqual([]);
    },
  );

  it('ends the walk: stake further inward is not reached past better orders that nobody could meet', () => {
    const { stage, one, two, market } = ready();
    stage.order(market, [one, 'For', 1, 10, 1.5]);
    stage.order(market, [one, 'For', 2, 1, 1.5]);
    stage.order(market, [one, 'For', 2, 100, 5]);
    // 1.5 and 5 would leave 0.1333…, but 1.5 and 1.5 stand in front of them.
    expect(stage.levels(market, 0, true)).toEqual([]);
    expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 1, 1.01]))).toEqual([]);
  });
});

describe('“the published rule creates it only where P is exact to 3 decimals”', () => {
  it('exact: nothing between 2.8 and 2.9, 3.375 between 2.7 and 3; rounded: both', () => {
    for (const [crossPrice, inexact] of [
      ['exact', []],
      // 1 − 1/2.8 − 1/2.9 = 0.298029…, so P = 3.35537…, down to 3.355.
      ['rounded', ['1 @ 3.355']],
    ] as const) {
      const { stage, one, two, market } = ready({}, { rules: { crossPrice } });
      stage.order(market, [one, 'For', 1, 10, 2.8]);
      stage.order(market, [one, 'For', 2, 10, 2.9]);
      expect(tradesOf(stage, stage.order(market, [two, 'For', 0, 1, 3]))).toEqual(inexact);
      const exact = stage.market({ crossMatching: true });
      stage.order(exact, [one, 'For', 1, 10, 2.7]);
      stage.order(exact, [one, 'For', 2, 10, 3]);
      expect(tradesOf(stage, stage.order(exact, [two, 'For', 0, 1, 3]))).toEqual(['1 @ 3.375']);
    }
  });
});

describe('“sources are taken from the best levels inward, sequentially, so no unit of liquidity is used twice”', () => {
  it('and “direct liquidity goes first at equal price”: a walk through both', () => {
    const { stage, one, two, market } = ready();
    const first = stage.order(market, [one, 'For', 1, 125, 2.8]);
    stage.order(market, [one, 'For', 2, 50, 2.8]);
    stage.order(market, [one, 'For', 2, 100, 3]);
    for (const price of [3.5, 3.2, 3.6]) stage.order(market, [one, 'Against', 0, 10, price]);
    const order = stage.order(market, [two, 'For', 0, 1000, 3.2]);
    // 3.6 direct, 3.5 direct, 140 / 3.5 at 3.5, then 210 / 3.23 (1 − 1/2.8 − 1/3), then 3.2 direct.
    expect(tradesOf(stage, order)).toEqual(['10 @ 3.6', '10 @ 3.5', '40 @ 3.5', '65.015 @ 3.23', '10 @ 3.2']);
    expect(stage.standing(order)).toBe('PartiallyMatched 864.985/0');
    // 65.015 · 3.23 / 2.8 = 74.99944642…, down; / 3 = 69.99948333…, down. Less than a thousandth is not shown.
    expect(stage.standing(first)).toBe('PartiallyMatched 0.000554/0');
    expect(stage.levels(market, 1)).toEqual([]);
    expect(stage.levels(market, 2)).toEqual(['For 3 30.000517']);
  });

  it('a taker’s own resting orders may be sources, and what crosses itself costs nothing more', () => {
    const { stage, one, market } = ready({ outcomes: 2 });
    stage.order(market, [one, 'For', 1, 10, 2]);
    stage.order(market, [one, 'For', 0, 10, 2]);
    expect(stage.exposures(one, market)).toEqual([0, 0]);
    expect([stage.available(one), stage.balance(one)]).toEqual([1_000_000, 1_000_000]);
  });
});

describe('“directions that keep it self-financing”', () => {
  it('“Against makers: fills ceil, P up”, and “the taker bears it”: he pays what his makers are short of', () => {
    const { stage, one, two, three, market } = ready();
    const first = stage.order(market, [one, 'Against', 1, 1, 3]);
    const second = stage.order(market, [two, 'Against', 2, 1, 6]);
    const taker = stage.order(market, [three, 'Against', 0, 0.001, 2]);
    // P = 2. 0.002 / 3 = 0.000666…, up to 0.000667; 0.002 / 6 = 0.000333…, up to 0.000334: together 0.001001.
    expect([first, second, taker].map((order) => tradesOf(stage, order))).toEqual([
      ['0.000667 @ 3'],
      ['0.000334 @ 6'],
      ['0.001 @ 2'],
    ]);
    // Where 0 wins both makers gain their fills, and the taker pays 0.001001, one unit above his own liability.
    expect([one, two, three].map((wallet) => stage.exposures(wallet, market)[0])).toEqual([
      0.000667, 0.000334, -0.001001,
    ]);
    // Where 1 wins its maker pays 0.001334: 0.000334 to the other, 0.001 to the taker.
    expect([one, two, three].map((wallet) => stage.exposures(wallet, market)[1])).toEqual([-0.001334, 0.000334, 0.001]);
    stage.settle(market, [0]);
    expect(stage.escrow(market)).toBe(0);
  });

  it('“For makers: fills floor, P down”, and a winner’s payout is shortened: of two orders in a queue, the later one’s', () => {
    const { stage, one, two, three, market } = ready({ outcomes: 4 });
    const front = stage.order(market, [one, 'For', 1, 0.001, 3.9]);
    const behind = stage.order(market, [two, 'For', 1, 1, 3.9]);
    stage.order(market, [two, 'For', 2, 1, 3.75]);
    stage.order(market, [two, 'For', 3, 1, 3.55]);
    const taker = stage.order(market, [three, 'For', 0, 0.003, 1.01]);
    // P = 5.122. 0.015366 / 3.9 = 0.00394, / 3.75 = 0.0040976, / 3.55 = 0.0043284…: 0.015365 with the taker's 0.003.
    expect(tradesOf(stage, taker)).toEqual(['0.003 @ 5.122']);
    expect([front, behind].map((order) => tradesOf(stage, order))).toEqual([['0.001 @ 3.9'], ['0.00294 @ 3.9']]);
    // Outcome 1 wins 0.0029 and 0.008526 at its price; the others paid in 0.011425, one unit less.
    stage.settle(market, [1]);
    const profits = [front, behind].map((order) => [...stage.exchange.tradesOfOrder(order)][0]?.profitLoss);
    expect(profits).toEqual([2900, 8525]);
  });

  it.each([
    ['For', 3],
    ['Against', 4],
  ] as const)(
    '%s makers: “at most” so many units are missing, and nobody wins what others did not pay in',
    (side, most) => {
      const random = new Random(side === 'For' ? 11 : 12);
      let shortened = 0;
      for (let round = 0; round < 150; round += 1) {
        const missing = missingUnits(random, side);
        expect(missing).toBeLessThanOrEqual(most);
        if (missing > 0) shortened += 1;
      }
      expect(shortened).toBeGreaterThan(10);
    },
  );
});

/** One random cross match; by how many units any of its parties gets less, or pays more, than its stake × (price − 1). */
function missingUnits(random: Random, side: 'For' | 'Against'): number {
  const outcomes = random.between(2, 5);
  const stage = new Stage();
  const market = stage.market({ outcomes, crossMatching: true });
  const middle = tickOfDecimal([2, 3, 4, 5][outcomes - 2] ?? 0) ?? 0;
  for (let other = 1; other < outcomes; other += 1) {
    const at = decimalOfTick((middle + random.between(-7, 7)) as Tick);
    stage.order(market, [stage.wallet(1000), side, other, random.between(1, 90) / 1000, at]);
  }
  const limit = side === 'For' ? 1.01 : 1000;
  const taker = stage.order(market, [stage.wallet(1000), side, 0, random.between(1, 100) / 1000, limit]);
  const { trades } = stage.exchange.inspect();
  let most = 0;
  for (const order of stage.exchange.ordersOfMarket(market)) {
    for (const trade of stage.exchange.tradesOfOrder(order.id)) {
      const slot = trades.slotById.get(trade.id);
      const winnings = trades.winnings(slot) - profitAt(trade.stake, trade.price as Price);
      const losings = trade.stake - trades.losings(slot);
      // Against makers are paid and pay in full; of For makers only the winnings are cut.
      if (order.id !== taker && side === 'Against') expect([winnings, losings]).toEqual([0, 0]);
      if (side === 'For') expect(losings).toBe(0);
      most = Math.max(most, Math.abs(winnings), losings);
    }
  }
  return most;
}

it('“recomputed, R never rises on a match”: not for any maker, over random books with dust', () => {
  let fills = 0;
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = new Random(seed);
    const stage = new Stage();
    const outcomes = random.between(2, 4);
    const market = stage.market({ outcomes, crossMatching: true });
    const wallets = Array.from({ length: 4 }, () => stage.wallet(1000));
    const middle = tickOfDecimal(outcomes) ?? 0;
    for (let step = 0; step < 60; step += 1) {
      const before = wallets.map((wallet) => stage.taken(wallet, market));
      const taker = random.between(0, wallets.length - 1);
      const at = decimalOfTick((middle + random.between(-4, 4)) as Tick);
      const stake = random.between(1, 40) / 1000;
      const side = random.pick(['For', 'Against'] as const);
      const events = stage.place(market, [wallets[taker] ?? -1, side, random.between(0, outcomes - 1), stake, at]);
      fills += events.filter((event) => event.kind === 'orderMatched').length;
      for (const [index, wallet] of wallets.entries()) {
        if (index === taker) continue;
        expect(stage.taken(wallet, market), `seed ${seed}, step ${step}`).toBeLessThanOrEqual(before[index] ?? 0);
      }
    }
  }
  expect(fills).toBeGreaterThan(300);
});
