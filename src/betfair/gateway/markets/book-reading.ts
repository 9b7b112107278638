/** Reads books with their prices, some markets in one call. */

import { map, type Observable } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { tickOfDecimal } from '../../../core/number/ladder.ts';
import { type Money, money } from '../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../core/side.ts';
import { type CallOutcome, failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import { ExchangeTime } from '../../../exchange-live/markets/exchange-time.ts';
import type { MarketPrices, PriceLevel } from '../../../exchange-live/markets/market-prices.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { PriceReader } from '../../../exchange-live/polling/adaptive-prices.ts';
import type { AnswerOf } from '../../client/call.ts';
import { outcomeIdOf } from '../../wire/basics/runners.ts';
import { priceOf, sizeOf } from '../base/amounts.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import type { FollowedBooks } from './followed-books.ts';
import type { BookDocument, RunnerDocument } from './market-documents.ts';

/** All offers with what was traded weigh 32 and starting prices 3: 200 is the most of one call (profile section 3). */
const PROJECTION = { priceProjection: { priceData: ['EX_ALL_OFFERS', 'EX_TRADED', 'SP_AVAILABLE'] } } as const;
export const BOOKS_A_CALL = 5;

export class BookReading implements PriceReader {
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #books: FollowedBooks;
  readonly #time: ExchangeTime;
  readonly #tellsPrices: (id: string) => boolean;

  /** `tellsPrices`: whether a stream tells all prices of a market, and so what was traded is newer than any reading. */
  constructor(
    context: WatchContext,
    table: MarketTable,
    books: FollowedBooks,
    tellsPrices: (id: string) => boolean = () => false,
  ) {
    this.#context = context;
    this.#tellsPrices = tellsPrices;
    this.#table = table;
    this.#books = books;
    this.#time = new ExchangeTime(context.skewMs);
  }

  /** Emits whether there was an answer to apply. */
  read(ids: readonly string[]): Observable<boolean> {
    const { calls, clock } = this.#context;
    const since = clock.now();
    return calls
      .call('listMarketBook', { marketIds: ids, ...PROJECTION })
      .pipe(map((outcome) => this.#take(outcome, ids, since)));
  }

  #take(outcome: CallOutcome<AnswerOf<'listMarketBook'>>, ids: readonly string[], since: number): boolean {
    const { note } = this.#context;
    if (outcome.kind !== 'answered') {
      note({ ...failureOf(outcome), kind: 'readFailed', what: 'prices' });
      return false;
    }
    const missing = new Set(ids);
    for (const book of outcome.answer) {
      if (book instanceof Unreadable) {
        if (book.part.marketId === undefined) missing.clear();
        else missing.delete(book.part.marketId);
        note({ kind: 'unreadable', what: `prices of market ${book.part.marketId ?? 'without an id'}`, details: '' });
        continue;
      }
      missing.delete(book.marketId);
      this.#apply(book, since);
    }
    for (const id of missing) {
      const market = this.#table.find(id);
      if (market !== undefined) this.#table.onNoPrices(market);
    }
    return true;
  }

  #apply(book: BookDocument, since: number): void {
    const market = this.#books.take(book, since);
    if (market === undefined || market.isOver) return;
    const { prices } = market;
    const asked = { since, earliest: this.#time.earliest(since) };
    const { levels, isWhole } = bookLevels(book, prices, this.#tellsPrices(book.marketId));
    prices.read(levels, { ...asked, isPartial: !isWhole });
    if (!isWhole) {
      const details = 'a level makes no sense; it is left out';
      this.#context.note({ kind: 'unreadable', what: `prices of market ${book.marketId}`, details });
    }
    this.#table.onPrices(market, isWhole ? since : undefined);
  }
}

/** The levels of a book; what was traded, and last and starting prices, are set unless they are told. */
function bookLevels(
  { runners }: BookDocument,
  prices: MarketPrices,
  isTold: boolean,
): { readonly levels: readonly PriceLevel[]; readonly isWhole: boolean } {
  const levels: PriceLevel[] = [];
  let isWhole = true;
  if (!isTold) prices.clearTraded();
  for (const runner of runners) {
    const outcome = runner instanceof Unreadable ? undefined : prices.outcomeOf(outcomeIdOf(runner));
    if (runner instanceof Unreadable || outcome === undefined) {
      isWhole = false;
      continue;
    }
    const { availableToBack = [], availableToLay = [] } = runner.ex ?? {};
    // What a backer can take are the layers' resting orders.
    for (const [side, rows] of [
      [AGAINST, availableToBack],
      [FOR, availableToLay],
    ] as const) {
      const read = levelsOf(rows, outcome, side);
      levels.push(...read.levels);
      isWhole &&= read.isWhole;
    }
    if (!isTold) setTraded(prices, outcome, runner);
  }
  return { levels, isWhole };
}

type Rows = NonNullable<NonNullable<RunnerDocument['ex']>['availableToBack']>;

function levelsOf(rows: Rows, outcome: number, side: SideIndex) {
  const levels = rows.flatMap((row): PriceLevel | readonly [] => {
    const tick = row instanceof Unreadable ? undefined : tickOfDecimal(row.price);
    const amount = row instanceof Unreadable ? undefined : sizeOf(row.size);
    return tick === undefined || amount === undefined ? [] : { outcome, side, tick, amount };
  });
  return { levels, isWhole: levels.length === rows.length };
}

/** What is said of a runner's trades. */
interface Traded {
  readonly totalMatched?: number | undefined;
  readonly lastPriceTraded?: number | undefined;
  readonly ex?: { readonly tradedVolume?: Rows } | undefined;
  readonly sp?:
    | {
        readonly nearPrice?: number | undefined;
        readonly farPrice?: number | undefined;
        readonly actualSP?: number | undefined;
      }
    | undefined;
}

/** Betfair counts both halves of each match, and does not say whose order rested. What is absent stays as it is. */
export function setTraded(
  prices: MarketPrices,
  outcome: number,
  { ex, sp, lastPriceTraded, totalMatched }: Traded,
): void {
  if (totalMatched !== undefined) prices.addTraded(outcome, money(half(sizeOf(totalMatched)) - prices.traded(outcome)));
  for (const row of ex?.tradedVolume ?? []) {
    const tick = row instanceof Unreadable ? undefined : tickOfDecimal(row.price);
    if (row instanceof Unreadable || tick === undefined) continue;
    prices.setMatched(outcome, FOR, tick, half(sizeOf(row.size)));
  }
  const last = priceOf(lastPriceTraded);
  if (last !== undefined) prices.setLastPrice(outcome, last);
  for (const [which, value] of [
    ['near', sp?.nearPrice],
    ['far', sp?.farPrice],
    ['actual', sp?.actualSP],
  ] as const) {
    const at = priceOf(value);
    if (at !== undefined) prices.setStartingPrice(outcome, which, at);
  }
}

function half(size: Money | undefined): Money {
  return money(Math.floor((size ?? 0) / 2));
}
