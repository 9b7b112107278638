/** A WebSocket server on loopback that speaks the stream's protocol, and misbehaves if a test says so. */

import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

export const GOOD_TOKEN = 'eyJhbGciOi.very-secret-token.x1y2z3';

export interface StubMessage {
  readonly action: string;
  readonly accessToken?: string;
  readonly subscriptionType?: string;
  readonly subscriptionIds?: readonly string[];
}

export interface StubScript {
  /** If it returns false, a subscription gets no reply. */
  readonly confirms: (type: string, id: string) => boolean;
  /** If false, pings are counted and not answered. */
  readonly pongs: boolean;
  /** Called when a client connects. */
  readonly welcome: (peer: StubPeer) => void;
}

/** One connection, from the exchange's side. */
export class StubPeer {
  readonly socket: WebSocket;
  readonly connectionId: string;
  readonly received: StubMessage[] = [];
  readonly subscribed = new Set<string>();
  pings = 0;
  isAuthenticated = false;
  isClosed = false;
  /** If true, what is sent waits for `deliver`, in order, as on a slow network. */
  isSlow = false;
  readonly #onItsWay: (() => void)[] = [];

  constructor(socket: WebSocket, connectionId: string) {
    this.socket = socket;
    this.connectionId = connectionId;
  }

  send(value: unknown): void {
    this.#dispatch(() => this.socket.send(JSON.stringify(value)));
  }

  pong(payload: Buffer): void {
    this.#dispatch(() => this.socket.pong(payload));
  }

  /** Lets at most this many of the waiting frames through. */
  deliver(count: number): void {
    for (const transmit of this.#onItsWay.splice(0, count)) transmit();
  }

  #dispatch(transmit: () => void): void {
    if (this.isSlow) this.#onItsWay.push(transmit);
    else transmit();
  }

  /** Type and ids of each message with this action. */
  asked(action: string): readonly (readonly [string, readonly string[]])[] {
    return this.received
      .filter((message) => message.action === action)
      .map(({ subscriptionType, subscriptionIds }) => [subscriptionType ?? '', subscriptionIds ?? []]);
  }
}

export class StubExchange {
  readonly peers: StubPeer[] = [];
  readonly url: string;
  script: StubScript;
  token = GOOD_TOKEN;
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer, script: Partial<StubScript>) {
    this.#server = server;
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    this.script = {
      confirms: () => true,
      pongs: true,
      welcome: () => undefined,
      ...script,
    };
    server.on('connection', (socket) => this.#welcome(socket));
  }

  /** For one test, at whose end it is closed. */
  static async listen(script: Partial<StubScript> = {}): Promise<StubExchange> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong: false, perMessageDeflate: true });
    await new Promise((resolve) => server.once('listening', resolve));
    const exchange = new StubExchange(server, script);
    onTestFinished(() => exchange.#close());
    return exchange;
  }

  /** The client that connected last. */
  get last(): StubPeer {
    return this.peers.at(-1)!;
  }

  /** Sends an update to all clients that have subscribed to it. */
  publish(type: string, id: string, update: unknown): void {
    for (const peer of this.peers) {
      const wants = peer.subscribed.has(`${type} ${id}`) || peer.subscribed.has(`${type} *`);
      if (wants && !peer.isClosed) peer.send(update);
    }
  }

  async #close(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #welcome(socket: WebSocket): void {
    const peer = new StubPeer(socket, `connection-${this.peers.length}`);
    this.peers.push(peer);
    this.script.welcome(peer);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      peer.isClosed = true;
    });
    socket.on('ping', (payload) => {
      peer.pings += 1;
      if (this.script.pongs) peer.pong(payload);
    });
    socket.on('message', (data) => this.#onMessage(peer, JSON.parse(data.toString()) as StubMessage));
  }

  #onMessage(peer: StubPeer, message: StubMessage): void {
    peer.received.push(message);
    if (message.action === 'authenticate') {
      if (message.accessToken !== this.token) return;
      peer.isAuthenticated = true;
      return peer.send({ type: 'AuthenticationUpdate', connectionId: peer.connectionId });
    }
    if (!peer.isAuthenticated)
      return peer.send({ type: 'SubscribeNotAuthenticatedUpdate', connectionId: peer.connectionId });
    const isSubscribe = message.action === 'subscribe';
    const subscriptionType = message.subscriptionType ?? '';
    const replies = (message.subscriptionIds ?? [])
      .filter((id) => this.script.confirms(subscriptionType, id))
      .map((subscriptionId) => {
        if (isSubscribe) peer.subscribed.add(`${subscriptionType} ${subscriptionId}`);
        else peer.subscribed.delete(`${subscriptionType} ${subscriptionId}`);
        return { type: isSubscribe ? 'SubscribeUpdate' : 'UnsubscribeUpdate', subscriptionType, subscriptionId };
      });
    if (replies.length > 0) peer.send(replies);
  }
}
