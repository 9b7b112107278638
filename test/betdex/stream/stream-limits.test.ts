/** The limits of the stream client: subscriptions, connections, requests a minute, pings, backlog. */

import { beforeEach, describe, expect, test } from 'vitest';
import { STREAM_LIMITS, type StreamLimits } from '../../../src/betdex/stream/stream-settings.ts';
import { StreamRig } from '../../support/stream/stream-rig.ts';
import { walletUpdate } from '../../support/stream/stream-samples.ts';
import { StubExchange } from '../../support/stream/stub-exchange.ts';

let exchange: StubExchange;
let rig: StreamRig;

beforeEach(async () => {
  exchange = await StubExchange.listen();
});

async function startWith(limits: Partial<StreamLimits> = {}): Promise<void> {
  rig = new StreamRig({ url: exchange.url, limits });
  await rig.start();
}

function ids(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => String(from + index));
}

describe('requests', () => {
  test('beyond 500 wait until a minute after the first, money first', async () => {
    await startWith({ subscriptionsMax: 1_000, rotateAfterMs: 10 ** 7, pingAfterMs: 10 ** 7 });
    rig.client.subscribe('EventUpdate', ids(1000, 1400));
    rig.client.subscribe('MarketPriceUpdate', ids(1000, 1300));
    rig.client.subscribe('OrderUpdate', ['*']);
    await rig.untilReceived('confirmed', 500);
    expect(rig.received('trouble')).toMatchObject([{ code: 'REQUEST_LIMIT', details: '200 subscriptions wait' }]);
    rig.pass(STREAM_LIMITS.requestSpanMs - 1);
    await rig.settle();
    expect(exchange.last.subscribed.size).toBe(500);
    rig.pass(1);
    await rig.untilReceived('confirmed', 701);
    const counts = exchange.last.asked('subscribe').map(([type, asked]) => [type, asked.length]);
    expect(counts).toEqual([
      ['EventUpdate', 400],
      ['MarketPriceUpdate', 100],
      ['OrderUpdate', 1],
      ['MarketPriceUpdate', 200],
    ]);
    expect(rig.received('trouble').length).toBe(1);
  });

  test('are counted over all connections', async () => {
    await startWith({ subscriptionsMax: 4, requestsMax: 6 });
    rig.client.subscribe('EventUpdate', ids(1, 9));
    await rig.untilReceived('confirmed', 6);
    await rig.settle();
    expect(exchange.peers.map(({ subscribed }) => subscribed.size)).toEqual([4, 2]);
  });
});

describe('subscriptions', () => {
  test('stay within the app’s 500 over all connections, also while they are replaced', async () => {
    await startWith({ rotateAfterMs: 300_000, pingAfterMs: 10 ** 7 });
    let most = 0;
    const count = (): void => {
      const alive = exchange.peers.filter(({ isClosed }) => !isClosed);
      most = Math.max(
        most,
        alive.reduce((sum, { subscribed }) => sum + subscribed.size, 0),
      );
      expect(alive.length).toBeLessThanOrEqual(10);
    };
    rig.client.subscribe('EventUpdate', ids(0, 500));
    await rig.untilReceived('confirmed', 450);
    expect(rig.received('refused')).toEqual([{ kind: 'refused', type: 'EventUpdate', ids: ids(450, 500) }]);
    for (let passed = 0; passed < 700_000; passed += 5_000) {
      rig.pass(5_000);
      for (let turn = 0; turn < 20; turn += 1) {
        await rig.until(() => true);
        await new Promise((resolve) => setImmediate(resolve));
        count();
      }
    }
    expect(rig.received('resync').filter(({ reason }) => reason === 'rotated').length).toBeGreaterThan(9);
    expect(rig.received('trouble')).toEqual([]);
    expect(most).toBeGreaterThan(450);
    expect(most).toBeLessThanOrEqual(500);
  });

  test('beyond one connection’s go to the next, and beyond the last are refused by name', async () => {
    await startWith({ subscriptionsMax: 3, connectionsMax: 3 });
    rig.client.subscribe('EventUpdate', ids(1, 9));
    await rig.untilReceived('confirmed', 6);
    expect(exchange.peers.map((peer) => peer.asked('subscribe'))).toEqual([
      [['EventUpdate', ['1', '2', '3']]],
      [['EventUpdate', ['4', '5', '6']]],
    ]);
    expect(rig.received('refused')).toEqual([{ kind: 'refused', type: 'EventUpdate', ids: ['7', '8'] }]);
    rig.client.unsubscribe('EventUpdate', ['2']);
    rig.client.subscribe('EventUpdate', ['7', '1', '5']);
    await rig.untilReceived('confirmed', 7);
    expect(exchange.peers[0]?.asked('subscribe').at(-1)).toEqual(['EventUpdate', ['7']]);
    expect(rig.received('refused').length).toBe(1);
  });

  test('that are gone from a further connection close it, and it opens again when needed', async () => {
    await startWith({ subscriptionsMax: 1, connectionsMax: 3 });
    rig.client.subscribe('EventUpdate', ['1', '2']);
    await rig.untilReceived('confirmed', 2);
    rig.client.unsubscribe('EventUpdate', ['1', '2']);
    await rig.until(() => exchange.peers[1]?.isClosed === true);
    expect(exchange.peers[0]?.isClosed).toBe(false);
    rig.client.subscribe('EventUpdate', ['3', '4']);
    await rig.untilReceived('confirmed', 4);
    expect(rig.received('up').map(({ connection }) => connection)).toEqual([1, 1]);
    expect(rig.received('down')).toEqual([]);
  });
});

describe('silence', () => {
  test('brings a ping after a minute, counted from the last frame, and a pong keeps the connection', async () => {
    await startWith();
    rig.pass(STREAM_LIMITS.pingAfterMs - 1);
    exchange.last.send(walletUpdate(1));
    await rig.untilReceived('message');
    rig.pass(STREAM_LIMITS.pingAfterMs - 1);
    await rig.settle();
    expect(exchange.last.pings).toBe(0);
    rig.pass(1);
    await rig.until(() => exchange.last.pings === 1);
    await rig.settle();
    rig.pass(STREAM_LIMITS.pongTimeoutMs);
    expect(rig.kinds()).toEqual(['message']);
    rig.pass(STREAM_LIMITS.pingAfterMs);
    await rig.until(() => exchange.last.pings === 2);
  });

  test('after a ping is the end of the connection', async () => {
    exchange.script = { ...exchange.script, pongs: false };
    await startWith();
    rig.pass(STREAM_LIMITS.pingAfterMs);
    await rig.until(() => exchange.last.pings === 1);
    rig.pass(STREAM_LIMITS.pongTimeoutMs);
    const down = await rig.untilReceived('down');
    expect(down.code).toBe('NO_PONG');
    rig.pass(down.retryMs);
    await rig.untilReceived('resync');
  });
});

test('a server that reads no more is left, once too much waits to be sent', async () => {
  await startWith({ backlogBytesMax: 100_000 });
  exchange.last.socket.pause();
  for (let count = 0; count < 40 && rig.received('down').length === 0; count += 1) {
    rig.client.subscribe('EventUpdate', ['x'.repeat(500_000) + count]);
    await rig.settle();
  }
  expect(rig.received('down')).toMatchObject([{ code: 'SEND_BACKLOG' }]);
});

test('a connection that falls as soon as it is up is tried later and later, and after a stable time soon again', async () => {
  await startWith();
  const waits: number[] = [];
  for (let count = 1; count <= 4; count += 1) {
    exchange.last.socket.terminate();
    const { retryMs } = await rig.untilReceived('down', count);
    waits.push(retryMs);
    rig.pass(retryMs);
    await rig.untilReceived('up', count);
  }
  expect(waits[3]).toBeGreaterThan(waits[0]! * 2);
  rig.pass(STREAM_LIMITS.stableMs);
  exchange.last.socket.terminate();
  expect((await rig.untilReceived('down', 5)).retryMs).toBeLessThanOrEqual(STREAM_LIMITS.retryFirstMs);
});
