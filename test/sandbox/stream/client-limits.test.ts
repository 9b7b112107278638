/** oddsmith's own stream client at the sandbox's limits, with as many subscriptions as are allowed. */

import { of } from 'rxjs';
import { expect, test } from 'vitest';
import { StreamRig } from '../../support/stream/stream-rig.ts';
import { StreamStage } from './stream-stage.ts';

const ROTATE_MS = 400_000;

/** Advances the time of both ends in steps, so that the sockets get their turns. */
async function pass(stage: StreamStage, rig: StreamRig, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    stage.clock.runUntil(stage.clock.now() + 5_000);
    rig.pass(5_000);
    for (let turn = 0; turn < 20; turn += 1) {
      await rig.until(() => true);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

test('all that the client takes is confirmed, and stays so while connections are replaced, fall and come back', async () => {
  const stage = await StreamStage.open();
  const limits = { rotateAfterMs: ROTATE_MS, pingAfterMs: 10 ** 7 };
  const rig = new StreamRig({ url: stage.url, token: () => of(stage.ann.token), limits });
  const ids = Array.from({ length: 500 }, (_, index) => String(index));
  rig.client.subscribe('MarketStatusUpdate', ids);
  rig.client.start();
  await rig.untilReceived('confirmed', 450);
  expect(rig.received('refused').flatMap((event) => event.ids)).toEqual(ids.slice(450));
  await pass(stage, rig, 2 * ROTATE_MS);
  expect(rig.received('resync').filter(({ reason }) => reason === 'rotated').length).toBeGreaterThan(8);
  expect(rig.received('trouble')).toEqual([]);
  expect(rig.received('down')).toEqual([]);

  expect(stage.stream.cut(() => true)).toBeGreaterThan(8);
  await pass(stage, rig, 150_000);
  // Subscribing to everything again uses up all requests of the minute: further ones wait and are not refused.
  expect(rig.received('trouble').filter(({ code }) => code !== 'REQUEST_LIMIT')).toEqual([]);
  rig.events.length = 0;
  for (let made = 0; made < 9; made += 1) {
    const market = stage.newMarket();
    expect(market).toBeLessThan(450);
  }
  await rig.until(() => rig.received('message').length >= 9);
  rig.client.close();
  await stage.close();
});
