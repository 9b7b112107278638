/** Finds the markets to follow in the catalogue, and keeps their status up to date by their books. */

import { concat, defer, ignoreElements, map, merge, mergeMap, type Observable, Subject, tap, toArray } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import type { Frozen } from '../../../codec/notation.ts';
import type { Instant } from '../../../core/number/units.ts';
import { failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import type { Params } from '../../wire/operations.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { type Reading, readInParts } from '../base/paged-lists.ts';
import type { FollowedBooks } from './followed-books.ts';
import { type BookDocument, type CatalogueDocument, whyNotFollowed } from './market-documents.ts';

type Filter = Frozen<Params<'listMarketCatalogue'>['filter']>;

/** A description weighs 1, and 200 is the most of one call (profile section 3); the stream has the same limit. */
const MARKETS_MAX = 200;
/** A book without prices weighs 2. */
const BOOKS_A_CALL = 100;
/** Names and new markets may wait; what is followed by name may not. */
const CATALOGUE_EVERY_MS = 60_000;
const PROJECTION = ['EVENT', 'MARKET_START_TIME', 'MARKET_DESCRIPTION', 'RUNNER_DESCRIPTION'] as const;

export class MarketsFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #books: FollowedBooks;
  readonly #wake = new Subject<void>();
  /** What was reported of markets that are not followed, and of those that were not found: each once. */
  readonly #noted = new Set<string>();
  #catalogueAt = Number.NEGATIVE_INFINITY;
  /** When markets that have a result were last read, ms on our clock. */
  #resultsAt = Number.NEGATIVE_INFINITY;

  constructor(context: WatchContext, table: MarketTable, books: FollowedBooks) {
    this.#context = context;
    this.#table = table;
    this.#books = books;
    const { clock, settings, emit } = context;
    const onComplete = (at: Instant): void => emit({ kind: 'read', feed: 'markets', at });
    const everyMs = readEveryMs(settings.feeds.markets);
    const reads$ = poll({ clock, everyMs, wake$: this.#wake, task: () => this.#read(), onComplete });
    const needed$ = table.documentsNeeded$.pipe(tap(() => this.#wake.next()));
    const closed$ = table.changed$.pipe(
      tap((market) => {
        if (market.status === 'Closed') books.forget(market.facts.id);
      }),
    );
    // Requests for documents are subscribed to before the first reading, because that reading may cause some.
    this.run$ = merge(needed$, closed$, reads$).pipe(ignoreElements());
  }

  /** Reads what is new in the catalogue, then the books of all followed markets. Emits false if something failed. */
  #read(): Observable<boolean> {
    const { clock } = this.#context;
    return defer(() => {
      const sought = this.#table.sought();
      const isTime = clock.now() - this.#catalogueAt >= CATALOGUE_EVERY_MS;
      const watched = isTime ? [this.#catalogue(this.#watchFilter(), true)] : [];
      const named = sought.length === 0 ? [] : [this.#catalogue({ marketIds: sought }, false)];
      return concat(...watched, ...named).pipe(
        toArray(),
        mergeMap((done) => this.#readBooks(sought).pipe(map((isRead) => isRead && !done.includes(false)))),
      );
    });
  }

  #watchFilter(): Filter {
    const { clock, settings } = this.#context;
    const { marketIds, eventIds, marketTypeIds, eventTypeIds, countries, venues, startsWithinMs } = settings.watch;
    const lists = {
      ...{ marketIds, eventIds, eventTypeIds, venues, marketCountries: countries, marketTypeCodes: marketTypeIds },
      marketBettingTypes: ['ODDS'] as const,
    };
    const given = Object.entries(lists).flatMap(([key, list]) => (list === undefined ? [] : [[key, list] as const]));
    const to = startsWithinMs === undefined ? undefined : new Date(clock.now() + startsWithinMs).toISOString();
    return { ...Object.fromEntries(given), ...(to !== undefined && { marketStartTime: { to } }) };
  }

  #catalogue(filter: Filter, isWatch: boolean): Observable<boolean> {
    const { calls, clock, note } = this.#context;
    const params = {
      ...{ filter, marketProjection: PROJECTION, sort: 'FIRST_TO_START' as const, maxResults: MARKETS_MAX },
    };
    return calls.call('listMarketCatalogue', params).pipe(
      map((outcome) => {
        if (outcome.kind !== 'answered') {
          note({ ...failureOf(outcome), kind: 'readFailed', what: 'markets' });
          return false;
        }
        if (isWatch) this.#catalogueAt = clock.now();
        if (isWatch && outcome.answer.length >= MARKETS_MAX)
          this.#noteOnce('markets', `there may be more than ${MARKETS_MAX}; only the first to start are followed`);
        for (const document of outcome.answer) this.#describe(document);
        return true;
      }),
    );
  }

  #describe(document: CatalogueDocument | Unreadable<CatalogueDocument>): void {
    if (document instanceof Unreadable) {
      const { marketId = 'without an id' } = document.part;
      return this.#noteOnce(`market ${marketId}`, 'its catalogue cannot be read; it is left out');
    }
    const why = whyNotFollowed(document);
    if (why !== undefined) return this.#noteOnce(`market ${document.marketId}`, `${why}; it is left out`);
    this.#context.onDescribed?.(document);
    this.#books.describe(document);
  }

  #noteOnce(what: string, details: string): void {
    if (this.#noted.has(what)) return;
    this.#noted.add(what);
    this.#context.note({ kind: 'unreadable', what, details });
  }

  #readBooks(sought: readonly string[]): Observable<boolean> {
    const { calls, clock, note } = this.#context;
    const since = clock.now();
    const followed = this.#due();
    const ids = new Set([...followed.map(({ facts }) => facts.id), ...this.#books.described(), ...sought]);
    const ask = (marketIds: readonly string[]) =>
      calls.call('listMarketBook', { marketIds }).pipe(
        map((outcome): Reading<BookDocument | Unreadable<BookDocument>> => {
          return outcome.kind === 'answered' ? { kind: 'read', rows: outcome.answer } : failureOf(outcome);
        }),
      );
    return readInParts([...ids], BOOKS_A_CALL, ask).pipe(
      map((reading) => {
        if (reading.kind === 'failed') {
          note({ ...reading, kind: 'readFailed', what: 'markets' });
          return false;
        }
        this.#fold(reading.rows, { since, followed, sought });
        return true;
      }),
    );
  }

  /**
   * The markets whose books are to be read. Those with a result are many after a day and rarely change, so they are
   * included only once in `resultEveryMs`.
   */
  #due(): readonly LiveMarket[] {
    const { clock, settings } = this.#context;
    const isTime = clock.now() - this.#resultsAt >= settings.timeouts.resultEveryMs;
    if (isTime) this.#resultsAt = clock.now();
    return isTime ? this.#table.all() : this.#table.all().filter((market) => !market.isOver);
  }

  #fold(
    rows: readonly (BookDocument | Unreadable<BookDocument>)[],
    asked: { readonly since: number; readonly followed: readonly LiveMarket[]; readonly sought: readonly string[] },
  ): void {
    const seen = new Set<string | undefined>();
    for (const book of rows) {
      if (book instanceof Unreadable) {
        seen.add(book.part.marketId);
        this.#noteOnce(`market ${book.part.marketId ?? 'without an id'}`, 'its book cannot be read');
      } else {
        seen.add(book.marketId);
        this.#books.take(book, asked.since);
      }
    }
    // A book that cannot be read may be of any market.
    if (seen.has(undefined)) return;
    for (const market of asked.followed) if (!seen.has(market.facts.id)) this.#onGone(market);
    const absent = asked.sought.filter((id) => !seen.has(id) && !this.#noted.has(id));
    for (const id of absent) this.#noted.add(id);
    if (absent.length > 0) this.#context.note({ kind: 'notFound', markets: absent });
    this.#table.missed(asked.sought);
  }

  /** A market that is shown no more is closed for good if it has its result, and not published otherwise. */
  #onGone(market: LiveMarket): void {
    this.#table.change(market, market.isOver ? { status: 'Closed' } : { published: false });
  }
}
