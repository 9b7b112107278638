/** What users did in markets, until long after those were cleared away: their orders as they ended, and their commission. */

import type { Instant, Money } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import type { Exchange } from '../../matching/exchange.ts';
import type { MarketView, OrderView } from '../../matching/state/views.ts';
import type { AppRegistry } from './app-registry.ts';
import type { Catalogue } from './catalogue.ts';
import type { EventRecord, MarketRecord } from './records.ts';

/** An order that has ended: nothing of it rests or is Pending. */
export interface ClearedOrder {
  readonly order: OrderView;
  readonly stakeMatched: Money;
  /** The mean of its trades' prices by stake, in 10⁻³, not rounded; absent where nothing matched. */
  readonly averagePrice?: number;
  readonly lastMatchedAt?: Instant;
  /** Whether a removal changed the price of a bet of it. */
  readonly isReduced: boolean;
  /** Before commission; 0 until its market is settled. */
  readonly profit: Money;
}

/** What a wallet did in one market. */
export interface ClearedMarket {
  readonly wallet: number;
  readonly market: MarketRecord;
  readonly event: EventRecord;
  /** The machine's view, with the result; `settledAt` is absent until there is one. */
  readonly view: MarketView;
  readonly commission: Money;
  /** In the order of their ids. */
  readonly orders: readonly ClearedOrder[];
}

interface Parts {
  readonly exchange: Exchange;
  readonly catalogue: Catalogue;
  readonly registry: AppRegistry;
  /** The most orders that are kept of markets that were cleared away; beyond it the oldest markets go, and are counted. */
  readonly ordersMax: number;
}

export class ClearedOrders {
  readonly #parts: Parts;
  /** By wallet, the oldest first. */
  readonly #kept = new Map<number, ClearedMarket[]>();
  /** Wallets of the kept markets, in the order in which these were cleared away. */
  readonly #order: number[] = [];
  /** Orders with a bet whose price a removal changed, by market. */
  readonly #reduced = new Map<number, Set<number>>();
  #count = 0;
  #dropped = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many orders were dropped because there were too many. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The markets in which a wallet has ended orders: those that were cleared away first, then those still there. */
  ofWallet(wallet: number): readonly ClearedMarket[] {
    const { exchange } = this.#parts;
    const there = [...exchange.positionsOfWallet(wallet)]
      .reverse()
      .map(({ market }) => this.#clearedOf(wallet, market));
    return [...(this.#kept.get(wallet) ?? []), ...there.filter((cleared) => cleared !== undefined)];
  }

  /** Notes that a removal changed the price of a trade. */
  repriced(trade: number): void {
    const order = this.#parts.exchange.trade(trade)?.order;
    const market = order === undefined ? undefined : this.#parts.exchange.marketOfOrder(order);
    if (order === undefined || market === undefined) return;
    this.#reduced.set(market, (this.#reduced.get(market) ?? new Set()).add(order));
  }

  /** What users did in a market that is about to be cleared away. */
  picture(market: number): readonly ClearedMarket[] {
    const users = this.#parts.registry.apps.filter(({ isHouse }) => !isHouse);
    const wallets = users.flatMap(({ app }) => this.#parts.exchange.app(app)?.wallets ?? []);
    return wallets.map((wallet) => this.#clearedOf(wallet, market)).filter((cleared) => cleared !== undefined);
  }

  /** Keeps a picture of a market that was cleared away. */
  keep(market: number, picture: readonly ClearedMarket[]): void {
    this.#reduced.delete(market);
    for (const cleared of picture) {
      const list = this.#kept.get(cleared.wallet);
      if (list === undefined) this.#kept.set(cleared.wallet, [cleared]);
      else list.push(cleared);
      this.#order.push(cleared.wallet);
      this.#count += cleared.orders.length;
    }
    while (this.#count > this.#parts.ordersMax) this.#dropOldest();
  }

  #dropOldest(): void {
    const list = this.#kept.get(this.#order.shift() ?? -1) ?? [];
    const orders = list.shift()?.orders.length ?? 0;
    this.#count -= orders;
    this.#dropped += orders;
  }

  #clearedOf(wallet: number, market: number): ClearedMarket | undefined {
    const { exchange, catalogue } = this.#parts;
    const record = catalogue.markets.get(market);
    const event = record === undefined ? undefined : catalogue.events.get(record.event);
    const view = exchange.market(market);
    if (record === undefined || event === undefined || view === undefined) return undefined;
    const ended = [...exchange.ordersOfPosition(wallet, market)].filter(({ status }) => !isLive(status));
    if (ended.length === 0) return undefined;
    const orders = ended.map((order) => this.#clearedOrder(order));
    return { wallet, market: record, event, view, commission: exchange.commissionOf(wallet, market), orders };
  }

  #clearedOrder(order: OrderView): ClearedOrder {
    const trades = [...this.#parts.exchange.tradesOfOrder(order.id)];
    const stakeMatched = (order.stake - order.stakeUnmatched - order.stakeVoided) as Money;
    const stake = sum(trades, (each) => each.stake);
    const paid = sum(trades, (each) => each.stake * each.price);
    const last = trades.at(-1);
    return {
      order,
      stakeMatched,
      ...(stake === 0 ? {} : { averagePrice: paid / stake }),
      ...(last === undefined ? {} : { lastMatchedAt: last.createdAt }),
      isReduced: this.#reduced.get(order.market)?.has(order.id) === true,
      profit: this.#parts.exchange.profitOfOrder(order.id),
    };
  }
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
