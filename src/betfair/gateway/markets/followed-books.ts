/** Takes over the books that are read, whatever reading brought them: a market's condition, and what its catalogue said of it. */

import { instant } from '../../../core/number/units.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { type BookCondition, type CatalogueDocument, definitionOf } from './market-documents.ts';

export class FollowedBooks {
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #catalogue = new Map<string, CatalogueDocument>();
  /** When the newest book that was taken was asked for, ms: prices and conditions are read side by side. */
  readonly #askedAt = new Map<string, number>();
  /** Markets that cannot be read: each is reported once. */
  readonly #unreadable = new Set<string>();
  #isDelayed = false;

  constructor(context: WatchContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
  }

  describe(document: CatalogueDocument): void {
    this.#catalogue.set(document.marketId, document);
  }

  /** Ids of the markets that the catalogue described and that are not followed yet. */
  described(): readonly string[] {
    return [...this.#catalogue.keys()].filter((id) => this.#table.find(id) === undefined);
  }

  forget(id: string): void {
    this.#catalogue.delete(id);
    this.#askedAt.delete(id);
  }

  /** The market as it is after this book, which was asked for at `since`; undefined where it is not followed. */
  take(book: BookCondition, since: number): LiveMarket | undefined {
    const { clock, settings, note } = this.#context;
    const { marketId: id } = book;
    if (book.isMarketDataDelayed === true && !this.#isDelayed) note({ kind: 'delayedPrices' });
    this.#isDelayed ||= book.isMarketDataDelayed === true;
    const market = this.#table.find(id);
    if (market !== undefined && since < (this.#askedAt.get(id) ?? 0)) return market;
    const catalogue = this.#catalogue.get(id);
    const known = market ?? { winnerIds: [], settledAt: undefined };
    const { currency } = settings;
    const now = instant(Math.floor(clock.now()));
    const definition = definitionOf({ catalogue, book, currency, known, now });
    if (definition === undefined) {
      if (!this.#unreadable.has(id))
        note({ kind: 'unreadable', what: `market ${id}`, details: 'a runner of it; it is left out' });
      this.#unreadable.add(id);
      return market;
    }
    this.#unreadable.delete(id);
    this.#askedAt.set(id, since);
    if (market !== undefined) {
      const { facts } = catalogue === undefined ? market : definition;
      this.#table.redefine(market, { ...definition, facts }, since);
      return this.#table.find(id);
    }
    const isOver = definition.condition.settledAt !== undefined;
    if (!this.#table.isFollowed(id) && (catalogue === undefined || isOver)) return undefined;
    this.#table.add(definition, since);
    return this.#table.find(id);
  }
}
