/** The vendor's own tests of the stream (wire-shapes, E) against a sandbox started without options, three runs without a reset. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../support/vendor/vendor-client.ts';
import { VendorStage } from '../../support/vendor/vendor-stage.ts';
import { VendorStream } from '../../support/vendor/vendor-stream.ts';

const RUNS = [1, 2, 3];
let stage: VendorStage;

beforeAll(async () => {
  stage = await VendorStage.open();
});

afterAll(async () => {
  await stage?.close();
});

describe.each(RUNS)('run %i', () => {
  // The vendor's test waits for three seconds, as stream.test.ts does on a simulated clock.
  test('stream token: a bad one gets silence', async () => {
    const stream = await VendorStream.open(stage.sandbox.streamUrl);
    stream.send({ action: 'authenticate', accessToken: 'no-such-token' });
    expect(await stream.silence(500)).toBe(0);
    expect(stream.isOpen).toBe(true);
    await stream.close();
    expect(stream.faults).toEqual([]);
  });

  test('stream subscribe: each id is confirmed, unsubscribing too', async () => {
    const { accessToken } = await stage.login();
    const stream = await VendorStream.open(stage.sandbox.streamUrl);
    await stream.authenticate(accessToken);
    await stream.subscribe('EventUpdate', ['1', '2']);
    await stream.subscribe('EventUpdate', ['1'], 'unsubscribe');
    for (const type of ['MarketUpdate', 'MarketStatusUpdate', 'EventUpdate']) await stream.subscribe(type, ['*']);
    await stream.close();
    expect(stream.faults).toEqual([]);
  });

  test('stream order: first Unmatched, the book gains and loses it, Cancelled at the end', async () => {
    const { accessToken } = await stage.login();
    const stream = await VendorStream.open(stage.sandbox.streamUrl);
    await stream.authenticate(accessToken);
    const body = await stage.restingOrder();
    await stream.subscribe('OrderUpdate', [`${stage.sandbox.appId}:${stage.walletId}`]);
    await stream.subscribe('WalletUpdate', [stage.walletId]);
    await stream.subscribe('MarketPriceUpdate', [body.marketId]);
    await stream.until((message) => message.type === 'MarketPriceUpdate' && message.updateType === 'Snapshot');
    const from = stream.messages.length;
    const { id } = (await stage.ok('POST /orders', { body })).orders[0];
    const first = await stream.until((m) => m.type === 'OrderUpdate' && m.reference === body.reference, from);
    expect(first).toMatchObject({ orderId: id, status: 'Unmatched', walletId: stage.walletId, stakeUnmatched: 1 });
    const level = (m: Json, amount: (liquidity: number) => boolean) =>
      m.type === 'MarketPriceUpdate' &&
      m.prices.some(
        (row: Json) =>
          row.side === 'For' && row.price === 1000 && row.outcomeId === body.outcomeId && amount(row.liquidity),
      );
    const gained = await stream.until((m) => level(m, (liquidity) => liquidity >= 1), from);
    const before = stream.messages.length;
    await stage.ok('POST /orders/cancel-v2', { body: { orderIds: [id] } });
    await stream.until((m) => m !== gained && level(m, () => true), before);
    const last = await stream.until((m) => m.type === 'OrderUpdate' && m.status === 'Cancelled', before);
    expect(last).toMatchObject({ orderId: id, stakeVoided: 1, stakeUnmatched: 0 });
    await stream.close();
    expect(stream.faults).toEqual([]);
  });

  test('stream restart: subscribing again is confirmed; stopping while connecting is quiet', async () => {
    const { accessToken } = await stage.login();
    for (let times = 0; times < 2; times += 1) {
      const stream = await VendorStream.open(stage.sandbox.streamUrl);
      await stream.authenticate(accessToken);
      await stream.subscribe('OrderUpdate', [`${stage.sandbox.appId}:*`]);
      await stream.close();
      expect(stream.faults).toEqual([]);
    }
    const quiet = await VendorStream.open(stage.sandbox.streamUrl);
    await quiet.close();
    await stage.ok('GET /wallets/{id}', { path: { id: stage.walletId } });
  });
});
