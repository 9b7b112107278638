/** A small world with two apps, an HTTP server with the stream on it, and clients that check every frame strictly. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { defined } from '../../../src/core/checks/assert.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import type { StreamLimits } from '../../../src/sandbox/stream/stream-limits.ts';
import { attachStream, type StreamServer } from '../../../src/sandbox/stream/stream-server.ts';
import type { MachineCommand } from '../../../src/sandbox/world/change.ts';
import {
  HOUR_MS,
  requestOf,
  type TestOrder,
  type UndatedChange,
  WorldBuilder,
} from '../../support/sandbox/world-builder.ts';
import { namedShape, strictFaults } from '../../support/wire-strict.ts';

export interface AppAccount {
  readonly app: number;
  readonly id: string;
  readonly wallet: number;
  readonly walletId: string;
  readonly secondWallet: number;
  readonly secondWalletId: string;
  /** Access tokens of an app's key and of a key of its first wallet. */
  readonly token: string;
  readonly walletToken: string;
}

export class StreamStage {
  readonly builder = new WorldBuilder().catalogue();
  readonly clock = this.builder.clock;
  readonly world = this.builder.world;
  readonly server: Server;
  readonly stream: StreamServer;
  readonly ann: AppAccount;
  readonly bob: AppAccount;
  readonly house: AppAccount;
  readonly clients: StreamClient[] = [];
  readonly event: number;
  #url = '';

  private constructor(limits: Partial<StreamLimits>) {
    this.ann = this.#newAccount('01ann');
    this.bob = this.#newAccount('02bob');
    this.house = this.#newAccount('03house', { isHouse: true });
    this.event = this.newEvent();
    this.server = createServer((_request, response) => response.end('{}'));
    this.stream = attachStream(this.server, this.builder.context, { limits });
  }

  static async open(limits: Partial<StreamLimits> = {}): Promise<StreamStage> {
    const stage = new StreamStage(limits);
    await new Promise<void>((resolve) => stage.server.listen(0, '127.0.0.1', resolve));
    stage.#url = `ws://127.0.0.1:${(stage.server.address() as AddressInfo).port}`;
    return stage;
  }

  get url(): string {
    return this.#url;
  }

  async close(): Promise<void> {
    await this.stream.close();
    for (const client of this.clients) client.socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
    expect(this.clients.flatMap((client) => client.faults)).toEqual([]);
    expect(this.world.exchange.brokenLaws()).toEqual([]);
  }

  do(change: UndatedChange): readonly ExchangeEvent[] {
    return this.builder.make(change);
  }

  command(command: MachineCommand): readonly ExchangeEvent[] {
    return this.builder.command(command);
  }

  newEvent(): number {
    return this.builder.event({ app: this.house.app });
  }

  /** Creates a market of three outcomes, published and open, of an app of the exchange by default. */
  newMarket({ app = this.house.app, published = true, cross = false } = {}): number {
    const outcomes = [{ title: 'Outcome 0' }, { title: 'Outcome 1' }, { title: 'Outcome 2' }];
    const market = this.builder.market({ app, event: this.event, crossMatching: cross, outcomes });
    if (published) this.command({ kind: 'publish', market, published: true });
    this.command({ kind: 'open', market });
    return market;
  }

  /** Places one order; returns its number. */
  place(account: AppAccount, bet: Bet): number {
    return this.builder.place(account.app, { wallet: account.wallet, ...bet });
  }

  /** Places orders in one change, in which each may be refused. */
  tryPlace({ app, wallet }: AppAccount, bets: readonly Bet[]): void {
    this.command({ kind: 'place', app, requests: bets.map((bet) => requestOf({ wallet, ...bet })) });
  }

  async connect(token?: string): Promise<StreamClient> {
    const client = new StreamClient(new WebSocket(this.#url, { headers: { origin: 'https://example.test' } }));
    this.clients.push(client);
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('error', reject);
    });
    if (token === undefined) return client;
    client.send({ action: 'authenticate', accessToken: token });
    await client.allReceived();
    expect(client.take()).toMatchObject([{ type: 'AuthenticationUpdate' }]);
    return client;
  }

  /** Creates a key and a session with it; returns the access token. */
  login(name: string, owner: { readonly app: number; readonly wallet?: number }, livesMs = HOUR_MS / 2): string {
    const at = this.builder.now;
    if (!this.world.registry.keys.has(name))
      this.do({ kind: 'createKey', ...owner, name, secretHash: hashOfSecret(`secret of ${name}`) });
    const token = `token of ${name} at ${at}`;
    this.do({
      kind: 'openSession',
      key: name,
      accessHash: hashOfSecret(token),
      refreshHash: hashOfSecret(`${token}!`),
      accessExpiresAt: instant(at + livesMs),
      refreshExpiresAt: instant(at + livesMs),
    });
    return token;
  }

  #newAccount(id: string, options: { readonly isHouse?: true } = {}): AppAccount {
    const app = this.builder.app(id, options);
    const [wallet, secondWallet] = [this.builder.wallet(app, 100_000), this.builder.wallet(app, 100_000)];
    const [walletId, secondWalletId] = [wallet, secondWallet].map((each) => this.world.registry.wallet(each).id);
    return {
      ...{ app, id, wallet, secondWallet, walletId: walletId ?? '', secondWalletId: secondWalletId ?? '' },
      token: this.login(`${id} app`, { app }),
      walletToken: this.login(`${id} wallet`, { app, wallet }),
    };
  }
}

type Bet = Omit<TestOrder, 'wallet'> & { readonly wallet?: number };

// biome-ignore lint/suspicious/noExplicitAny: frames are read as JSON, checked by the strict checker.
export type Frame = any;

export class StreamClient {
  readonly socket: WebSocket;
  readonly faults: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly #frames: Frame[] = [];
  #pings = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => {
      const frame = JSON.parse(data.toString()) as Frame;
      const name = frame.type ?? 'StreamProblem';
      this.faults.push(...strictFaults(namedShape(String(name)), frame, String(name)));
      this.#frames.push(frame);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
    socket.on('error', () => undefined);
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  subscribe(subscriptionType: string, ...subscriptionIds: readonly string[]): void {
    this.send({ action: 'subscribe', subscriptionType, subscriptionIds });
  }

  unsubscribe(subscriptionType: string, ...subscriptionIds: readonly string[]): void {
    this.send({ action: 'unsubscribe', subscriptionType, subscriptionIds });
  }

  /** Resolves when the server has handled everything sent and all its messages have arrived. */
  async allReceived(): Promise<void> {
    this.#pings += 1;
    const payload = `ping ${this.#pings}`;
    await new Promise<void>((resolve, reject) => {
      const onClose = (): void => reject(new Error('the connection was closed'));
      const onPong = (data: Buffer): void => {
        if (data.toString() !== payload) return;
        this.socket.off('pong', onPong);
        this.socket.off('close', onClose);
        resolve();
      };
      this.socket.on('pong', onPong);
      this.socket.on('close', onClose);
      this.socket.ping(payload);
    });
  }

  async gone(): Promise<{ readonly code: number; readonly reason: string }> {
    if (this.closed === undefined) await new Promise((resolve) => this.socket.once('close', resolve));
    return defined(this.closed, 'the connection is closed');
  }

  /** The frames since the last call. */
  take(): Frame[] {
    return this.#frames.splice(0);
  }

  async after(): Promise<Frame[]> {
    await this.allReceived();
    return this.take();
  }
}
