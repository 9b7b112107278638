/** The stream of Betfair as gateways use it: news of markets and of orders, what proves that they are all, and the news of its connection. */

import { type Observable, Subject } from 'rxjs';
import type { NativeNews } from '../../exchange/native-news.ts';
import type { StreamNews } from '../../exchange-live/adapter/edge-event.ts';
import type { StreamEvent, WholeChange } from './connection/stream-event.ts';
import type { StreamClientOptions } from './connection/stream-settings.ts';
import type { MarketCriteria, OrderCriteria } from './connection/subscription.ts';
import { MarketCache, type MarketNews } from './markets/market-cache.ts';
import { nativeNews } from './native-news.ts';
import { OrderCache, type OrderNews } from './orders/order-cache.ts';
import { StreamClient } from './stream-client.ts';

export type StreamProof = Extract<StreamEvent, { readonly kind: 'proven' }>;
export type StreamRefusal = Extract<StreamEvent, { readonly kind: 'refused' }>;

export class BetfairStream {
  /** All are hot and never end. News of a feed come before the proof that they are all. */
  readonly markets$: Observable<MarketNews>;
  readonly orders$: Observable<OrderNews>;
  readonly proven$: Observable<StreamProof>;
  /** The exchange does not take a subscription, because there are too many markets. */
  readonly refused$: Observable<StreamRefusal>;
  /** Up, down, trouble and resync, for the events of the exchange. */
  readonly news$: Observable<StreamNews>;
  readonly native$: Observable<NativeNews>;
  readonly #client: StreamClient;
  readonly #cachedMarkets = new MarketCache();
  readonly #cachedOrders = new OrderCache();
  readonly #markets = new Subject<MarketNews>();
  readonly #orders = new Subject<OrderNews>();
  readonly #proofs = new Subject<StreamProof>();
  readonly #refusals = new Subject<StreamRefusal>();
  readonly #news = new Subject<StreamNews>();

  /** Connects to nothing before `start`. @throws AssertionFailure for limits that cannot be */
  constructor(options: StreamClientOptions) {
    this.#client = new StreamClient(options);
    this.markets$ = this.#markets.asObservable();
    this.orders$ = this.#orders.asObservable();
    this.proven$ = this.#proofs.asObservable();
    this.refused$ = this.#refusals.asObservable();
    this.news$ = this.#news.asObservable();
    this.native$ = nativeNews(this.#client.events$);
    this.#client.events$.subscribe((event) => this.#onEvent(event));
  }

  /** Subscribes to markets, or to others than before: then they begin with a new image. */
  markets(criteria: MarketCriteria): void {
    this.#client.markets(criteria);
  }

  orders(criteria: OrderCriteria): void {
    this.#client.orders(criteria);
  }

  start(): void {
    this.#client.start();
  }

  close(): void {
    this.#client.close();
  }

  #onEvent(event: StreamEvent): void {
    switch (event.kind) {
      case 'change':
        return this.#onChange(event.change);
      case 'proven':
        return this.#proofs.next(event);
      case 'refused':
        return this.#refusals.next(event);
      case 'gap':
        // It is told by the image, and by the resync.
        return undefined;
      case 'up':
      case 'down':
      case 'trouble':
      case 'resync':
        return this.#news.next(event);
    }
  }

  #onChange(change: WholeChange): void {
    if (change.feed === 'markets') {
      for (const news of this.#cachedMarkets.take(change)) {
        this.#markets.next(news);
        if (news.kind === 'unreadable') this.#unreadable(`market ${news.id ?? 'without an id'}: ${news.details}`);
      }
      return;
    }
    for (const news of this.#cachedOrders.take(change)) {
      this.#orders.next(news);
      if (news.kind === 'unreadable')
        this.#unreadable(`order ${news.betId ?? 'without an id'} of ${news.marketId ?? 'a market'}`);
    }
  }

  #unreadable(details: string): void {
    this.#news.next({ kind: 'trouble', connection: 0, code: 'UNREADABLE', details });
  }
}
