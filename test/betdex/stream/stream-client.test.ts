/** The stream client against a server on loopback: authentication, subscriptions, frames, ends of connections. */

import { createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { EMPTY, NEVER, of, throwError } from 'rxjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STREAM_LIMITS } from '../../../src/betdex/stream/stream-settings.ts';
import { START, StreamRig } from '../../support/stream/stream-rig.ts';
import { priceUpdate, statusUpdate, walletUpdate } from '../../support/stream/stream-samples.ts';
import { GOOD_TOKEN, StubExchange } from '../../support/stream/stub-exchange.ts';

let exchange: StubExchange;

function rigOf(options: Partial<ConstructorParameters<typeof StreamRig>[0]> = {}): StreamRig {
  return new StreamRig({ url: exchange.url, ...options });
}

beforeEach(async () => {
  exchange = await StubExchange.listen();
});

describe('authentication', () => {
  test('comes first, and what was wanted before is asked for after it', async () => {
    const rig = rigOf();
    rig.client.subscribe('MarketUpdate', ['7']);
    rig.client.start();
    await rig.untilReceived('resync');
    expect(exchange.last.socket.extensions).toBe('');
    expect(exchange.last.received).toEqual([
      { action: 'authenticate', accessToken: GOOD_TOKEN },
      { action: 'subscribe', subscriptionType: 'MarketUpdate', subscriptionIds: ['7'] },
    ]);
    expect(rig.events).toEqual([
      { kind: 'confirmed', type: 'MarketUpdate', id: '7' },
      { kind: 'up', connection: 0, connectionId: 'connection-0' },
      { kind: 'resync', connection: 0, reason: 'connected' },
    ]);
  });

  test('ends in silence for a bad token: the timeout ends it, and the next token is asked for as a fresh one', async () => {
    const asked: boolean[] = [];
    const rig = rigOf({
      token: (refused) => {
        asked.push(refused);
        return of(refused ? GOOD_TOKEN : 'stale-token');
      },
    });
    rig.client.start();
    await rig.until(() => exchange.peers[0]?.received.length === 1);
    rig.pass(STREAM_LIMITS.authenticationTimeoutMs - 1);
    await rig.settle();
    expect(rig.events).toEqual([]);
    rig.pass(1);
    const down = await rig.untilReceived('down');
    expect(down).toMatchObject({ connection: 0, code: 'NOT_AUTHENTICATED' });
    rig.pass(down.retryMs);
    await rig.untilReceived('up');
    expect(asked).toEqual([false, true]);
  });

  test('is lost where the exchange says so, and done again', async () => {
    const rig = rigOf();
    await rig.start();
    exchange.last.send({ type: 'SubscribeNotAuthenticatedUpdate', connectionId: 'x' });
    const down = await rig.untilReceived('down');
    expect(down.code).toBe('NOT_AUTHENTICATED');
    rig.pass(down.retryMs);
    await rig.untilReceived('up');
  });

  test.each([
    ['fails', () => throwError(() => new Error('session is gone')), 'session is gone'],
    ['gives none', () => EMPTY, 'the source ended without one'],
    [
      'throws',
      () => {
        throw new Error('no session');
      },
      'no session',
    ],
    ['keeps silent', () => NEVER, 'none came in time'],
  ])('waits and tries again where the source of tokens %s', async (_, token, details) => {
    const rig = rigOf({ token });
    rig.client.start();
    await rig.settle();
    rig.pass(STREAM_LIMITS.connectTimeoutMs);
    expect(rig.received('down')[0]).toMatchObject({ code: 'TOKEN_UNAVAILABLE', details });
    expect(exchange.peers).toEqual([]);
  });
});

describe('frames', () => {
  test('hold one message or several, each emitted with the moment of its reading', async () => {
    const rig = rigOf();
    await rig.start();
    rig.pass(1234);
    exchange.last.send([walletUpdate(1), statusUpdate('5')]);
    exchange.last.send(walletUpdate(2));
    await rig.untilReceived('message', 3);
    expect(rig.received('message').map(({ message }) => message.type)).toEqual([
      'WalletUpdate',
      'MarketStatusUpdate',
      'WalletUpdate',
    ]);
    expect(rig.received('message').map(({ receivedAt }) => receivedAt - START)).toEqual([1234, 1234, 1234]);
  });

  test.each([
    ['no JSON', '{"type":'],
    ['an empty text', ''],
    ['a bare number', '5'],
    ['a known type of the wrong shape', '{"type":"WalletUpdate","walletId":5}'],
    ['bytes', Buffer.from(JSON.stringify(walletUpdate(1)))],
  ])('that are %s are reported as trouble, and state is to be read again', async (_, frame) => {
    const rig = rigOf();
    await rig.start();
    exchange.last.socket.send(frame);
    exchange.last.send(walletUpdate(9));
    await rig.untilReceived('message');
    expect(rig.events).toMatchObject([
      { kind: 'trouble', connection: 0, code: 'BAD_FRAME' },
      { kind: 'resync', connection: 0, reason: 'lost' },
      { kind: 'message', message: { balance: 9 } },
    ]);
  });

  test('with one bad message lose that message alone, and state is to be read again', async () => {
    const rig = rigOf();
    await rig.start();
    exchange.last.send([walletUpdate(1), { type: 'OrderUpdate' }, walletUpdate(2)]);
    await rig.untilReceived('message', 2);
    expect(rig.events).toMatchObject([
      { kind: 'message', message: { balance: 1 } },
      { kind: 'trouble', connection: 0, code: 'BAD_FRAME' },
      { kind: 'resync', connection: 0, reason: 'lost' },
      { kind: 'message', message: { balance: 2 } },
    ]);
  });

  test('that are bad in a flood ask for one resync at once and one after it', async () => {
    const rig = rigOf();
    await rig.start();
    for (let i = 0; i < 50; i += 1) exchange.last.socket.send('x');
    await rig.untilReceived('trouble', 50);
    expect(rig.received('resync').length).toBe(1);
    rig.pass(STREAM_LIMITS.resyncSpanMs);
    expect(rig.received('resync').length).toBe(2);
    rig.pass(10 * STREAM_LIMITS.resyncSpanMs);
    expect(rig.received('resync').length).toBe(2);
  });

  test('of a newer type and the exchange’s problems are reported, and lose nothing', async () => {
    const rig = rigOf();
    await rig.start();
    exchange.last.send([{ type: 'WeatherUpdate' }, { message: 'Forbidden', connectionId: 'c', requestId: 'r1' }]);
    await rig.untilReceived('trouble', 2);
    expect(rig.received('trouble')).toEqual([
      { kind: 'trouble', connection: 0, code: 'UNKNOWN_TYPE', details: 'WeatherUpdate' },
      { kind: 'trouble', connection: 0, code: 'PROBLEM', details: 'Forbidden (request r1)' },
    ]);
    expect(rig.received('resync')).toEqual([]);
  });

  test('above the limit end the connection, which comes back', async () => {
    const rig = rigOf({ limits: { frameBytesMax: 2_000 } });
    await rig.start();
    exchange.last.send(
      priceUpdate('1', 'Snapshot', Array(100).fill({ side: 'For', outcomeId: '1', price: 2, liquidity: 1 })),
    );
    const down = await rig.untilReceived('down');
    expect(down).toMatchObject({ code: 'OVERSIZED_FRAME', details: 'more than 2000 bytes' });
    rig.pass(down.retryMs);
    await rig.untilReceived('resync');
    expect(rig.kinds()).toEqual(['down', 'up', 'resync']);
  });
});

describe('subscriptions', () => {
  test('after a reconnect go out once a type with sorted ids, and then state is to be read again', async () => {
    const rig = rigOf();
    await rig.start();
    rig.client.subscribe('MarketPriceUpdate', ['30', '4']);
    rig.client.subscribe('WalletUpdate', ['*']);
    rig.client.subscribe('MarketPriceUpdate', ['100', '4']);
    await rig.untilReceived('confirmed', 4);
    exchange.last.socket.terminate();
    const down = await rig.untilReceived('down');
    expect(down).toMatchObject({ connection: 0, code: 'CUT' });
    const before = rig.events.length;
    rig.pass(down.retryMs);
    await rig.untilReceived('resync');
    expect(exchange.peers.length).toBe(2);
    expect(exchange.last.asked('subscribe')).toEqual([
      ['WalletUpdate', ['*']],
      ['MarketPriceUpdate', ['100', '30', '4']],
    ]);
    expect(rig.events.slice(before)).toEqual([
      { kind: 'confirmed', type: 'WalletUpdate', id: '*' },
      { kind: 'confirmed', type: 'MarketPriceUpdate', id: '100' },
      { kind: 'confirmed', type: 'MarketPriceUpdate', id: '30' },
      { kind: 'confirmed', type: 'MarketPriceUpdate', id: '4' },
      { kind: 'up', connection: 0, connectionId: 'connection-1' },
      { kind: 'resync', connection: 0, reason: 'reconnected' },
    ]);
  });

  test('that were ended are not asked for again', async () => {
    const rig = rigOf();
    await rig.start();
    rig.client.subscribe('EventUpdate', ['1', '2']);
    rig.client.unsubscribe('EventUpdate', ['2', 'never wanted']);
    await rig.untilReceived('unsubscribed');
    expect(exchange.last.asked('unsubscribe')).toEqual([['EventUpdate', ['2']]]);
    expect(rig.received('unsubscribed')).toEqual([{ kind: 'unsubscribed', type: 'EventUpdate', id: '2' }]);
    exchange.last.socket.terminate();
    rig.pass((await rig.untilReceived('down')).retryMs);
    await rig.untilReceived('up');
    expect(exchange.last.asked('subscribe')).toEqual([['EventUpdate', ['1']]]);
  });

  test('that are not confirmed in time are reported once, and the connection counts as up', async () => {
    exchange.script = { ...exchange.script, confirms: (_, id) => id !== '13' };
    const rig = rigOf();
    rig.client.subscribe('OrderUpdate', ['12', '13']);
    rig.client.start();
    await rig.untilReceived('confirmed');
    await rig.settle();
    expect(rig.received('up')).toEqual([]);
    rig.pass(STREAM_LIMITS.confirmTimeoutMs);
    expect(rig.events.slice(1)).toEqual([
      { kind: 'trouble', connection: 0, code: 'NOT_CONFIRMED', details: 'OrderUpdate 13' },
      { kind: 'up', connection: 0, connectionId: 'connection-0' },
      { kind: 'resync', connection: 0, reason: 'connected' },
    ]);
    exchange.last.send({ type: 'SubscribeUpdate', subscriptionType: 'OrderUpdate', subscriptionId: '13' });
    await rig.untilReceived('confirmed', 2);
  });

  test('that were refused are asked for again a minute later, until they are confirmed', async () => {
    exchange.script = { ...exchange.script, confirms: (_, id) => id !== '13' };
    const rig = rigOf({ limits: { pingAfterMs: 10 ** 7 } });
    rig.client.subscribe('OrderUpdate', ['12', '13']);
    rig.client.start();
    await rig.untilReceived('confirmed');
    for (const round of [1, 2]) {
      rig.pass(STREAM_LIMITS.confirmTimeoutMs);
      await rig.untilReceived('trouble', round);
      rig.pass(STREAM_LIMITS.confirmRetryMs - 1);
      await rig.settle();
      expect(exchange.last.asked('subscribe').length).toBe(round);
      rig.pass(1);
      await rig.until(() => exchange.last.asked('subscribe').length === round + 1);
      expect(exchange.last.asked('subscribe').at(-1)).toEqual(['OrderUpdate', ['13']]);
    }
    exchange.script = { ...exchange.script, confirms: () => true };
    rig.pass(STREAM_LIMITS.confirmTimeoutMs);
    rig.pass(STREAM_LIMITS.confirmRetryMs);
    await rig.untilReceived('confirmed', 2);
    expect(rig.received('up').length).toBe(1);
    rig.pass(10 * STREAM_LIMITS.confirmRetryMs);
    await rig.settle();
    expect(exchange.last.asked('subscribe').length).toBe(4);
  });

  test('wanted while an event is handled are taken, and events keep their order for all listeners', async () => {
    const rig = rigOf({ limits: { connectionsMax: 1, subscriptionsMax: 2 } });
    const late: string[] = [];
    rig.client.events$.subscribe((event) => {
      if (event.kind === 'up') rig.client.subscribe('EventUpdate', ['1', '2', '3']);
      if (event.kind === 'refused' && event.type === 'EventUpdate') rig.client.subscribe('WalletUpdate', ['*']);
    });
    rig.client.events$.subscribe(({ kind }) => late.push(kind));
    rig.client.start();
    await rig.untilReceived('confirmed', 2);
    expect(late).toEqual(['up', 'refused', 'refused', 'resync', 'confirmed', 'confirmed']);
    expect(rig.kinds()).toEqual(late);
  });
});

describe('close', () => {
  let silent: Server;
  const accepted: Socket[] = [];

  beforeEach(async () => {
    silent = createServer((socket) => {
      accepted.push(socket.resume());
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    for (const socket of accepted.splice(0)) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  function silentUrl(): string {
    const address = silent.address();
    return typeof address === 'object' ? `ws://127.0.0.1:${address?.port}/` : '';
  }

  test('while connecting is quiet, and leaves nothing behind', async () => {
    const rig = rigOf({ url: silentUrl() });
    rig.client.subscribe('EventUpdate', ['*']);
    rig.client.start();
    await rig.until(() => accepted.length === 1);
    rig.client.close();
    await rig.until(() => accepted[0]?.destroyed === true);
    await rig.settle();
    expect(rig.events).toEqual([]);
    expect(rig.isComplete).toBe(true);
    rig.pass(STREAM_LIMITS.connectTimeoutMs * 10);
    expect(rig.clock.pending).toBe(0);
  });

  test('sends the exchange a close frame, and emits nothing after it', async () => {
    const rig = rigOf();
    await rig.start();
    exchange.last.send(walletUpdate(1));
    rig.client.close();
    rig.client.subscribe('EventUpdate', ['*']);
    await rig.until(() => exchange.last.isClosed);
    expect(rig.events).toEqual([]);
    expect(exchange.last.asked('subscribe')).toEqual([]);
  });

  test('in the middle of an event stops the events that were to follow', async () => {
    const rig = rigOf();
    await rig.start();
    rig.client.events$.subscribe(({ kind }) => kind === 'message' && rig.client.close());
    exchange.last.send([walletUpdate(1), walletUpdate(2), walletUpdate(3)]);
    await rig.until(() => rig.isComplete);
    expect(rig.received('message').length).toBe(1);
  });

  test('by the exchange is reported with its code and reason', async () => {
    const rig = rigOf();
    await rig.start();
    exchange.last.socket.close(1001, 'going away');
    expect(await rig.untilReceived('down')).toMatchObject({ code: 'CLOSED', details: 'code 1001, going away' });
  });

  test('of a handshake that takes too long is a timeout', async () => {
    const rig = rigOf({ url: silentUrl() });
    rig.client.start();
    await rig.until(() => accepted.length === 1);
    rig.pass(STREAM_LIMITS.connectTimeoutMs);
    expect(rig.received('down')).toMatchObject([{ code: 'CONNECT_TIMEOUT' }]);
  });

  test('a port without a server is tried again later and later', async () => {
    const url = silentUrl();
    await new Promise((resolve) => silent.close(resolve));
    const rig = rigOf({ url });
    rig.client.start();
    for (let count = 1; count <= 9; count += 1) {
      const { code, retryMs } = await rig.untilReceived('down', count);
      const ceiling = Math.min(STREAM_LIMITS.retryMaxMs, STREAM_LIMITS.retryFirstMs * 2 ** (count - 1));
      expect(code).toBe('CONNECT_FAILED');
      expect(retryMs).toBeGreaterThanOrEqual(ceiling / 2);
      expect(retryMs).toBeLessThanOrEqual(ceiling);
      rig.pass(retryMs);
    }
  });

  test('of a server that answers in plain HTTP is a failed connection', async () => {
    const rig = rigOf({ url: silentUrl() });
    rig.client.start();
    await rig.until(() => (accepted[0]?.bytesRead ?? 0) > 0);
    accepted[0]?.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
    expect(await rig.untilReceived('down')).toMatchObject({ code: 'CONNECT_FAILED', details: /503/ });
  });
});

describe('the token', () => {
  test('is in no event and in no inspection, whatever the exchange sends back', async () => {
    const rig = rigOf();
    rig.client.subscribe('EventUpdate', ['*']);
    await rig.start();
    exchange.last.send({ message: `bad ${GOOD_TOKEN}`, connectionId: 'c', requestId: GOOD_TOKEN });
    exchange.last.send({ type: `Type ${GOOD_TOKEN}` });
    exchange.last.socket.send(GOOD_TOKEN);
    await rig.untilReceived('trouble', 3);
    const shown = [inspect(rig.client, { depth: Number.POSITIVE_INFINITY, showHidden: false })];
    exchange.last.socket.close(1008, GOOD_TOKEN);
    await rig.untilReceived('down');
    shown.push(JSON.stringify(rig.events), inspect(rig.client, { depth: Number.POSITIVE_INFINITY }));
    for (const text of shown) expect(text).not.toContain(GOOD_TOKEN);
    expect(rig.received('trouble')[0]?.details).toBe('bad [access token] (request [access token])');
  });

  test('and its like are not taken as part of the address', () => {
    expect(() => rigOf({ url: 'ws://user:secret@127.0.0.1/' })).toThrow(/no credentials/);
    expect(() => rigOf({ url: 'https://127.0.0.1/' })).toThrow(/begins with ws/);
  });
});
