/** Reads books over REST, several markets in one call, and applies the stream's price updates. */

import { map, type Observable, Subject, throttleTime } from 'rxjs';
import { faultsText } from '../../../codec/fault.ts';
import { Unreadable } from '../../../codec/lenient.ts';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import { ExchangeTime } from '../../../exchange-live/markets/exchange-time.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { PriceReader } from '../../../exchange-live/polling/adaptive-prices.ts';
import type { LenientAnswerOf } from '../../client/call.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import type { HeardUpdate } from '../base/stream-feed.ts';
import { pricesInput } from './price-calls.ts';
import {
  foldUpdate,
  type PolledBook,
  PRICE_FAULTS,
  type PriceFault,
  type PriceUpdate,
  replaceBook,
} from './price-documents.ts';

/** Faults of one update that are named in a notice; the others are of the same kind. */
const FAULTS_SHOWN = 3;
/**
 * Status of a call if one of its markets is unknown or no longer visible: then it returns no book at all (profile section 3).
 */
const UNKNOWN_MARKET = 404;

/** What came in this time, ms, asks for one reading: an odd message in each update must not become a flood of calls. */
const DOUBTS_TOGETHER_MS = 1_000;

export class PriceReading implements PriceReader {
  /** Emits when a streamed update cannot be trusted, so that books must be read. */
  readonly doubted$: Observable<unknown>;
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #time: ExchangeTime;
  readonly #doubts = new Subject<void>();

  constructor(context: WatchContext, table: MarketTable) {
    this.#context = context;
    this.#table = table;
    this.#time = new ExchangeTime(context.skewMs);
    const each = { leading: true, trailing: true };
    this.doubted$ = this.#doubts.pipe(throttleTime(DOUBTS_TOGETHER_MS, context.clock, each));
  }

  /**
   * Applies a streamed update. It makes no prices fresher: the stream numbers nothing, so a message before it may be lost or
   * still be on its way.
   */
  onUpdate({ message, receivedAt }: HeardUpdate<PriceUpdate>): void {
    const market = this.#table.find(message.marketId);
    if (market === undefined) return;
    const folded = foldUpdate(market.prices, message, { receivedAt, time: this.#time });
    this.#noteFaults(market, folded.faults);
    if (folded.needsReading) this.#doubts.next();
    if (folded.isTaken && market.prices.isKnown) this.#table.onPrices(market, undefined);
  }

  /** Reads the books of the markets, no more than one call can name. Emits whether there was an answer to apply. */
  read(ids: readonly string[]): Observable<boolean> {
    const { calls, clock } = this.#context;
    const since = clock.now();
    return calls.call('listPrices', pricesInput(ids)).pipe(map((outcome) => this.#take(outcome, ids, since)));
  }

  #take(outcome: CallOutcome<LenientAnswerOf<'listPrices'>>, ids: readonly string[], since: number): boolean {
    if (outcome.kind !== 'answered') {
      this.#context.note({ ...failureOf(outcome), kind: 'readFailed', what: 'prices' });
      // The markets' documents show which one is missing, so that the next call asks for the others only.
      if (outcome.kind === 'refused' && outcome.isOwn && outcome.status === UNKNOWN_MARKET)
        this.#table.documentsNeeded$.next();
      return false;
    }
    const missing = new Set(ids);
    const asked = { since, earliest: this.#time.earliest(since) };
    for (const book of outcome.answer.prices) {
      if (book instanceof Unreadable) {
        this.#noteUnreadable(book, missing);
        continue;
      }
      missing.delete(book.marketId);
      const market = this.#table.find(book.marketId);
      if (market === undefined) continue;
      const { isWhole, faults, untold } = replaceBook(market.prices, book, asked);
      this.#noteFaults(market, faults);
      // With a level that cannot be read, prices are as old as before: the market goes dark if that lasts.
      this.#table.onPrices(market, isWhole ? since : undefined);
      // After the prices, so that the market is on the tape which notes the gap.
      if (untold !== undefined) this.#context.note({ kind: 'streamGap', market: market.facts.id, ...untold });
    }
    for (const id of missing) {
      const market = this.#table.find(id);
      if (market !== undefined) this.#table.onNoPrices(market);
    }
    return true;
  }

  /** A book without a readable id may be of any market that was asked for. */
  #noteUnreadable({ part: { marketId }, faults }: Unreadable<PolledBook>, missing: Set<string>): void {
    if (marketId === undefined) missing.clear();
    else missing.delete(marketId);
    const what = `prices of market ${marketId ?? 'without an id'}`;
    this.#context.note({ kind: 'unreadable', what, details: faultsText(faults) });
  }

  #noteFaults(market: LiveMarket, faults: readonly PriceFault[]): void {
    if (faults.length === 0) return;
    const shown = faults.slice(0, FAULTS_SHOWN).map(({ code, path }) => `${path}: ${PRICE_FAULTS[code]} (${code})`);
    const details = faults.length > shown.length ? `${shown.join('; ')}; and others` : shown.join('; ');
    this.#context.note({ kind: 'unreadable', what: `prices of market ${market.facts.id}`, details });
  }
}
