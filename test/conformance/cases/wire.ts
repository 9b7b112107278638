/** What only happens over a network: lost requests and answers, faults of the exchange, foreign orders, cut streams. */

import { describe, expect } from 'vitest';
import { at, describeCasesWith, order, type Scene, units, type WireControl } from '../../support/conformance/stage.ts';

/** The codes that an exchange is told to answer with, since our requests cannot cause them at will, and what the gateway says of each. */
export interface WireCodes {
  /** An order of a batch stopped half-way. */
  readonly interrupted: string;
  /** An order was sent a second time. */
  readonly sentTwice: string;
  readonly refusals: readonly (readonly [code: string, told: string])[];
}

export const BETDEX_CODES: WireCodes = {
  interrupted: 'INTERRUPTED',
  sentTwice: 'ORDER_ALREADY_EXISTS',
  refusals: [
    'MARKET_NOT_FOUND',
    'INVALID_MARKET_STATUS',
    'SUSPENDED_MARKET',
    'MARKET_OUTCOME_NOT_FOUND',
    'COMMISSION_RATE_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'WALLET_INSUFFICIENT_CREDIT',
    'WALLET_ACCOUNT_NOT_FOUND',
    'WALLET_ACCOUNT_INSUFFICIENT_CREDIT',
    'MARKET_POSITION_NOT_FOUND',
  ].map((code) => [code, code]),
};

/** More than the number of attempts that the client makes. */
const EVERY_ATTEMPT = 20;

function wireOf(scene: Scene): WireControl {
  const { wire } = scene.stage;
  if (wire === undefined) throw new Error('this gateway works over no network');
  return wire;
}

export const wireCases = describeCasesWith<WireCodes>(({ on }, codes) => {
  describe('a lost place call', () => {
    on('whose answer was cut off is unknown, then reported as found, and was made once', async (scene) => {
      const wire = wireOf(scene);
      await wire.fault({ kind: 'dropAfter', operations: ['createOrders'], count: 1 });
      const batch = [order(1, { price: 3 }), order(2, { price: 3.2 })];
      const reply = await scene.reply(scene.gateway.place(batch));
      expect(reply).toMatchObject({ kind: 'unknown', code: 'CONNECTION_LOST' });
      expect(await scene.reported(1, 'Unmatched')).toMatchObject({ stakeUnmatched: units(10) });
      await scene.reported(2, 'Unmatched');
      expect(wire.references()).toHaveLength(2);
      expect(scene.messages('absent')).toEqual([]);
    });

    on('that never arrived is unknown, then proven absent, and is not sent again', async (scene) => {
      const wire = wireOf(scene);
      await wire.fault({ kind: 'dropBefore', operations: ['createOrders'], count: 1 });
      const reply = await scene.reply(scene.gateway.place([order(1, { price: 3 })]));
      expect(reply).toMatchObject({ kind: 'unknown' });
      await scene.stage.until(() => scene.messages('absent').length > 0, 'the proof');
      expect(scene.messages('absent')).toMatchObject([{ client: 1 }]);
      expect(wire.references()).toEqual([]);
      expect(scene.reports(1)).toEqual([]);
    });

    on('is not declared absent while look-ups fail', async (scene) => {
      const wire = wireOf(scene);
      await wire.fault({ kind: 'status', status: 500, operations: ['listOrders'] });
      await wire.fault({ kind: 'dropBefore', operations: ['createOrders'], count: 1 });
      await scene.reply(scene.gateway.place([order(1, { price: 3 })]));
      // Longer than the timeout, the margin and two look-ups together.
      await scene.stage.pass(wireOf(scene).proofMs ?? 3_500);
      expect(scene.messages('absent')).toEqual([]);
      await wire.heal();
      await scene.stage.until(() => scene.messages('absent').length > 0, 'the proof');
    });

    on('that turns up after it was declared absent is reported all the same', async (scene) => {
      const wire = wireOf(scene);
      await wire.fault({ kind: 'dropBefore', operations: ['createOrders'], count: 1 });
      await scene.reply(scene.gateway.place([order(1, { price: 3 })]));
      await scene.stage.until(() => scene.messages('absent').length > 0, 'the proof');
      // The order appears late, as if its request had been held up on its way.
      await wire.placeAs(`${wire.prefix}-1`, scene.market);
      await scene.reported(1, 'Unmatched');
    });
  });

  describe('an order of a batch', () => {
    on('that was interrupted is unknown, and the others are not', async (scene) => {
      await wireOf(scene).fault({ kind: 'orderError', code: codes.interrupted, count: 1 });
      const reply = await scene.reply(scene.gateway.place([order(1, { price: 3 }), order(2, { price: 3 })]));
      expect(reply).toMatchObject({
        items: [
          { kind: 'unknown', client: 1, code: codes.interrupted },
          { kind: 'accepted', report: { client: 2 } },
        ],
      });
      await scene.stage.until(() => scene.messages('absent').length > 0, 'the proof');
      expect(scene.messages('absent')).toMatchObject([{ client: 1 }]);
    });

    on('sent a second time is the order that is there already', async (scene) => {
      const wire = wireOf(scene);
      const [first] = await scene.place(order(1, { price: 3 }));
      const reply = await scene.reply(scene.gateway.place([order(1, { price: 3 })]));
      expect(reply).toMatchObject({ items: [{ kind: 'unknown', client: 1, code: codes.sentTwice }] });
      expect(wire.references()).toHaveLength(1);
      await scene.stage.pass(wireOf(scene).proofMs ?? 3_500);
      expect(scene.messages('absent')).toEqual([]);
      expect(await scene.reply(scene.gateway.cancel([first?.order ?? 0]))).toMatchObject({
        reports: [{ client: 1, status: 'Cancelled' }],
      });
    });

    for (const [code, told] of codes.refusals)
      on(`refused with ${code} says so`, async (scene) => {
        await wireOf(scene).fault({ kind: 'orderError', code, count: 1 });
        const reply = await scene.reply(scene.gateway.place([order(1, { price: 3 }), order(2, { price: 3 })]));
        expect(reply).toMatchObject({ items: [{ kind: 'refused', client: 1, code: told }, { kind: 'accepted' }] });
      });
  });

  describe('a lost cancellation', () => {
    on('is unknown, and the state of the order is reported', async (scene) => {
      const wire = wireOf(scene);
      const [placed] = await scene.place(order(1, { price: 3 }));
      await wire.fault({ kind: 'dropAfter', operations: ['cancelOrders'], count: EVERY_ATTEMPT });
      const reply = await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      expect(reply).toMatchObject({ kind: 'unknown' });
      expect(await scene.reported(1, 'Cancelled')).toMatchObject({ reason: 'UserRequest', stakeVoided: units(10) });
    });

    on('that never arrived leaves an order that is reported as it was', async (scene) => {
      const wire = wireOf(scene);
      const [placed] = await scene.place(order(1, { price: 3 }));
      await wire.fault({ kind: 'dropBefore', operations: ['cancelOrders'], count: EVERY_ATTEMPT });
      const before = scene.reports(1).length;
      const reply = await scene.reply(scene.gateway.cancel([placed?.order ?? 0]));
      expect(reply).toMatchObject({ kind: 'unknown' });
      await scene.stage.until(() => scene.reports(1).length > before, 'the order as it was');
      expect(scene.reports(1).at(-1)).toMatchObject({ status: 'Unmatched', stakeUnmatched: units(10) });
    });

    on('never touches the orders of others', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'For', price: 3, stake: 7 });
      const reply = await scene.reply(scene.gateway.cancel(wireOf(scene).foreignOrders()));
      expect(reply).toEqual({ kind: 'cancelled', reports: [] });
      expect(scene.market.amountAt({ outcome: 0, side: 'For', price: 3 })).toBe(7);
    });
  });

  describe('an order that this run did not place', () => {
    on('is noted as foreign and never reported as ours', async (scene) => {
      const wire = wireOf(scene);
      await wire.placeAs('conformance-0-1', scene.market);
      await wire.placeAs('somebody-else', scene.market);
      await scene.place(order(1, { price: 5 }));
      const foreignOrders = () => wire.notices().filter(({ kind }) => kind === 'foreignOrder');
      await scene.stage.until(() => foreignOrders().length === 2, 'two foreign orders');
      expect(foreignOrders()).toContainEqual(expect.objectContaining({ reference: 'conformance-0-1' }));
      expect(foreignOrders()).toContainEqual(expect.objectContaining({ reference: 'somebody-else' }));
      expect(scene.messages('order').filter((each) => each.order.client !== 1)).toEqual([]);
    });
  });

  describe('readings that fail', () => {
    on('are noted, and what they would have reported is reported once they work again', async (scene) => {
      const wire = wireOf(scene);
      await scene.place(order(1, { price: 3 }));
      await wire.fault({ kind: 'status', status: 500, operations: ['listOrders', 'listPrices', 'listMarkets'] });
      await wire.cutStream?.();
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 4 });
      await scene.stage.until(() => wire.notices().some(({ kind }) => kind === 'readFailed'), 'a failed reading');
      await wire.heal();
      await wire.cutStream?.();
      expect(await scene.reported(1, 'PartiallyMatched')).toMatchObject({ stakeMatched: units(4) });
    });
  });

  describe('a cut stream', () => {
    on('loses nothing: what happened meanwhile is reported after it', async (scene) => {
      const wire = wireOf(scene);
      await scene.place(order(1, { price: 3 }));
      await wire.cutStream?.();
      await scene.market.take({ outcome: 0, side: 'For', price: 3, stake: 4 });
      await scene.market.rest({ outcome: 1, side: 'For', price: 5, stake: 3 });
      await scene.market.goInPlay();
      await scene.reported(1, 'Matched');
      await scene.sees((market) => market.inPlayStatus === 'InPlay', 'play');
      await scene.sees((market) => market.amountAt(1, 0, at(5)) === units(3), 'the price');
      const { balance } = scene.stage;
      const wallet = () => scene.messages('wallet').at(-1)?.balanceAvailable;
      await scene.stage.until(() => wallet() === units(balance - 4), 'the money');
    });
  });
});
