/** Sentences of the profile's section 7, each checked by numbers worked out from the text. */

import { describe, expect, it } from 'vitest';
import { CURRENCY, Stage, units } from './stage.ts';

function ready(terms: Parameters<Stage['market']>[0] = {}) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  const market = stage.market(terms);
  const matched = (side: 'For' | 'Against', outcome: number, stake: number, price: number, rate?: number): number => {
    stage.order(market, [two, side === 'For' ? 'Against' : 'For', outcome, stake, price]);
    const more = rate === undefined ? {} : { commissionRate: rate };
    return stage.order(market, [one, side, outcome, stake, price], more);
  };
  return { stage, one, two, market, matched };
}

function profits(stage: Stage, order: number): readonly number[] {
  return [...stage.exchange.tradesOfOrder(order)].map((trade) => trade.profitLoss / 1e6);
}

function rates(stage: Stage, ...ppm: readonly number[]): void {
  for (const ratePpm of ppm) stage.do({ kind: 'createCommissionRate', app: 1, ratePpm, isDefault: false });
}

function commissions(stage: Stage): number {
  return stage.balance(stage.exchange.app(1)?.commissionWallet ?? -1);
}

describe('“unmatched parts are voided first”', () => {
  it('“never matched → Cancelled (MarketSettled), else Won/Lost with stakeVoided”; a Pending order too', () => {
    const { stage, one, two, market } = ready({ inPlayDelayMs: 60_000 });
    const won = stage.order(market, [one, 'For', 0, 10, 3]);
    const lost = stage.order(market, [two, 'Against', 0, 4, 3]);
    stage.order(market, [two, 'Against', 1, 10, 3]);
    const half = stage.order(market, [one, 'For', 1, 1, 3]);
    const never = stage.order(market, [one, 'Against', 2, 5, 2]);
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    const pending = stage.order(market, [one, 'For', 0, 7, 2]);
    stage.settle(market, [0]);
    expect([won, lost, half, lost + 1, never, pending].map((order) => stage.standing(order))).toEqual([
      'Won 0/6',
      'Lost 0/0',
      'Lost 0/0',
      'Won 0/9',
      'Cancelled 0/5 MarketSettled',
      'Cancelled 0/7 MarketSettled',
    ]);
    // 4 @ 3 won, 1 lost; nothing is held any more.
    expect([stage.available(one), stage.available(two)]).toEqual([1000 + 8 - 1, 1000 - 8 + 1]);
    stage.now += 60_000;
    expect(stage.do({ kind: 'advance' })).toEqual([]);
  });
});

describe('“a void market turns every order that is not Cancelled or Failed into Voided”', () => {
  it('whatever it was: Pending, Unmatched, PartiallyMatched or Matched; “void pays M back”', () => {
    const { stage, one, two, market } = ready({ inPlayDelayMs: 5000 });
    const matched = stage.order(market, [one, 'For', 0, 10, 3]);
    const partly = stage.order(market, [two, 'Against', 0, 12, 3]);
    const open = stage.order(market, [one, 'For', 1, 4, 3]);
    const gone = stage.order(market, [one, 'For', 1, 4, 3]);
    stage.do({ kind: 'cancel', app: 1, orders: [gone] });
    stage.do({ kind: 'setInPlay', market, inPlay: true });
    const failed = stage.order(market, [one, 'For', 1, 2, 3]);
    stage.do({ kind: 'suspend', market, suspended: true });
    stage.now += 5000;
    stage.do({ kind: 'suspend', market, suspended: false });
    const pending = stage.order(market, [one, 'For', 1, 2, 3]);
    const orders = [matched, partly, open, gone, failed, pending];
    stage.do({ kind: 'void', market, step: 'begin' });
    expect(orders.map((order) => stage.standing(order))).toEqual([
      'Voided 0/0',
      'Voided 0/2',
      'Voided 0/4',
      'Cancelled 0/4 UserRequest',
      'Failed 0/2 CreationFailed',
      'Voided 0/2',
    ]);
    expect([profits(stage, matched), stage.available(one), stage.available(two)]).toEqual([[0], 1000, 1000]);
  });
});

describe('“commission: rate × net profit per wallet and market, only where positive”', () => {
  it('“split pro rata to matched risk per commission rate, each share truncated and the same integer posted to both”', () => {
    const { stage, one, market, matched } = ready();
    rates(stage, 20_000, 33_333);
    matched('For', 0, 10, 1.5, 0);
    matched('For', 0, 5, 1.4, 1);
    stage.do({ kind: 'lock', market });
    const events = stage.do({ kind: 'settle', market, winners: [0] });
    const charged = events.flatMap((event) =>
      event.kind === 'transaction' && event.code === 'Commission' ? [event.amount] : [],
    );
    // Net 7 over a risk of 15: 7 · 2 % · 10/15 = 0.093333…, 7 · 3.3333 % · 5/15 = 0.077777.
    expect(charged).toEqual([-93_333, 93_333, -77_777, 77_777]);
    expect([stage.balance(one), commissions(stage)]).toEqual([1007 - 0.17111, 0.17111]);
  });

  it('the risk of an Against bet is its liability; bets without a rate carry their part and pay nothing', () => {
    const { stage, one, market, matched } = ready();
    rates(stage, 10_000, 100_000);
    matched('Against', 1, 10, 3, 0);
    matched('For', 0, 10, 2, 1);
    matched('For', 0, 30, 2);
    stage.settle(market, [0]);
    // Net 10 + 10 + 30 = 50 over 20 + 10 + 30 = 60: 50 · 1 % · 20/60 = 0.166666, 50 · 10 % · 10/60 = 0.833333.
    expect(commissions(stage)).toBe(0.999999);
    expect(stage.balance(one)).toBe(1049.000001);
  });

  it('bets on a removed outcome are void: they carry no risk and draw no rate', () => {
    const { stage, one, market, matched } = ready();
    rates(stage, 10_000, 100_000);
    matched('For', 0, 10, 2, 0);
    matched('For', 2, 30, 2, 1);
    stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 0, basis: 'win' });
    stage.settle(market, [0]);
    expect([stage.balance(one), commissions(stage)]).toEqual([1009.9, 0.1]);
  });

  it('is on the market’s net, so that a loss in it counts and a loss in another does not', () => {
    const { stage, one, two, market, matched } = ready();
    rates(stage, 100_000);
    matched('For', 0, 10, 2, 0);
    matched('For', 1, 4, 2, 0);
    const other = stage.market();
    stage.order(other, [two, 'Against', 0, 50, 2]);
    stage.order(other, [one, 'For', 0, 50, 2], { commissionRate: 0 });
    stage.settle(market, [0]);
    stage.settle(other, [1]);
    // 10 − 4 = 6 in the first, −50 in the second.
    expect([stage.balance(one), commissions(stage)]).toEqual([1000 + 6 - 0.6 - 50, 0.6]);
  });
});

describe('“dead heat, more declared winners k than places w: each settles stake·w/k at full odds, the rest loses”', () => {
  it('two places shared by three: profits, balances, and orders on all of them Won', () => {
    const { stage, one, two, market, matched } = ready({ winners: { min: 2, max: 2 }, outcomes: 4 });
    const backed = matched('For', 0, 10, 4);
    const laid = matched('Against', 1, 9, 2);
    const loser = matched('For', 3, 5, 2);
    const winner = matched('Against', 3, 6, 2);
    stage.settle(market, [0, 1, 2]);
    // 10 · 2/3 at 4 makes 20, the other third loses 3.333…: 16.666666. 9 laid: 6 lose 6, 3 win 3.
    expect([backed, laid, loser, winner].map((order) => profits(stage, order)[0])).toEqual([16.666666, -3, -5, 6]);
    const standings = [backed, laid, loser, winner].map((order) => stage.standing(order));
    expect(standings).toEqual(['Won 0/0', 'Won 0/0', 'Lost 0/0', 'Won 0/0']);
    // “Shares are floored, not truncated toward zero”: the layer of the first loses 16.666667.
    expect([stage.balance(one), stage.balance(two)]).toEqual([1014.666666, 985.333333]);
    expect(stage.escrow(market)).toBe(0);
  });

  it('“fewer winners than places: each in full”', () => {
    const { stage, one, market, matched } = ready({ winners: { min: 1, max: 3 }, outcomes: 4 });
    matched('For', 0, 10, 4);
    matched('For', 1, 10, 4);
    stage.settle(market, [0]);
    expect(stage.balance(one)).toBe(1000 + 30 - 10);
  });

  it('“several winners: as many as the market pays”: more places than that are refused', () => {
    const { stage, one, market, matched } = ready();
    matched('Against', 0, 10, 3);
    matched('Against', 1, 10, 3);
    stage.do({ kind: 'lock', market });
    // R was held for one winner: S({0}) = −20 + 10. Two in full would take 40 of a wallet that owes 10.
    expect(stage.taken(one, market)).toBe(10);
    const refused = [{ kind: 'refused', reason: 'INVALID_ARGUMENT', at: stage.now }];
    expect(stage.do({ kind: 'settle', market, winners: [0, 1], places: 2 })).toEqual(refused);
    stage.do({ kind: 'settle', market, winners: [0, 1], places: 1 });
    expect(stage.balance(one)).toBe(990);
    expect(stage.do({ kind: 'resettle', market, winners: [0, 1], places: 2 })).toEqual(refused);
    expect(stage.exchange.market(market)?.status).toBe('Settled');
  });

  it('dust goes to the escrow residual, and a resettlement takes it back', () => {
    const { stage, one, two, market, matched } = ready();
    matched('For', 0, 10, 2.02);
    const system = stage.balance(0);
    stage.settle(market, [0, 1, 2], 1);
    // −10 + 20.2 / 3 and 10 − 20.2 / 3, where 6.733333… is floored on both sides.
    expect([stage.balance(one), stage.balance(two)]).toEqual([996.733333, 1003.266666]);
    expect(stage.balance(0)).toBeCloseTo(system + 0.000001, 9);
    stage.do({ kind: 'resettle', market, winners: [0] });
    expect([stage.balance(one), stage.balance(two), stage.balance(0)]).toEqual([1010.2, 989.8, system]);
    // The residue of truncation was taken back by the first settlement's reversal.
    const events = stage.do({ kind: 'resettle', market, winners: [1] });
    expect(events.some((event) => event.kind === 'transaction' && event.code === 'SettlementResidual')).toBe(false);
    expect([stage.balance(one), stage.balance(two), stage.balance(0)]).toEqual([990, 1010, system]);
  });
});

describe('“a removal may raise R: it is charged even below zero, and orders that raise R are refused until …”', () => {
  function charged() {
    const set = ready();
    const { stage, one, market, matched } = set;
    matched('Against', 0, 10, 3);
    matched('Against', 2, 20, 2);
    matched('For', 2, 10, 2);
    // S = [−20 + 20 − 10, 10 + 20 − 10, 10 − 20 + 10] = [−10, 20, 0].
    expect([stage.exposures(one, market), stage.balance(one)]).toEqual([[-10, 20, 0], 990]);
    stage.do({ kind: 'withdraw', wallet: one, currency: CURRENCY, amount: units(990) });
    const events = stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 10_000, basis: 'win' });
    return { ...set, events };
  }

  it('“reported as an event”: the charge is a posting', () => {
    const { stage, one, market, events } = charged();
    // Without the bets on 2: S = [−20, 10].
    expect(events.filter((event) => event.kind === 'transaction' && event.wallet === one)).toMatchObject([
      { code: 'TradeCreation', amount: -10_000_000 },
    ]);
    expect([stage.balance(one), stage.taken(one, market)]).toEqual([-10, 20]);
  });

  it('an order that does not raise R is accepted meanwhile', () => {
    const { stage, one, market } = charged();
    expect(stage.refusal(market, [one, 'Against', 0, 1, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
    // 5 on 0 cost 5 if 1 wins, where the matched bets make 10.
    expect(stage.refusal(market, [one, 'For', 0, 5, 3])).toBeUndefined();
    stage.do({ kind: 'deposit', wallet: one, currency: CURRENCY, amount: units(10) });
    expect(stage.refusal(market, [one, 'Against', 0, 1, 2])).toBe('WALLET_INSUFFICIENT_CREDIT');
    stage.do({ kind: 'deposit', wallet: one, currency: CURRENCY, amount: units(1) });
    expect(stage.refusal(market, [one, 'Against', 0, 1, 2])).toBeUndefined();
  });

  it('settlement after it: the rest is paid as the bets that stand say, the removed ones come to nothing', () => {
    const { stage, one, two, market } = charged();
    stage.settle(market, [0]);
    expect([stage.balance(one), stage.balance(two)]).toEqual([1000 - 990 - 20, 1020]);
  });
});

it('a removal acts from a factor of 2.5 % on, that factor included, and “price × (1 − factor)” is truncated', () => {
  for (const [factorPpm, price, standing] of [
    [24_999, 3150, 'Unmatched 5/0'],
    // 3.15 · 0.975 = 3.07125.
    [25_000, 3071, 'Cancelled 0/5 OutcomeRemoved'],
  ] as const) {
    const { stage, two, market, matched } = ready();
    const order = matched('For', 0, 10, 3.15);
    const rests = stage.order(market, [two, 'Against', 1, 5, 2]);
    stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm, basis: 'win' });
    expect([...stage.exchange.tradesOfOrder(order)].map((trade) => trade.price)).toEqual([price]);
    expect(stage.standing(rests)).toBe(standing);
  }
});

it('a removal reports what it repriced by trade id, whichever order came first, and before what it voids', () => {
  const { stage, one, two, market } = ready();
  const first = stage.order(market, [one, 'For', 0, 10, 3]);
  stage.order(market, [one, 'For', 1, 10, 4]);
  stage.order(market, [two, 'Against', 1, 10, 4]);
  stage.order(market, [two, 'Against', 0, 4, 3]);
  stage.order(market, [two, 'Against', 1, 5, 2]);
  stage.do({ kind: 'cancel', app: 1, orders: [first] });
  const events = stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 100_000, basis: 'win' });
  const kinds = events.map((event) => (event.kind === 'tradeRepriced' ? `${event.trade} ${event.price}` : event.kind));
  expect(kinds.slice(0, 6)).toEqual(['outcomeRemoved', '0 3600', '1 3600', '2 2700', '3 2700', 'orderChanged']);
});

it('a removal never raises a price: a trade that a cross match made below 1.01 keeps it, and is not reported', () => {
  const { stage, one, two, market } = ready({ crossMatching: true });
  for (const other of [1, 2]) stage.order(market, [two, 'Against', other, 1, 1000]);
  const order = stage.order(market, [one, 'Against', 0, 10, 1.01]);
  // 1 − 2/1000 = 0.998, so P = 1.00200…, up to 1.003.
  const price = () => [...stage.exchange.tradesOfOrder(order)].map((trade) => trade.price);
  expect(price()).toEqual([1003]);
  const events = stage.do({ kind: 'removeOutcome', market, outcome: 2, factorPpm: 500_000, basis: 'win' });
  // The maker of the outcome that is left, 1000 → 500, is the only one repriced: order 0, trade 0.
  expect(events.filter((event) => event.kind === 'tradeRepriced')).toEqual([
    { kind: 'tradeRepriced', at: stage.now, trade: 0, price: 500_000 },
  ]);
  expect(price()).toEqual([1003]);
});

it('“their sum over all wallets is zero at every moment”: every posting of a settlement has its pair', () => {
  const { stage, market, matched } = ready();
  rates(stage, 10_000);
  matched('For', 0, 7.777, 3.15, 0);
  stage.do({ kind: 'lock', market });
  const events = stage.do({ kind: 'settle', market, winners: [0] });
  const amounts = events.flatMap((event) => (event.kind === 'transaction' ? [event.amount] : []));
  expect(amounts.length).toBeGreaterThan(3);
  for (let i = 0; i < amounts.length; i += 2) expect((amounts[i] ?? 0) + (amounts[i + 1] ?? 1)).toBe(0);
});
