/** Emits reports of orders, each after its market was listed: reports that come before are held until then. */

import { ignoreElements, type Observable, tap } from 'rxjs';
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

  constructor(context: TradingContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
    this.run$ = table.listed$.pipe(
      tap(({ facts }) => this.#release(facts.id)),
      ignoreElements(),
    );
  }

  /** Emits the report, or holds it until its market is listed. A market that is not followed yet is followed from now on. */
  emit(message: OrderMessage, marketId: string): void {
    if (this.#table.wasListed(marketId)) return this.#context.emit(message);
    const held = this.#held.get(marketId) ?? new Map<number, OrderMessage>();
    this.#held.set(marketId, held.set(message.order.order, message));
    this.#table.follow([marketId]);
  }

  #release(marketId: string): void {
    const held = this.#held.get(marketId);
    this.#held.delete(marketId);
    for (const message of held?.values() ?? []) this.#context.emit(message);
  }
}
