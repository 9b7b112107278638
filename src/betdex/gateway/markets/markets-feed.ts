/** Finds the markets to follow and keeps their status and facts up to date. */

import { EMPTY, ignoreElements, map, merge, mergeMap, type Observable, of, Subject, tap, throttleTime } from 'rxjs';
import { faultsText } from '../../../codec/fault.ts';
import { Unreadable } from '../../../codec/lenient.ts';
import type { Instant } from '../../../core/number/units.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketCondition, MarketDefinition } from '../../../exchange-live/markets/market-definition.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import { type Reading, readByIds, readPages } from '../../lists/complete-lists.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { heardOf, type StreamFeed } from '../base/stream-feed.ts';
import {
  besideMarkets,
  conditionOfStatus,
  conditionOfUpdate,
  definitionOf,
  type MarketsAnswer,
} from './market-documents.ts';

/**
 * Statuses of a market without a result. Markets that already have one at the first reading are not followed, unless they are
 * followed by name.
 */
const BEFORE_RESULT = ['Initializing', 'Open', 'Locking', 'Locked', 'Settling', 'Voiding'] as const;
const size = 500;
/** Doubts within this time, ms, cause one reading. */
const DOUBTS_TOGETHER_MS = 1_000;

/** What was streamed of a market, and when it was received, ms on our clock. */
interface Told {
  readonly condition: Partial<MarketCondition>;
  readonly receivedAt: number;
}

export class MarketsFeed {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #wake = new Subject<void>();
  readonly #doubts = new Subject<void>();
  /** What was streamed of each market since the newest reading began. */
  readonly #told = new Map<LiveMarket, Told[]>();
  /** Markets followed by name that were not found; each is reported once. */
  readonly #notFound = new Set<string>();
  /** What is wrong with the documents that cannot be read, by market id: each is reported when that changes. */
  readonly #unreadable = new Map<string, string>();
  /** When markets that have a result were last read, ms on our clock. */
  #resultsAt = Number.NEGATIVE_INFINITY;

  constructor(context: WatchContext, table: MarketTable, stream: StreamFeed | undefined) {
    this.#context = context;
    this.#table = table;
    const { clock, settings, emit } = context;
    const everyMs = readEveryMs(settings.feeds.markets);
    const onComplete = (at: Instant): void => emit({ kind: 'read', feed: 'markets', at });
    const reads$ = poll({ clock, everyMs, wake$: this.#wake, task: () => this.#read(), onComplete });
    const doubts$ = this.#doubts.pipe(throttleTime(DOUBTS_TOGETHER_MS, clock, { leading: true, trailing: true }));
    const requests$ = merge(table.documentsNeeded$, doubts$).pipe(tap(() => this.#wake.next()));
    const closed$ = table.changed$.pipe(
      tap((market) => {
        if (market.status !== 'Closed') return;
        this.#told.delete(market);
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
    const updates$ = heardOf(stream, 'MarketUpdate').pipe(
      tap(({ message, receivedAt }) =>
        this.#onUpdate(message.marketId, { condition: conditionOfUpdate(message, note), receivedAt }),
      ),
    );
    const statuses$ = heardOf(stream, 'MarketStatusUpdate').pipe(
      tap(({ message, receivedAt }) =>
        this.#onUpdate(message.marketId, { condition: conditionOfStatus(message, note), receivedAt }),
      ),
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

  #onUpdate(id: string, told: Told): void {
    const market = this.#table.find(id);
    // An update that was held back may be older than the document that is known.
    if (market === undefined || told.receivedAt < market.statusFreshAt) return;
    const { condition: changes } = told;
    // When and how a market ended stands in its document; if it closed before that was read, the result would be lost.
    const isResultKnown = (changes.settledAt ?? market.settledAt) !== undefined;
    if (changes.status === 'Closed' && !isResultKnown) return this.#wake.next();
    this.#told.set(market, [...(this.#told.get(market) ?? []), told]);
    if (this.#table.tell(market, changes)) this.#doubts.next();
    if (market.isOver && !isResultKnown) this.#wake.next();
  }

  /** Reads the markets of the watch, then the followed ones that are no longer among them. Emits false if something failed. */
  #read(): Observable<boolean> {
    const since = this.#context.clock.now();
    this.#told.clear();
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

  #readOthers(seen: SeenIds): Observable<boolean> {
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
          if (found !== undefined && isAbsent(found, market.facts.id)) this.#table.change(market, { published: false });
        }
        if (found !== undefined) this.#noteMissing(sought.filter((id) => isAbsent(found, id)));
        if (found !== undefined) this.#table.missed(sought);
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
  #missing(seen: SeenIds): readonly LiveMarket[] {
    const { clock, settings } = this.#context;
    const others = this.#table.all().filter(({ facts }) => !seen.has(facts.id));
    const isTime = clock.now() - this.#resultsAt >= settings.timeouts.resultEveryMs;
    if (isTime) this.#resultsAt = clock.now();
    return isTime ? others : others.filter((market) => !market.isOver || market.settledAt === undefined);
  }

  /** Takes over what was read. Returns the ids in it, or undefined if the reading failed. A market that cannot be read stays as it was, and grows old. */
  #fold(reading: Reading<MarketsAnswer>, since: number): SeenIds | undefined {
    const { note } = this.#context;
    if (reading.kind === 'failed') {
      note({ ...reading, kind: 'readFailed', what: 'markets' });
      return undefined;
    }
    const seen = new Set<string | undefined>();
    for (const answer of reading.answers) {
      const beside = besideMarkets(answer);
      for (const document of answer.markets) {
        const isOdd = document instanceof Unreadable;
        const id = isOdd ? document.part.id : document.id;
        seen.add(id);
        const definition = isOdd
          ? ({ kind: 'faults', faults: document.faults } as const)
          : definitionOf(document, beside, note);
        this.#noteUnreadable(id, definition.kind === 'read' ? undefined : faultsText(definition.faults));
        if (definition.kind === 'read') this.#take(definition.value, since);
      }
    }
    return seen;
  }

  #noteUnreadable(id = 'without an id', details: string | undefined): void {
    if (this.#unreadable.get(id) === details) return;
    if (details === undefined) {
      this.#unreadable.delete(id);
      return;
    }
    this.#unreadable.set(id, details);
    this.#context.note({ kind: 'unreadable', what: `market ${id}`, details: `${details}; it is left out` });
  }

  #take(definition: MarketDefinition, since: number): void {
    const { facts } = definition;
    const market = this.#table.find(facts.id);
    if (market === undefined) return this.#takeNew(definition, since);
    const told = (this.#told.get(market) ?? []).filter(({ receivedAt }) => receivedAt >= since);
    const conditions = told.map(({ condition }) => condition);
    this.#table.redefine(market, market.withTold(definition, conditions), since);
    // What was streamed meanwhile may be newer or older than the answer: the next reading settles it.
    if (told.length > 0) this.#doubts.next();
  }

  #takeNew(definition: MarketDefinition, since: number): void {
    const { facts, condition } = definition;
    if (condition.status === 'Closed' && !this.#table.isFollowed(facts.id)) return;
    this.#table.add(definition, since);
  }
}

/** The ids of markets in an answer; undefined is among them if a market in it has no readable id. */
type SeenIds = ReadonlySet<string | undefined>;

/** Whether the exchange does not show the market. A document without a readable id may be of any market. */
function isAbsent(seen: SeenIds, id: string): boolean {
  return !seen.has(id) && !seen.has(undefined);
}
