/** The profile's section 6 on R, M and balanceAvailable, and section 7's metrics: numbers worked out from the text. */

import { describe, expect, it } from 'vitest';
import { moneyToDecimal } from '../../src/core/number/units.ts';
import { CURRENCY, START, Stage, units } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  const market = stage.market(terms);
  const matched = (side: 'For' | 'Against', outcome: number, stake: number, price: number) => {
    stage.order(market, [two, side === 'For' ? 'Against' : 'For', outcome, stake, price]);
    stage.order(market, [one, side, outcome, stake, price]);
  };
  return { stage, one, two, market, matched };
}

/** R and M of a wallet. */
function needs(stage: Stage, wallet: number, market: number): readonly number[] {
  const position = stage.exchange.position(wallet, market);
  return position === undefined ? [] : [position.required, position.matched].map(moneyToDecimal);
}

describe('“R = max over W of (U(W) + max(0, −S(W)))”', () => {
  it('“opposite unmatched orders do not offset each other”', () => {
    const { stage, one, market } = ready();
    stage.order(market, [one, 'For', 0, 10, 3]);
    stage.order(market, [one, 'Against', 1, 10, 2]);
    // U = [0, 10 + 10, 10].
    expect(needs(stage, one, market)).toEqual([20, 0]);
  });

  it('“matched profit does not pay for unmatched orders”', () => {
    const { stage, one, market, matched } = ready();
    matched('For', 0, 10, 3);
    stage.order(market, [one, 'Against', 0, 15, 2]);
    // If 0 wins the matched bet makes 20, and U is still 15; if not, 10 is lost and U is 0.
    expect(needs(stage, one, market)).toEqual([15, 10]);
    expect(stage.exchange.account(one, CURRENCY)).toMatchObject({ unmatchedExposure: 5_000_000 });
  });

  it.each([
    // S of a pair, 4 outcomes: For 10 @ 2 on 0 and on 1. One winner of 2 or 3 loses both bets; so do two of them.
    [{ min: 1, max: 1 }, 4, 20],
    [{ min: 2, max: 2 }, 4, 20],
    // Of 3 outcomes two win: at least one bet does, and the worst is even.
    [{ min: 2, max: 2 }, 3, 0],
    // “Every size from winnersRange.min to …”: one winner may be 2 alone.
    [{ min: 1, max: 2 }, 3, 20],
  ])('over winners %j of %i outcomes', (winners, outcomes, held) => {
    const { stage, one, market, matched } = ready({ winners, outcomes });
    matched('For', 0, 10, 2);
    matched('For', 1, 10, 2);
    expect(needs(stage, one, market)).toEqual([held, held]);
  });

  it.each([
    // Unmatched: Against 10 @ 3 on 0 and on 1 (20 each if it wins), For 5 @ 2 on 2 (5 if it does not).
    [{ min: 1, max: 1 }, 25],
    [{ min: 1, max: 2 }, 45],
    [{ min: 2, max: 2 }, 45],
    [{ min: 3, max: 4 }, 45],
    [{ min: 4, max: 4 }, 40],
  ])('over winners %j, unmatched', (winners, required) => {
    const { stage, one, market } = ready({ winners, outcomes: 4 });
    stage.order(market, [one, 'Against', 0, 10, 3]);
    stage.order(market, [one, 'Against', 1, 10, 3]);
    stage.order(market, [one, 'For', 2, 5, 2]);
    expect(needs(stage, one, market)).toEqual([required, 0]);
  });
});

it('“balanceAvailable = balance + overdraft − unmatchedExposure; matched money moves to the market’s MarketEscrow wallet”', () => {
  const { stage, one, two, market } = ready();
  stage.do({ kind: 'setOverdraft', wallet: one, currency: CURRENCY, overdraft: units(7) });
  stage.order(market, [one, 'For', 0, 10, 3]);
  const other = stage.market();
  stage.order(other, [one, 'Against', 0, 4, 3]);
  const seen = () => {
    const account = stage.exchange.account(one, CURRENCY);
    return [account?.balance, account?.unmatchedExposure, account?.balanceAvailable].map((each) => (each ?? 0) / 1e6);
  };
  expect(seen()).toEqual([1000, 10 + 8, 989]);
  stage.order(market, [two, 'Against', 0, 6, 3]);
  expect(seen()).toEqual([994, 4 + 8, 989]);
  // Escrow holds M of both sides: 6 of the backer, 12 of the layer.
  expect(stage.escrow(market)).toBe(18);
});

it('“every fall of R is refunded at once”, when a bet is laid off and when a better price is met', () => {
  const { stage, one, two, market, matched } = ready();
  matched('For', 0, 10, 3);
  expect(stage.balance(one)).toBe(990);
  matched('Against', 0, 10, 3);
  expect([stage.balance(one), stage.balance(two), stage.escrow(market)]).toEqual([1000, 1000, 0]);
  stage.order(market, [two, 'For', 1, 10, 2]);
  // The limit would cost 30, the maker's price costs 10: improvement goes to the taker.
  stage.order(market, [one, 'Against', 1, 10, 4]);
  expect([stage.available(one), stage.balance(one)]).toEqual([990, 990]);
});

it('no command may move the money in escrow or of the System wallet: escrow holds M and nothing else', () => {
  const { stage, one, market } = ready();
  const escrow = stage.exchange.market(market)?.escrowWallet ?? -1;
  const amount = units(1);
  const refused = [{ kind: 'refused', reason: 'INVALID_ARGUMENT', at: stage.now }];
  for (const wallet of [escrow, 0]) {
    for (const kind of ['deposit', 'withdraw', 'adjust'] as const) {
      expect(stage.do({ kind, wallet, currency: CURRENCY, amount })).toEqual(refused);
    }
    expect(stage.do({ kind: 'transfer', from: one, to: wallet, currency: CURRENCY, amount })).toEqual(refused);
    expect(stage.do({ kind: 'transfer', from: wallet, to: one, currency: CURRENCY, amount })).toEqual(refused);
  }
  expect(stage.balance(one)).toBe(1000);
});

it('a position’s exposures are “the matched profit or loss if that outcome wins”, unmatched stake not counted', () => {
  const { stage, one, two, market, matched } = ready();
  matched('For', 0, 10, 3);
  matched('Against', 1, 5, 4);
  stage.order(market, [one, 'For', 2, 100, 2]);
  expect(stage.exposures(one, market)).toEqual([20 + 5, -10 - 15, -10 + 5]);
  expect(stage.exposures(two, market)).toEqual([-25, 25, 5]);
});

it('wallet metrics: “open = orders with unmatched stake”, “cancelled = Cancelled or Failed”, “total = Σ stake”', () => {
  const { stage, one, two, market } = ready({ inPlayDelayMs: 5000 });
  stage.order(market, [one, 'For', 0, 8, 2]);
  stage.order(market, [two, 'Against', 0, 3, 2]);
  const voided = stage.market();
  stage.order(voided, [one, 'For', 0, 16, 2]);
  stage.do({ kind: 'void', market: voided });
  const lost = stage.market();
  stage.order(lost, [one, 'For', 0, 32, 2]);
  stage.order(lost, [two, 'Against', 0, 1, 2]);
  stage.settle(lost, [1]);
  stage.do({ kind: 'setInPlay', market, inPlay: true });
  stage.order(market, [one, 'For', 1, 64, 2]);
  stage.do({ kind: 'suspend', market, suspended: true });
  stage.now += 5000;
  stage.do({ kind: 'suspend', market, suspended: false });
  stage.order(market, [one, 'For', 1, 128, 2]);
  const period = { wallet: one, currency: CURRENCY, from: START, to: stage.now };
  const read = (query: typeof period) =>
    Object.entries(stage.exchange.walletMetrics(query)).map(
      ([key, { total, count }]) => `${key} ${total / 1e6} ${count}`,
    );
  // Open: the partly matched 8 and the Pending 128, each with its whole stake.
  expect(read(period)).toEqual(['open 136 2', 'matched 0 0', 'cancelled 64 1', 'settled 32 1', 'voided 16 1']);
  expect(read({ ...period, from: START + 1 })).toContain('open 128 1');
  expect(read({ ...period, currency: CURRENCY + 1 })).toContain('open 0 0');
});
