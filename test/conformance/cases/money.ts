/** Money: a wallet's balance, the available part of it, and the results of markets. */

import { describe, expect } from 'vitest';
import { describeCases, order, type Scene, units } from '../../support/conformance/stage.ts';

/** Waits until the feed reports this balance of wallet 0, whose matched bets may lose `matched`. */
async function hasWallet(
  scene: Scene,
  wanted: { readonly balance: number; readonly available: number; readonly matched?: number },
): Promise<void> {
  const balance = wanted.balance + (scene.traits.paysAtMatch ? 0 : (wanted.matched ?? 0));
  const holds = () => {
    const reported = scene.messages('wallet').findLast(({ wallet }) => wallet === 0);
    return reported?.balance === units(balance) && reported.balanceAvailable === units(wanted.available);
  };
  await scene.stage.until(holds, `wallet of ${wanted.balance}, ${wanted.available} available`);
}

async function settled(scene: Scene) {
  await scene.stage.until(() => scene.messages('settled').length > 0, 'a settlement');
  const [first] = scene.messages('settled');
  if (first === undefined) throw new Error('no settlement');
  expect(first.market.facts.id).toBe(scene.market.id);
  return { wallet: first.wallet, profit: first.profit, commission: first.commission };
}

export const moneyCases = describeCases(({ on }) => {
  describe('the wallet', () => {
    on('is reported at the start, and when an order takes from what is available and gives it back', async (scene) => {
      const { balance } = scene.stage;
      await hasWallet(scene, { balance, available: balance });
      const [placed] = await scene.place(order(1, { side: 'Against', price: 1.5, units: 100 }));
      await hasWallet(scene, { balance, available: balance - 50 });
      await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      await hasWallet(scene, { balance, available: balance });
    });

    on('pays what matched into the market', async (scene) => {
      const { balance } = scene.stage;
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 10 });
      await scene.place(order(1));
      await hasWallet(scene, { balance: balance - 10, available: balance - 10, matched: 10 });
    });

    on('pays when others meet what rested', async (scene) => {
      const { balance } = scene.stage;
      await scene.place(order(1, { side: 'Against', price: 3, units: 10 }));
      await scene.market.take({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await hasWallet(scene, { balance: balance - 20, available: balance - 20, matched: 20 });
    });
  });

  describe('a settlement', () => {
    on('reports a winner’s profit less commission, and pays it', async (scene) => {
      const { balance, commission } = scene.stage;
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await scene.place(order(1, { price: 3 }));
      await scene.market.settle(0);
      const fee = (20 * commission) / 100;
      expect(await settled(scene)).toEqual({ wallet: 0, profit: units(20 - fee), commission: units(fee) });
      expect(await scene.reported(1, 'Won')).toMatchObject({ stakeMatched: units(10), winningsMatched: units(20) });
      await hasWallet(scene, { balance: balance + 20 - fee, available: balance + 20 - fee });
    });

    on('reports a loser’s loss, without commission', async (scene) => {
      const { balance } = scene.stage;
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await scene.place(order(1, { price: 3 }));
      await scene.market.settle(1);
      expect(await settled(scene)).toEqual({ wallet: 0, profit: units(-10), commission: 0 });
      await scene.reported(1, 'Lost');
      await hasWallet(scene, { balance: balance - 10, available: balance - 10 });
    });

    on('nets all bets of a market before it takes commission', async (scene) => {
      const { commission } = scene.stage;
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 10 });
      await scene.market.rest({ outcome: 1, side: 'Against', price: 2, stake: 10 });
      await scene.place(order(1, { price: 3 }), order(2, { outcome: 1, price: 2, units: 5 }));
      await scene.market.settle(0);
      const fee = (15 * commission) / 100;
      expect(await settled(scene)).toEqual({ wallet: 0, profit: units(15 - fee), commission: units(fee) });
      await scene.reported(2, 'Lost');
    });

    on('cancels what never matched, and pays nothing for it', async (scene) => {
      const { balance } = scene.stage;
      await scene.place(order(1, { price: 3 }));
      await scene.market.settle(0);
      const report = await scene.reported(1, 'Cancelled');
      expect(report).toMatchObject({ reason: 'MarketSettled', stakeVoided: units(10), stakeUnmatched: 0 });
      await hasWallet(scene, { balance, available: balance });
      expect(scene.messages('settled')).toEqual([]);
    });

    on('keeps what matched of an order, and voids the rest', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 4 });
      await scene.place(order(1, { price: 3 }));
      await scene.market.settle(1);
      const report = await scene.reported(1, 'Lost');
      expect(report).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6), stakeUnmatched: 0 });
      expect(await settled(scene)).toMatchObject({ profit: units(-4) });
    });
  });

  describe('a void market', () => {
    on('gives everything back', async (scene) => {
      const { balance } = scene.stage;
      await scene.market.rest({ outcome: 0, side: 'Against', price: 3, stake: 4 });
      await scene.place(order(1, { price: 3 }));
      await scene.market.void();
      const report = await scene.reported(1, 'Voided');
      expect(report).toMatchObject({
        stakeMatched: 0,
        winningsMatched: 0,
        stakeUnmatched: 0,
        stakeVoided: units(10),
      });
      expect(await settled(scene)).toEqual({ wallet: 0, profit: 0, commission: 0 });
      await hasWallet(scene, { balance, available: balance });
    });
  });
});
