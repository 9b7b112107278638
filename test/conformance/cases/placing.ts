/** New orders: which are accepted, which match and at what price, which are refused, and in which order all is reported. */

import { describe, expect } from 'vitest';
import { at, describeCases, order, units } from '../../support/conformance/stage.ts';

/** An exchange may tell the wallet and its account apart, or not. */
const NO_FUNDS = /^WALLET_(ACCOUNT_)?INSUFFICIENT_CREDIT$/;

export const placingCases = describeCases(({ on }) => {
  describe('a new order', () => {
    on('rests whole where nothing meets it', async (scene) => {
      const [report] = await scene.place(order(1, { price: 3 }));
      expect(report).toMatchObject({
        ...{ client: 1, status: 'Unmatched', stakeMatched: 0, winningsMatched: 0, stakeVoided: 0 },
        stakeUnmatched: units(10),
      });
      expect(Number.isSafeInteger(report?.order)).toBe(true);
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
    });

    on('matches whole where enough meets it', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 100 });
      const [report] = await scene.place(order(1));
      const matched = { status: 'Matched', stakeMatched: units(10), winningsMatched: units(10), stakeUnmatched: 0 };
      expect(report).toMatchObject(matched);
      expect(scene.market.amountAt({ outcome: 0, side: 'Against', price: 2 })).toBe(90);
    });

    on('matches as far as it can, and the rest of it rests', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
      const [report] = await scene.place(order(1));
      expect(report).toMatchObject({
        ...{ status: 'PartiallyMatched', stakeMatched: units(4), winningsMatched: units(4) },
        ...{ stakeUnmatched: units(6), stakeVoided: 0 },
      });
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 2 })).toBe(6);
    });

    on('gets the prices of those it meets, best first', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2.1, stake: 6 });
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2.08, stake: 3 });
      const [report] = await scene.place(order(1));
      // 6 at 2.10 and 3 at 2.08: 6.60 + 3.24; the remaining 1 rests at its own limit.
      expect(report).toMatchObject({
        status: 'PartiallyMatched',
        stakeMatched: units(9),
        winningsMatched: units(9.84),
      });
    });

    on('Against meets For, and wins the price too', async (scene) => {
      await scene.market.rest({ outcome: 1, side: 'For', price: 3, stake: 5 });
      const [report] = await scene.place(order(1, { outcome: 1, side: 'Against', price: 3.2, units: 5 }));
      expect(report).toMatchObject({ status: 'Matched', stakeMatched: units(5), winningsMatched: units(10) });
    });

    on('with CancelUnmatched keeps what matched and voids the rest', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
      const [part, none] = await scene.place(
        order(1, { matchBehavior: 'CancelUnmatched' }),
        order(2, { matchBehavior: 'CancelUnmatched' }),
      );
      expect(part).toMatchObject({ status: 'Matched', stakeMatched: units(4), stakeVoided: units(6) });
      expect(none).toMatchObject({ status: 'Cancelled', stakeVoided: units(10), reason: 'CancelUnmatched' });
    });

    on('that rests is reported when others match it, partly and then completely', async (scene) => {
      await scene.place(order(1, { price: 3 }));
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 4 });
      const partly = await scene.reported(1, 'PartiallyMatched');
      expect(partly).toMatchObject({ stakeMatched: units(4), winningsMatched: units(8), stakeUnmatched: units(6) });
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 50 });
      const whole = await scene.reported(1, 'Matched');
      expect(whole).toMatchObject({ stakeMatched: units(10), winningsMatched: units(20), stakeUnmatched: 0 });
    });

    on('is shown in the book with everybody else’s', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'For', price: 3, stake: 7 });
      await scene.place(order(1, { price: 3 }));
      await scene.sees((market) => market.amountAt(0, 0, at(3)) === units(17), 'our stake on top of theirs');
    });
  });

  describe('a batch', () => {
    on('of fifty is answered in the order of its requests, refused items among the others', async (scene) => {
      const stakeOf = (index: number) => 1 + index * scene.traits.stakeStep;
      const batch = Array.from({ length: 50 }, (_, index) =>
        order(index + 1, index % 5 === 3 ? { outcome: 9, units: 1 } : { price: 3, units: stakeOf(index) }),
      );
      const reply = await scene.reply(scene.gateway.place(batch));
      if (reply.kind !== 'placed') throw new Error(reply.details);
      expect(reply.items).toHaveLength(50);
      for (const [index, item] of reply.items.entries()) {
        const client = index + 1;
        if (index % 5 === 3) {
          expect(item).toEqual({ kind: 'refused', client, code: 'MARKET_OUTCOME_NOT_FOUND' });
        } else {
          const report = { client, status: 'Unmatched', stakeUnmatched: units(stakeOf(index)) };
          expect(item).toMatchObject({ kind: 'accepted', report });
        }
      }
    });

    on('may meet its own earlier orders', async (scene) => {
      const reports = await scene.place(order(1), order(2, { side: 'Against', units: 4 }));
      expect(reports[1]).toMatchObject({ client: 2, status: 'Matched', stakeMatched: units(4) });
      expect(await scene.place(order(3, { price: 5 }))).toHaveLength(1);
    });
  });

  describe('an order is refused', () => {
    on('where its wallet cannot cover it, and the next one that it can is not', async (scene) => {
      const batch = [order(1, { price: 3, units: 1_001 }), order(2, { price: 3, units: 1_000 })];
      const reply = await scene.reply(scene.gateway.place(batch));
      const refused = { kind: 'refused', client: 1, code: 'WALLET_ACCOUNT_INSUFFICIENT_CREDIT' };
      if (!scene.traits.isBatchWhole)
        return expect(reply).toMatchObject({ items: [refused, { kind: 'accepted', report: { client: 2 } }] });
      expect(reply).toMatchObject({ items: [refused, { kind: 'refused', client: 2 }] });
      expect(await scene.place(order(3, { price: 3, units: 1_000 }))).toMatchObject([{ client: 3 }]);
    });

    on('where nothing is left in the wallet at all', async (scene) => {
      await scene.place(order(1, { price: 3, units: 1_000 }));
      const reply = await scene.reply(scene.gateway.place([order(2, { price: 3, units: 1 })]));
      expect(reply).toMatchObject({ items: [{ kind: 'refused', code: expect.stringMatching(NO_FUNDS) }] });
    });

    on('while its market is suspended, but not after', async (scene) => {
      await scene.market.suspend(true);
      const reply = await scene.reply(scene.gateway.place([order(1)]));
      expect(reply).toMatchObject({ items: [{ kind: 'refused', client: 1, code: 'SUSPENDED_MARKET' }] });
      await scene.market.suspend(false);
      expect(await scene.place(order(2))).toMatchObject([{ client: 2, status: 'Unmatched' }]);
    });

    on('once its market has its result', async (scene) => {
      await scene.market.settle(0);
      const reply = await scene.reply(scene.gateway.place([order(1)]));
      expect(reply).toMatchObject({ items: [{ kind: 'refused', code: 'INVALID_MARKET_STATUS' }] });
    });
  });
});
