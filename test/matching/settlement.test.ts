/** Settlement: winners one and several, dead heats, commission, voiding, resettling, removals. */

import { describe, expect, it } from 'vitest';
import { CURRENCY, Stage } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [backer, layer] = [stage.wallet(1000), stage.wallet(1000)];
  const market = stage.market(terms);
  const bet = (outcome: number, stake: number, price: number): readonly [number, number] => [
    stage.order(market, [backer, 'For', outcome, stake, price]),
    stage.order(market, [layer, 'Against', outcome, stake, price]),
  ];
  return { stage, backer, layer, market, bet };
}

function profits(stage: Stage, order: number): readonly number[] {
  return [...stage.exchange.tradesOfOrder(order)].map((trade) => trade.profitLoss / 1e6);
}

describe('settling', () => {
  it('pays winners in full, and ends orders Won or Lost with their trades’ profit', () => {
    const { stage, backer, layer, market, bet } = ready();
    const [won, laid] = bet(0, 10, 3);
    const [lost] = bet(1, 10, 3);
    expect(profits(stage, won)).toEqual([0]);
    stage.settle(market, [0]);
    expect([won, laid, lost].map((id) => stage.standing(id))).toEqual(['Won 0/0', 'Lost 0/0', 'Lost 0/0']);
    expect([won, laid, lost].map((id) => profits(stage, id))).toEqual([[20], [-20], [-10]]);
    expect([stage.balance(backer), stage.balance(layer), stage.escrow(market)]).toEqual([1010, 990, 0]);
  });

  it('voids unmatched stake first: never matched → Cancelled, else settled with the voided part', () => {
    const { stage, backer, layer, market } = ready();
    const none = stage.order(market, [backer, 'For', 1, 5, 2]);
    const partly = stage.order(market, [backer, 'For', 0, 5, 2]);
    stage.order(market, [layer, 'Against', 0, 2, 2]);
    stage.settle(market, [0]);
    expect(stage.standing(none)).toBe('Cancelled 0/5 MarketSettled');
    expect(stage.standing(partly)).toBe('Won 0/3');
    expect(stage.exchange.account(backer, CURRENCY)).toMatchObject({ unmatchedExposure: 0, balance: 1_002_000_000 });
  });

  it('pays as many winners as the market has places', () => {
    const { stage, backer, market, bet } = ready({ winners: { min: 2, max: 2 } });
    bet(0, 10, 1.5);
    bet(1, 10, 2);
    bet(2, 10, 4);
    // The worst pair is the one that pays least: 0 and 1 win 5 and 10, 2 loses 10.
    expect(stage.taken(backer, market)).toBe(0);
    stage.settle(market, [0, 1]);
    expect(stage.balance(backer)).toBe(1005);
  });

  it('shares the place in a dead heat: w/k of the stake at full odds, the rest loses', () => {
    const { stage, backer, layer, market, bet } = ready();
    const [won, laid] = bet(0, 10, 3);
    stage.settle(market, [0, 1], 1);
    expect([stage.standing(won), stage.standing(laid)]).toEqual(['Won 0/0', 'Won 0/0']);
    expect([profits(stage, won), profits(stage, laid)]).toEqual([[5], [-5]]);
    expect([stage.balance(backer), stage.balance(layer)]).toEqual([1005, 995]);
  });

  it('floors every share of a three-way dead heat, and leaves the dust to the System wallet', () => {
    const { stage, backer, layer, market, bet } = ready();
    bet(0, 10, 2.02);
    const system = stage.balance(0);
    stage.settle(market, [0, 1, 2], 1);
    expect(stage.balance(backer)).toBe(1000 - 10 + 6.733333);
    expect(stage.balance(layer)).toBe(1000 + 10 - 6.733334);
    expect(stage.balance(0)).toBeCloseTo(system + 0.000001, 9);
  });

  it.each([[[]], [[0, 0]], [[7]]])('refuses winners %j', (winners) => {
    const { stage, market } = ready();
    stage.do({ kind: 'lock', market });
    expect(stage.do({ kind: 'settle', market, winners })).toEqual([
      { at: stage.now, kind: 'refused', reason: 'INVALID_ARGUMENT' },
    ]);
  });
});

describe('commission', () => {
  it('is taken on the net win of the market, split over rates by matched risk, and not on a loss', () => {
    const { stage, backer, layer, market } = ready();
    stage.do({ kind: 'createCommissionRate', app: 1, ratePpm: 10_000, isDefault: true });
    stage.do({ kind: 'createCommissionRate', app: 1, ratePpm: 50_000, isDefault: false });
    stage.order(market, [backer, 'For', 0, 10, 3]);
    stage.order(market, [backer, 'For', 0, 30, 3], { commissionRate: 1 });
    stage.order(market, [backer, 'For', 1, 10, 3]);
    stage.order(market, [layer, 'Against', 0, 40, 3]);
    stage.order(market, [layer, 'Against', 1, 10, 3]);
    stage.settle(market, [0]);
    // Net win 70 over a risk of 50, of which 20 at 1 % and 30 at 5 %.
    expect(stage.balance(backer)).toBe(1067.62);
    expect(stage.balance(layer)).toBe(1000 - 70);
    expect(stage.balance(stage.exchange.app(1)?.commissionWallet ?? -1)).toBe(2.38);
  });
});

describe('voiding', () => {
  it('gives every bet back and turns all but Cancelled orders into Voided', () => {
    const { stage, backer, layer, market, bet } = ready();
    const [matched] = bet(0, 10, 3);
    const open = stage.order(market, [backer, 'For', 1, 5, 2]);
    const gone = stage.order(market, [backer, 'For', 1, 5, 2]);
    stage.do({ kind: 'cancel', app: 1, orders: [gone] });
    stage.do({ kind: 'void', market });
    expect([matched, open, gone].map((id) => stage.standing(id))).toEqual([
      'Voided 0/0',
      'Voided 0/5',
      'Cancelled 0/5 UserRequest',
    ]);
    expect([stage.available(backer), stage.available(layer), profits(stage, matched)]).toEqual([1000, 1000, [0]]);
  });
});

describe('resettling', () => {
  it('takes everything back, commission too, and settles anew; it may charge below zero', () => {
    const { stage, backer, layer, market, bet } = ready();
    stage.do({ kind: 'createCommissionRate', app: 1, ratePpm: 100_000, isDefault: true });
    const [order, laid] = bet(0, 1000, 2);
    stage.settle(market, [0]);
    expect([stage.balance(backer), stage.balance(layer)]).toEqual([1900, 0]);
    stage.do({ kind: 'withdraw', wallet: backer, currency: CURRENCY, amount: 1_900_000_000 as never });
    stage.do({ kind: 'resettle', market, winners: [1] });
    expect([stage.balance(backer), stage.balance(layer)]).toEqual([-1900, 1900]);
    expect([stage.standing(order), stage.standing(laid)]).toEqual(['Lost 0/0', 'Won 0/0']);
    stage.do({ kind: 'resettle', market, winners: [] });
    expect([stage.balance(backer), stage.balance(layer)]).toEqual([-900, 1000]);
    expect([stage.standing(order), stage.standing(laid)]).toEqual(['Voided 0/0', 'Voided 0/0']);
    stage.do({ kind: 'resettle', market, winners: [0] });
    expect([stage.balance(backer), stage.balance(layer)]).toEqual([0, 0]);
    const next = stage.market();
    expect(stage.refusal(next, [backer, 'For', 0, 1, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
  });
});

describe('removing an outcome', () => {
  it('voids its orders, reprices the others and voids their resting Against orders', () => {
    const { stage, backer, layer, market, bet } = ready();
    const [removed] = bet(0, 10, 5);
    const [kept] = bet(1, 10, 3);
    const lay = stage.order(market, [layer, 'Against', 1, 10, 2.5]);
    const back = stage.order(market, [backer, 'For', 2, 10, 8]);
    stage.do({ kind: 'removeOutcome', market, outcome: 0, factorPpm: 200_000, basis: 'win' });
    expect([removed, kept, lay, back].map((id) => stage.standing(id))).toEqual([
      'Voided 0/0',
      'Matched 0/0',
      'Cancelled 0/10 OutcomeRemoved',
      'Unmatched 10/0',
    ]);
    expect([...stage.exchange.tradesOfOrder(kept)].map((trade) => trade.price)).toEqual([2400]);
    expect(stage.refusal(market, [backer, 'For', 0, 1, 2])).toBe('MARKET_OUTCOME_NOT_FOUND');
    stage.settle(market, [1]);
    expect([stage.balance(backer), stage.balance(layer)]).toEqual([1014, 986]);
  });

  it('changes nothing on the others below the threshold, and reduces price − 1 on a place basis', () => {
    const { stage, market, bet } = ready();
    const [kept] = bet(1, 10, 3);
    stage.do({ kind: 'removeOutcome', market, outcome: 0, factorPpm: 24_999, basis: 'win' });
    expect([...stage.exchange.tradesOfOrder(kept)].map((trade) => trade.price)).toEqual([3000]);
    stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 250_000, basis: 'place' });
    expect([...stage.exchange.tradesOfOrder(kept)].map((trade) => trade.price)).toEqual([2500]);
  });

  it('charges what it raises, even below zero', () => {
    const stage = new Stage();
    const [hedger, other] = [stage.wallet(10), stage.wallet(1000)];
    const market = stage.market({ outcomes: 2 });
    // Backed at 5 on one, laid against at 2 on the other: hedged until one of them is gone.
    stage.order(market, [hedger, 'For', 0, 10, 2]);
    stage.order(market, [other, 'Against', 0, 10, 2]);
    stage.order(market, [hedger, 'For', 1, 10, 2]);
    stage.order(market, [other, 'Against', 1, 10, 2]);
    expect(stage.balance(hedger)).toBe(10);
    stage.do({ kind: 'withdraw', wallet: hedger, currency: CURRENCY, amount: 10_000_000 as never });
    stage.do({ kind: 'removeOutcome', market, outcome: 1, factorPpm: 10_000, basis: 'win' });
    // With one outcome left to win the bet on it wins for certain; the layer is the one who owes.
    expect([stage.balance(hedger), stage.balance(other)]).toEqual([0, 990]);
    stage.settle(market, [0]);
    expect([stage.balance(hedger), stage.balance(other)]).toEqual([10, 990]);
  });
});
