/** No order is approved on prices older than the run may trade on, counted from when the exchange sent them. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import { BookHistory } from './book-history.ts';
import type { BotLife } from './bot-life.ts';
import { STALE_MS } from './fault-plan.ts';
import type { Made } from './faulty-wire.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';

/** The bot's clock counts whole milliseconds. */
const ROUNDING_MS = 2;

export class PriceLaw {
  readonly #oldestMs: number;
  /** By market: when the newest prices that the living process was given were made. */
  readonly #made = new Map<string, Made>();
  /** When the last answer was made that may have been stale. */
  #staleAt = Number.NEGATIVE_INFINITY;
  readonly #history: BookHistory;

  constructor({ limits, bot }: Scenario, exchange: SimulatedExchange) {
    this.#history = new BookHistory(exchange);
    this.#oldestMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, bot.freshness.prices);
  }

  heard(operation: Operation, request: WireRequest, reply: WireReply, made: Made): void {
    if (operation !== 'listPrices' || reply.kind !== 'reply' || reply.status !== 200) return;
    if (made.isStale) this.#staleAt = made.at;
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

  /** What of the book that a strategy sees the exchange did not have within that time. */
  untrue(market: string, now: number, { ledger, process }: BotLife): string | undefined {
    // A process that slept knows nothing of that time.
    if (process.sleptMs > 0) return undefined;
    const oldestMs = this.#oldestMs + ROUNDING_MS;
    const staleMs = now - this.#staleAt <= oldestMs ? STALE_MS : 0;
    for (const { state } of ledger.marketEntries()) {
      if (state.facts.id !== market) continue;
      const broken = this.#history.unknownLevel(state, oldestMs + staleMs);
      if (broken !== undefined) return `an order is approved in market ${market}: ${broken}`;
    }
    return undefined;
  }
}

function marketsIn({ path }: WireRequest): readonly string[] {
  const ids = /[?&]marketIds=([^&]*)/.exec(path)?.[1];
  return ids === undefined ? [] : decodeURIComponent(ids).split(',');
}
