/** The port's own rules: cold, one reply, no emission during subscription; and the heartbeat. */

import type { Observable } from 'rxjs';
import { describe, expect } from 'vitest';
import { describeCases, order } from '../../support/conformance/stage.ts';

/** Subscribes, and returns what was emitted before `subscribe` returned. */
function duringSubscription(asked: Observable<unknown>): readonly unknown[] {
  const received: unknown[] = [];
  let isOver = false;
  asked.subscribe({
    next: (value) => {
      if (!isOver) received.push(value);
    },
    complete: () => {
      if (!isOver) received.push('complete');
    },
  });
  isOver = true;
  return received;
}

export const portCases = describeCases(({ on }) => {
  describe('the port', () => {
    on('says nothing while it is being subscribed to', async (scene) => {
      const { gateway } = scene;
      const [placed] = await scene.place(order(1, { price: 3 }));
      expect(duringSubscription(gateway.feed$)).toEqual([]);
      expect(duringSubscription(gateway.place([order(2)]))).toEqual([]);
      expect(duringSubscription(gateway.cancel([placed?.order ?? 0]))).toEqual([]);
      expect(duringSubscription(gateway.heartbeat(20_000))).toEqual([]);
      expect(duringSubscription(gateway.clearHeartbeat())).toEqual([]);
      await scene.stage.until(() => scene.market.amountAt({ outcome: 0, side: 'For', price: 3 }) === 0, 'the cancel');
    });

    on('does nothing before it is subscribed to', async (scene) => {
      const [placed] = await scene.place(order(1, { price: 3 }));
      scene.gateway.place([order(2, { price: 3.2 })]);
      scene.gateway.cancel([placed?.order ?? 0]);
      await scene.stage.pass(300);
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(10);
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3.2 })).toBe(0);
    });

    on('acts when it is subscribed to, not when it is asked', async (scene) => {
      const place = scene.gateway.place([order(1)]);
      await scene.market.suspend(true);
      expect(await scene.reply(place)).toMatchObject({ items: [{ kind: 'refused', code: 'SUSPENDED_MARKET' }] });
    });

    on('answers requests that are under way at once, each with its own', async (scene) => {
      const replies = await Promise.all(
        [1, 2, 3, 4].map((client) => scene.reply(scene.gateway.place([order(client, { price: 3, units: client })]))),
      );
      const clients = replies.map((reply) => (reply.kind === 'placed' ? reply.items[0] : undefined));
      expect(clients).toMatchObject([1, 2, 3, 4].map((client) => ({ kind: 'accepted', report: { client } })));
    });
  });

  describe('the heartbeat', () => {
    on('is active once armed, and is cleared, also where none is armed', async (scene) => {
      const { gateway } = scene;
      expect(await scene.reply(gateway.heartbeat(20_000))).toMatchObject({ active: true, timeoutMs: 20_000 });
      expect(await scene.reply(gateway.heartbeat(30_000))).toMatchObject({ active: true, timeoutMs: 30_000 });
      expect(await scene.reply(gateway.clearHeartbeat())).toMatchObject({ kind: 'heartbeat', active: false });
      expect(await scene.reply(gateway.clearHeartbeat())).toMatchObject({ kind: 'heartbeat', active: false });
      expect(await scene.place(order(1))).toHaveLength(1);
    });

    on(
      'that lapses cancels what is unmatched, and blocks new orders until it is cleared, or not at all',
      async (scene) => {
        const { gateway, stage } = scene;
        await scene.place(order(1, { price: 3 }));
        await stage.lapse();
        expect(await scene.reported(1, 'Cancelled')).toMatchObject({ reason: 'HeartbeatLapsed' });
        if (!stage.lapseBlocks) {
          expect(await scene.place(order(2))).toMatchObject([{ client: 2, status: 'Unmatched' }]);
          expect(await scene.reply(gateway.heartbeat(20_000))).toMatchObject({ kind: 'heartbeat', active: true });
          return;
        }
        expect(await scene.reply(gateway.place([order(2)]))).toMatchObject({ kind: 'notPlaced', isBlocked: true });
        expect(await scene.reply(gateway.heartbeat(20_000))).toMatchObject({ kind: 'heartbeat', active: false });
        expect(await scene.reply(gateway.place([order(3)]))).toMatchObject({ kind: 'notPlaced', isBlocked: true });
        await scene.reply(gateway.clearHeartbeat());
        expect(await scene.place(order(4))).toMatchObject([{ client: 4, status: 'Unmatched' }]);
      },
    );
  });
});
