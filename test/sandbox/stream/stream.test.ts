import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { StreamLimits } from '../../../src/sandbox/stream/stream-limits.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { type Frame, StreamStage } from './stream-stage.ts';

let stage: StreamStage;
const open = async (limits: Partial<StreamLimits> = {}): Promise<StreamStage> => {
  stage = await StreamStage.open(limits);
  return stage;
};
afterEach(async () => stage.close());

const types = (frames: readonly Frame[]): string[] => frames.map((frame) => String(frame.type));

describe('the handshake', () => {
  test('answers other paths with 404 on the raw socket, and leaves plain requests alone', async () => {
    await open();
    const { port } = new URL(stage.url);
    const status = await new Promise<string>((resolve) => {
      const socket = new WebSocket(`${stage.url}/v1/stream`);
      socket.on('unexpected-response', (_request, response) => {
        let body = '';
        response.on('data', (piece: Buffer) => {
          body += piece.toString();
        });
        response.on('end', () => resolve(`${response.statusCode} ${body}`));
      });
    });
    expect(status).toBe('404 {"title":"Not Found","details":["the stream is at /"]}');
    const plain = await new Promise<number | undefined>((resolve) => {
      request({ port, host: '127.0.0.1', path: '/' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(plain).toBe(200);
  });

  test('authenticates with a bare object', async () => {
    await open();
    const client = await stage.connect();
    client.send({ action: 'authenticate', accessToken: stage.ann.token });
    const [frame, ...others] = await client.after();
    expect(frame).toEqual({ type: 'AuthenticationUpdate', connectionId: expect.any(String) });
    expect(others).toEqual([]);
    expect(stage.stream.connections).toEqual([
      { id: frame.connectionId, since: expect.any(Number), app: stage.ann.app, wallet: undefined },
    ]);
  });

  test('meets a bad token with silence, and leaves the connection open', async () => {
    await open();
    const client = await stage.connect();
    client.send({ action: 'authenticate', accessToken: 'nonsense' });
    stage.clock.runUntil(stage.clock.now() + 3_000);
    expect(await client.after()).toEqual([]);
    expect(client.closed).toBeUndefined();
    client.send({ action: 'authenticate', accessToken: stage.ann.token });
    expect(types(await client.after())).toEqual(['AuthenticationUpdate']);
    client.send({ action: 'authenticate', accessToken: 'nonsense' });
    client.subscribe('EventUpdate', '1');
    expect(types(await client.after())).toEqual(['SubscribeUpdate']);
  });

  test('meets an expired token with silence, but lets a connection outlive its token', async () => {
    await open();
    const token = stage.login('short', { app: stage.ann.app }, 2_000);
    const client = await stage.connect(token);
    client.subscribe('EventUpdate', '*');
    await client.after();
    stage.clock.runUntil(stage.clock.now() + 5_000);
    const late = await stage.connect();
    late.send({ action: 'authenticate', accessToken: token });
    expect(await late.after()).toEqual([]);
    stage.newEvent();
    expect(types(await client.after())).toEqual(['EventUpdate']);
  });

  test('closes the connections of a key that is deactivated', async () => {
    await open();
    const token = stage.login('doomed', { app: stage.ann.app });
    const client = await stage.connect(token);
    const other = await stage.connect(stage.ann.token);
    stage.do({ kind: 'deactivateKey', name: 'doomed' });
    expect(await client.gone()).toEqual({ code: 1008, reason: 'the key was deactivated' });
    expect(await other.after()).toEqual([]);
  });

  test('refuses subscriptions before authentication', async () => {
    await open();
    const client = await stage.connect();
    client.subscribe('OrderUpdate', '*', '1');
    const frames = await client.after();
    expect(frames).toEqual([{ type: 'SubscribeNotAuthenticatedUpdate', connectionId: expect.any(String) }]);
  });
});

describe('requests', () => {
  test('are confirmed once per id, also ids that match nothing, before anything of them is told', async () => {
    await open();
    const market = stage.newMarket();
    const client = await stage.connect(stage.ann.token);
    client.subscribe('MarketPriceUpdate', '987654', numericId(market), 'no-number', numericId(market));
    const frames = await client.after();
    expect(frames.slice(0, 3)).toEqual(
      ['987654', numericId(market), 'no-number'].map((subscriptionId) => ({
        ...{ type: 'SubscribeUpdate', subscriptionType: 'MarketPriceUpdate', subscriptionId },
      })),
    );
    expect(frames.slice(3)).toMatchObject([{ updateType: 'Snapshot', marketId: numericId(market), prices: [] }]);
    for (const type of ['EventUpdate', 'MarketUpdate', 'MarketStatusUpdate', 'OrderUpdate', 'WalletUpdate']) {
      client.subscribe(type, '*', '1');
      expect(await client.after()).toEqual([
        { type: 'SubscribeUpdate', subscriptionType: type, subscriptionId: '*' },
        { type: 'SubscribeUpdate', subscriptionType: type, subscriptionId: '1' },
      ]);
    }
  });

  test('to unsubscribe end what they name, and are confirmed in any case', async () => {
    await open();
    const client = await stage.connect(stage.ann.token);
    client.subscribe('EventUpdate', '*', '1');
    client.unsubscribe('EventUpdate', '*', '77');
    expect(types(await client.after())).toEqual([
      'SubscribeUpdate',
      'SubscribeUpdate',
      'UnsubscribeUpdate',
      'UnsubscribeUpdate',
    ]);
    stage.newEvent();
    stage.command({ kind: 'setEventActive', event: stage.event, active: false });
    expect(await client.after()).toMatchObject([{ type: 'EventUpdate', eventId: '1', active: false }]);
  });

  test.each([
    ['no JSON', '{"action":'],
    ['an empty frame', ''],
    ['an array', '[]'],
    ['an unknown action', '{"action":"order"}'],
    ['an unknown type', '{"action":"subscribe","subscriptionType":"Order","subscriptionIds":["1"]}'],
    ['ids that are no list', '{"action":"subscribe","subscriptionType":"OrderUpdate","subscriptionIds":"*"}'],
    ['a token that is no text', '{"action":"authenticate","accessToken":5}'],
    ['a huge number', '{"action":1e308}'],
  ])('that make no sense are answered by a problem: %s', async (_name, text) => {
    await open();
    for (const token of [undefined, stage.ann.token]) {
      const client = await stage.connect(token);
      client.send(text);
      const frames = await client.after();
      expect(frames).toEqual([
        { message: expect.stringMatching(/./), connectionId: expect.any(String), requestId: expect.any(String) },
      ]);
      client.send(Buffer.from([1, 2, 3]));
      expect((await client.after())[0].requestId).not.toBe(frames[0].requestId);
    }
  });

  test('resubscribing is confirmed again, with a fresh snapshot', async () => {
    await open();
    const market = stage.newMarket();
    const client = await stage.connect(stage.ann.token);
    for (let round = 0; round < 2; round += 1) {
      client.subscribe('MarketPriceUpdate', numericId(market));
      expect(types(await client.after())).toEqual(['SubscribeUpdate', 'MarketPriceUpdate']);
    }
  });
});

describe('limits', () => {
  test('an app has ten connections, another app its own', async () => {
    await open();
    for (let made = 0; made < 10; made += 1) await stage.connect(stage.ann.token);
    const eleventh = await stage.connect();
    eleventh.send({ action: 'authenticate', accessToken: stage.ann.token });
    expect(await eleventh.gone()).toEqual({ code: 1008, reason: 'too many connections' });
    expect(eleventh.take()).toMatchObject([{ message: 'an app has at most 10 connections' }]);
    await stage.connect(stage.bob.token);
    stage.clients[0]?.socket.close();
    await stage.clients[0]?.gone();
    await stage.clients[1]?.heard();
    await stage.connect(stage.ann.token);
  });

  test('a connection has 500 active subscriptions', async () => {
    await open();
    const client = await stage.connect(stage.ann.token);
    const ids = Array.from({ length: 499 }, (_, index) => String(index + 1));
    client.subscribe('MarketUpdate', ...ids);
    expect(types(await client.after())).toEqual(ids.map(() => 'SubscribeUpdate'));
    client.subscribe('EventUpdate', '1', '2');
    expect(await client.after()).toMatchObject([{ message: 'a connection has at most 500 active subscriptions' }]);
    client.unsubscribe('MarketUpdate', '1');
    client.subscribe('EventUpdate', '1', '2');
    expect(types(await client.after())).toEqual(['UnsubscribeUpdate', 'SubscribeUpdate', 'SubscribeUpdate']);
  });

  test('a connection makes 500 requests within any minute', async () => {
    await open();
    const client = await stage.connect(stage.ann.token);
    for (let made = 0; made < 500; made += 1) {
      if (made === 250) stage.clock.runUntil(stage.clock.now() + 40_000);
      client.subscribe('EventUpdate', '1');
      if (made === 249) await client.heard();
    }
    client.subscribe('EventUpdate', '1');
    const frames = await client.after();
    expect(types(frames.slice(0, 500)).filter((type) => type === 'SubscribeUpdate').length).toBe(500);
    expect(frames[500]).toMatchObject({ message: 'a connection makes at most 500 requests a minute' });
    stage.clock.runUntil(stage.clock.now() + 20_001);
    client.subscribe('EventUpdate', '1');
    expect(types(await client.after())).toEqual(['SubscribeUpdate']);
  });

  test('an idle connection is closed after ten minutes, one that pings lives two hours', async () => {
    await open();
    const idle = await stage.connect(stage.ann.token);
    const pinging = await stage.connect(stage.ann.token);
    const startedAt = stage.clock.now();
    stage.clock.runUntil(startedAt + 599_000);
    await pinging.heard();
    expect(idle.closed).toBeUndefined();
    stage.clock.runUntil(startedAt + 600_000);
    expect(await idle.gone()).toEqual({ code: 1001, reason: 'the connection is idle' });
    for (let at = startedAt + 600_000; at < startedAt + 7_200_000; at += 540_000) {
      stage.clock.runUntil(Math.min(at, startedAt + 7_199_000));
      await pinging.heard();
    }
    stage.clock.runUntil(startedAt + 7_200_000);
    expect(await pinging.gone()).toEqual({ code: 1001, reason: 'the connection is too old' });
    expect(stage.clock.pending).toBe(0);
  });

  test('a frame that is too large ends the connection with 1009, and an id that is too long is a problem', async () => {
    await open({ frameBytesMax: 1000 });
    const client = await stage.connect(stage.ann.token);
    client.subscribe('EventUpdate', 'x'.repeat(201));
    expect(await client.after()).toMatchObject([{ message: 'an id has at most 200 characters' }]);
    client.send('x'.repeat(1001));
    expect((await client.gone()).code).toBe(1009);
    expect(stage.stream.connections).toEqual([]);
  });

  test('a connection that does not read is cut, the others stay', async () => {
    await open({ backlogBytesMax: 200_000 });
    const market = stage.newMarket();
    const slow = await stage.connect(stage.ann.token);
    const quick = await stage.connect(stage.ann.token);
    slow.subscribe('OrderUpdate', '*');
    quick.subscribe('OrderUpdate', '1');
    for (const client of [slow, quick]) await client.after();
    slow.socket.pause();
    for (let round = 0; round < 1_000 && stage.stream.connections.length === 2; round += 1) {
      const bets = Array.from({ length: 50 }, () => ({ market, side: 'For', price: 900, stake: 0.001 }) as const);
      stage.tryPlace(stage.ann, bets);
      if (round % 20 === 0) await quick.heard();
    }
    expect(stage.stream.connections.length).toBe(1);
    expect(types(await quick.after())).toEqual(['OrderUpdate']);
  }, 30_000);

  test('beyond the most connections the handshake is refused with 503', async () => {
    await open({ connectionsMax: 1 });
    await stage.connect();
    await expect(stage.connect()).rejects.toThrow('503');
  });

  test('cut drops the lines that the filter names, close says goodbye', async () => {
    await open();
    const ann = await stage.connect(stage.ann.token);
    const bob = await stage.connect(stage.bob.token);
    expect(stage.stream.cut(({ app }) => app === stage.ann.app)).toBe(1);
    expect((await ann.gone()).code).toBe(1006);
    expect(await bob.after()).toEqual([]);
    await stage.stream.close();
    expect(await bob.gone()).toEqual({ code: 1001, reason: 'the sandbox closes' });
    await expect(stage.connect()).rejects.toThrow();
  });
});
