/** The stream over TLS: sockets, lines that end with CRLF, and clients that read too slowly or not at all. */

import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Subscription as Timer } from 'rxjs';
import { LineReader } from '../../betfair/wire/stream/line-reader.ts';
import { LINE_END } from '../../betfair/wire/stream/messages.ts';
import { assert } from '../../core/checks/assert.ts';
import type { Arriving } from '../arrivals/arrival-recorder.ts';
import type { ServerCertificate } from '../server/certificates.ts';
import type { Arrive } from '../server/exchange-time.ts';
import type { Pace, Paced } from '../server/pace.ts';
import { ReadMeter } from '../server/read-meter.ts';
import type { FaceState } from '../state/face-state.ts';
import { ExchangeStream } from './exchange-stream.ts';

import type { Peer, StreamConnection } from './session/stream-connection.ts';
import type { StreamLimits } from './session/stream-limits.ts';

export interface StreamServerOptions {
  readonly face: FaceState;
  readonly certificate: ServerCertificate;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly limits?: Partial<StreamLimits>;
  readonly arrive: Arrive;
  /** Who is behind is told here. */
  readonly pace: Pace;
  /** Called with a bug: end the process. */
  readonly onBug: (error: unknown) => void;
}

export interface StreamServer {
  readonly port: number;
  readonly stream: ExchangeStream;
  /** The bytes that wait for the client that is furthest behind. */
  readonly backlog: number;
  readonly connections: Iterable<StreamConnection>;
  /** Cuts the connections that the filter accepts, without a word; returns how many. */
  cut(filter: (connection: StreamConnection) => boolean): number;
  /** Takes no new connection and ends all; resolves when every socket is gone. */
  close(): Promise<void>;
}

const CLOSING_MS = 1_000;
const HANDSHAKE_MS = 10_000;

/** @throws the system's error where the port is taken */
export async function openBetfairStream(options: StreamServerOptions): Promise<StreamServer> {
  const { face, certificate, host, port, onBug, limits, arrive, pace } = options;
  const stream = new ExchangeStream({ face, onBug, ...(limits === undefined ? {} : { limits }) });
  const clients = new Set<Client>();
  const tls = {
    key: certificate.key,
    cert: certificate.certificate + certificate.authority,
    handshakeTimeout: HANDSHAKE_MS,
  };
  let made = 0;
  const server = createServer(tls, (socket) => {
    made += 1;
    const client = new Client({
      stream,
      socket,
      name: `client-${made}`,
      arrive,
      pace,
      onBug,
      onGone: () => clients.delete(client),
    });
    clients.add(client);
    client.start();
  });
  // Bytes that are no TLS, and clients that do not trust the authority, end their own connections.
  server.on('tlsClientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const bound: AddressInfo | string | null = server.address();
  assert(typeof bound === 'object' && bound !== null, 'a server that listens has an address');
  const cut = (filter: (connection: StreamConnection) => boolean) => {
    const chosen = [...clients].filter(({ connection }) => connection !== undefined && filter(connection));
    for (const client of chosen) client.cut();
    return chosen.length;
  };
  const close = async () => {
    stream.close();
    const cutting = stream.clock.schedule(() => [...clients].map((client) => client.cut()), CLOSING_MS);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    cutting.unsubscribe();
  };
  return {
    port: bound.port,
    stream,
    connections: stream.connections,
    get backlog() {
      return Math.max(0, ...[...clients].map((client) => client.backlog));
    },
    cut,
    close,
  };
}

interface ClientParts {
  readonly stream: ExchangeStream;
  readonly socket: TLSSocket;
  /** Its name among what arrives. */
  readonly name: string;
  readonly arrive: Arrive;
  readonly pace: Pace;
  readonly onBug: (error: unknown) => void;
  readonly onGone: () => void;
}

/** One socket. While it is behind, its requests are not read and its changes are joined, so that nothing piles up. */
class Client implements Peer, Paced {
  connection: StreamConnection | undefined;
  readonly #parts: ClientParts;
  readonly #lines: LineReader;
  readonly #meter: ReadMeter;
  /** Whether it was behind, and has not read on since then. */
  #isHeld = false;
  #watching: Timer | undefined;
  #closing: Timer | undefined;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    const { socket, stream, pace } = parts;
    this.#lines = new LineReader(stream.limits.lineBytesMax);
    const ports = { local: socket.localPort ?? 0, remote: socket.remotePort ?? 0 };
    const { paceBytes: bytesMax } = stream.limits;
    this.#meter = new ReadMeter({ wall: pace.wall, ports, bytesMax, onAnswer: () => pace.look(this) });
  }

  get isBehind(): boolean {
    return this.backlog > this.#parts.stream.limits.backlogBytes;
  }

  get isBehindTape(): boolean {
    return this.#meter.isBehind || this.backlog > this.#parts.stream.limits.paceBytes;
  }

  get backlog(): number {
    return this.#parts.socket.writableLength;
  }

  start(): void {
    const { socket, name } = this.#parts;
    socket.setNoDelay();
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#onGone());
    this.#arrive({ kind: 'connected', connection: name }, () => this.#connect());
  }

  send(text: string): void {
    const { socket, pace } = this.#parts;
    if (!socket.writable) return;
    socket.write(text + LINE_END, () => this.#onTaken());
    this.#meter.sent(text.length);
    pace.look(this);
    if (this.backlog > 0) this.#watching ??= this.#watch();
    if (this.isBehind && !this.#isHeld) {
      this.#isHeld = true;
      socket.pause();
    }
  }

  end(): void {
    const { socket, stream } = this.#parts;
    socket.end();
    // What the client does not read, it does not get.
    this.#closing = stream.clock.schedule(() => this.cut(), CLOSING_MS);
  }

  cut(): void {
    this.#parts.socket.destroy();
  }

  #connect(): void {
    const { socket, stream } = this.#parts;
    this.connection = stream.connect(this);
    if (this.connection === undefined) socket.destroy();
  }

  #read(chunk: Buffer): void {
    const { connection } = this;
    if (connection === undefined || connection.hasEnded) return;
    const lines = this.#lines.read(chunk);
    const { name } = this.#parts;
    for (const text of lines ?? [])
      this.#arrive({ kind: 'line', connection: name, text }, () => connection.receive(text));
    if (lines !== undefined) return;
    const fail = () => connection.fail({ code: 'INVALID_INPUT', message: 'a line is too long' });
    this.#arrive({ kind: 'gone', connection: name }, fail);
  }

  /** A client that takes nothing for a while, although something waits for it, is gone. */
  #watch(): Timer {
    const { socket, stream } = this.#parts;
    const taken = () => socket.bytesWritten - socket.writableLength;
    const before = taken();
    return stream.clock.schedule(() => {
      if (taken() === before) this.cut();
      else this.#watching = this.#watch();
    }, stream.limits.deadMs);
  }

  /** The network has taken a line. */
  #onTaken(): void {
    this.#parts.pace.look(this);
    if (this.backlog === 0) {
      this.#watching?.unsubscribe();
      this.#watching = undefined;
    }
    if (!this.#isHeld || this.isBehind) return;
    this.#isHeld = false;
    this.#parts.socket.resume();
    this.#guard(() => this.connection?.flush());
  }

  #onGone(): void {
    this.#meter.close();
    this.#parts.pace.forget(this);
    this.#arrive({ kind: 'gone', connection: this.#parts.name }, () => this.connection?.end());
    this.#watching?.unsubscribe();
    this.#closing?.unsubscribe();
    this.#parts.onGone();
  }

  #arrive(what: Arriving, work: () => void): void {
    this.#guard(() => this.#parts.arrive(what, work));
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.onBug(error);
    }
  }
}
