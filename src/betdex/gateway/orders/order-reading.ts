/** Reads orders over REST: by state, id, reference or market; each as facts with its fills. */

import { defer, map, type Observable } from 'rxjs';
import { LIVE_STATUSES } from '../../../core/order.ts';
import type { Priority } from '../../../exchange-live/connection/priority.ts';
import type { OrderReader, OrdersRead } from '../../../exchange-live/orders/order-source.ts';
import type { AnswerOf, CallInput } from '../../client/call.ts';
import { type Reading, readByIds, readPages } from '../../lists/complete-lists.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { factsOfDocument, fillsByOrder } from './order-documents.ts';

type Answer = AnswerOf<'listOrders'>;
type OrdersQuery = NonNullable<CallInput<'listOrders'>['query']>;

/** Page size of order lists; the exchange refuses larger ones (profile section 2). */
const size = 500;

export class OrderReading implements OrderReader {
  readonly #context: GatewayContext;

  constructor(context: GatewayContext) {
    this.#context = context;
  }

  live(): Observable<OrdersRead> {
    const { wallets: walletIds } = this.#context.settings;
    return this.#all({ walletIds, statuses: LIVE_STATUSES });
  }

  /**
   * Reads the orders that are live, and those that matched and have no result yet. Older ones come first, so that new orders do
   * not shift the pages.
   */
  open(): Observable<OrdersRead> {
    const { wallets: walletIds } = this.#context.settings;
    const statuses = [...LIVE_STATUSES, 'Matched'] as const;
    return this.#all({ walletIds, statuses, sort: ['createdAt,asc', 'id,asc'] });
  }

  ofMarket(marketId: string): Observable<OrdersRead> {
    return this.#all({ marketIds: [marketId], walletIds: this.#context.settings.wallets });
  }

  byIds(orders: readonly number[], priority: Priority = 'poll'): Observable<OrdersRead> {
    return this.#byIds(orders.map(String), (ids) => ({ query: { ids, size }, priority }));
  }

  byReferences(references: readonly string[]): Observable<OrdersRead> {
    const appIds = [this.#context.settings.appId];
    return this.#byIds(references, (some) => ({ query: { references: some, appIds, size }, priority: 'order' }));
  }

  #all(query: OrdersQuery): Observable<OrdersRead> {
    return this.#read(() => readPages(this.#context.calls, 'listOrders', { query: { ...query, size } }));
  }

  #byIds(
    ids: readonly string[],
    inputWith: (ids: readonly string[]) => CallInput<'listOrders'>,
  ): Observable<OrdersRead> {
    return this.#read(() => readByIds(this.#context.calls, 'listOrders', ids, inputWith));
  }

  #read(reading$: () => Observable<Reading<Answer>>): Observable<OrdersRead> {
    return defer(() => {
      const askedAt = this.#context.clock.now();
      return reading$().pipe(map((reading) => this.#facts(reading, askedAt)));
    });
  }

  #facts(reading: Reading<Answer>, askedAt: number): OrdersRead {
    if (reading.kind === 'failed') return reading;
    const { note } = this.#context;
    const orders = reading.answers.flatMap(({ orders: each, trades }) => {
      const fills = fillsByOrder(trades, note);
      return each.flatMap((document) => factsOfDocument(document, fills, note) ?? []);
    });
    const documents = reading.answers.reduce((sum, answer) => sum + answer.orders.length, 0);
    return { kind: 'read', orders, isComplete: orders.length === documents, askedAt };
  }
}
