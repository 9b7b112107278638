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
        type: 'SubscribeUpdate',
        subscriptionType: 'MarketPriceUpdate',
        subscriptionId,
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

  test('may come as an array in one frame, each answered as if it had come alone', async () => {
    await open();
    const client = await stage.connect();
    client.send([
      { action: 'subscribe', subscriptionType: 'EventUpdate', subscriptionIds: ['1'] },
      { action: 'authenticate', accessToken: stage.ann.token },
      { action: 'subscribe', subscriptionType: 'EventUpdate', subscriptionIds: ['1', '2'] },
      { action: 'dance' },
      [],
      { action: 'unsubscribe', subscriptionType: 'EventUpdate', subscriptionIds: ['2'] },
      { action: 'subscribe', subscriptionType: 'Order', subscriptionIds: '*' },
    ]);
    expect(await client.after()).toEqual([
      { type: 'SubscribeNotAuthenticatedUpdate', connectionId: expect.any(String) },
      { type: 'AuthenticationUpdate', connectionId: expect.any(String) },
      { type: 'SubscribeUpdate', subscriptionType: 'EventUpdate', subscriptionId: '1' },
      { type: 'SubscribeUpdate', subscriptionType: 'EventUpdate', subscriptionId: '2' },
      expect.objectContaining({ message: expect.stringMatching(/^\[3\]\.action: /) }),
      expect.objectContaining({ message: expect.stringMatching(/^\[4\]: /) }),
      { type: 'UnsubscribeUpdate', subscriptionType: 'EventUpdate', subscriptionId: '2' },
      expect.objectContaining({
        message: expect.stringMatching(/^\[6\]\.subscriptionType: .*\[6\]\.subscriptionIds: /),
      }),
    ]);
    client.send([{ action: 'authenticate', accessToken: 'nonsense' }]);
    expect(await client.after()).toEqual([]);
  });

  test('for orders of another app get a problem and no confirmation, beside ids that are the app’s own or nobody’s', async () => {
    await open();
    const market = stage.newMarket();
    const order = { market, side: 'For', price: 3, stake: 1 } as const;
    const [own, foreign, house] = [stage.ann, stage.bob, stage.house].map((account) =>
      numericId(stage.place(account, order)),
    );
    const { ann, bob } = stage;
    for (const token of [ann.token, ann.walletToken]) {
      const client = await stage.connect(token);
      const refused = [`${bob.id}:*`, `${bob.id}:${bob.walletId}`, 'nobody:*', `:${ann.walletId}`, foreign, house];
      for (const id of refused) {
        client.subscribe('OrderUpdate', id ?? '');
        expect([id, await client.after()]).toMatchObject([
          id,
          [{ message: `${id}: orders of another app are not reported` }],
        ]);
      }
      const allowed = ['*', `${ann.id}:*`, `${ann.id}:${ann.walletId}`, own ?? '', '987654', 'no-number'];
      client.subscribe('OrderUpdate', foreign ?? '', ...allowed, `${bob.id}:*`);
      const frames = await client.after();
      expect(frames.slice(0, 2).map(({ message }) => message)).toEqual([
        `${foreign}: orders of another app are not reported`,
        `${bob.id}:*: orders of another app are not reported`,
      ]);
      expect(frames.slice(2).map(({ subscriptionId }) => subscriptionId)).toEqual(allowed);
      client.unsubscribe('OrderUpdate', '*');
      await client.after();
      stage.place(bob, order);
      expect(await client.after()).toEqual([]);
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
    expect(await eleventh.gone()).toEqual({ code: 1008, reason: 'an app has at most 10 connections' });
    expect(eleventh.take()).toMatchObject([{ message: 'an app has at most 10 connections' }]);
    await stage.connect(stage.bob.token);
    stage.clients[0]?.socket.close();
    await stage.clients[0]?.gone();
    await stage.clients[1]?.allReceived();
    await stage.connect(stage.ann.token);
  });

  test('an app has 500 active subscriptions over all its connections, another app its own', async () => {
    await open();
    const [one, two] = [await stage.connect(stage.ann.token), await stage.connect(stage.ann.walletToken)];
    const ids = Array.from({ length: 300 }, (_, index) => String(index + 1));
    one.subscribe('MarketUpdate', ...ids);
    expect(types(await one.after())).toEqual(ids.map(() => 'SubscribeUpdate'));
    two.subscribe('EventUpdate', ...ids.slice(0, 199));
    expect((await two.after()).length).toBe(199);
    const problem = [{ message: 'an app has at most 500 active subscriptions' }];
    stage.clock.runUntil(stage.clock.now() + 60_001);
    two.subscribe('WalletUpdate', '*', '1');
    expect(await two.after()).toMatchObject(problem);
    stage.clock.runUntil(stage.clock.now() + 60_001);
    // An id counts again on a second connection, but not when the same connection has it already.
    two.subscribe('MarketUpdate', '1', '2');
    one.subscribe('MarketUpdate', '1', '2', '3');
    expect(await two.after()).toMatchObject(problem);
    expect(types(await one.after())).toEqual(['SubscribeUpdate', 'SubscribeUpdate', 'SubscribeUpdate']);
    one.unsubscribe('MarketUpdate', '1');
    await one.after();
    two.subscribe('WalletUpdate', '*', '1');
    expect((await two.after()).length).toBe(2);
    const bob = await stage.connect(stage.bob.token);
    bob.subscribe('MarketUpdate', ...ids);
    expect((await bob.after()).length).toBe(300);
    // A closed connection makes room for another.
    one.socket.close();
    await one.gone();
    await two.allReceived();
    two.subscribe('EventUpdate', ...ids.slice(0, 250));
    expect((await two.after()).length).toBe(250);
  });

  test('an app subscribes to 500 ids within any minute, each id counted, over all its connections and afterwards', async () => {
    await open();
    const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index));
    const problem = [{ message: 'an app subscribes to at most 500 ids a minute' }];
    const client = await stage.connect(stage.ann.token);
    client.subscribe('EventUpdate', ...ids(0, 250));
    await client.after();
    client.unsubscribe('EventUpdate', ...ids(0, 250));
    client.socket.close();
    await client.gone();
    stage.clock.runUntil(stage.clock.now() + 40_000);
    const [one, two] = [await stage.connect(stage.ann.token), await stage.connect(stage.ann.token)];
    // Requests count whether they come in one frame or in many, and whether the ids are subscribed to already or not.
    for (let made = 0; made < 125; made += 1) one.subscribe('EventUpdate', '1');
    two.subscribe('EventUpdate', ...ids(0, 125));
    expect([(await one.after()).length, (await two.after()).length]).toEqual([125, 125]);
    one.subscribe('EventUpdate', '1');
    two.subscribe('WalletUpdate', '*');
    expect(await one.after()).toMatchObject(problem);
    expect(await two.after()).toMatchObject(problem);
    const bob = await stage.connect(stage.bob.token);
    bob.subscribe('EventUpdate', ...ids(0, 500));
    expect((await bob.after()).length).toBe(500);
    bob.unsubscribe('EventUpdate', ...ids(0, 500));
    expect((await bob.after()).length).toBe(500);
    stage.clock.runUntil(stage.clock.now() + 20_001);
    one.subscribe('EventUpdate', ...ids(0, 251));
    expect(await one.after()).toMatchObject(problem);
    one.subscribe('EventUpdate', ...ids(0, 250));
    expect((await one.after()).length).toBe(250);
  });

  test('who authenticates again for another app brings no more subscriptions than that has room for', async () => {
    await open();
    const [ann, bob] = [await stage.connect(stage.ann.token), await stage.connect(stage.bob.token)];
    const ids = Array.from({ length: 251 }, (_, index) => String(index));
    ann.subscribe('EventUpdate', ...ids);
    bob.subscribe('EventUpdate', ...ids.slice(1));
    await Promise.all([ann.allReceived(), bob.allReceived()]);
    bob.take();
    bob.send({ action: 'authenticate', accessToken: stage.ann.token });
    expect(await bob.gone()).toEqual({ code: 1008, reason: 'an app has at most 500 active subscriptions' });
    expect(bob.take()).toMatchObject([{ message: 'an app has at most 500 active subscriptions' }]);
  });

  test('an idle connection is closed after ten minutes, one that pings lives two hours', async () => {
    await open();
    const idle = await stage.connect(stage.ann.token);
    const pinging = await stage.connect(stage.ann.token);
    const startedAt = stage.clock.now();
    stage.clock.runUntil(startedAt + 599_000);
    await pinging.allReceived();
    expect(idle.closed).toBeUndefined();
    stage.clock.runUntil(startedAt + 600_000);
    expect(await idle.gone()).toEqual({ code: 1001, reason: 'the connection is idle' });
    for (let at = startedAt + 600_000; at < startedAt + 7_200_000; at += 540_000) {
      stage.clock.runUntil(Math.min(at, startedAt + 7_199_000));
      await pinging.allReceived();
    }
    stage.clock.runUntil(startedAt + 7_200_000);
    expect(await pinging.gone()).toEqual({ code: 1001, reason: 'the connection is too old' });
    expect(stage.clock.pending).toBe(0);
  });

  test('a frame that is too large ends the connection with 1009, and an id that is too long is a problem', async () => {
    await open({ frameBytesMax: 1000 });
    const client = await stage.connect(stage.ann.token);
    client.subscribe('EventUpdate', 'ok', 'x'.repeat(201));
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
      if (round % 20 === 0) await quick.allReceived();
    }
    expect(stage.stream.connections.length).toBe(1);
    expect(types(await quick.after())).toEqual(['OrderUpdate']);
  });

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
