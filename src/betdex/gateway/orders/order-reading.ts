/** Reads orders over REST: by state, id, reference or market; each as facts with its fills. */

import { defer, map, type Observable } from 'rxjs';
import { instant } from '../../../core/number/units.ts';
import { LIVE_STATUSES } from '../../../core/order.ts';
import type { Priority } from '../../../exchange-live/connection/priority.ts';
import type { OrderFacts, TermsOf } from '../../../exchange-live/orders/order-facts.ts';
import type { OrderReader, OrdersRead, UnreadableOrder } from '../../../exchange-live/orders/order-source.ts';
import type { CallInput, LenientAnswerOf } from '../../client/call.ts';
import { type Reading, readByIds, readPages } from '../../lists/complete-lists.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { factsOfDocument, fillsByOrder, namesOf } from './order-documents.ts';

type Answer = LenientAnswerOf<'listOrders'>;
type OrdersQuery = NonNullable<CallInput<'listOrders'>['query']>;

/** Page size of order lists; the exchange refuses larger ones (profile section 2). */
const size = 500;

export class OrderReading implements OrderReader {
  readonly #context: GatewayContext;

  readonly #termsOf: TermsOf;

  /** `termsOf`: what is known of our own orders, which fills what a document leaves out. */
  constructor(context: GatewayContext, termsOf: TermsOf) {
    this.#context = context;
    this.#termsOf = termsOf;
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
    const readAt = instant(Math.floor(askedAt));
    const orders: OrderFacts[] = [];
    const unreadable: UnreadableOrder[] = [];
    for (const answer of reading.answers) {
      const background = { fills: fillsByOrder(answer.trades, note), termsOf: this.#termsOf, readAt };
      for (const document of answer.orders) {
        const facts = factsOfDocument(document, background, note);
        if (facts === undefined) unreadable.push(namesOf(document));
        else orders.push(facts);
      }
    }
    return { kind: 'read', orders, unreadable, askedAt };
  }
}
