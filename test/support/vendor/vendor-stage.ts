/** A stranger before a sandbox started without options: a session, a wallet, and markets where orders may rest. */

import { expect } from 'vitest';
import { type SandboxProcess, startSandbox } from './sandbox-process.ts';
import { type Json, VendorClient } from './vendor-client.ts';

let named = 0;
export function unique(name: string): string {
  named += 1;
  return `${name}-${process.pid}-${Date.now()}-${named}`;
}

export class VendorStage {
  readonly sandbox: SandboxProcess;
  readonly client: VendorClient;

  private constructor(sandbox: SandboxProcess) {
    this.sandbox = sandbox;
    this.client = new VendorClient(sandbox.url);
  }

  static async open(): Promise<VendorStage> {
    return new VendorStage(await startSandbox());
  }

  get walletId(): string {
    return this.sandbox.walletId;
  }

  async close(): Promise<void> {
    this.client.close();
    await this.sandbox.remove();
  }

  async login(): Promise<Json> {
    return this.client.login(this.sandbox.appId, this.sandbox.apiKey);
  }

  async ok(endpoint: string, options: Parameters<VendorClient['call']>[1] = {}): Promise<Json> {
    const { status, body } = await this.client.call(endpoint, options);
    expect(status, `${endpoint}: ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  }

  /** An open market that is not in play, with nothing Against at 1000 or more and nothing For at 1.01 or less. */
  async #quietMarket(): Promise<{ readonly id: string; readonly outcomeId: string }> {
    for (const page of [0, 1]) {
      const query = { statuses: ['Open'], published: true, page, size: 100 };
      const { markets, marketOutcomes } = await this.ok('GET /markets', { query });
      for (const market of markets) {
        if (market.suspended || market.inPlayStatus === 'InPlay') continue;
        if (Date.parse(market.lockAt) < Date.now() + 2 * 3_600_000) continue;
        const outcomeId = market.marketOutcomes._ids[0];
        if (!marketOutcomes.some((outcome: Json) => outcome.id === outcomeId)) continue;
        const { prices } = await this.ok('GET /market-prices', { query: { marketIds: [market.id] } });
        const levels = prices[0].prices.filter((row: Json) => row.outcomeId === outcomeId && row.amount > 0);
        const isFree = levels.every((row: Json) => (row.side === 'Against' ? row.price < 1000 : row.price > 1.01));
        if (isFree) return { id: market.id, outcomeId };
      }
    }
    throw new Error('no market for resting orders');
  }

  async restingOrder(extra: Json = {}): Promise<Json> {
    const market = await this.#quietMarket();
    return {
      walletId: this.walletId,
      marketId: market.id,
      outcomeId: market.outcomeId,
      side: 'For',
      price: 1000,
      stake: 1,
      keepWhenInPlay: false,
      reference: unique('order'),
      ...extra,
    };
  }
}
