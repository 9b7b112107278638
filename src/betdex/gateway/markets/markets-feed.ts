/** Finds the markets to follow and keeps their status and facts up to date. */

import { EMPTY, ignoreElements, map, merge, mergeMap, type Observable, of, Subject, tap } from 'rxjs';
import type { Instant } from '../../../core/number/units.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketCondition, MarketDefinition } from '../../../exchange-live/markets/market-definition.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import { type Reading, readByIds, readPages } from '../../lists/complete-lists.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { messagesOf, type StreamFeed } from '../base/stream-feed.ts';
import {
  conditionOfStatus,
  conditionOfUpdate,
  definitionOf,
  type MarketStatusUpdate,
  type MarketsAnswer,
  type MarketUpdate,
} from './market-documents.ts';

/**
 * Statuses of a market without a result. Markets that already have one at the first reading are not followed, unless they are
 * followed by name.
 */
const BEFORE_RESULT = ['Initializing', 'Open', 'Locking', 'Locked', 'Settling', 'Voiding'] as const;
const size = 500;

export class MarketsFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #wake = new Subject<void>();
  /** When the stream last sent an update of each market, ms on our clock. */
  readonly #streamedAt = new Map<LiveMarket, number>();
  /** Markets followed by name that were not found; each is reported once. */
  readonly #notFound = new Set<string>();
  /** When markets that have a result were last read, ms on our clock. */
  #resultsAt = Number.NEGATIVE_INFINITY;

  constructor(context: WatchContext, table: MarketTable, stream: StreamFeed | undefined) {
    this.#context = context;
    this.#table = table;
    const { clock, settings, emit } = context;
    const everyMs = readEveryMs(settings.feeds.markets);
    const onComplete = (at: Instant): void => emit({ kind: 'read', feed: 'markets', at });
    const reads$ = poll({ clock, everyMs, wake$: this.#wake, task: () => this.#read(), onComplete });
    const requests$ = table.documentsNeeded$.pipe(tap(() => this.#wake.next()));
    const closed$ = table.changed$.pipe(
      tap((market) => {
        if (market.status !== 'Closed') return;
        this.#streamedAt.delete(market);
        stream?.unsubscribe('MarketUpdate', [market.facts.id]);
        stream?.unsubscribe('MarketStatusUpdate', [market.facts.id]);
      }),
    );
    const streamed$ = stream === undefined ? EMPTY : this.#listen(stream);
    // Requests for documents are subscribed to before the first reading, because that reading may cause some.
    this.run$ = merge(requests$, closed$, streamed$, reads$).pipe(ignoreElements());
  }

  #listen(stream: StreamFeed): Observable<never> {
    const { note } = this.#context;
    const updates$ = messagesOf(stream, 'MarketUpdate').pipe(
      tap((update: MarketUpdate) => this.#onUpdate(update.marketId, conditionOfUpdate(update, note))),
    );
    const statuses$ = messagesOf(stream, 'MarketStatusUpdate').pipe(
      tap((update: MarketStatusUpdate) => this.#onUpdate(update.marketId, conditionOfStatus(update, note))),
    );
    const added$ = this.#table.added$.pipe(
      tap(({ facts }) => {
        stream.subscribe('MarketUpdate', [facts.id]);
        stream.subscribe('MarketStatusUpdate', [facts.id]);
      }),
    );
    const resyncs$ = stream.resync$.pipe(tap(() => this.#wake.next()));
    return merge(updates$, statuses$, added$, resyncs$).pipe(ignoreElements());
  }

  #onUpdate(id: string, changes: Partial<MarketCondition>): void {
    const market = this.#table.find(id);
    if (market === undefined) return;
    // When and how a market ended stands in its document; if it closed before that was read, the result would be lost.
    const isResultKnown = (changes.settledAt ?? market.settledAt) !== undefined;
    if (changes.status === 'Closed' && !isResultKnown) return this.#wake.next();
    this.#streamedAt.set(market, this.#context.clock.now());
    this.#table.change(market, changes);
    if (market.isOver && !isResultKnown) this.#wake.next();
  }

  /** Reads the markets of the watch, then the followed ones that are no longer among them. Emits false if something failed. */
  #read(): Observable<boolean> {
    const since = this.#context.clock.now();
    return this.#watched().pipe(
      mergeMap((reading) => {
        const seen = this.#fold(reading, since);
        return seen === undefined ? of(false) : this.#readOthers(seen);
      }),
    );
  }

  /** Reads the watched markets, in as many calls as their ids need. */
  #watched(): Observable<Reading<MarketsAnswer>> {
    const { calls, settings } = this.#context;
    const { marketIds, eventIds, marketTypeIds } = settings.watch;
    const query = {
      eventIds,
      marketTypeIds,
      currencyIds: [settings.currency],
      statuses: BEFORE_RESULT,
      size,
      // New markets come last, so that no page shifts while the list is read.
      sort: ['createdAt,asc'],
    };
    if (marketIds !== undefined)
      return readByIds(calls, 'listMarkets', marketIds, (ids) => ({ query: { ...query, ids } }));
    if (eventIds !== undefined)
      return readByIds(calls, 'listMarkets', eventIds, (some) => ({ query: { ...query, eventIds: some } }));
    return readPages(calls, 'listMarkets', { query });
  }

  #readOthers(seen: ReadonlySet<string>): Observable<boolean> {
    const { calls, clock } = this.#context;
    const others = this.#missing(seen);
    const sought = this.#table.sought();
    const ids = [...others.map(({ facts }) => facts.id), ...sought];
    if (ids.length === 0) return of(true);
    const since = clock.now();
    return readByIds(calls, 'listMarkets', ids, (some) => ({ query: { ids: some, size } })).pipe(
      map((reading) => {
        const found = this.#fold(reading, since);
        // The market is no longer visible to us, which is how an unpublished market looks from outside.
        for (const market of others) {
          if (found !== undefined && !found.has(market.facts.id)) this.#table.change(market, { published: false });
        }
        if (found !== undefined) this.#noteMissing(sought.filter((id) => !found.has(id)));
        return found !== undefined;
      }),
    );
  }

  #noteMissing(ids: readonly string[]): void {
    const fresh = ids.filter((id) => !this.#notFound.has(id));
    for (const id of fresh) this.#notFound.add(id);
    if (fresh.length > 0) this.#context.note({ kind: 'notFound', markets: fresh });
  }

  /**
   * The followed markets that were not in the answer. Markets with a result are many after a day and rarely change, so they are
   * included only once in `resultEveryMs`.
   */
  #missing(seen: ReadonlySet<string>): readonly LiveMarket[] {
    const { clock, settings } = this.#context;
    const others = this.#table.all().filter(({ facts }) => !seen.has(facts.id));
    const isTime = clock.now() - this.#resultsAt >= settings.timeouts.resultEveryMs;
    if (isTime) this.#resultsAt = clock.now();
    return isTime ? others : others.filter((market) => !market.isOver || market.settledAt === undefined);
  }

  /** Takes over what was read. Returns the ids read, or undefined if the reading failed. */
  #fold(reading: Reading<MarketsAnswer>, since: number): ReadonlySet<string> | undefined {
    const { note } = this.#context;
    if (reading.kind === 'failed') {
      note({ ...reading, kind: 'readFailed', what: 'markets' });
      return undefined;
    }
    const seen = new Set<string>();
    for (const answer of reading.answers) {
      for (const document of answer.markets) {
        const definition = definitionOf(document, answer, note);
        seen.add(document.id);
        this.#take(definition, since);
      }
    }
    return seen;
  }

  #take(definition: MarketDefinition, since: number): void {
    const { facts } = definition;
    const market = this.#table.find(facts.id);
    if (market === undefined) return this.#takeNew(definition, since);
    // The stream's update arrived after this reading was requested and may be newer than the answer: the next reading settles
    // it.
    if ((this.#streamedAt.get(market) ?? Number.NEGATIVE_INFINITY) >= since) return this.#wake.next();
    this.#table.redefine(market, definition, since);
  }

  #takeNew(definition: MarketDefinition, since: number): void {
    const { facts, condition } = definition;
    if (condition.status === 'Closed' && !this.#table.isFollowed(facts.id)) return;
    if (facts.outcomes.length > 0) return this.#table.add(definition, since);
    this.#context.note({ kind: 'unreadable', what: `market ${facts.id}`, details: 'it has no outcomes' });
  }
}
