/** Wallets of every type and their money: postings, refusals, metrics, prices. */

import { describe, expect, it } from 'vitest';
import { CURRENCY, START, Stage, units } from './stage.ts';

describe('money', () => {
  it('comes from the System wallet and goes back to it, in pairs', () => {
    const stage = new Stage();
    const wallet = stage.wallet(10);
    expect(stage.balance(0)).toBe(-10);
    const [taken, back] = stage.do({ kind: 'withdraw', wallet, currency: CURRENCY, amount: units(4) });
    expect([taken, back]).toMatchObject([
      { kind: 'transaction', wallet, code: 'Withdrawal', amount: -4_000_000 },
      { kind: 'transaction', wallet: 0, code: 'Withdrawal', amount: 4_000_000 },
    ]);
    expect(taken).not.toHaveProperty('market');
  });

  it('is refused beyond what is available, which bets reduce and an overdraft raises', () => {
    const stage = new Stage();
    const [one, two] = [stage.wallet(10), stage.wallet(0)];
    const market = stage.market();
    stage.order(market, [one, 'For', 0, 6, 2]);
    const transfer = (amount: number) =>
      stage.do({ kind: 'transfer', from: one, to: two, currency: CURRENCY, amount: units(amount) });
    expect(transfer(5)).toMatchObject([{ kind: 'refused', reason: 'INSUFFICIENT_FUNDS' }]);
    expect(transfer(4).map((event) => event.kind)).toEqual(['accountOpened', 'transaction', 'transaction']);
    stage.do({ kind: 'setOverdraft', wallet: one, currency: CURRENCY, overdraft: units(1) });
    expect(transfer(1)).toHaveLength(2);
    expect([stage.balance(one), stage.balance(two)]).toEqual([5, 5]);
  });

  it('may be adjusted below zero, and no amount may be nothing', () => {
    const stage = new Stage();
    const wallet = stage.wallet(1);
    stage.do({ kind: 'adjust', wallet, currency: CURRENCY, amount: units(-3) });
    expect(stage.balance(wallet)).toBe(-2);
    for (const kind of ['deposit', 'withdraw', 'adjust'] as const) {
      expect(stage.do({ kind, wallet, currency: CURRENCY, amount: units(0) })).toMatchObject([
        { kind: 'refused', reason: 'INVALID_ARGUMENT' },
      ]);
    }
  });

  it('shows wallets of all four types', () => {
    const stage = new Stage();
    const wallet = stage.wallet(1);
    const escrow = stage.exchange.market(stage.market())?.escrowWallet ?? -1;
    const types = [0, 1, wallet, escrow].map((id) => stage.exchange.wallet(id)?.type);
    expect(types).toEqual(['System', 'Commission', 'User', 'MarketEscrow']);
  });
});

it('counts a wallet’s orders of a period by how they stand', () => {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  const [market, settled] = [stage.market(), stage.market()];
  stage.order(market, [one, 'For', 0, 1, 2]);
  stage.order(market, [two, 'Against', 0, 1, 2]);
  stage.order(market, [one, 'For', 1, 2, 2]);
  stage.order(market, [one, 'For', 1, 4, 2], { matchBehavior: 'CancelUnmatched' });
  stage.order(settled, [one, 'For', 0, 8, 2]);
  stage.order(settled, [two, 'Against', 0, 8, 2]);
  stage.settle(settled, [0]);
  stage.now += 1;
  stage.order(market, [one, 'For', 1, 16, 2]);
  const metrics = stage.exchange.walletMetrics({ wallet: one, currency: CURRENCY, from: START, to: START });
  expect(metrics).toEqual({
    open: { total: units(2), count: 1 },
    matched: { total: units(1), count: 1 },
    cancelled: { total: units(4), count: 1 },
    settled: { total: units(8), count: 1 },
    voided: { total: units(0), count: 0 },
  });
});

it('shows amounts and matched stake by level, and traded stake once', () => {
  const stage = new Stage();
  const [one, two] = [stage.wallet(1000), stage.wallet(1000)];
  const market = stage.market();
  stage.order(market, [one, 'For', 0, 5, 2]);
  stage.order(market, [two, 'Against', 0, 3, 2]);
  stage.order(market, [two, 'Against', 0, 3, 1.5]);
  const shown = stage.exchange.prices(market).map((level) => [level.side, level.price, level.amount, level.matched]);
  expect(shown).toEqual([
    ['For', 2000, 2_000_000, 3_000_000],
    ['Against', 1500, 3_000_000, 0],
  ]);
  expect(stage.exchange.market(market)?.traded).toEqual([3_000_000, 0, 0]);
  expect(stage.exchange.liquidityOf(market)).toBe(units(5));
  stage.do({ kind: 'cancel', app: 1, markets: [market] });
  expect(stage.exchange.prices(market, { empty: true })).toMatchObject([
    { side: 'For', amount: 0, matched: 3_000_000 },
  ]);
});
