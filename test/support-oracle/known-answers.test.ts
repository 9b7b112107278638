/** The oracle alone gives the known answers of the exchange profile's section 8. */

import { describe, expect, it } from 'vitest';
import type { MarketTerms, PlaceRequest } from '../../src/matching/messages/command.ts';
import { bestSynthetic } from '../support/oracle/cross-matching.ts';
import { held, positionOf, resultFor } from '../support/oracle/funds.ts';
import { LADDER } from '../support/oracle/ladder.ts';
import { Desk } from '../support/oracle-desk.ts';

const THREE_WAY: Partial<MarketTerms> = { outcomes: 3, winners: { min: 1, max: 1 }, crossMatching: true };

function unmatchedByWinner(desk: Desk, wallet: number): number[] {
  const market = desk.world.markets[0]!;
  const { unmatchedWin, unmatchedLose } = positionOf(market, wallet);
  return [0, 1, 2].map((winner) => Number(resultFor([winner], unmatchedWin, unmatchedLose)) / 1e6);
}

function resultByWinner(desk: Desk, wallet: number): number[] {
  const { win, lose } = positionOf(desk.world.markets[0]!, wallet);
  return [0, 1, 2].map((winner) => Number(resultFor([winner], win, lose)) / 1e6);
}

function requiredOf(desk: Desk, wallet: number): number {
  return Number(held(desk.world.markets[0]!, wallet).r) / 1e6;
}

type Bet = Pick<PlaceRequest, 'side' | 'outcome'> & { price: number; stake: number };

describe('the ladder', () => {
  it('has the 350 prices of section 3', () => {
    expect(LADDER).toHaveLength(350);
    expect(LADDER[0]).toBe(1010n);
    expect(LADDER.at(-1)).toBe(1_000_000n);
    for (const price of [2000n, 2020n, 3000n, 3050n, 4100n, 6200n, 10_500n, 21_000n, 32_000n, 55_000n, 110_000n]) {
      expect(LADDER).toContain(price);
    }
  });
});

describe('known answer 1: For on every outcome', () => {
  const back = (outcome: number): Bet => ({ side: 'For', outcome, price: 3, stake: 10 });

  it('takes 10, 10 and nothing while unmatched', () => {
    const desk = new Desk({ ...THREE_WAY, crossMatching: false });
    const wallet = desk.wallet(100);
    const taken = [0, 1, 2].map((outcome) => {
      const before = requiredOf(desk, wallet);
      desk.bet(wallet, back(outcome));
      return requiredOf(desk, wallet) - before;
    });
    expect(taken).toEqual([10, 10, 0]);
    expect(unmatchedByWinner(desk, wallet)).toEqual([20, 20, 20]);
  });

  it('refunds 0, 0 and 20 as they match, and ends flat', () => {
    const desk = new Desk({ ...THREE_WAY, crossMatching: false });
    const wallet = desk.wallet(100);
    for (const outcome of [0, 1, 2]) desk.bet(wallet, back(outcome));
    const layer = desk.wallet(1000);
    const refunds = [0, 1, 2].map((outcome) => {
      const before = requiredOf(desk, wallet);
      desk.bet(layer, { side: 'Against', outcome, price: 3, stake: 10 });
      return before - requiredOf(desk, wallet);
    });
    expect(refunds).toEqual([0, 0, 20]);
    expect(resultByWinner(desk, wallet)).toEqual([0, 0, 0]);
  });
});

describe('known answer 2: Against on every outcome', () => {
  it('takes 10 once at 2.00', () => {
    const desk = new Desk({ ...THREE_WAY, crossMatching: false });
    const wallet = desk.wallet(100);
    const seen = [0, 1, 2].map((outcome) => {
      desk.bet(wallet, { side: 'Against', outcome, price: 2, stake: 10 });
      return { exposure: unmatchedByWinner(desk, wallet), taken: requiredOf(desk, wallet) };
    });
    expect(seen).toEqual([
      { exposure: [10, 0, 0], taken: 10 },
      { exposure: [10, 10, 0], taken: 10 },
      { exposure: [10, 10, 10], taken: 10 },
    ]);
  });

  it('takes 20 once at 3.00', () => {
    const desk = new Desk({ ...THREE_WAY, crossMatching: false });
    const wallet = desk.wallet(100);
    const taken = [0, 1, 2].map((outcome) => {
      desk.bet(wallet, { side: 'Against', outcome, price: 3, stake: 10 });
      return requiredOf(desk, wallet);
    });
    expect(taken).toEqual([20, 20, 20]);
  });
});

describe('known answer 3: a direct match', () => {
  it('leaves 25,000 of the level and pays 280,000', () => {
    const desk = new Desk(THREE_WAY);
    const maker = desk.bet(desk.wallet(1e6), { side: 'Against', outcome: 0, price: 2.8, stake: 125_000 });
    const taker = desk.bet(desk.wallet(1e6), { side: 'For', outcome: 0, price: 2.8, stake: 100_000 });
    expect(maker.unmatched).toBe(25_000_000_000n);
    const [trade] = taker.trades;
    expect(trade!.stake + trade!.win).toBe(280_000_000_000n);
  });
});

describe('known answer 4: an exact cross match', () => {
  it('meets 100,000 at 3.5 and leaves 20,000 of it', () => {
    const desk = new Desk(THREE_WAY);
    const wallet = desk.wallet(1e6);
    const makers = [1, 2].map((outcome) => desk.bet(wallet, { side: 'For', outcome, price: 2.8, stake: 125_000 }));
    const want: Bet = { side: 'For', outcome: 0, price: 3.5, stake: 80_000 };
    const taker = desk.bet(desk.wallet(1e6), want);
    for (const maker of makers) {
      expect(maker.trades.map(({ stake, price }) => [stake, price])).toEqual([[100_000_000_000n, 2800n]]);
      expect(maker.unmatched).toBe(25_000_000_000n);
    }
    expect(taker.trades.map(({ stake, price }) => [stake, price])).toEqual([[80_000_000_000n, 3500n]]);
    const left = bestSynthetic(desk.world, taker);
    expect([left!.price, left!.amount]).toEqual([3500n, 20_000_000_000n]);
  });
});

describe('known answer 5: a truncated cross match, a lay of one’s own bet, and settlement at 10 %', () => {
  function play() {
    const desk = new Desk({ ...THREE_WAY }, { ratePpm: 100_000 });
    const [a, b, c] = [desk.wallet(1), desk.wallet(1), desk.wallet(1)];
    const first = desk.bet(a, { side: 'For', outcome: 0, price: 2.7, stake: 0.008 });
    const second = desk.bet(b, { side: 'For', outcome: 1, price: 3, stake: 0.009 });
    const offered = bestSynthetic(desk.world, { ...first, outcome: 2 });
    const taker = desk.bet(c, { side: 'For', outcome: 2, price: 3.3, stake: 0.005 });
    return { desk, a, b, c, first, second, offered, taker };
  }

  it('offers 0.006 at 3.375 and fills 0.005 of it', () => {
    const { offered, taker, first, second } = play();
    expect([offered!.price, offered!.amount]).toEqual([3375n, 6000n]);
    expect(taker.trades.map(({ stake, price }) => [stake, price])).toEqual([[5000n, 3375n]]);
    expect([first.unmatched, second.unmatched]).toEqual([1750n, 3375n]);
    for (const order of [first, second, taker]) expect(order.trades[0]!.stake + order.trades[0]!.win).toBe(16_875n);
  });

  it('gives the positions and the escrow of the vector', () => {
    const { desk, a, b, c } = play();
    expect(resultByWinner(desk, a)).toEqual([0.010625, -0.00625, -0.00625]);
    expect(resultByWinner(desk, b)).toEqual([-0.005625, 0.01125, -0.005625]);
    expect(resultByWinner(desk, c)).toEqual([-0.005, -0.005, 0.011875]);
    // The vectors' escrow counts matched and unmatched requirements together.
    expect(requiredOf(desk, a) + requiredOf(desk, b) + requiredOf(desk, c)).toBeCloseTo(0.022, 9);
  });

  it('settles to the balances of the vector', () => {
    const { desk, a, b, c } = play();
    const lay = desk.bet(a, { side: 'Against', outcome: 0, price: 2.7, stake: 0.002 });
    expect(lay.unmatched).toBe(250n);
    expect(requiredOf(desk, a) + requiredOf(desk, b) + requiredOf(desk, c)).toBeCloseTo(0.02025, 9);
    desk.settle([0]);
    expect([a, b, c].map((wallet) => desk.balance(wallet))).toEqual([1.009563, 0.994375, 0.995]);
  });
});
