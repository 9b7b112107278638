/** The markets followed, by the port's index and by the exchange's id: the one place where the two meet. */

import { Subject } from 'rxjs';
import { defined } from '../../core/checks/assert.ts';
import { instant } from '../../core/number/units.ts';
import type { MarketCause } from '../../exchange/gateway.ts';
import { LiveMarket } from './live-market.ts';
import type { MarketContext } from './market-context.ts';
import type { MarketCondition, MarketDefinition } from './market-definition.ts';
import { MarketPrices } from './market-prices.ts';

/** Prices that were never heard of are as old as can be. */
const NEVER = instant(0);

/**
 * A market is told of when its book is known, since without prices nobody could act on it. Those asked for by name
 * (`follow`) are there because something is held in them, and are told of without prices where there will be none.
 */
export class MarketTable {
  /** A market was first heard of: its prices are to be read before anyone is told of it. */
  readonly added$ = new Subject<LiveMarket>();
  /** It was told of for the first time. */
  readonly listed$ = new Subject<LiveMarket>();
  /** Its status or facts changed. */
  readonly changed$ = new Subject<LiveMarket>();
  /** What is known of the markets is not enough: their documents are to be read. */
  readonly documentsNeeded$ = new Subject<void>();
  readonly #context: MarketContext;
  /** Whether a closed market is shown so at once, or when its results were told (`close`). */
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

  /** Those that are not closed. */
  all(): readonly LiveMarket[] {
    return [...this.#byId.values()];
  }

  /** Those whose prices can be read. */
  priced(): readonly LiveMarket[] {
    return this.all().filter(({ isOver, published }) => !isOver && published);
  }

  /** Undefined for one that is not followed, or not any more. */
  find(id: string): LiveMarket | undefined {
    return this.#byId.get(id);
  }

  /** Of any market ever heard of. */
  idOf(index: number): string {
    return defined(this.#ids[index], `no market has the index ${index}`);
  }

  at(index: number): LiveMarket | undefined {
    return this.#byId.get(this.idOf(index));
  }

  /** Whether its result stands. Of a market that was never heard of nobody knows. */
  isOver(id: string): boolean {
    return this.#closed.has(id) || this.#byId.get(id)?.isOver === true;
  }

  /** Whether the feed told of it, now or before it was closed. */
  wasListed(id: string): boolean {
    const market = this.#byId.get(id);
    return this.#closed.has(id) || (market !== undefined && this.#listed.has(market));
  }

  /** Markets to be found by their ids, whatever the watch says and whatever their status. Closed ones stay closed. */
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

  /** Followed by name, and not found yet. */
  sought(): readonly string[] {
    return [...this.#followed].filter((id) => !this.#byId.has(id));
  }

  add(definition: MarketDefinition): void {
    const { id } = definition.facts;
    const prices = new MarketPrices(definition.facts.outcomes.map((outcome) => outcome.id));
    const index = this.#ids.length;
    const market = new LiveMarket({ index, definition, prices, at: NEVER, mayClose: this.#closesAtOnce });
    this.#ids.push(id);
    this.#byId.set(id, market);
    this.added$.next(market);
    this.#listIfPriceless(market);
    // It ended before we came: what it brought is to be told.
    if (market.isOver) this.changed$.next(market);
  }

  /** A market changed, or did not: only news is told. Closed markets are forgotten. */
  change(market: LiveMarket, changes: Partial<MarketCondition>): void {
    if (market.change(changes)) this.#changed(market);
  }

  /** The same, by its document. */
  redefine(market: LiveMarket, definition: MarketDefinition): void {
    if (market.redefine(definition)) this.#changed(market);
  }

  /** What it brought was told: nothing more can come. */
  close(market: LiveMarket): void {
    market.close();
    this.#changed(market);
  }

  /**
   * Its book was heard, new or as before: the first time, this is when the market is told of. `asOf`: when the book was
   * certainly no older, which is when it was asked for, or when it was published; undefined where nobody says.
   */
  onPrices(market: LiveMarket, asOf: number | undefined): void {
    const now = instant(Math.floor(this.#context.clock.now()));
    market.updatedAt = now;
    market.freshAt = instant(Math.min(now, Math.max(market.freshAt, Math.floor(asOf ?? market.freshAt))));
    if (this.#listed.has(market)) return this.#emit(market, 'prices');
    this.#list(market);
  }

  /** The exchange has no book of it, though it was asked. */
  onNoPrices(market: LiveMarket): void {
    if (this.#followed.has(market.facts.id)) this.#list(market);
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

  /** An unlisted market says nothing yet. */
  #emit(market: LiveMarket, cause: MarketCause): void {
    if (this.#listed.has(market)) this.#context.emit({ kind: 'market', market, cause });
  }
}
