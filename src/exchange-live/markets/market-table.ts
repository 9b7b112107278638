/** The followed markets, by the port's index and by the exchange's id: the only place that maps one to the other. */

import { Subject } from 'rxjs';
import { defined } from '../../core/checks/assert.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import type { MarketCause } from '../../exchange/gateway.ts';
import { LiveMarket } from './live-market.ts';
import type { MarketContext } from './market-context.ts';
import type { MarketCondition, MarketDefinition } from './market-definition.ts';
import { MarketPrices } from './market-prices.ts';
import { OwnStakes } from './own-stakes.ts';

/** Freshness of what was never received. */
const NEVER = instant(0);

/**
 * A market is listed once its book is known, since nothing can be decided without prices. Markets followed by name (`follow`)
 * are there because the run holds something in them: they are listed without prices if they have none.
 */
export class MarketTable {
  /** Emits a market when it is found: its prices must be read before it is listed. */
  readonly added$ = new Subject<LiveMarket>();
  /**
   * Emits each market once: when its first book is known, or without a book if it is followed by name and can have no prices.
   */
  readonly listed$ = new Subject<LiveMarket>();
  /** Emits a market when its status or facts change, or when it already has a result when it is found. */
  readonly changed$ = new Subject<LiveMarket>();
  /** Emits when markets are followed of which nothing is known: their documents must be read. */
  readonly documentsNeeded$ = new Subject<void>();
  /** The run's own orders in the books; whoever follows orders says what becomes of them. */
  readonly own = new OwnStakes();
  /** Emits followed markets that a whole reading of documents did not bring, or whose document cannot be read. */
  readonly missed$ = new Subject<string>();
  readonly #context: MarketContext;
  /** Whether a closed market is shown as closed at once, or only after `close`, when its results have been reported. */
  readonly #closesAtOnce: boolean;
  readonly #ids: string[] = [];
  readonly #byId = new Map<string, LiveMarket>();
  readonly #listed = new Set<LiveMarket>();
  readonly #closed = new Set<string>();
  readonly #followed = new Set<string>();

  constructor(context: MarketContext, options: { readonly closesAtOnce: boolean }) {
    this.#context = context;
    this.#closesAtOnce = options.closesAtOnce;
  }

  /** The followed markets that are not closed. */
  all(): readonly LiveMarket[] {
    return [...this.#byId.values()];
  }

  /** The markets whose prices can be read. */
  priced(): readonly LiveMarket[] {
    return this.all().filter(({ isOver, published }) => !isOver && published);
  }

  /** The market, or undefined if it is not followed, or no longer. */
  find(id: string): LiveMarket | undefined {
    return this.#byId.get(id);
  }

  /** Of any market ever known. */
  idOf(index: number): string {
    return defined(this.#ids[index], `no market has the index ${index}`);
  }

  at(index: number): LiveMarket | undefined {
    return this.#byId.get(this.idOf(index));
  }

  /** Whether its result stands. Of a market that was never known nobody knows. */
  isOver(id: string): boolean {
    return this.#closed.has(id) || this.#byId.get(id)?.isOver === true;
  }

  /** Whether the feed reported it, now or before it was closed. */
  wasListed(id: string): boolean {
    const market = this.#byId.get(id);
    return this.#closed.has(id) || (market !== undefined && this.#listed.has(market));
  }

  /** Follows markets by id, whatever the watch selects and whatever their status. Closed ones stay closed. */
  follow(ids: readonly string[]): void {
    const fresh = ids.filter((id) => !this.#followed.has(id) && !this.#closed.has(id));
    for (const id of fresh) {
      this.#followed.add(id);
      const market = this.#byId.get(id);
      if (market !== undefined) this.#listIfPriceless(market);
    }
    if (fresh.some((id) => !this.#byId.has(id))) this.documentsNeeded$.next();
  }

  isFollowed(id: string): boolean {
    return this.#followed.has(id);
  }

  /** The ids that are followed by name and not found yet. */
  sought(): readonly string[] {
    return [...this.#followed].filter((id) => !this.#byId.has(id));
  }

  /** These were sought, and the documents were read: those that are not there are missed. */
  missed(sought: readonly string[]): void {
    for (const id of sought) if (!this.#byId.has(id)) this.missed$.next(id);
  }

  /** `asOf`: when the document was asked for, ms on our clock. */
  add(definition: MarketDefinition, asOf: number): void {
    const { id } = definition.facts;
    const prices = new MarketPrices(definition.facts.outcomes.map((outcome) => outcome.id));
    const index = this.#ids.length;
    const { own } = this;
    const market = new LiveMarket({ index, definition, prices, own, at: NEVER, mayClose: this.#closesAtOnce });
    this.#ids.push(id);
    this.#byId.set(id, market);
    this.onDocument(market, asOf);
    this.added$.next(market);
    this.#listIfPriceless(market);
    // The market ended before this run found it: its result must be reported.
    if (market.isOver) this.changed$.next(market);
  }

  /** Takes what was streamed of a market, as far as it is believed without a reading; says whether one is needed for the rest. */
  tell(market: LiveMarket, told: Partial<MarketCondition>): boolean {
    const { isChanged, needsReading } = market.tell(told);
    if (isChanged) this.#changed(market);
    return needsReading;
  }

  /** Applies changed fields to a market and reports them if any is new. A market that is closed is then forgotten. */
  change(market: LiveMarket, changes: Partial<MarketCondition>): void {
    if (market.change(changes)) this.#changed(market);
  }

  /** By its document, which was asked for at `asOf`, ms on our clock. */
  redefine(market: LiveMarket, definition: MarketDefinition, asOf: number): void {
    if (market.isNewerThan(definition)) return;
    this.onDocument(market, asOf);
    if (market.redefine(definition)) this.#changed(market);
  }

  /** The market's result has been reported; no further messages will follow. */
  close(market: LiveMarket): void {
    market.close();
    this.#changed(market);
  }

  /**
   * Its book was received, changed or not; the first time, the market is listed. `asOf`: a time, ms, since which the book is
   * certainly up to date, which is when it was requested; undefined if it came another way.
   */
  onPrices(market: LiveMarket, asOf: number | undefined): void {
    market.updatedAt = instant(Math.floor(this.#context.clock.now()));
    market.freshAt = this.#newer(market.freshAt, asOf ?? market.freshAt);
    if (this.#listed.has(market)) return this.#emit(market, 'prices');
    this.#list(market);
  }

  /** The exchange was asked for the market's book and has none. */
  onNoPrices(market: LiveMarket): void {
    if (this.#followed.has(market.facts.id)) this.#list(market);
  }

  /** Its condition is certainly up to date since `asOf`, a time on our clock, ms. */
  onDocument(market: LiveMarket, asOf: number): void {
    market.statusFreshAt = this.#newer(market.statusFreshAt, asOf);
  }

  /** The later of two times, and never one in the future. */
  #newer(known: Instant, asOf: number): Instant {
    return instant(Math.min(Math.floor(this.#context.clock.now()), Math.max(known, Math.floor(asOf))));
  }

  #changed(market: LiveMarket): void {
    this.#listIfPriceless(market);
    this.#emit(market, 'status');
    this.changed$.next(market);
    if (market.status === 'Closed') {
      const { id } = market.facts;
      this.#byId.delete(id);
      this.#listed.delete(market);
      this.#followed.delete(id);
      this.#closed.add(id);
    }
  }

  #listIfPriceless(market: LiveMarket): void {
    const { isOver, published, facts } = market;
    if ((isOver || !published) && this.#followed.has(facts.id)) this.#list(market);
  }

  #list(market: LiveMarket): void {
    if (this.#listed.has(market)) return;
    this.#listed.add(market);
    this.#emit(market, 'listed');
    this.listed$.next(market);
  }

  /** Emits a message about a market, unless the market is not listed yet. */
  #emit(market: LiveMarket, cause: MarketCause): void {
    if (this.#listed.has(market)) this.#context.emit({ kind: 'market', market, cause });
  }
}
