/** Reads books over REST, several markets in one call, and applies the stream's price updates. */

import { map, type Observable } from 'rxjs';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { PriceReader } from '../../../exchange-live/polling/adaptive-prices.ts';
import type { AnswerOf } from '../../client/call.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { pricesInput } from './price-calls.ts';
import { foldUpdate, PRICE_FAULTS, type PriceFault, type PriceUpdate, replaceBook } from './price-documents.ts';

/** Faults of one update that are named in a notice; the others are of the same kind. */
const FAULTS_SHOWN = 3;
/**
 * Status of a call if one of its markets is unknown or no longer visible: then it returns no book at all (profile section 3).
 */
const UNKNOWN_MARKET = 404;

export class PriceReading implements PriceReader {
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  /** When the stream last sent prices of each market, ms on our clock. */
  readonly #streamedAt = new Map<LiveMarket, number>();

  constructor(context: WatchContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
  }

  /**
   * Applies a streamed update. An increment to a book that is not known yet is ignored until the book comes with a snapshot or
   * over REST.
   */
  onUpdate(update: PriceUpdate): void {
    const market = this.#table.find(update.marketId);
    if (market === undefined) return;
    this.#noteFaults(market, foldUpdate(market.prices, update));
    if (!market.prices.isKnown) return;
    this.#streamedAt.set(market, this.#context.clock.now());
    this.#table.onPrices(market, this.#publishedAt(market));
  }

  /** When the update was published, ms on our clock: it may have been on its way for long. */
  #publishedAt({ publishedAt }: LiveMarket): number | undefined {
    return publishedAt === undefined ? undefined : publishedAt + (this.#context.skewMs?.() ?? 0);
  }

  forget(market: LiveMarket): void {
    this.#streamedAt.delete(market);
  }

  /** Reads the books of the markets, no more than one call can name. Emits whether there was an answer to apply. */
  read(ids: readonly string[]): Observable<boolean> {
    const { calls, clock } = this.#context;
    const since = clock.now();
    return calls.call('listPrices', pricesInput(ids)).pipe(map((outcome) => this.#take(outcome, ids, since)));
  }

  #take(outcome: CallOutcome<AnswerOf<'listPrices'>>, ids: readonly string[], since: number): boolean {
    if (outcome.kind !== 'answered') {
      this.#context.note({ ...failureOf(outcome), kind: 'readFailed', what: 'prices' });
      // The markets' documents show which one is missing, so that the next call asks for the others only.
      if (outcome.kind === 'refused' && outcome.isOwn && outcome.status === UNKNOWN_MARKET)
        this.#table.documentsNeeded$.next();
      return false;
    }
    const missing = new Set(ids);
    for (const book of outcome.answer.prices) {
      missing.delete(book.marketId);
      const market = this.#table.find(book.marketId);
      if (market === undefined) continue;
      // What the stream sent since this reading was requested may be newer than the answer; its later updates are absolute
      // again.
      if ((this.#streamedAt.get(market) ?? Number.NEGATIVE_INFINITY) >= since) continue;
      this.#noteFaults(market, replaceBook(market.prices, book));
      this.#table.onPrices(market, since);
    }
    for (const id of missing) {
      const market = this.#table.find(id);
      if (market !== undefined) this.#table.onNoPrices(market);
    }
    return true;
  }

  #noteFaults(market: LiveMarket, faults: readonly PriceFault[]): void {
    if (faults.length === 0) return;
    const shown = faults.slice(0, FAULTS_SHOWN).map(({ code, path }) => `${path}: ${PRICE_FAULTS[code]} (${code})`);
    const details = faults.length > shown.length ? `${shown.join('; ')}; and others` : shown.join('; ');
    this.#context.note({ kind: 'unreadable', what: `prices of market ${market.facts.id}`, details });
  }
}
