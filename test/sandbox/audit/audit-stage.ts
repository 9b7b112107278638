/**
 * A sandbox in simulated time with markets of its own, used only through independent clients: REST, stream and control.
 */

import { expect } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { ControlClient, type TradingApp } from '../../support/vendor/control-client.ts';
import { type CallOptions, type Json, VendorClient } from '../../support/vendor/vendor-client.ts';
import { VendorStream } from '../../support/vendor/vendor-stream.ts';
import { openStand, type Stand } from '../http/stand.ts';

export const HOUR = 3_600_000;
const BALANCE = 1_000;

/** A user with a session of one key, its REST client and, once requested, its stream. */
export class ApiUser {
  readonly appId: string;
  readonly walletId: string;
  readonly client: VendorClient;
  readonly #streamUrl: string;
  #stream: VendorStream | undefined;
  #barriers = 0;

  constructor({ appId, walletId }: TradingApp, client: VendorClient, streamUrl: string) {
    this.appId = appId;
    this.walletId = walletId;
    this.client = client;
    this.#streamUrl = streamUrl;
  }

  call(endpoint: string, options: CallOptions = {}) {
    return this.client.call(endpoint, options);
  }

  async ok(endpoint: string, options: CallOptions = {}): Promise<Json> {
    const { status, body } = await this.client.call(endpoint, options);
    expect(status, `${endpoint}: ${JSON.stringify(body)}`).toBe(200);
    return body;
  }

  /** The status of a refused call; the refusal must say why. */
  async refused(endpoint: string, options: CallOptions = {}): Promise<number> {
    const { status, body } = await this.client.call(endpoint, options);
    if (status >= 400) expect([typeof body.title, Array.isArray(body.details)]).toEqual(['string', true]);
    return status;
  }

  /** Places an order; returns the order as answered. */
  async place(order: Json): Promise<Json> {
    const body = { walletId: this.walletId, side: 'For', price: 2, stake: 10, keepWhenInPlay: false, ...order };
    return (await this.ok('POST /orders', { body })).orders[0];
  }

  /** Authenticated and subscribed to `*` of each type but prices. */
  async stream(): Promise<VendorStream> {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = await VendorStream.open(this.#streamUrl);
    await this.#stream.authenticate(this.client.token ?? '');
    for (const type of ['EventUpdate', 'MarketUpdate', 'MarketStatusUpdate', 'OrderUpdate', 'WalletUpdate'])
      await this.#stream.subscribe(type, ['*']);
    return this.#stream;
  }

  /** Waits until everything sent to the stream so far has arrived. */
  async settled(): Promise<VendorStream> {
    const stream = await this.stream();
    this.#barriers += 1;
    await stream.subscribe('EventUpdate', [`barrier-${this.#barriers}`]);
    await stream.subscribe('EventUpdate', [`barrier-${this.#barriers}`], 'unsubscribe');
    return stream;
  }

  /** The last message of a type on the stream that satisfies `fits`. */
  async received(type: string, fits: (message: Json) => boolean): Promise<Json | undefined> {
    const { messages } = await this.settled();
    return messages.findLast((message) => message.type === type && fits(message));
  }

  async close(): Promise<void> {
    this.client.close();
    if (this.#stream === undefined) return;
    expect(this.#stream.faults).toEqual([]);
    await this.#stream.close();
  }
}

export class AuditStage {
  readonly clock: SimulatedClock;
  readonly stand: Stand;
  readonly control: ControlClient;
  readonly #users: ApiUser[] = [];

  private constructor(clock: SimulatedClock, stand: Stand) {
    this.clock = clock;
    this.stand = stand;
    this.control = new ControlClient(stand.sandbox);
  }

  static async open(options: Partial<SandboxOptions> = {}): Promise<AuditStage> {
    const clock = new SimulatedClock(Date.now());
    return new AuditStage(clock, await openStand({ clock, ...options }));
  }

  async user(): Promise<ApiUser> {
    return this.#openUser(await this.control.createApp(BALANCE));
  }

  /** A user with another wallet of the same app and a key of that wallet. */
  async walletUser({ appId }: ApiUser): Promise<ApiUser> {
    const balances = [{ currencyId: 'USDC', balance: BALANCE }];
    const { id: walletId } = await this.control.call('POST', `/apps/${appId}/wallets`, { balances });
    const { secret } = await this.control.call('POST', `/apps/${appId}/keys`, { walletId });
    return this.#openUser({ appId, walletId, apiKey: secret }, walletId);
  }

  async #openUser(app: TradingApp, walletId?: string): Promise<ApiUser> {
    const client = new VendorClient(this.stand.sandbox.url);
    await client.login(app.appId, app.apiKey, walletId);
    const user = new ApiUser(app, client, this.stand.sandbox.streamUrl);
    this.#users.push(user);
    return user;
  }

  pass(ms: number): void {
    this.clock.runUntil(this.clock.now() + ms);
  }

  async close(): Promise<void> {
    for (const user of this.#users) await user.close();
    expect(await this.control.troubles()).toEqual([]);
    await this.stand.close();
  }
}
