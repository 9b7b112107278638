/** Tells the feed of orders, each after the market that it is in: what comes before is held until that is listed. */

import { ignoreElements, type Observable, tap } from 'rxjs';
import type { FeedMessage } from '../../exchange/gateway.ts';
import type { MarketTable } from '../markets/market-table.ts';
import type { TradingContext } from './trading-context.ts';

export type OrderMessage = Extract<FeedMessage, { readonly kind: 'order' }>;

export class OrderUpdates {
  /** Does the work; emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: TradingContext;
  readonly #table: MarketTable;
  /** By market id and order: the newest report of each, in the order in which the orders were first heard of. */
  readonly #held = new Map<string, Map<number, OrderMessage>>();

  constructor(context: TradingContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
    this.run$ = table.listed$.pipe(
      tap(({ facts }) => this.#release(facts.id)),
      ignoreElements(),
    );
  }

  /** A market that nobody follows yet is followed from now on. */
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
