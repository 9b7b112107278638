/**
 * One of the processes that hammer a market: places and cancels as fast as it is answered, then reads everything back
 * and says what does not add up. Started with its plan as JSON; prints its findings as JSON.
 */

import { Random } from '../random.ts';
import { type Json, VendorClient } from '../vendor/vendor-client.ts';

export interface HammerPlan {
  readonly url: string;
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
  readonly marketId: string;
  readonly outcomeIds: readonly string[];
  readonly seconds: number;
  readonly seed: number;
}

export interface HammerFindings {
  readonly appId: string;
  readonly accepted: number;
  readonly refused: number;
  readonly cancelled: number;
  readonly trades: number;
  /** Matched stake of the app’s orders, in 10⁻⁶, by outcome and side. */
  readonly matched: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

const LANES = 3;
const PRICES = [1.9, 1.95, 2, 2.02, 2.04];

class Hammer {
  readonly #plan: HammerPlan;
  readonly #client: VendorClient;
  readonly #random: Random;
  /** What was accepted, by reference. */
  readonly #acceptedIds = new Map<string, string>();
  readonly #cancelled = new Set<string>();
  readonly #breaches: string[] = [];
  #made = 0;
  #refused = 0;

  constructor(plan: HammerPlan) {
    this.#plan = plan;
    this.#client = new VendorClient(plan.url);
    this.#random = new Random(plan.seed);
  }

  async run(): Promise<HammerFindings> {
    await this.#client.login(this.#plan.appId, this.#plan.apiKey);
    const end = Date.now() + this.#plan.seconds * 1000;
    const lane = async (): Promise<void> => {
      while (Date.now() < end) await (this.#random.chance(0.25) ? this.#cancel() : this.#place());
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await this.#call('POST /orders/cancel-v2', { body: { walletIds: [this.#plan.walletId] } });
    const orders = await this.#readBack();
    const trades = await this.#checkTrades(orders);
    this.#client.close();
    return {
      appId: this.#plan.appId,
      accepted: this.#acceptedIds.size,
      refused: this.#refused,
      cancelled: this.#cancelled.size,
      trades,
      matched: matchedOf(orders),
      breaches: this.#breaches,
    };
  }

  async #place(): Promise<void> {
    const { walletId, marketId, outcomeIds, appId } = this.#plan;
    const requests = Array.from({ length: this.#random.between(1, 50) }, () => {
      this.#made += 1;
      return {
        ...{ walletId, marketId, keepWhenInPlay: false },
        outcomeId: this.#random.pick(outcomeIds),
        side: this.#random.pick(['For', 'Against']),
        price: this.#random.pick(PRICES),
        stake: this.#random.between(1, 20_000) / 1000,
        // One in twenty repeats an earlier reference, and must be refused.
        reference: `${appId}-${this.#random.chance(0.05) ? this.#random.between(1, this.#made) : this.#made}`,
      };
    });
    const { orders } = await this.#call('POST /orders/batch', { body: { requests } });
    if (orders.length !== requests.length) this.#breaches.push(`${orders.length} answers to ${requests.length} orders`);
    for (const [index, order] of orders.entries()) {
      const reference = requests[index]?.reference ?? '';
      if (order.errorCode !== undefined) this.#refused += 1;
      else if (order.reference !== reference) this.#breaches.push(`${reference} was answered by ${order.reference}`);
      else if (this.#acceptedIds.has(reference)) this.#breaches.push(`${reference} was accepted twice`);
      else this.#acceptedIds.set(reference, order.id);
    }
  }

  async #cancel(): Promise<void> {
    const ids = [...this.#acceptedIds.values()].slice(-200);
    if (ids.length === 0) return;
    const orderIds = Array.from({ length: this.#random.between(1, 60) }, () => this.#random.pick(ids));
    const { ids: cancelled } = await this.#call('POST /orders/cancel-v2', { body: { orderIds } });
    for (const id of cancelled) {
      if (!orderIds.includes(id)) this.#breaches.push(`${id} was cancelled and not asked for`);
      if (this.#cancelled.has(id)) this.#breaches.push(`${id} was cancelled twice`);
      this.#cancelled.add(id);
    }
  }

  /** Every order of the market that the app may see: each accepted one once, and none else. */
  async #readBack(): Promise<readonly Json[]> {
    const orders: Json[] = [];
    for (let page = 0; ; page += 1) {
      const query = { marketIds: [this.#plan.marketId], page, size: 500 };
      const answer = await this.#call('GET /orders', { query, sort: ['id,asc'] });
      orders.push(...answer.orders);
      if (page + 1 >= answer._meta._page._totalPages) break;
    }
    const seen = new Set<string>();
    for (const order of orders) {
      if (order.appId !== this.#plan.appId) this.#breaches.push(`${order.id} belongs to ${order.appId}`);
      if (seen.has(order.reference)) this.#breaches.push(`${order.reference} is there twice`);
      seen.add(order.reference);
      if (this.#acceptedIds.get(order.reference) !== order.id)
        this.#breaches.push(`${order.reference} was not accepted`);
      if (!['Matched', 'Cancelled'].includes(order.status)) this.#breaches.push(`${order.id} is still ${order.status}`);
    }
    for (const reference of this.#acceptedIds.keys())
      if (!seen.has(reference)) this.#breaches.push(`${reference} is lost`);
    return orders;
  }

  /** Trades add up to what the orders say was matched. */
  async #checkTrades(orders: readonly Json[]): Promise<number> {
    const byOrder = new Map<string, number>();
    let count = 0;
    for (let page = 0; ; page += 1) {
      const query = { marketIds: [this.#plan.marketId], page, size: 2000 };
      const answer = await this.#call('GET /trades', { query, sort: ['id,asc'] });
      for (const trade of answer.trades) {
        const id = trade.order._ids[0];
        byOrder.set(id, (byOrder.get(id) ?? 0) + Math.round(trade.stake * 1e6));
        count += 1;
      }
      if (page + 1 >= answer._meta._page._totalPages) break;
    }
    for (const order of orders) {
      const matched =
        Math.round(order.stake * 1e6) - Math.round(order.stakeVoided * 1e6) - Math.round(order.stakeUnmatched * 1e6);
      if (matched !== (byOrder.get(order.id) ?? 0)) this.#breaches.push(`the trades of ${order.id} do not add up`);
    }
    return count;
  }

  async #call(endpoint: string, options: Parameters<VendorClient['call']>[1]): Promise<Json> {
    const { status, body } = await this.#client.call(endpoint, options);
    if (status >= 300) throw new Error(`${endpoint}: ${status} ${JSON.stringify(body)}`);
    return body;
  }
}

function matchedOf(orders: readonly Json[]): Record<string, number> {
  const matched: Record<string, number> = {};
  for (const order of orders) {
    const key = `${order.outcomeId} ${order.side}`;
    matched[key] = (matched[key] ?? 0) + Math.round((order.stake - order.stakeVoided - order.stakeUnmatched) * 1e6);
  }
  return matched;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as HammerPlan;
console.log(JSON.stringify(await new Hammer(plan).run()));
