/** Any faults in any order: once they are over, the exchange has the wanted subscriptions, and updates arrive. */

import { beforeEach, expect, test } from 'vitest';
import { SUBSCRIPTION_TYPES } from '../../../src/betdex/wire/basics/enums.ts';
import { Random } from '../../support/random.ts';
import { StreamRig } from '../../support/stream/stream-rig.ts';
import { walletUpdate } from '../../support/stream/stream-samples.ts';
import { StubExchange } from '../../support/stream/stub-exchange.ts';

const LIMITS = {
  subscriptionsMax: 12,
  connectionsMax: 4,
  requestsMax: 60,
  rotateAfterMs: 100_000,
  rotateRetryMs: 5_000,
  frameBytesMax: 20_000,
};

let exchange: StubExchange;
let rig: StreamRig;

beforeEach(async () => {
  exchange = await StubExchange.listen();
});

function mishap(random: Random): void {
  const peer = random.pick(exchange.peers);
  if (peer.isClosed) return;
  const what = random.between(1, 9);
  if (what === 1) peer.socket.terminate();
  if (what === 2) peer.socket.close(1001);
  if (what === 3) peer.socket.send('{"type":');
  if (what === 4) peer.socket.send('x'.repeat(LIMITS.frameBytesMax + 1));
  if (what === 5) exchange.script = { ...exchange.script, pongs: random.chance(0.5) };
  if (what === 6) exchange.token = random.chance(0.5) ? exchange.token : 'another';
  const everything = random.chance(0.5);
  if (what === 7) exchange.script = { ...exchange.script, confirms: () => everything };
  if (what === 8) peer.isSlow = !peer.isSlow;
  if (what === 9) peer.send({ type: 'SubscribeNotAuthenticatedUpdate', connectionId: 'x' });
}

/** Lets sockets work for some real ms, then moves the simulated time on by `ms`. */
async function live(ms: number): Promise<void> {
  for (let turn = 0; turn < 15; turn += 1) {
    rig.pass(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  rig.pass(ms);
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i', async (seed) => {
  const random = new Random(seed);
  const goodToken = exchange.token;
  const wanted = new Set<string>();
  rig = new StreamRig({ url: exchange.url, limits: LIMITS });
  rig.client.subscribe('WalletUpdate', ['*']);
  wanted.add('WalletUpdate *');
  await rig.start();
  for (let step = 0; step < 300; step += 1) {
    const type = random.pick(SUBSCRIPTION_TYPES);
    const id = String(random.between(1, 4));
    if (random.chance(0.2)) {
      rig.client.subscribe(type, [id]);
      wanted.add(`${type} ${id}`);
    }
    if (random.chance(0.2)) {
      rig.client.unsubscribe(type, [id]);
      wanted.delete(`${type} ${id}`);
    }
    if (random.chance(0.3)) mishap(random);
    await live(random.between(0, 2_000));
  }
  exchange.token = goodToken;
  exchange.script = { ...exchange.script, pongs: true, confirms: () => true };
  for (const peer of exchange.peers) peer.isSlow = false;
  for (const peer of exchange.peers) peer.deliver(Number.POSITIVE_INFINITY);
  // Subscriptions that were not confirmed during the faults are requested again.
  for (let step = 0; step < 100; step += 1) await live(2_000);
  const served = exchange.peers.filter(({ isClosed }) => !isClosed).flatMap(({ subscribed }) => [...subscribed]);
  expect(rig.received('refused')).toEqual([]);
  expect(new Set(served)).toEqual(wanted);
  exchange.publish('WalletUpdate', 'w1', walletUpdate(4711));
  await rig.until(() =>
    rig.received('message').some(({ message }) => 'balance' in message && message.balance === 4711),
  );
  rig.client.close();
  rig.pass(10 ** 7);
  expect(rig.clock.pending).toBe(0);
});
