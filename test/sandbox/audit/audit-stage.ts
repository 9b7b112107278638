/**
 * A sandbox in simulated time with markets of its own, used only through independent clients: REST, stream and control.
 */

import { expect } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { type CallOptions, type Json, VendorClient } from '../../support/vendor/vendor-client.ts';
import { VendorStream } from '../../support/vendor/vendor-stream.ts';
import { openStand, type Stand } from '../http/stand.ts';

export const HOUR = 3_600_000;

/** A user with a session of one key, its REST client and, once requested, its stream. */
export class ApiUser {
  readonly appId: string;
  readonly walletId: string;
  readonly apiKey: string;
  readonly client: VendorClient;
  readonly #stage: AuditStage;
  #stream: VendorStream | undefined;
  #barriers = 0;

  constructor(stage: AuditStage, of: { appId: string; walletId: string; apiKey: string; client: VendorClient }) {
    this.#stage = stage;
    this.appId = of.appId;
    this.walletId = of.walletId;
    this.apiKey = of.apiKey;
    this.client = of.client;
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

  async stream(): Promise<VendorStream> {
    this.#stream ??= await this.#stage.openStream(this.client.token ?? '');
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

export interface AuditMarket {
  readonly id: string;
  readonly outcomes: readonly string[];
}

export class AuditStage {
  readonly clock: SimulatedClock;
  readonly stand: Stand;
  readonly #users: ApiUser[] = [];
  readonly #streams: VendorStream[] = [];

  private constructor(clock: SimulatedClock, stand: Stand) {
    this.clock = clock;
    this.stand = stand;
  }

  static async open(options: Partial<SandboxOptions> = {}): Promise<AuditStage> {
    const clock = new SimulatedClock(Date.now());
    const stage = new AuditStage(clock, await openStand({ clock, ...options }));
    await stage.stand.made('/categories', { id: 'AUDIT', name: 'Audit' });
    await stage.stand.made('/subcategories', { id: 'AUDITS', name: 'Audits', categoryId: 'AUDIT' });
    await stage.stand.made('/event-groups', { id: 'AUDITED', name: 'Audited', subcategoryId: 'AUDITS' });
    const ranges = { outcomesRange: { min: 2, max: 20 }, winnersRange: { min: 1, max: 3 } };
    await stage.stand.made('/market-types', { id: 'AUDIT_RESULT', ...ranges });
    return stage;
  }

  async user(balance = 1_000): Promise<ApiUser> {
    const { id: appId } = await this.stand.made('/apps', {});
    const { secret } = await this.stand.made(`/apps/${appId}/keys`, {});
    const balances = [{ currencyId: 'USDC', balance }];
    const { id: walletId } = await this.stand.made(`/apps/${appId}/wallets`, { balances });
    return this.#seated({ appId, walletId, apiKey: secret });
  }

  /** A user with another wallet of the same app and a key of that wallet. */
  async walletUser(of: ApiUser, balance = 1_000): Promise<ApiUser> {
    const balances = [{ currencyId: 'USDC', balance }];
    const { id: walletId } = await this.stand.made(`/apps/${of.appId}/wallets`, { balances });
    const { secret } = await this.stand.made(`/apps/${of.appId}/keys`, { walletId });
    return this.#seated({ appId: of.appId, walletId, apiKey: secret }, walletId);
  }

  async #seated(of: { appId: string; walletId: string; apiKey: string }, walletId?: string): Promise<ApiUser> {
    const client = new VendorClient(this.stand.sandbox.url);
    await client.login(of.appId, of.apiKey, walletId);
    const user = new ApiUser(this, { ...of, client });
    this.#users.push(user);
    return user;
  }

  /**
   * Creates a market: open, published, locking in an hour, with three outcomes, one winner and no cross matching by
   * default.
   */
  async market(extra: Json = {}): Promise<AuditMarket> {
    const at = new Date(this.clock.now() + HOUR).toISOString();
    const event = { eventGroupId: 'AUDITED', name: 'Home v Away', code: 'HVA', expectedStartTime: at };
    const { id: eventId } = await this.stand.made('/events', event);
    const made = await this.stand.made('/markets', {
      eventId,
      name: 'Result',
      marketTypeId: 'AUDIT_RESULT',
      currencyId: 'USDC',
      lockAt: at,
      outcomes: [{ title: 'Home' }, { title: 'Away' }, { title: 'Draw' }],
      crossMatchingEnabled: false,
      ...extra,
    });
    return { id: made.id, outcomes: made.outcomes.map(({ id }: Json) => id) };
  }

  move(market: AuditMarket, name: string, body: Json = {}): Promise<Json> {
    return this.stand.made(`/markets/${market.id}/${name}`, body);
  }

  pass(ms: number): void {
    this.clock.runUntil(this.clock.now() + ms);
  }

  /** Opens an authenticated stream that is subscribed to `*` of every type. */
  async openStream(token: string): Promise<VendorStream> {
    const stream = await VendorStream.open(this.stand.sandbox.streamUrl);
    this.#streams.push(stream);
    await stream.authenticate(token);
    for (const type of ['EventUpdate', 'MarketUpdate', 'MarketStatusUpdate', 'OrderUpdate', 'WalletUpdate'])
      await stream.subscribe(type, ['*']);
    return stream;
  }

  /** Violations of the conservation of money and of the machine's laws; empty where there are none. */
  async troubles(): Promise<readonly string[]> {
    const { brokenLaws, sumsOfAllWallets } = (await this.stand.control('GET', '/health')).json;
    return [...brokenLaws, ...sumsOfAllWallets.filter(({ sum }: Json) => sum !== 0)];
  }

  async close(): Promise<void> {
    for (const user of this.#users) await user.close();
    for (const stream of this.#streams) await stream.close();
    expect(await this.troubles()).toEqual([]);
    await this.stand.close();
  }
}
