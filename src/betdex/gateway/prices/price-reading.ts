/** Reads books over REST, some markets in one call, and takes what the stream says of them. */

import { map, type Observable } from 'rxjs';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { PriceReader } from '../../../exchange-live/polling/adaptive-prices.ts';
import type { AnswerOf } from '../../client/call.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { pricesInput } from './price-calls.ts';
import { foldUpdate, PRICE_FAULTS, type PriceFault, type PriceUpdate, replaceBook } from './price-documents.ts';

/** Faults of one update told by name; the others are of the same kind. */
const FAULTS_SHOWN = 3;
/** One of the markets asked for is unknown, or not shown any more: there is no book of any of them (profile section 3). */
const UNKNOWN_MARKET = 404;

export class PriceReading implements PriceReader {
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  /** When the stream last spoke of a market's prices. */
  readonly #streamedAt = new Map<LiveMarket, number>();

  constructor(context: WatchContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
  }

  /** A change to a book that we do not have yet waits for the book: it comes with the snapshot, or by REST. */
  onUpdate(update: PriceUpdate): void {
    const market = this.#table.find(update.marketId);
    if (market === undefined) return;
    this.#noteFaults(market, foldUpdate(market.prices, update));
    if (!market.prices.isKnown) return;
    this.#streamedAt.set(market, this.#context.clock.now());
    this.#table.onPrices(market, this.#publishedAt(market));
  }

  /** By our clock: an update may have been on its way for long. */
  #publishedAt({ publishedAt }: LiveMarket): number | undefined {
    return publishedAt === undefined ? undefined : publishedAt + (this.#context.skewMs?.() ?? 0);
  }

  forget(market: LiveMarket): void {
    this.#streamedAt.delete(market);
  }

  /** Whether there was an answer to take. No more markets than one call may name. */
  read(ids: readonly string[]): Observable<boolean> {
    const { calls, clock } = this.#context;
    const since = clock.now();
    return calls.call('listPrices', pricesInput(ids)).pipe(map((outcome) => this.#take(outcome, ids, since)));
  }

  #take(outcome: CallOutcome<AnswerOf<'listPrices'>>, ids: readonly string[], since: number): boolean {
    if (outcome.kind !== 'answered') {
      this.#context.note({ ...failureOf(outcome), kind: 'readFailed', what: 'prices' });
      // Their documents tell which one it is, so that the others are asked for without it.
      if (outcome.kind === 'refused' && outcome.isOwn && outcome.status === UNKNOWN_MARKET)
        this.#table.documentsNeeded$.next();
      return false;
    }
    const missing = new Set(ids);
    for (const book of outcome.answer.prices) {
      missing.delete(book.marketId);
      const market = this.#table.find(book.marketId);
      if (market === undefined) continue;
      // What the stream said since we asked may be newer than the answer; what it says later is absolute again.
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
