/** Takes what the stream tells of the followed markets: their condition, prices and what was traded, and since when all of it is known. */

import { auditTime, EMPTY, filter, ignoreElements, merge, type Observable, tap } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import { defined } from '../../../core/checks/assert.ts';
import { tickOfDecimal } from '../../../core/number/ladder.ts';
import type { Instant } from '../../../core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../core/side.ts';
import { ExchangeTime } from '../../../exchange-live/markets/exchange-time.ts';
import type { LiveMarket } from '../../../exchange-live/markets/live-market.ts';
import type { MarketPrices, PriceLevel } from '../../../exchange-live/markets/market-prices.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import type { BetfairStream, StreamProof } from '../../stream/betfair-stream.ts';
import type { ToldMarket } from '../../stream/markets/market-cache.ts';
import { outcomeIdOf } from '../../wire/basics/runners.ts';
import type { RunnerRows } from '../../wire/fold/market-fold.ts';
import type { MarketDataField } from '../../wire/stream/requests.ts';
import { sizeOf } from '../base/amounts.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { setTraded } from './book-reading.ts';
import type { FollowedBooks } from './followed-books.ts';
import { bookOfDefinition } from './market-documents.ts';

/** The most markets of a subscription (profile section 7). */
const MARKETS_MAX = 200;
/** Markets that are found within this time, ms, cause one subscription: each begins with an image of all. */
const TOGETHER_MS = 50;
/** A market in which nothing happens is told to be fresh so often, ms. */
const FRESH_EVERY_MS = 1_000;

const PRICES: readonly MarketDataField[] = ['EX_ALL_OFFERS', 'EX_TRADED', 'EX_TRADED_VOL', 'EX_LTP', 'SP_PROJECTED'];

interface Parts {
  readonly context: WatchContext;
  readonly table: MarketTable;
  readonly books: FollowedBooks;
}

/** Does nothing where neither markets nor prices are streamed. `tellsPrices`: whether the stream tells all prices of a market. */
export function streamedBooks(
  parts: Parts,
  stream: BetfairStream | undefined,
): { readonly run$: Observable<never>; readonly tellsPrices: (id: string) => boolean } {
  const { prices, markets } = parts.context.settings.feeds;
  if (prices.kind !== 'stream' && markets.kind !== 'stream') return { run$: EMPTY, tellsPrices: () => false };
  const streamed = new StreamedBooks(parts, defined(stream, 'a feed that is to be streamed needs a stream'));
  return { run$: streamed.run$, tellsPrices: (id) => streamed.tellsPrices(id) };
}

class StreamedBooks {
  /** Runs the feed until unsubscribed; it emits nothing. */
  readonly run$: Observable<never>;
  readonly #context: WatchContext;
  readonly #table: MarketTable;
  readonly #books: FollowedBooks;
  readonly #stream: BetfairStream;
  readonly #time: ExchangeTime;
  readonly #hasPrices: boolean;
  readonly #hasMarkets: boolean;
  /** Markets that were told whole, and all of which could be read since. */
  readonly #believed = new Set<string>();
  /** Whether there are more markets than a subscription takes. */
  #waits = false;

  constructor({ context, table, books }: Parts, stream: BetfairStream) {
    this.#context = context;
    this.#table = table;
    this.#books = books;
    this.#stream = stream;
    this.#time = new ExchangeTime(context.skewMs);
    const { feeds } = context.settings;
    this.#hasPrices = feeds.prices.kind === 'stream';
    this.#hasMarkets = feeds.markets.kind === 'stream';
    const news$ = stream.markets$.pipe(
      tap((news) => {
        if (news.kind === 'market') this.#take(news);
        else if (news.kind === 'gone') for (const id of news.ids) this.#believed.delete(id);
        else if (news.id === undefined) this.#believed.clear();
        else this.#believed.delete(news.id);
      }),
    );
    const proofs$ = stream.proven$.pipe(
      tap((proof) => {
        if (proof.feed === 'markets') this.#prove(proof);
      }),
    );
    const refusals$ = stream.refused$.pipe(
      tap(({ feed, details }) => context.note({ kind: 'notStreamed', what: `${feed}: ${details}`, ids: [] })),
    );
    // A market that is over makes room for one that waits.
    const freed$ = table.changed$.pipe(filter(({ isOver }) => isOver && this.#waits));
    const added$ = merge(table.added$, freed$).pipe(
      auditTime(TOGETHER_MS, context.clock),
      tap(() => this.#subscribe()),
    );
    this.run$ = merge(news$, proofs$, refusals$, added$).pipe(ignoreElements());
  }

  /** Whether the stream tells all of its prices: what was traded is then newer than any reading. */
  tellsPrices(id: string): boolean {
    return this.#hasPrices && this.#believed.has(id);
  }

  #subscribe(): void {
    const open = this.#table.all().filter(({ isOver }) => !isOver);
    const ids = open.map(({ facts }) => facts.id);
    const marketIds = ids.slice(0, MARKETS_MAX);
    this.#waits = ids.length > MARKETS_MAX;
    if (this.#waits) this.#context.note({ kind: 'notStreamed', what: 'markets', ids: ids.slice(MARKETS_MAX) });
    if (marketIds.length === 0) return;
    const fields: MarketDataField[] = ['EX_MARKET_DEF', ...(this.#hasPrices ? PRICES : [])];
    this.#stream.markets({ marketFilter: { marketIds }, marketDataFilter: { fields } });
  }

  #take(told: ToldMarket): void {
    const { id, definition, publishedAt, receivedAt } = told;
    this.#time.note(publishedAt, receivedAt);
    const madeAt = publishedAt + (receivedAt - this.#time.earliest(receivedAt));
    if (definition !== undefined)
      this.#books.take(bookOfDefinition(id, definition), Math.floor(Math.min(madeAt, receivedAt)));
    const market = this.#table.find(id);
    if (market === undefined) return;
    if (told.isImage) this.#believed.add(id);
    if (definition?.runners.some((runner) => runner instanceof Unreadable)) this.#believed.delete(id);
    if (!this.#hasPrices || market.isOver) return;
    if (!this.#takePrices(market.prices, told)) {
      this.#believed.delete(id);
      const details = 'a level makes no sense; it is left out';
      this.#context.note({ kind: 'unreadable', what: `streamed prices of market ${id}`, details });
    }
    this.#table.onPrices(market, undefined);
  }

  /** Returns whether all of it could be read. */
  #takePrices(prices: MarketPrices, { isImage, runners, definition, publishedAt, receivedAt }: ToldMarket): boolean {
    const levels: PriceLevel[] = [];
    let isWhole = true;
    if (isImage) prices.clearTraded();
    for (const runner of runners) {
      const outcome = prices.outcomeOf(outcomeIdOf({ selectionId: runner.id, handicap: runner.hc }));
      const read = outcome === undefined ? undefined : levelsOf(runner, outcome);
      isWhole &&= read?.isWhole === true;
      if (outcome === undefined || read === undefined) continue;
      levels.push(...read.levels);
      setTraded(prices, outcome, tradedIn(runner));
    }
    for (const runner of definition?.runners ?? []) {
      if (runner instanceof Unreadable) continue;
      const outcome = prices.outcomeOf(outcomeIdOf({ selectionId: runner.id, handicap: runner.hc }));
      if (outcome !== undefined) setTraded(prices, outcome, { sp: { actualSP: runner.bsp } });
    }
    const at = { at: publishedAt, receivedAt };
    if (isImage) prices.tellWhole(levels, at);
    else for (const level of levels) prices.tell(level, at);
    return isWhole;
  }

  /** All that was made until then has been told, of each market that is believed. */
  #prove({ at }: StreamProof): void {
    const { emit } = this.#context;
    for (const id of this.#believed) {
      const market = this.#table.find(id);
      if (market === undefined) this.#believed.delete(id);
      else this.#freshen(market, at);
    }
    const isAll = (markets: readonly LiveMarket[]) => markets.every(({ facts }) => this.#believed.has(facts.id));
    if (this.#hasPrices && isAll(this.#table.priced())) emit({ kind: 'read', feed: 'prices', at });
    const open = this.#table.all().filter(({ isOver }) => !isOver);
    if (this.#hasMarkets && isAll(open)) emit({ kind: 'read', feed: 'markets', at });
  }

  #freshen(market: LiveMarket, at: Instant): void {
    if (this.#hasMarkets) this.#table.onDocument(market, at);
    if (!this.#hasPrices || market.isOver || at - market.freshAt < FRESH_EVERY_MS) return;
    this.#table.onPrices(market, at);
  }
}

function levelsOf(runner: RunnerRows, outcome: number) {
  const levels: PriceLevel[] = [];
  let isWhole = true;
  // What a backer can take are the layers' resting orders.
  const sides: readonly (readonly [SideIndex, RunnerRows['atb']])[] = [
    [AGAINST, runner.atb],
    [FOR, runner.atl],
  ];
  for (const [side, rows] of sides)
    for (const [at = 0, size = 0] of rows ?? []) {
      const tick = tickOfDecimal(at);
      const amount = sizeOf(size);
      if (tick === undefined || amount === undefined) isWhole = false;
      else levels.push({ outcome, side, tick, amount });
    }
  return { levels, isWhole };
}

/** In the form in which a book has it. */
function tradedIn({ tv, trd, ltp, spn, spf }: RunnerRows) {
  const tradedVolume = (trd ?? []).map(([price = 0, size = 0]) => ({ price, size }));
  return {
    totalMatched: tv,
    lastPriceTraded: ltp,
    ex: { tradedVolume },
    sp: { nearPrice: numberOf(spn), farPrice: numberOf(spf) },
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
