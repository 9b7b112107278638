/** Cancellations: what is left of an order, and which orders stay untouched. */

import { describe, expect } from 'vitest';
import { describeCases, order, units } from '../../support/conformance/stage.ts';

const NO_SUCH_ORDER = 999_999_999;

export const cancellingCases = describeCases(({ on, onMarkets }) => {
  describe('a cancellation', () => {
    on('of an order that nothing met cancels it whole', async (scene) => {
      const [placed] = await scene.place(order(1, { price: 3 }));
      const reply = await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      expect(reply).toMatchObject({
        kind: 'cancelled',
        reports: [
          {
            ...{ client: 1, order: placed?.order, status: 'Cancelled', reason: 'UserRequest' },
            ...{ stakeMatched: 0, stakeUnmatched: 0, stakeVoided: units(10) },
          },
        ],
      });
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(0);
    });

    on('of an order met in part leaves it Matched, with the rest voided and its fills known', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2.1, stake: 4 });
      const [placed] = await scene.place(order(1));
      const reply = await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      expect(reply).toMatchObject({
        reports: [
          {
            ...{ client: 1, status: 'Matched', stakeMatched: units(4), winningsMatched: units(4.4) },
            ...{ stakeUnmatched: 0, stakeVoided: units(6) },
          },
        ],
      });
    });

    on('of an order met whole changes nothing', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 10 });
      const [placed] = await scene.place(order(1));
      const reply = await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      expect(reply).toMatchObject({ kind: 'cancelled', reports: [{ client: 1, status: 'Matched', stakeVoided: 0 }] });
    });

    on('skips unknown ids, and cancels the others', async (scene) => {
      const placed = await scene.place(order(1, { price: 3 }), order(2, { price: 3.2 }));
      const [first = 0, second = 0] = placed.map((report) => report.order);
      const reply = await scene.reply(scene.gateway.cancel([second, NO_SUCH_ORDER]));
      if (reply.kind !== 'cancelled') throw new Error(reply.details);
      expect(reply.reports.map((report) => [report.client, report.status])).toEqual([[2, 'Cancelled']]);
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
      const rest = await scene.reply(scene.gateway.cancel([first]));
      expect(rest).toMatchObject({ reports: [{ client: 1, status: 'Cancelled' }] });
    });

    on('given twice is answered twice, the second time with nothing left to do', async (scene) => {
      const [placed] = await scene.place(order(1, { price: 3 }));
      const cancel = scene.gateway.cancel([placed?.order ?? 0]);
      const both = [await scene.reply(cancel), await scene.reply(cancel)];
      for (const reply of both) expect(reply).toMatchObject({ reports: [{ client: 1, status: 'Cancelled' }] });
    });

    on(
      'of a part leaves the rest its place in the queue, where a market says that orders are reduced',
      async (scene) => {
        if (scene.seen.canReduce !== true) return expect(scene.gateway.reduce).toBeUndefined();
        const [first, second] = await scene.place(order(1, { price: 3 }), order(2, { price: 3 }));
        const reduce = (id: number | undefined, stake: number) => {
          const asked = scene.gateway.reduce?.(id ?? 0, units(stake));
          if (asked === undefined) throw new Error('the gateway does not reduce');
          return scene.reply(asked);
        };
        expect(await reduce(first?.order, 6)).toMatchObject({
          kind: 'cancelled',
          reports: [{ client: 1, status: 'Unmatched', stakeUnmatched: units(4), stakeVoided: units(6) }],
        });
        expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(14);
        await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 5 });
        expect(await scene.reported(1, 'Matched')).toMatchObject({ stakeMatched: units(4), stakeVoided: units(6) });
        expect(await reduce(second?.order, 100)).toMatchObject({ reports: [{ client: 2, stakeUnmatched: 0 }] });
        expect(await reduce(second?.order, 1)).toMatchObject({ reports: [{ client: 2, stakeUnmatched: 0 }] });
        expect(await reduce(NO_SUCH_ORDER, 1)).toMatchObject({ kind: 'cancelled', reports: [] });
      },
    );

    on('works while the market is suspended', async (scene) => {
      const [placed] = await scene.place(order(1, { price: 3 }));
      await scene.market.suspend(true);
      const reply = await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      expect(reply).toMatchObject({ reports: [{ client: 1, status: 'Cancelled', stakeVoided: units(10) }] });
    });

    onMarkets([{}, {}], 'of several markets and of many orders is one call', async (scene) => {
      const second = scene.state(1).index;
      const batch = Array.from({ length: 40 }, (_, index) =>
        order(index + 1, { price: 3, units: 1, market: index % 2 === 0 ? scene.seen.index : second }),
      );
      const placed = await scene.place(...batch);
      const reply = await scene.reply(scene.gateway.cancel(placed.map((report) => report.order)));
      if (reply.kind !== 'cancelled') throw new Error(reply.details);
      expect(new Set(reply.reports.map((report) => report.client)).size).toBe(40);
      expect(reply.reports.every((report) => report.status === 'Cancelled')).toBe(true);
    });
  });
});
