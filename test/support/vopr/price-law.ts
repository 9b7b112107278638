/** No order is approved on prices or a status older than the run may trade on, counted from when the exchange sent them. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import { BookHistory } from './book-history.ts';
import type { BotLife } from './bot-life.ts';
import { STALE_MS } from './fault-plan.ts';
import type { Made } from './lossy-wire.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import { StatusHistory } from './status-history.ts';

/** The bot's clock counts whole milliseconds. */
const ROUNDING_MS = 2;

export class PriceLaw {
  readonly #oldestMs: number;
  /** By market: when the newest prices that the living process was given were made. */
  readonly #made = new Map<string, Made>();
  /** When the last answers were made that may have been stale. */
  readonly #staleAt = { listPrices: Number.NEGATIVE_INFINITY, listMarkets: Number.NEGATIVE_INFINITY };
  readonly #books: BookHistory;
  readonly #statuses: StatusHistory;
  readonly #oldestStatusMs: number;

  constructor({ limits, bot }: Scenario, exchange: SimulatedExchange) {
    this.#books = new BookHistory(exchange);
    this.#statuses = new StatusHistory(exchange);
    this.#oldestStatusMs = bot.freshness.markets;
    this.#oldestMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, bot.freshness.prices);
  }

  heard(operation: Operation, request: WireRequest, reply: WireReply, made: Made): void {
    if (operation !== 'listPrices' && operation !== 'listMarkets') return;
    if (reply.kind !== 'reply' || reply.status !== 200) return;
    if (made.isStale) this.#staleAt[operation] = made.at;
    if (operation === 'listMarkets') return;
    for (const market of marketsIn(request)) {
      const known = this.#made.get(market);
      if (known === undefined || known.at < made.at) this.#made.set(market, made);
    }
  }

  died(): void {
    this.#made.clear();
  }

  /**
   * What is wrong with an order approved now. `sleptMs`: time of which the process knows nothing, because it slept
   * without a look at the date afterwards; undefined where it looks.
   */
  broken(market: string, now: number, sleptMs: number | undefined): string | undefined {
    const made = this.#made.get(market);
    if (made === undefined) return `an order is approved in market ${market} without any prices`;
    const ageMs = now - made.at - (sleptMs === undefined ? 0 : sleptMs - made.sleptMs);
    if (ageMs <= this.#oldestMs + ROUNDING_MS) return undefined;
    const told = new Date(instant(made.at)).toISOString();
    return `an order is approved in market ${market} on prices ${ageMs} ms old, told ${told}; at most ${this.#oldestMs}`;
  }

  /** What of the book and of the status that a strategy sees the exchange did not have within their time, after the law that it breaks. */
  untrue(market: string, now: number, { ledger, process }: BotLife): readonly [law: string, what: string] | undefined {
    // A process that slept knows nothing of that time.
    if (process.sleptMs > 0) return undefined;
    const state = ledger.entryById(market)?.state;
    if (state === undefined) return undefined;
    const head = `an order is approved in market ${market}: `;
    const book = this.#books.unknownLevel(state, this.#oldest('listPrices', this.#oldestMs, now));
    if (book !== undefined) return ['a book is one that was', head + book];
    const status = this.#statuses.unknownStatus(market, state, this.#oldest('listMarkets', this.#oldestStatusMs, now));
    return status === undefined ? undefined : ['a status is one that was', head + status];
  }

  #oldest(operation: 'listPrices' | 'listMarkets', oldestMs: number, now: number): number {
    const allowedMs = oldestMs + ROUNDING_MS;
    return now - this.#staleAt[operation] <= allowedMs ? allowedMs + STALE_MS : allowedMs;
  }
}

function marketsIn({ path }: WireRequest): readonly string[] {
  const ids = /[?&]marketIds=([^&]*)/.exec(path)?.[1];
  return ids === undefined ? [] : decodeURIComponent(ids).split(',');
}
