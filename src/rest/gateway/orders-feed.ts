/** Hears what becomes of the run's orders. */

import { ignoreElements, map, merge, mergeMap, type Observable, of, Subject, tap } from 'rxjs';
import type { Instant } from '../../core/units.ts';
import type { KnownOrders } from './known-orders.ts';
import { factsOfUpdate } from './order-documents.ts';
import type { OrderReading, OrdersRead } from './order-reading.ts';
import { poll } from './poll.ts';
import { readEveryMs } from './settings.ts';
import { messagesOf, type StreamFeed } from './stream-feed.ts';
import type { Wiring } from './wiring.ts';

export interface OrdersFeedParts {
  readonly wiring: Wiring;
  readonly known: KnownOrders;
  readonly reading: OrderReading;
}

export class OrdersFeed {
  /** Does the work; emits nothing. */
  readonly run$: Observable<never>;
  readonly #wiring: Wiring;
  readonly #known: KnownOrders;
  readonly #reading: OrderReading;
  readonly #wake = new Subject<void>();

  constructor({ wiring, known, reading }: OrdersFeedParts, stream: StreamFeed | undefined) {
    this.#wiring = wiring;
    this.#known = known;
    this.#reading = reading;
    const { clock, settings, tell } = wiring;
    const everyMs = readEveryMs(settings.feeds.orders);
    const whole = (at: Instant): void => tell({ kind: 'read', feed: 'orders', at });
    const reads$ = poll({ clock, everyMs, wake$: this.#wake, task: () => this.#read(), whole });
    this.run$ = stream === undefined ? reads$ : merge(this.#listen(stream), reads$);
  }

  /** Reads now: something happened to orders of which the exchange did not tell. */
  wake(): void {
    this.#wake.next();
  }

  #listen(stream: StreamFeed): Observable<never> {
    const { note, settings } = this.#wiring;
    const updates$ = messagesOf(stream, 'OrderUpdate').pipe(
      tap((update) => {
        const facts = factsOfUpdate(update, note);
        if (facts !== undefined) this.#known.hear(facts);
      }),
    );
    const resyncs$ = stream.resync$.pipe(tap(() => this.#wake.next()));
    const subscribed$ = of(settings.wallets.map((wallet) => `${settings.appId}:${wallet}`)).pipe(
      tap((ids) => stream.subscribe('OrderUpdate', ids)),
    );
    return merge(updates$, resyncs$, subscribed$).pipe(ignoreElements());
  }

  /**
   * All that is live, then those thought to be live that are not on that list, and those whose report is owed. An order
   * that cannot be read fails the reading: what it is now nobody knows.
   */
  #read(): Observable<boolean> {
    // Orders placed while the list is read are not missing from it.
    const live = this.#known.live();
    return this.#reading.live().pipe(
      mergeMap((read) => {
        const listed = this.#hear(read);
        if (listed === undefined) return of(false);
        const missing = live.filter((order) => !listed.ids.has(order));
        const others = [...new Set([...missing, ...this.#known.owed()])];
        // One that is not found either is asked for again next time: what was accepted may not be shown yet.
        if (others.length === 0) return of(listed.isWhole);
        return this.#reading.byIds(others).pipe(map((found) => this.#hear(found)?.isWhole === true && listed.isWhole));
      }),
    );
  }

  /** The ids read; undefined where the reading failed. */
  #hear(read: OrdersRead): { readonly ids: ReadonlySet<number>; readonly isWhole: boolean } | undefined {
    if (read.kind === 'failed') {
      this.#wiring.note({ ...read, kind: 'readFailed', what: 'orders' });
      return undefined;
    }
    for (const facts of read.orders) this.#known.hear(facts);
    return { ids: new Set(read.orders.map(({ id }) => id)), isWhole: read.isWhole };
  }
}
