/** Orders around and after the in-play switch: which are kept, which wait, and how they end. */

import { describe, expect } from 'vitest';
import { describeCases, order, units } from '../../support/conformance/stage.ts';

const DELAYED = { inPlayDelayMs: 1_000 };

export const inPlayCases = describeCases((onStage) => {
  describe('the in-play switch', () => {
    onStage('cancels what is unmatched, but for orders that are to be kept', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
      await scene.place(order(1, { price: 3 }), order(2, { price: 3, keepWhenInPlay: true }), order(3));
      await scene.market.goInPlay();
      expect(await scene.reported(1, 'Cancelled')).toMatchObject({ reason: 'MarketInPlay', stakeVoided: units(10) });
      expect(await scene.reported(3, 'Matched')).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6) });
      await scene.sees((market) => market.inPlayStatus === 'InPlay', 'the switch');
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
      expect(scene.reports(2).filter((report) => report.stakeVoided > 0)).toEqual([]);
    });

    onStage(
      'leaves everything where the market does so',
      async (scene) => {
        await scene.place(order(1, { price: 3 }));
        await scene.market.goInPlay();
        await scene.sees((market) => market.inPlayStatus === 'InPlay', 'the switch');
        expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
      },
      { cancelsAtStart: false },
    );
  });

  describe('in play, with a delay,', () => {
    onStage(
      'an order waits as Pending and is then matched like any other',
      async (scene) => {
        await scene.market.goInPlay();
        await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
        const [report] = await scene.place(order(1));
        expect(report).toMatchObject({ status: 'Pending', stakeMatched: 0, stakeUnmatched: units(10) });
        const processed = await scene.reported(1, 'PartiallyMatched');
        expect(processed).toMatchObject({ stakeMatched: units(4), stakeUnmatched: units(6) });
      },
      DELAYED,
    );

    onStage(
      'a cancelled Pending order still meets what is there, and the rest of it is voided',
      async (scene) => {
        await scene.market.goInPlay();
        await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 4 });
        const placed = await scene.place(order(1), order(2));
        const reply = await scene.reply(scene.gateway.cancel(placed.map((report) => report.order)));
        if (reply.kind !== 'cancelled') throw new Error(reply.details);
        expect(reply.reports.filter((report) => report.status !== 'Pending')).toEqual([]);
        expect(await scene.reported(1, 'Matched')).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6) });
        expect(await scene.reported(2, 'Cancelled')).toMatchObject({ reason: 'CancelUnmatched' });
      },
      DELAYED,
    );

    onStage(
      'an order whose delay ends while the market is suspended fails',
      async (scene) => {
        await scene.market.goInPlay();
        await scene.place(order(1));
        await scene.market.suspend(true);
        const failed = await scene.reported(1, 'Failed');
        expect(failed).toMatchObject({ reason: 'CreationFailed', stakeMatched: 0, stakeUnmatched: 0 });
      },
      DELAYED,
    );
  });
});
