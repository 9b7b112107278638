/** What goes wrong on purpose while the daemon runs: a seeded schedule of faults, outages, cuts and lapses. */

import type { Random } from '../random.ts';
import type { ControlClient } from '../vendor/control-client.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { FRESHNESS, type SoakFeed } from './soak-config.ts';

/** A feed that certainly was not read between the two. */
export interface Outage {
  readonly feed: SoakFeed;
  readonly from: number;
  readonly to: number;
}

const PLACES = ['createOrders'];
const READS = ['listOrders', 'listPrices', 'listMarkets', 'listWallets', 'getWallet'];
/** What each feed is read by. */
const READ_BY: Readonly<Record<SoakFeed, readonly string[]>> = {
  markets: ['listMarkets', 'getMarket'],
  prices: ['listPrices', 'getMarketPriceBook', 'listMarketPriceRows'],
  orders: ['listOrders', 'getOrder', 'getOrderByReference', 'listMarketOrders'],
  wallets: ['listWallets', 'getWallet'],
};
const BREAKS = ['fault', 'fault', 'fault', 'fault', 'fault', 'cut', 'cut', 'outage', 'outage', 'lapse'] as const;
const PAUSE_MS: readonly [number, number] = [3_000, 9_000];
/** By how much an outage is longer than the feed's budget. */
const BEYOND_MS = 4_000;

export class TroubleMaker {
  readonly counts = new Map<string, number>();
  readonly outages: Outage[] = [];
  readonly #control: ControlClient;
  readonly #appId: string;
  readonly #random: Random;
  #isStopped = false;
  #turning: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;

  constructor(control: ControlClient, appId: string, random: Random) {
    this.#control = control;
    this.#appId = appId;
    this.#random = random;
  }

  begin(): void {
    this.#turning = this.#turn();
  }

  /** Lifts all faults. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#turning;
    await this.#control.call('DELETE', '/faults');
  }

  async #turn(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn += 1) {
      await this.#sleep(this.#random.between(...PAUSE_MS));
      if (this.#isStopped) return;
      const kind = BREAKS[turn % BREAKS.length];
      if (kind === 'fault') await this.#fault();
      else if (kind === 'cut') await this.#cut();
      else if (kind === 'outage') await this.#outage();
      else await this.#lapse();
    }
  }

  async #fault(): Promise<void> {
    const seed = this.#random.between(1, 1_000_000);
    const forMs = this.#random.between(800, 2_500);
    const chance = { probability: 0.4, seed, forMs };
    await this.#inject(
      this.#random.pick<Json>([
        { kind: 'dropAfter', operations: PLACES, ...chance },
        { kind: 'dropBefore', operations: PLACES, ...chance },
        { kind: 'dropAfter', operations: ['cancelOrders'], ...chance },
        { kind: 'dropBefore', operations: READS, ...chance },
        { kind: 'status', status: 503, operations: [...PLACES, ...READS], ...chance },
        { kind: 'status', status: 429, retryAfter: 1, operations: [...PLACES, ...READS], ...chance },
        { kind: 'latency', delayMs: 200, delayMsMax: 2_500, operations: [...PLACES, ...READS], ...chance },
        { kind: 'orderError', code: 'INTERRUPTED', ...chance },
        { kind: 'orderError', code: 'SUSPENDED_MARKET', ...chance },
        { kind: 'stalePrices', forMs },
      ]),
    );
  }

  async #cut(): Promise<void> {
    this.#count('stream cut');
    await this.#control.call('POST', '/stream/cut', {});
  }

  /** One feed cannot be read for longer than its budget. */
  async #outage(): Promise<void> {
    const feed = this.#random.pick<SoakFeed>(['markets', 'prices', 'orders', 'wallets']);
    const forMs = FRESHNESS[feed] + BEYOND_MS;
    await this.#inject({ kind: 'status', status: 503, operations: READ_BY[feed], forMs });
    const from = Date.now();
    this.#count(`outage of ${feed}`);
    await this.#sleep(forMs);
    if (!this.#isStopped) this.outages.push({ feed, from, to: from + forMs });
  }

  /** The exchange lets the heartbeat lapse, as if no refresh had arrived. */
  async #lapse(): Promise<void> {
    this.#count('heartbeat lapse');
    await this.#control.call('POST', `/apps/${this.#appId}/heartbeat`, { timeoutMs: 1 });
  }

  async #inject(body: Json): Promise<void> {
    this.#count(body.kind === 'status' ? `${body.status}` : body.kind === 'orderError' ? body.code : body.kind);
    await this.#control.call('POST', '/faults', { ...body, appId: this.#appId });
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
