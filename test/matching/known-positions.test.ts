/** Orders of wallets that have a position already are judged like those of wallets that have none yet. */

import { expect, it } from 'vitest';
import { ordersOfWallet } from '../support/exchange-orders.ts';
import { Stage } from './stage.ts';

it('keeps apart the wallets whose ids end alike', () => {
  const stage = new Stage();
  const wallets = Array.from({ length: 130 }, () => stage.wallet(10));
  const market = stage.market();
  for (const wallet of [...wallets, ...wallets]) stage.order(market, [wallet, 'For', 0, 1, 2]);
  for (const wallet of wallets) {
    expect(stage.taken(wallet, market)).toBe(2);
    expect(ordersOfWallet(stage.exchange, wallet)).toHaveLength(2);
  }
});

it.each([-1, 0, 1, 63, 64, 1.5, Number.NaN, 2 ** 32 + 2])('knows no wallet %d of the app', (wallet) => {
  const stage = new Stage();
  const own = stage.wallet(10);
  const market = stage.market();
  stage.order(market, [own, 'For', 0, 1, 2]);
  for (const _ of [1, 2]) expect(stage.refusal(market, [wallet, 'For', 0, 1, 2])).toBe('WALLET_NOT_FOUND');
});

it("refuses another app's wallet, whether or not it has a position", () => {
  const stage = new Stage();
  stage.do({ kind: 'createApp' });
  const [foreign, own] = [stage.wallet(10, 2), stage.wallet(10)];
  const market = stage.market();
  expect(stage.refusal(market, [foreign, 'For', 0, 1, 2])).toBe('WALLET_NOT_FOUND');
  const requests = [stage.request(market, [foreign, 'For', 0, 1, 2])];
  stage.do({ kind: 'place', app: 2, requests });
  stage.order(market, [own, 'For', 0, 1, 2]);
  expect(stage.refusal(market, [foreign, 'For', 0, 1, 2])).toBe('WALLET_NOT_FOUND');
});

it("gives a User wallet of the System's app one position", () => {
  const stage = new Stage();
  const wallet = stage.wallet(10, 0);
  const market = stage.market();
  const requests = [stage.request(market, [wallet, 'For', 0, 1, 2]), stage.request(market, [wallet, 'For', 1, 1, 2])];
  stage.do({ kind: 'place', app: 0, requests });
  stage.do({ kind: 'place', app: 0, requests });
  expect([...stage.exchange.positionsOfWallet(wallet)]).toHaveLength(1);
  expect(stage.taken(wallet, market)).toBe(4);
});

it('forgets the position of a wallet with its market, and that of a first order that was refused', () => {
  const stage = new Stage();
  const wallet = stage.wallet(10);
  const first = stage.market();
  expect(stage.refusal(first, [wallet, 'For', 0, 100, 2])).toBe('WALLET_ACCOUNT_INSUFFICIENT_CREDIT');
  expect(stage.exchange.position(wallet, first)).toBe(undefined);
  stage.order(first, [wallet, 'For', 0, 1, 2]);
  stage.settle(first, [0]);
  stage.do({ kind: 'forget', market: first });
  expect(stage.refusal(first, [wallet, 'For', 0, 1, 2])).toBe('MARKET_NOT_FOUND');
  const second = stage.market();
  stage.order(second, [wallet, 'For', 0, 3, 2]);
  expect(stage.taken(wallet, second)).toBe(3);
});
