/** Keeps the books of the markets followed. */

import { concatMap, from, ignoreElements, map, merge, type Observable, Subject, tap } from 'rxjs';
import type { AnswerOf, CallOutcome } from '../call.ts';
import { idListsFor } from '../id-lists.ts';
import { PRICE_FAULTS, type PriceFault, type PriceUpdate } from '../stream/market-prices.ts';
import type { LiveMarket } from './live-market.ts';
import type { MarketTable } from './market-table.ts';
import { poll } from './poll.ts';
import { readEveryMs } from './settings.ts';
import { messagesOf, type StreamFeed } from './stream-feed.ts';
import { failureOf } from './whole-lists.ts';
import type { WatchWiring } from './wiring.ts';

/** Faults of one update told by name; the others are of the same kind. */
const FAULTS_TOLD = 3;

export class PricesFeed {
  /** Does the work; emits nothing. */
  readonly run$: Observable<never>;
  readonly #wiring: WatchWiring;
  readonly #table: MarketTable;
  /** When the stream last spoke of a market's prices. */
  readonly #heardAt = new Map<LiveMarket, number>();

  constructor(wiring: WatchWiring, table: MarketTable, stream: StreamFeed | undefined) {
    this.#wiring = wiring;
    this.#table = table;
    const { clock, settings } = wiring;
    const wake = new Subject<void>();
    const everyMs = readEveryMs(settings.feeds.prices);
    const reads$ = poll({ clock, everyMs, wake$: wake, task: () => this.#read() });
    const added$ = table.added$.pipe(
      tap(({ facts }) => {
        stream?.subscribe('MarketPriceUpdate', [facts.id]);
        wake.next();
      }),
    );
    const closed$ = table.changed$.pipe(
      tap((market) => {
        if (market.status === 'Closed') this.#heardAt.delete(market);
      }),
    );
    const heard$ = stream === undefined ? from([]) : this.#listen(stream, wake);
    this.run$ = merge(added$, closed$, heard$, reads$).pipe(ignoreElements());
  }

  #listen(stream: StreamFeed, wake: Subject<void>): Observable<unknown> {
    const updates$ = messagesOf(stream, 'MarketPriceUpdate').pipe(tap((update) => this.#heard(update)));
    return merge(updates$, stream.resync$.pipe(tap(() => wake.next())));
  }

  /** A change to a book that we do not have yet waits for the book: it comes with the snapshot, or by REST. */
  #heard(update: PriceUpdate): void {
    const market = this.#table.find(update.marketId);
    if (market === undefined) return;
    this.#noteFaults(market, this.#table.books.fold(update));
    if (!market.prices.isKnown) return;
    this.#heardAt.set(market, this.#wiring.clock.now());
    this.#table.heardPrices(market);
  }

  /** Group by group; one that fails does not hold up the others. */
  #read(): Observable<boolean> {
    const { calls, clock } = this.#wiring;
    const open = this.#table.all().filter((market) => !market.isOver);
    const ids = open.map(({ facts }) => facts.id);
    const inputWith = (marketIds: readonly string[]) => ({ query: { marketIds, includeEmpty: true } });
    return from(idListsFor('listPrices', inputWith([]), ids)).pipe(
      concatMap((some) => {
        const since = clock.now();
        return calls.call('listPrices', inputWith(some)).pipe(map((outcome) => this.#take(outcome, since)));
      }),
    );
  }

  /** Whether there was an answer to take. */
  #take(outcome: CallOutcome<AnswerOf<'listPrices'>>, since: number): boolean {
    const { note } = this.#wiring;
    if (outcome.kind !== 'answered') {
      note({ ...failureOf(outcome), kind: 'readFailed', what: 'prices' });
      return false;
    }
    for (const book of outcome.answer.prices) {
      const market = this.#table.find(book.marketId);
      if (market === undefined) continue;
      // What the stream said since we asked may be newer than the answer; what it says later is absolute again.
      if ((this.#heardAt.get(market) ?? Number.NEGATIVE_INFINITY) >= since) continue;
      this.#noteFaults(market, this.#table.books.replace(book));
      this.#table.heardPrices(market);
    }
    return true;
  }

  #noteFaults(market: LiveMarket, faults: readonly PriceFault[]): void {
    if (faults.length === 0) return;
    const told = faults.slice(0, FAULTS_TOLD).map(({ code, path }) => `${path}: ${PRICE_FAULTS[code]} (${code})`);
    const details = faults.length > told.length ? `${told.join('; ')}; and others` : told.join('; ');
    this.#wiring.note({ kind: 'unreadable', what: `prices of market ${market.facts.id}`, details });
  }
}
