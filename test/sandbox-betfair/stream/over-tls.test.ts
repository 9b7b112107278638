/** The stream over a real TLS socket: lines in pieces and together, a client that does not read, bytes that are no lines. */

import { connect, type TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/number/random.ts';
import { serverCertificate } from '../../../src/sandbox-betfair/server/certificates.ts';
import type { StreamLimits } from '../../../src/sandbox-betfair/stream/session/stream-limits.ts';
import { openBetfairStream, type StreamServer } from '../../../src/sandbox-betfair/stream/stream-server.ts';
import { nextTurn } from '../../../src/time/next-turn.ts';
import { budget } from '../../support/budget.ts';
import { type FaceClient, FaceStage } from '../../support/sandbox-betfair/face-stage.ts';
import { StreamReader } from '../../support/sandbox-betfair/stream-reader.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

class RawClient {
  readonly reader = new StreamReader();
  readonly socket: TLSSocket;
  /** What came so far of a line that is not complete. */
  rest = '';
  isOver = false;
  lines = 0;

  constructor(port: number, ca: string) {
    this.socket = connect({ port, host: '127.0.0.1', ca, servername: 'stream-api.betfair.com' });
    this.socket.setEncoding('utf8');
    this.socket.on('data', (text) => {
      const parts = (this.rest + String(text)).split('\r\n');
      this.rest = parts.pop() ?? '';
      this.lines += parts.length;
      for (const line of parts) this.reader.read(line);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isOver = true;
    });
  }

  /** Waits until something holds, in turns of the event loop. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await nextTurn();
  }

  async opened(): Promise<this> {
    await this.until(() => this.lines > 0);
    return this;
  }
}

interface Stage {
  readonly face: FaceStage;
  readonly mary: FaceClient;
  readonly server: StreamServer;
  readonly bugs: readonly unknown[];
  connect(): Promise<RawClient>;
}

const certificate = serverCertificate(temporaryDirectory('stream-authority'), Date.now());

async function withStream(limits: Partial<StreamLimits>, work: (stage: Stage) => Promise<void>): Promise<void> {
  const face = new FaceStage();
  const mary = face.login();
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => bugs.push(error);
  const opened = { face: face.state, certificate, host: '127.0.0.1', port: 0, onBug, ...face.atOnce() };
  const server = await openBetfairStream({ ...opened, limits });
  try {
    const connected = () => new RawClient(server.port, certificate.authority).opened();
    await work({ face, mary, server, bugs, connect: connected });
    expect(bugs).toEqual([]);
  } finally {
    await server.close();
  }
}

const hello = (token: string) => JSON.stringify({ op: 'authentication', id: 1, appKey: 'app', session: token });
const orders = JSON.stringify({ op: 'orderSubscription', id: 2 });

test('several requests in one read and one request in many reads are answered in their order', async () => {
  await withStream({}, async ({ mary, connect: open }) => {
    const client = await open();
    client.socket.write(`${hello(mary.token)}\r\n\r\n${orders}\r\n{"op":"heartbeat","id":3}\n`);
    await client.until(() => client.lines >= 5);
    expect(client.reader.messages.map(({ op, id }) => `${op} ${id}`)).toEqual([
      ...['connection undefined', 'status 1', 'status 2', 'ocm 2', 'status 3'],
    ]);
    for (const letter of '{"op":"heartbeat","id":4,"x":"é"}\r\n') {
      client.socket.write(letter);
      await nextTurn();
    }
    await client.until(() => client.lines >= 6);
    expect(client.reader.messages.at(-1)).toMatchObject({ op: 'status', id: 4 });
    expect(client.reader.faults).toEqual([]);
    client.socket.destroy();
  });
});

test('a client may send all before it reads a line', async () => {
  await withStream({}, async ({ mary, server }) => {
    const client = new RawClient(server.port, certificate.authority);
    client.socket.write(`${hello(mary.token)}\r\n${orders}\r\n`);
    await client.until(() => client.lines >= 4);
    expect(client.reader.messages.at(-1)).toMatchObject({ op: 'ocm', id: 2, ct: 'SUB_IMAGE' });
    client.socket.destroy();
  });
});

test('a failure is read before the end of the connection', async () => {
  await withStream({}, async ({ connect: open }) => {
    const client = await open();
    client.socket.write('{"op":"marketSubscription","id":1}\r\n{"op":"heartbeat","id":2}\r\n');
    await client.until(() => client.isOver);
    expect(client.reader.messages.slice(1)).toMatchObject([
      { id: 1, errorCode: 'NOT_AUTHORIZED', connectionClosed: true },
    ]);
  });
});

test('a line that is too long ends the connection with a status', async () => {
  await withStream({ lineBytesMax: 1_000 }, async ({ connect: open }) => {
    const client = await open();
    client.socket.write('x'.repeat(5_000));
    await client.until(() => client.isOver);
    expect(client.reader.messages.at(-1)).toMatchObject({ errorCode: 'INVALID_INPUT' });
  });
});

test('for a client that does not read nothing piles up, and it is told joined changes when it reads on', async () => {
  await withStream({ backlogBytes: 20_000 }, async ({ face, mary, server, connect: open }) => {
    const client = await open();
    client.socket.write(`${hello(mary.token)}\r\n{"op":"marketSubscription","id":2,"marketFilter":{}}\r\n`);
    await client.until(() => client.reader.markets.size > 0);
    const ids = [...client.reader.markets.keys()];
    const markets = ids.map((id) => face.market(id));
    client.socket.pause();
    let suspended = false;
    let most = 0;
    for (let round = 0; round < 200; round += 1) {
      suspended = !suspended;
      for (const market of markets) face.command({ kind: 'suspend', market, suspended });
      face.builder.pass(1);
      most = Math.max(most, server.backlog);
      await nextTurn();
    }
    // More than the limit waits by one message at most.
    expect(most).toBeGreaterThan(20_000);
    expect(most).toBeLessThan(20_000 + 1_500 * markets.length);
    client.socket.resume();
    await client.until(() => client.reader.joined > 0);
    const statuses = new Set([...client.reader.markets.values()].map(({ definition }) => definition.status));
    expect([...statuses]).toEqual(['OPEN']);
    expect(client.reader.faults).toEqual([]);
    client.socket.destroy();
  });
});

test('a client that takes nothing for a minute is cut', async () => {
  await withStream({ backlogBytes: 1_000 }, async ({ face, mary, server, connect: open }) => {
    const client = await open();
    client.socket.write(`${hello(mary.token)}\r\n`);
    await client.until(() => client.lines >= 2);
    client.socket.pause();
    // Images until the network takes no more.
    for (let round = 0; round < 200 && server.stream.connections.size > 0; round += 1) {
      client.socket.write('{"op":"marketSubscription","id":2,"marketFilter":{},"heartbeatMs":500}\r\n');
      await nextTurn();
      face.builder.pass(1_000);
    }
    await client.until(() => {
      face.builder.pass(1_000);
      return server.stream.connections.size === 0;
    });
    client.socket.destroy();
  });
});

test('bytes that are no lines crash nothing', async () => {
  await withStream({}, async ({ mary, connect: open }) => {
    const random = Random.fromSeed(3);
    for (let round = 0; round < budget({ brief: 10, each: 60, deep: 2_000 }); round += 1) {
      const client = await open();
      if (random.below(2) === 0) client.socket.write(`${hello(mary.token)}\r\n`);
      const bytes = Uint8Array.from({ length: 1 + random.below(3_000) }, () => random.below(256));
      client.socket.write(bytes);
      client.socket.write('\r\n{"op":"heartbeat"}\r\n');
      if (random.below(3) === 0) client.socket.destroy();
      await client.until(() => client.isOver);
      for (const { op } of client.reader.messages) expect(['connection', 'status']).toContain(op);
    }
  });
});

test('connections are cut on demand, and all end with the server', async () => {
  const clients: RawClient[] = [];
  await withStream({}, async ({ mary, server, connect: open }) => {
    for (let made = 0; made < 3; made += 1) {
      const client = await open();
      client.socket.write(`${hello(mary.token)}\r\n`);
      await client.until(() => client.lines >= 2);
      clients.push(client);
    }
    let taken = 0;
    expect(server.cut(() => taken++ === 0)).toBe(1);
    await clients[0]?.until(() => clients[0]?.isOver === true);
    expect(server.stream.connections.size).toBe(2);
  });
  await clients[2]?.until(() => clients.every(({ isOver }) => isOver));
});
