/** Rotation: a new connection takes over before the old one is closed, and no update is lost between them. */

import { beforeEach, expect, test } from 'vitest';
import { STREAM_LIMITS, type StreamLimits } from '../../../src/betdex/stream/stream-settings.ts';
import { Random } from '../../support/random.ts';
import { StreamRig } from '../../support/stream/stream-rig.ts';
import { walletUpdate } from '../../support/stream/stream-samples.ts';
import { StubExchange, type StubPeer } from '../../support/stream/stub-exchange.ts';

const ROTATE_MS = 50_000;

let exchange: StubExchange;
let rig: StreamRig;

beforeEach(async () => {
  exchange = await StubExchange.listen();
});

async function startWith(limits: Partial<StreamLimits> = {}): Promise<void> {
  rig = new StreamRig({ url: exchange.url, limits: { rotateAfterMs: ROTATE_MS, ...limits } });
  rig.client.subscribe('WalletUpdate', ['*']);
  await rig.start();
}

function balances(): readonly number[] {
  return rig
    .received('message')
    .map(({ message }) => (message.type === 'WalletUpdate' ? (message.balance ?? Number.NaN) : Number.NaN));
}

function alive(): number {
  return exchange.peers.filter(({ isClosed }) => !isClosed).length;
}

test('the old connection serves until the new one is subscribed, then is closed, and a resync is emitted', async () => {
  await startWith();
  exchange.script = { ...exchange.script, welcome: (peer) => (peer.isSlow = true) };
  rig.pass(ROTATE_MS);
  await rig.until(() => exchange.peers.length === 2);
  exchange.publish('WalletUpdate', 'w1', walletUpdate(1));
  await rig.untilReceived('message');
  expect(rig.kinds()).toEqual(['message']);
  await rig.until(() => {
    exchange.last.deliver(1);
    return exchange.peers[0]?.isClosed === true;
  });
  expect(rig.kinds()).toEqual(['message', 'resync']);
  expect(rig.received('resync')).toEqual([{ kind: 'resync', connection: 0, reason: 'rotated' }]);
  exchange.last.isSlow = false;
  exchange.publish('WalletUpdate', 'w1', walletUpdate(2));
  await rig.untilReceived('message', 2);
  expect(balances()).toEqual([1, 2]);
});

test('what was still on its way on the old connection is received before the new one takes over', async () => {
  await startWith();
  const [old] = exchange.peers;
  rig.pass(ROTATE_MS);
  old!.isSlow = true;
  old!.send(walletUpdate(1));
  await rig.until(() => old!.pings === 1);
  exchange.last.send(walletUpdate(2));
  await rig.settle();
  expect(balances()).toEqual([]);
  old!.deliver(2);
  await rig.untilReceived('resync');
  expect(balances()).toEqual([1, 2]);
});

test('an old connection that does not answer any more is replaced all the same', async () => {
  await startWith({ pingAfterMs: 10 * ROTATE_MS });
  exchange.script = { ...exchange.script, pongs: false };
  rig.pass(ROTATE_MS);
  await rig.until(() => exchange.peers[0]?.pings === 1);
  rig.pass(STREAM_LIMITS.pongTimeoutMs);
  await rig.untilReceived('resync');
  expect(rig.received('down')).toEqual([]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'no update is lost, however slow each way is (seed %i)',
  async (seed) => {
    await startWith();
    const random = new Random(seed);
    const [old] = exchange.peers;
    exchange.script = { ...exchange.script, welcome: (peer) => (peer.isSlow = true) };
    old!.isSlow = true;
    rig.pass(ROTATE_MS);
    let published = 0;
    await rig.until(() => {
      if (random.chance(0.3)) {
        published += 1;
        exchange.publish('WalletUpdate', 'w1', walletUpdate(published));
      }
      for (const peer of exchange.peers) if (random.chance(0.4)) peer.deliver(random.between(1, 3));
      return rig.received('resync').length === 1;
    });
    await rig.until(() => {
      exchange.last.deliver(5);
      return balances().at(-1) === published;
    });
    expect(new Set(balances()).size).toBe(published);
    expect(exchange.peers.length).toBe(2);
  },
);

test('is put off where the new connection lacks a subscription that the old one has', async () => {
  await startWith();
  exchange.script = { ...exchange.script, confirms: () => false };
  rig.pass(ROTATE_MS);
  await rig.until(() => exchange.peers[1]?.received.length === 2);
  rig.pass(STREAM_LIMITS.confirmTimeoutMs);
  expect(rig.received('trouble').map(({ code }) => code)).toEqual(['NOT_CONFIRMED', 'ROTATION_FAILED']);
  exchange.publish('WalletUpdate', 'w1', walletUpdate(1));
  await rig.untilReceived('message');
  exchange.script = { ...exchange.script, confirms: () => true };
  for (let passed = 0; passed < STREAM_LIMITS.rotateRetryMs; passed += 5_000) {
    rig.pass(5_000);
    await rig.settle();
  }
  await rig.untilReceived('resync');
  expect(rig.received('down')).toEqual([]);
});

test('is given up where more updates come meanwhile than may be held', async () => {
  await startWith({ heldMax: 3 });
  const [old] = exchange.peers;
  rig.pass(ROTATE_MS);
  old!.isSlow = true;
  await rig.until(() => exchange.peers.length === 2 && exchange.last.subscribed.size === 1);
  for (let balance = 1; balance <= 4; balance += 1) exchange.last.send(walletUpdate(balance));
  expect(await rig.untilReceived('trouble')).toMatchObject({ code: 'ROTATION_FAILED' });
  await rig.until(() => exchange.last.isClosed);
  old!.send(walletUpdate(5));
  old!.deliver(9);
  await rig.untilReceived('message');
  expect(balances()).toEqual([5]);
});

test('reports a frame that the new connection lost before it took over', async () => {
  await startWith();
  const [old] = exchange.peers;
  rig.pass(ROTATE_MS);
  old!.isSlow = true;
  await rig.until(() => exchange.last.subscribed.size === 1 && old!.pings === 1);
  exchange.last.socket.send('no JSON');
  exchange.last.send(walletUpdate(1));
  await rig.untilReceived('trouble');
  expect(rig.received('resync')).toEqual([]);
  old!.deliver(1);
  await rig.untilReceived('resync', 2);
  expect(balances()).toEqual([1]);
  expect(rig.received('resync').map(({ reason }) => reason)).toEqual(['lost', 'rotated']);
});

test('hands over at once where the old connection falls meanwhile', async () => {
  await startWith();
  exchange.script = { ...exchange.script, welcome: (peer) => (peer.isSlow = true) };
  rig.pass(ROTATE_MS);
  await rig.until(() => exchange.peers.length === 2);
  exchange.peers[0]!.socket.terminate();
  const down = await rig.untilReceived('down');
  expect(down.retryMs).toBe(0);
  await rig.until(() => {
    exchange.last.deliver(1);
    return rig.received('resync').length === 1;
  });
  expect(rig.kinds()).toEqual(['down', 'confirmed', 'up', 'resync']);
  expect(exchange.peers.length).toBe(2);
});

test('of several connections goes one by one, within the limit on connections', async () => {
  await startWith({ subscriptionsMax: 1, connectionsMax: 3, rotateRetryMs: 2_000 });
  rig.client.subscribe('EventUpdate', ['*']);
  await rig.untilReceived('resync');
  rig.events.length = 0;
  let most = 0;
  const welcome = (peer: StubPeer): void => {
    peer.isSlow = true;
    most = Math.max(most, alive());
  };
  exchange.script = { ...exchange.script, welcome };
  // Each rotation takes longer than the random difference between the rotation times of the two connections, so they overlap.
  for (let passed = 0; passed < 3 * ROTATE_MS && rig.received('resync').length < 2; passed += 4_000) {
    rig.pass(4_000);
    await rig.settle();
    exchange.last.deliver(1);
  }
  expect(
    rig
      .received('resync')
      .map(({ connection }) => connection)
      .sort(),
  ).toEqual([0, 1]);
  expect(most).toBe(3);
  expect(rig.received('trouble')).toEqual([]);
});
