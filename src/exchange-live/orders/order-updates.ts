/** Emits reports of orders, each after its market was listed: reports that come before are held until then, or until the market is missed. */

import { ignoreElements, merge, type Observable, tap } from 'rxjs';
import type { FeedMessage } from '../../exchange/gateway.ts';
import type { MarketTable } from '../markets/market-table.ts';
import type { TradingContext } from './trading-context.ts';

export type OrderMessage = Extract<FeedMessage, { readonly kind: 'order' }>;

/** Keeps the order of messages: a market before its orders. */
export class OrderUpdates {
  /** Runs until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: TradingContext;
  readonly #table: MarketTable;
  /** The newest held report of each order, by market id and order id, in the order in which the orders were first reported. */
  readonly #held = new Map<string, Map<number, OrderMessage>>();

  /** Orders that an earlier process sent: what they hold counts although their market does not come. */
  readonly #earlier = new Set<number>();
  readonly #missed = new Set<string>();

  constructor(context: TradingContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
    const listed$ = table.listed$.pipe(tap(({ facts }) => this.#release(facts.id)));
    this.run$ = merge(listed$, table.missed$.pipe(tap((id) => this.#miss(id)))).pipe(ignoreElements());
  }

  restore(client: number): void {
    this.#earlier.add(client);
  }

  /** Emits the report, or holds it until its market is listed. A market that is not followed yet is followed from now on. */
  emit(message: OrderMessage, marketId: string): void {
    if (this.#table.wasListed(marketId) || this.#passes(message, marketId)) return this.#context.emit(message);
    const held = this.#held.get(marketId) ?? new Map<number, OrderMessage>();
    this.#held.set(marketId, held.set(message.order.order, message));
    this.#table.follow([marketId]);
  }

  #passes({ order }: OrderMessage, marketId: string): boolean {
    return this.#missed.has(marketId) && this.#earlier.has(order.client);
  }

  #miss(marketId: string): void {
    this.#missed.add(marketId);
    const held = this.#held.get(marketId);
    for (const [order, message] of held ?? [])
      if (this.#passes(message, marketId)) {
        held?.delete(order);
        this.#context.emit(message);
      }
  }

  #release(marketId: string): void {
    const held = this.#held.get(marketId);
    this.#held.delete(marketId);
    for (const message of held?.values() ?? []) this.#context.emit(message);
  }
}
