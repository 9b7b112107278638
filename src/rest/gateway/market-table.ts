/** The markets followed, by the port's index and by the API's id: the one place where the two meet. */

import { Subject } from 'rxjs';
import { present } from '../../core/assert.ts';
import { type Instant, instant } from '../../core/units.ts';
import type { MarketCause } from '../../exchange/gateway.ts';
import { PriceBooks } from '../stream/price-books.ts';
import { LiveMarket } from './live-market.ts';
import type { MarketCondition, MarketDefinition } from './market-documents.ts';
import type { WatchWiring } from './wiring.ts';

export class MarketTable {
  /** A market was first heard of: its prices are to be read before anyone is told of it. */
  readonly added$ = new Subject<LiveMarket>();
  /** Its status or facts changed. */
  readonly changed$ = new Subject<LiveMarket>();
  readonly books = new PriceBooks();
  readonly #wiring: WatchWiring;
  readonly #ids: string[] = [];
  readonly #byId = new Map<string, LiveMarket>();
  readonly #listed = new Set<LiveMarket>();

  constructor(wiring: WatchWiring) {
    this.#wiring = wiring;
  }

  /** Those that are not closed. */
  all(): readonly LiveMarket[] {
    return [...this.#byId.values()];
  }

  /** Undefined for one that is not followed, or not any more. */
  find(id: string): LiveMarket | undefined {
    return this.#byId.get(id);
  }

  /** Of any market ever heard of. */
  idOf(index: number): string {
    return present(this.#ids[index], `no market has the index ${index}`);
  }

  at(index: number): LiveMarket | undefined {
    return this.#byId.get(this.idOf(index));
  }

  add(definition: MarketDefinition): void {
    const { id } = definition.facts;
    const outcomeIds = definition.facts.outcomes.map((outcome) => outcome.id);
    const prices = this.books.follow(id, outcomeIds);
    const market = new LiveMarket({ index: this.#ids.length, definition, prices, at: this.#now() });
    this.#ids.push(id);
    this.#byId.set(id, market);
    this.added$.next(market);
  }

  /** A market changed, or did not: only news is told. Closed markets are forgotten. */
  change(market: LiveMarket, news: Partial<MarketCondition>): void {
    if (market.change(news)) this.#changed(market);
  }

  /** The same, by its document. */
  redefine(market: LiveMarket, definition: MarketDefinition): void {
    if (market.redefine(definition)) this.#changed(market);
  }

  /** Its book was heard, new or as before: the first time, this is when the market is told of. */
  heardPrices(market: LiveMarket): void {
    market.updatedAt = this.#now();
    if (this.#listed.has(market)) return this.#tell(market, 'prices');
    this.#listed.add(market);
    this.#tell(market, 'listed');
  }

  #changed(market: LiveMarket): void {
    this.#tell(market, 'status');
    this.changed$.next(market);
    if (market.status === 'Closed') {
      this.#byId.delete(market.facts.id);
      this.#listed.delete(market);
      this.books.unfollow(market.facts.id);
    }
  }

  /** An unlisted market says nothing yet: without its prices nobody could act on it. */
  #tell(market: LiveMarket, cause: MarketCause): void {
    if (this.#listed.has(market)) this.#wiring.tell({ kind: 'market', market, cause });
  }

  #now(): Instant {
    return instant(this.#wiring.clock.now());
  }
}
