/** A small world with two apps, an HTTP server with the stream on it, and clients that check every frame strictly. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { defined } from '../../../src/core/checks/assert.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { instant, type Money, money } from '../../../src/core/number/units.ts';
import type { Side } from '../../../src/core/side.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import type { SandboxContext } from '../../../src/sandbox/context/sandbox-context.ts';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import type { StreamLimits } from '../../../src/sandbox/stream/stream-limits.ts';
import { attachStream, type StreamServer } from '../../../src/sandbox/stream/stream-server.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { type Changed, World } from '../../../src/sandbox/world/world.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { namedShape, strictFaults } from '../../support/wire-strict.ts';

export const NOW = 1_790_000_000_000;
const HOUR = 3_600_000;

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

type NewChange = Change extends infer C ? (C extends Change ? Omit<C, 'at'> : never) : never;

export class StreamStage {
  readonly clock = new SimulatedClock(NOW);
  readonly world = new World();
  readonly context: SandboxContext;
  readonly server: Server;
  readonly stream: StreamServer;
  readonly ann: AppAccount;
  readonly bob: AppAccount;
  readonly house: AppAccount;
  readonly clients: StreamClient[] = [];
  event = 0;
  #url = '';

  private constructor(limits: Partial<StreamLimits>) {
    const { world, clock } = this;
    this.context = {
      world,
      clock,
      settings: { accessTokenMs: HOUR / 2, refreshTokenMs: 24 * HOUR, faucetAmount: money(100_000_000) },
      now: () => world.at(clock.now()),
      apply: (change) => world.apply(change),
      secret: () => 'secret',
      takeOrderFault: () => undefined,
    };
    this.do({ kind: 'createCurrency', id: 'USDC' });
    this.do({ kind: 'createCategory', id: 'SPORT', name: 'Sport' });
    this.do({ kind: 'createSubcategory', id: 'FOOTBALL', name: 'Football', categoryId: 'SPORT' });
    this.do({ kind: 'createEventGroup', id: 'LEAGUE', name: 'A league', subcategoryId: 'FOOTBALL' });
    this.do({ kind: 'createMarketType', id: 'RESULT', outcomes: { min: 2, max: 10 }, winners: { min: 1, max: 1 } });
    this.ann = this.#newAccount('01ann');
    this.bob = this.#newAccount('02bob');
    this.house = this.#newAccount('03house', true);
    this.event = this.newEvent();
    this.server = createServer((_request, response) => response.end('{}'));
    this.stream = attachStream(this.server, this.context, { limits });
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

  /** Makes a change that must not be refused. */
  do(change: NewChange): Changed {
    const changed = this.try(change);
    expect(changed.kind, JSON.stringify({ change, changed })).toBe('done');
    return changed;
  }

  try(change: NewChange): Changed {
    return this.context.apply({ at: this.world.at(this.clock.now()), ...change } as Change);
  }

  command(command: MachineCommand): Changed {
    return this.do({ kind: 'command', command });
  }

  newEvent(): number {
    const changed = this.do({
      kind: 'createEvent',
      app: this.house.app,
      eventGroupId: 'LEAGUE',
      name: 'One v Two',
      code: 'ONETWO',
      expectedStartTime: instant(NOW + HOUR),
      participantIds: [],
    });
    return idIn(changed, 'eventCreated', 'event');
  }

  /** Creates a market, published and open, of an app of the exchange by default. */
  newMarket(
    options: { app?: number; published?: boolean; outcomes?: number; cross?: boolean; inPlayDelayMs?: number } = {},
  ): number {
    const { app = this.house.app, published = true, outcomes = 3, cross = false, inPlayDelayMs = 5000 } = options;
    const changed = this.do({
      kind: 'createMarket',
      app,
      event: this.event,
      name: 'Result',
      marketTypeId: 'RESULT',
      currencyId: 'USDC',
      winners: { min: 1, max: 1 },
      crossMatching: cross,
      turnsInPlay: true,
      inPlayDelayMs,
      outcomes: Array.from({ length: outcomes }, (_, index) => ({ title: `Outcome ${index}` })),
      lockAt: instant(NOW + 3 * HOUR),
      eventStartAction: 'None',
      marketLockAction: 'None',
    });
    const market = idIn(changed, 'marketCreated', 'market');
    if (published) this.command({ kind: 'publish', market, published: true });
    this.command({ kind: 'open', market });
    return market;
  }

  /** Places one order; returns its number. */
  place(account: AppAccount, order: Bet): number {
    return idIn(this.tryPlace(account, [order]), 'orderAccepted', 'order');
  }

  tryPlace(account: AppAccount, orders: readonly Bet[]): Changed {
    const requests = orders.map((order): PlaceRequest => {
      const { market, side, price, stake, outcome = 0, wallet = account.wallet, ...others } = order;
      return {
        wallet,
        market,
        side,
        outcome,
        stake: money(Math.round(stake * 1000) * 1000),
        tick: defined(tickOfDecimal(price), `${price} is on the ladder`),
        keepWhenInPlay: false,
        matchBehavior: 'RetainUnmatched',
        ...others,
      };
    });
    return this.command({ kind: 'place', app: account.app, requests });
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
  login(name: string, owner: { readonly app: number; readonly wallet?: number }, livesMs = HOUR / 2): string {
    const at = this.world.at(this.clock.now());
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

  #newAccount(id: string, isHouse = false): AppAccount {
    this.do({ kind: 'createApp', id, name: id, ...(isHouse ? { isHouse: true } : {}) });
    const app = defined(this.world.registry.appById(id), 'the app was made').app;
    const [wallet, secondWallet] = [0, 1].map(() =>
      idIn(this.do({ kind: 'createWallet', app }), 'walletCreated', 'wallet'),
    ) as [number, number];
    for (const each of [wallet, secondWallet]) {
      this.command({ kind: 'openAccount', wallet: each, currency: 0 });
      this.command({ kind: 'deposit', wallet: each, currency: 0, amount: 100_000_000_000 as Money });
    }
    return {
      app,
      id,
      wallet,
      secondWallet,
      walletId: this.world.registry.wallet(wallet).id,
      secondWalletId: this.world.registry.wallet(secondWallet).id,
      token: this.login(`${id} app`, { app }),
      walletToken: this.login(`${id} wallet`, { app, wallet }),
    };
  }
}

export interface Bet {
  readonly market: number;
  readonly side: Side;
  readonly price: number;
  readonly stake: number;
  readonly outcome?: number;
  readonly wallet?: number;
  readonly reference?: string;
  readonly matchBehavior?: 'CancelUnmatched';
}

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

function idIn(changed: Changed, kind: string, key: string): number {
  const event = changed.events.find((each) => each.kind === kind) as Frame;
  expect(event, `${kind} in ${JSON.stringify(changed.events)}`).toBeDefined();
  return event[key] as number;
}
