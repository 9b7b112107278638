/** The client of Betfair's stream over TLS sockets: to the sandbox's stream server, and to a server that cuts lines anywhere. */

import { createServer, type Server, type TLSSocket } from 'node:tls';
import { of } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import type { StreamEvent } from '../../../src/betfair/stream/connection/stream-event.ts';
import { STREAM_LIMITS, type StreamLimits } from '../../../src/betfair/stream/connection/stream-settings.ts';
import { tlsCarrier } from '../../../src/betfair/stream/connection/tls-carrier.ts';
import { StreamClient } from '../../../src/betfair/stream/stream-client.ts';
import { assert } from '../../../src/core/checks/assert.ts';
import { Random } from '../../../src/core/number/random.ts';
import { serverCertificate } from '../../../src/sandbox-betfair/server/certificates.ts';
import { openBetfairStream } from '../../../src/sandbox-betfair/stream/stream-server.ts';
import { nextTurn } from '../../../src/time/next-turn.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { FaceStage } from '../../support/sandbox-betfair/face-stage.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const certificate = serverCertificate(temporaryDirectory('stream-authority'), wallClock.now());
const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function clientOf(port: number, token: string, limits: Partial<StreamLimits> = {}) {
  const address = { host: 'localhost', port, authority: certificate.authority };
  const events: StreamEvent[] = [];
  const client = new StreamClient({
    openCarrier: tlsCarrier(address, { ...STREAM_LIMITS, ...limits }),
    clock: wallClock,
    random: Random.fromSeed(1),
    session: () => of({ appKey: 'app', token }),
    limits: { retryFirstMs: 20, ...limits },
  });
  client.events$.subscribe((event) => events.push(event));
  endings.push(() => client.close());
  return { client, events };
}

function onBug(error?: unknown): void {
  throw error;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

const has = (events: readonly StreamEvent[], kind: StreamEvent['kind']) => events.some((event) => event.kind === kind);

test('it reads the sandbox, is cut, and comes back', async () => {
  const face = new FaceStage();
  const opened = { face: face.state, certificate, host: 'localhost', port: 0, onBug, ...face.atOnce() };
  const server = await openBetfairStream(opened);
  endings.push(() => server.close());
  const { client, events } = clientOf(server.port, face.login().token);
  client.markets({ marketFilter: { eventTypeIds: ['1'] } });
  client.orders({});
  client.start();
  await until(() => has(events, 'up'));
  expect(events.filter(({ kind }) => kind === 'change')).toHaveLength(2);
  events.length = 0;
  expect(server.cut(() => true)).toBe(1);
  await until(() => has(events, 'resync'));
  expect(events.find(({ kind }) => kind === 'down')).toMatchObject({ code: 'CUT' });
  expect(events.filter(({ kind }) => kind === 'gap')).toMatchObject([{ why: 'joined' }, { why: 'joined' }]);
});

/** A server that answers each client with these texts, and leaves the rest to the test. */
async function serving(onClient: (socket: TLSSocket) => void): Promise<number> {
  const server: Server = createServer({ key: certificate.key, cert: certificate.certificate + certificate.authority });
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket.on('error', () => undefined));
    onClient(socket);
  });
  await new Promise<void>((resolve) => server.listen({ host: 'localhost', port: 0 }, resolve));
  endings.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'a server that listens has an address');
  return address.port;
}

const image = (id: number, name: string) =>
  JSON.stringify({
    op: 'mcm',
    id,
    ct: 'SUB_IMAGE',
    initialClk: 'a',
    clk: 'b',
    pt: 1,
    heartbeatMs: 5_000,
    mc: [{ id: name }],
  });

test('a line may be cut anywhere, within a letter too, be of megabytes, and share a read with others', async () => {
  const name = `1.1 Zürich ${'€'.repeat(2_000_000)}`;
  const port = await serving(async (socket) => {
    socket.setNoDelay();
    const bytes = Buffer.from(`{"op":"connection","connectionId":"1"}\r\n\r\n${image(2, 'ü€')}\r\n`);
    for (const byte of bytes) {
      socket.write(Uint8Array.of(byte));
      await nextTurn();
    }
    socket.write(`${image(2, name)}\r\n${image(2, 'x')}\r\n`);
  });
  const { client, events } = clientOf(port, 'token');
  client.markets({ marketFilter: { marketIds: ['1.1'] } });
  client.start();
  const names = () => events.flatMap((event) => (event.kind === 'change' ? event.change.changes : []));
  await until(() => names().length === 3);
  expect(names()).toEqual([{ id: 'ü€' }, { id: name }, { id: 'x' }]);
});

test('a line that does not end is cut off at the limit', async () => {
  const port = await serving((socket) => socket.write('x'.repeat(20_000)));
  const { client, events } = clientOf(port, 'token', { lineBytesMax: 10_000 });
  client.orders({});
  client.start();
  await until(() => has(events, 'down'));
  expect(events).toMatchObject([{ kind: 'down', code: 'OVERSIZED' }]);
});

test('nobody who listens, and a certificate of nobody, are said', async () => {
  const port = await serving(() => undefined);
  const { client, events } = clientOf(1, 'token');
  client.orders({});
  client.start();
  await until(() => has(events, 'down'));
  expect(events[0]).toMatchObject({
    kind: 'down',
    code: 'CONNECT_FAILED',
    details: expect.stringContaining('ECONNREFUSED'),
  });
  const trusting = tlsCarrier({ host: 'localhost', port }, STREAM_LIMITS);
  const ends: string[] = [];
  trusting({
    opened: onBug,
    lines: onBug,
    ended: (code, details) => ends.push(code, details),
  });
  await until(() => ends.length > 0);
  expect(ends).toEqual(['CONNECT_FAILED', expect.stringContaining('certificate')]);
});
