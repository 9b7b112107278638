/** Keeps the books of the followed markets up to date, polled all together or streamed. */

import { concatMap, EMPTY, from, ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';
import type { Instant } from '../../../core/number/units.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { type FeedChoice, readEveryMs } from '../../../exchange-live/settings.ts';
import { idListsFor } from '../../lists/id-lists.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { heardOf, type StreamFeed } from '../base/stream-feed.ts';
import { pricesInput } from './price-calls.ts';
import { PriceReading } from './price-reading.ts';

export class PricesFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #table: MarketTable;
  readonly #reading: PriceReading;

  constructor(context: WatchContext, table: MarketTable, choice: FeedChoice, stream: StreamFeed | undefined) {
    this.#table = table;
    this.#reading = new PriceReading(context, table);
    const { clock, emit } = context;
    const wake = new Subject<void>();
    const onComplete = (at: Instant): void => emit({ kind: 'read', feed: 'prices', at });
    const reads$ = poll({ clock, everyMs: readEveryMs(choice), wake$: wake, task: () => this.#read(), onComplete });
    const added$ = table.added$.pipe(
      tap(({ facts }) => {
        stream?.subscribe('MarketPriceUpdate', [facts.id]);
        wake.next();
      }),
    );
    const closed$ = table.changed$.pipe(
      tap((market) => {
        // An app has 500 subscriptions in all: a market with a result has no prices, so its subscription is given up for
        // another market.
        if (market.isOver) stream?.unsubscribe('MarketPriceUpdate', [market.facts.id]);
      }),
    );
    const streamed$ = stream === undefined ? EMPTY : this.#listen(stream, wake);
    this.run$ = merge(added$, closed$, streamed$, reads$).pipe(ignoreElements());
  }

  #listen(stream: StreamFeed, wake: Subject<void>): Observable<unknown> {
    const updates$ = heardOf(stream, 'MarketPriceUpdate').pipe(tap((heard) => this.#reading.onUpdate(heard)));
    const lost$ = stream.lost$.pipe(tap(() => this.#forgetHeard()));
    return merge(updates$, lost$, merge(stream.resync$, this.#reading.doubted$).pipe(tap(() => wake.next())));
  }

  /** What is known to be missed is noted as that. */
  #forgetHeard(): void {
    for (const { prices } of this.#table.all()) prices.forgetHeard();
  }

  /** Reads group by group; a group that fails does not hold up the others. Emits false if one failed. */
  #read(): Observable<boolean> {
    const ids = this.#table.priced().map(({ facts }) => facts.id);
    return from(idListsFor('listPrices', pricesInput([]), ids)).pipe(concatMap((some) => this.#reading.read(some)));
  }
}
