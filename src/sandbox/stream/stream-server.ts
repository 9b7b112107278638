/** The exchange's WebSocket stream on the sandbox's HTTP server, at path `/` (profile section 5). */

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { Instant } from '../../core/number/units.ts';
import type { OrderCommand } from '../../matching/messages/command.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { InjectedFaults } from '../context/injected-faults.ts';
import { oddFrame } from '../context/odd-answer.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import { callerOfToken } from '../operations/accounts/session-token.ts';
import { currentWorld } from '../operations/shared/current-world.ts';
import type { Change } from '../world/change.ts';
import { AppUsage } from './app-usage.ts';
import { Feed } from './feed.ts';
import { GOING_AWAY, Peer, POLICY } from './peer.ts';
import { PriceBooks } from './price-books.ts';
import { Requests } from './requests.ts';
import { SnapshotQueues } from './snapshot-queues.ts';
import { STREAM_LIMITS, type StreamLimits } from './stream-limits.ts';
import { Subscriptions } from './subscriptions.ts';

export interface StreamOptions {
  readonly limits?: Partial<StreamLimits>;
  /** Those that make messages odd. */
  readonly faults?: InjectedFaults;
}

export interface StreamConnection {
  readonly id: string;
  readonly since: Instant;
  /**
   * The exchange machine's numbers of app and wallet; undefined until the connection has authenticated, the wallet also
   * with an app's key.
   */
  readonly app: number | undefined;
  readonly wallet: number | undefined;
}

export interface StreamServer {
  readonly connections: readonly StreamConnection[];
  /** Cuts the connections that the filter accepts, without a close frame; returns how many. */
  cut(filter: (connection: StreamConnection) => boolean): number;
  /** Accepts no new connection and closes all; resolves when every socket is gone. */
  close(): Promise<void>;
}

export function attachStream(server: Server, context: SandboxContext, options: StreamOptions = {}): StreamServer {
  return new Stream(server, context, options);
}

class Stream implements StreamServer {
  readonly #server: Server;
  readonly #context: SandboxContext;
  readonly #limits: StreamLimits;
  readonly #faults: InjectedFaults | undefined;
  readonly #sockets: WebSocketServer;
  readonly #peers = new Set<Peer>();
  readonly #subscriptions = new Subscriptions<Peer>();
  readonly #books: PriceBooks;
  readonly #snapshots: SnapshotQueues;
  readonly #feed: Feed;
  readonly #usage: AppUsage;
  readonly #openSockets = new Set<WebSocket>();
  #made = 0;
  #isClosed = false;
  #allGone: (() => void) | undefined;

  constructor(server: Server, context: SandboxContext, options: StreamOptions) {
    const limits = { ...STREAM_LIMITS, ...options.limits };
    this.#server = server;
    this.#context = context;
    this.#limits = limits;
    this.#faults = options.faults;
    // The types of ws lack closeTimeout. Without it a client that does not answer a close keeps its socket for 30 s.
    const socketOptions: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.frameBytesMax,
      closeTimeout: limits.closeTimeoutMs,
    };
    this.#sockets = new WebSocketServer(socketOptions);
    const subscriptions = this.#subscriptions;
    this.#books = new PriceBooks(context.world);
    this.#snapshots = new SnapshotQueues({
      books: this.#books,
      subscriptions,
      backlogMax: limits.snapshotBacklogBytes,
    });
    this.#feed = new Feed({ world: context.world, books: this.#books, subscriptions, snapshots: this.#snapshots });
    this.#usage = new AppUsage({ limits, subscriptions, peers: this.#peers });
    server.on('upgrade', this.#onUpgrade);
    context.world.listen(
      (change, happened) => this.#onChange(change, happened),
      (change) => this.#needsChange(change),
    );
  }

  get connections(): readonly StreamConnection[] {
    return [...this.#peers].map(connectionOf);
  }

  cut(filter: (connection: StreamConnection) => boolean): number {
    const chosen = [...this.#peers].filter((peer) => filter(connectionOf(peer)));
    for (const peer of chosen) peer.cut();
    return chosen.length;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#server.off('upgrade', this.#onUpgrade);
    for (const peer of [...this.#peers]) peer.close(GOING_AWAY, 'the sandbox closes');
    if (this.#openSockets.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#allGone = resolve;
    });
  }

  readonly #onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (request.url?.split('?', 1)[0] !== '/') return refuse(socket, '404 Not Found', 'the stream is at /');
    if (this.#openSockets.size >= this.#limits.connectionsMax)
      return refuse(socket, '503 Service Unavailable', 'too many connections');
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#addConnection(webSocket));
  };

  #addConnection(socket: WebSocket): void {
    this.#made += 1;
    const peer = new Peer({
      id: `${this.#context.now().toString(36)}-${this.#made}`,
      socket,
      clock: this.#context.clock,
      limits: this.#limits,
      leaving: (text, caller) =>
        this.#faults === undefined
          ? text
          : oddFrame(text, { faults: this.#faults, app: caller?.app, now: this.#context.now() }),
      onEnd: (ended) => this.#dropPeer(ended),
    });
    this.#peers.add(peer);
    this.#openSockets.add(socket);
    const requests = new Requests(this.#requestContext(), peer);
    socket.on('message', (data, isBinary) => {
      if (peer.hasEnded) return;
      peer.noteActivity();
      if (isBinary) requests.refuseBinary();
      else requests.handle(data.toString());
    });
    socket.on('ping', () => peer.noteActivity());
    socket.on('pong', () => peer.noteActivity());
    // After a broken frame or connection, ws closes the socket itself with the code of RFC 6455.
    socket.on('error', () => peer.onSocketClosed());
    socket.on('close', () => this.#socketClosed(peer, socket));
  }

  #requestContext() {
    const context = this.#context;
    return {
      clock: context.clock,
      world: context.world,
      limits: this.#limits,
      feed: this.#feed,
      usage: this.#usage,
      subscriptions: this.#subscriptions,
      snapshots: this.#snapshots,
      callerOf: (token: string) => {
        // Messages about what is due by now are sent before the answer to the request.
        currentWorld(context);
        return callerOfToken(context, token);
      },
    };
  }

  /**
   * Whether the stream needs to see a change. Without connections no books are kept and no orders reported, only the
   * states of markets are.
   */
  #needsChange(change: Change | undefined): boolean {
    return this.#peers.size > 0 || !isOfOrders(change);
  }

  #onChange(change: Change | undefined, happened: readonly ExchangeEvent[]): void {
    if (this.#isClosed) return;
    this.#feed.onChange(change, happened);
    if (change?.kind !== 'deactivateKey') return;
    for (const peer of [...this.#peers])
      if (peer.caller?.key.name === change.name) peer.close(POLICY, 'the key was deactivated');
  }

  #dropPeer(peer: Peer): void {
    this.#peers.delete(peer);
    this.#subscriptions.dropPeer(peer);
    this.#snapshots.dropPeer(peer);
    if (this.#peers.size === 0) this.#books.clear();
  }

  #socketClosed(peer: Peer, socket: WebSocket): void {
    peer.onSocketClosed();
    this.#openSockets.delete(socket);
    if (this.#openSockets.size === 0) this.#allGone?.();
  }
}

const ORDER_KINDS: ReadonlySet<string> = new Set([
  'place',
  'cancel',
  'reduce',
  'setKeep',
  'replace',
] satisfies OrderCommand['kind'][]);

/** Whether a change can only change orders and money. */
function isOfOrders(change: Change | undefined): boolean {
  return change?.kind === 'command' && ORDER_KINDS.has(change.command.kind);
}

function connectionOf({ id, since, caller }: Peer): StreamConnection {
  return { id, since, app: caller?.app, wallet: caller?.wallet };
}

/** Answers on the raw socket, in the API's shape of a problem. */
function refuse(socket: Duplex, status: string, why: string): void {
  // The client may be gone already; then the error is ignored.
  socket.on('error', () => socket.destroy());
  const body = JSON.stringify({ title: status.slice(4), details: [why] });
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
