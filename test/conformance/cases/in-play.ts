/** Orders around and after the in-play switch: which are kept, which wait, and how they end. */

import { describe, expect } from 'vitest';
import { describeCases, order, units } from '../../support/conformance/stage.ts';

const DELAYED = { inPlayDelayMs: 1_000 };
/** Time for what a test does before the delay ends: on a busy machine a call may take a second. */
const LONG = { inPlayDelayMs: 2_000 };

export const inPlayCases = describeCases(({ on, onMarkets }) => {
  describe('the in-play switch', () => {
    on('cancels what is unmatched, but for orders that are to be kept', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
      await scene.place(order(1, { price: 3 }), order(2, { price: 3, keepWhenInPlay: true }), order(3));
      await scene.market.goInPlay();
      expect(await scene.reported(1, 'Cancelled')).toMatchObject({ reason: 'MarketInPlay', stakeVoided: units(10) });
      expect(await scene.reported(3, 'Matched')).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6) });
      await scene.sees((market) => market.inPlayStatus === 'InPlay', 'the switch');
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
      expect(scene.reports(2).filter((report) => report.stakeVoided > 0)).toEqual([]);
    });

    onMarkets([{ cancelsAtStart: false }], 'leaves everything where the market does so', async (scene) => {
      await scene.place(order(1, { price: 3 }));
      await scene.market.goInPlay();
      await scene.sees((market) => market.inPlayStatus === 'InPlay', 'the switch');
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
    });
  });

  describe('in play, with a delay,', () => {
    onMarkets([DELAYED], 'an order waits as Pending and is then matched like any other', async (scene) => {
      await scene.market.goInPlay();
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
      const sentAt = scene.stage.clock.now();
      const [report] = await scene.place(order(1));
      if (scene.traits.answersAfterDelay) {
        expect(scene.stage.clock.now() - sentAt).toBeGreaterThanOrEqual(DELAYED.inPlayDelayMs);
        return expect(report).toMatchObject({ status: 'PartiallyMatched', stakeMatched: units(4) });
      }
      expect(report).toMatchObject({ status: 'Pending', stakeMatched: 0, stakeUnmatched: units(10) });
      const processed = await scene.reported(1, 'PartiallyMatched');
      expect(processed).toMatchObject({ stakeMatched: units(4), stakeUnmatched: units(6) });
    });

    onMarkets(
      [LONG],
      'a cancelled Pending order still meets what is there, and the rest of it is voided',
      async (scene) => {
        await scene.market.goInPlay();
        await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
        const placed = await scene.place(order(1), order(2));
        const reply = await scene.reply(scene.gateway.cancel(placed.map((report) => report.order)));
        if (reply.kind !== 'cancelled') throw new Error(reply.details);
        if (scene.traits.answersAfterDelay)
          return expect(reply.reports.map(({ status }) => status)).toEqual(['Matched', 'Cancelled']);
        expect(reply.reports.filter((report) => report.status !== 'Pending')).toEqual([]);
        expect(await scene.reported(1, 'Matched')).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6) });
        expect(await scene.reported(2, 'Cancelled')).toMatchObject({ reason: 'CancelUnmatched' });
      },
    );

    onMarkets([LONG], 'an order whose delay ends while the market is suspended fails', async (scene) => {
      await scene.market.goInPlay();
      if (scene.traits.answersAfterDelay) {
        scene.stage.clock.schedule(() => scene.market.suspend(true), LONG.inPlayDelayMs / 2);
        const reply = await scene.reply(scene.gateway.place([order(1)]));
        return expect(reply).toMatchObject({ kind: 'placed', items: [{ kind: 'refused', client: 1 }] });
      }
      await scene.place(order(1));
      await scene.market.suspend(true);
      const failed = await scene.reported(1, 'Failed');
      expect(failed).toMatchObject({ reason: 'CreationFailed', stakeMatched: 0, stakeUnmatched: 0 });
    });
  });
});
