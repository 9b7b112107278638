/** The five known answers of the profile's section 8, figure by figure. */

import { describe, expect, it } from 'vitest';
import { type Money, moneyToDecimal } from '../../src/core/number/units.ts';
import { Stage } from './stage.ts';

describe('1: three outcomes, For 10 @ 3.00 on each in turn', () => {
  function placed(): { stage: Stage; market: number; wallet: number; available: number[] } {
    const stage = new Stage();
    const wallet = stage.wallet(1000);
    const market = stage.market();
    const available: number[] = [];
    for (const outcome of [0, 1, 2]) {
      stage.order(market, [wallet, 'For', outcome, 10, 3]);
      available.push(stage.available(wallet));
    }
    return { stage, market, wallet, available };
  }

  it('takes 10, 10 and 0', () => {
    expect(placed().available).toEqual([990, 980, 980]);
  });

  it('refunds 0, 0 and 20 as they match, and ends with nothing at stake', () => {
    const { stage, market, wallet } = placed();
    const other = stage.wallet(1000);
    const available: number[] = [];
    for (const outcome of [0, 1, 2]) {
      stage.order(market, [other, 'Against', outcome, 10, 3]);
      available.push(stage.available(wallet));
    }
    expect(available).toEqual([980, 980, 1000]);
    expect(stage.exposures(wallet, market)).toEqual([0, 0, 0]);
  });
});

describe('2: Against 10 on each of three outcomes', () => {
  it.each([
    { price: 2, taken: [10, 10, 10] },
    { price: 3, taken: [20, 20, 20] },
  ])('takes its liability once at $price', ({ price, taken }) => {
    const stage = new Stage();
    const wallet = stage.wallet(100);
    const market = stage.market();
    const found = [0, 1, 2].map((outcome) => {
      stage.order(market, [wallet, 'Against', outcome, 10, price]);
      return stage.taken(wallet, market);
    });
    expect(found).toEqual(taken);
  });
});

it('3: a taker For 100,000 @ 2.8 leaves 25,000 of an Against level of 125,000, and stands to get 280,000', () => {
  const stage = new Stage();
  const maker = stage.wallet(1_000_000);
  const taker = stage.wallet(1_000_000);
  const market = stage.market();
  stage.order(market, [maker, 'Against', 0, 125_000, 2.8]);
  const order = stage.order(market, [taker, 'For', 0, 100_000, 2.8]);
  expect(stage.levels(market, 0)).toEqual(['Against 2.8 25000']);
  expect(stage.standing(order)).toBe('Matched 0/0');
  stage.settle(market, [0]);
  // 100,000 left the wallet, 280,000 came back.
  expect(stage.balance(taker)).toBe(1_000_000 - 100_000 + 280_000);
});

it.each(['exact', 'rounded'] as const)(
  '4: For levels on two outcomes are Against stake on the third (%s)',
  (crossPrice) => {
    const stage = new Stage({ rules: { crossPrice } });
    const [one, two, taker] = [stage.wallet(1_000_000), stage.wallet(1_000_000), stage.wallet(1_000_000)];
    const market = stage.market({ crossMatching: true });
    const first = stage.order(market, [one, 'For', 1, 125_000, 2.8]);
    const second = stage.order(market, [two, 'For', 2, 125_000, 2.8]);
    expect(stage.levels(market, 0, true)).toEqual(['Against 3.5 100000']);
    const order = stage.order(market, [taker, 'For', 0, 80_000, 3.5]);
    expect([first, second, order].map((id) => stage.standing(id))).toEqual([
      'PartiallyMatched 25000/0',
      'PartiallyMatched 25000/0',
      'Matched 0/0',
    ]);
    expect(stage.levels(market, 0, true)).toEqual(['Against 3.5 20000']);
    const [trade] = [...stage.exchange.tradesOfOrder(first)];
    expect([trade?.price, moneyToDecimal(trade?.stake ?? (0 as Money))]).toEqual([2800, 100_000]);
  },
);

describe('5: cross match with truncation', () => {
  function crossed() {
    const stage = new Stage();
    stage.do({ kind: 'createCommissionRate', app: stage.app, ratePpm: 100_000, isDefault: true });
    const [a, b, c] = [stage.wallet(1), stage.wallet(1), stage.wallet(1)];
    const market = stage.market({ crossMatching: true });
    const first = stage.order(market, [a, 'For', 0, 0.008, 2.7]);
    const second = stage.order(market, [b, 'For', 1, 0.009, 3]);
    return { stage, market, first, second, a, b, c };
  }

  it('shows 0.006 @ 3.375 at the ladder price that is worse for the taker', () => {
    const { stage, market } = crossed();
    expect(stage.levels(market, 2, true)).toEqual(['Against 3.35 0.006']);
  });

  it('fills all three at their prices, and holds 0.022', () => {
    const { stage, market, first, second, a, b, c } = crossed();
    const order = stage.order(market, [c, 'For', 2, 0.005, 3.3]);
    expect([...stage.exchange.tradesOfOrder(order)].map((trade) => [trade.price, trade.stake])).toEqual([[3375, 5000]]);
    expect(stage.standing(first)).toBe('PartiallyMatched 0.00175/0');
    expect(stage.standing(second)).toBe('PartiallyMatched 0.003375/0');
    expect(stage.exposures(a, market)).toEqual([0.010625, -0.00625, -0.00625]);
    expect(stage.exposures(b, market)).toEqual([-0.005625, 0.01125, -0.005625]);
    expect(stage.exposures(c, market)).toEqual([-0.005, -0.005, 0.011875]);
    expect(held(stage, market, [a, b, c])).toBe(0.022);
  });

  it('lets A lay its own remainder, and pays 1.009563, 0.994375 and 0.995', () => {
    const { stage, market, first, a, b, c } = crossed();
    stage.order(market, [c, 'For', 2, 0.005, 3.3]);
    const lay = stage.order(market, [a, 'Against', 0, 0.002, 2.7]);
    expect(stage.standing(first)).toBe('Matched 0/0');
    expect(stage.standing(lay)).toBe('PartiallyMatched 0.00025/0');
    expect(held(stage, market, [a, b, c])).toBe(0.02025);
    stage.settle(market, [0]);
    expect([a, b, c].map((wallet) => stage.balance(wallet))).toEqual([1.009563, 0.994375, 0.995]);
  });

  /** What the vectors call escrow, which includes unmatched bets: the sum of R. */
  function held(stage: Stage, market: number, wallets: readonly number[]): number {
    let sum = 0;
    for (const wallet of wallets) sum += stage.exchange.position(wallet, market)?.required ?? 0;
    return moneyToDecimal(sum as Money);
  }
});
