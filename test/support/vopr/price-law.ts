/** No order is approved on prices older than the run may trade on, counted from when the exchange sent them. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { Made } from './faulty-wire.ts';
import type { Scenario } from './scenario.ts';

/** The bot's clock counts whole milliseconds. */
const ROUNDING_MS = 2;

export class PriceLaw {
  readonly #oldestMs: number;
  /** By market: when the newest prices that the living process was given were made. */
  readonly #made = new Map<string, Made>();

  constructor({ limits, bot }: Scenario) {
    this.#oldestMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, bot.freshness.prices);
  }

  heard(operation: Operation, request: WireRequest, reply: WireReply, made: Made): void {
    if (operation !== 'listPrices' || reply.kind !== 'reply' || reply.status !== 200) return;
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
}

function marketsIn({ path }: WireRequest): readonly string[] {
  const ids = /[?&]marketIds=([^&]*)/.exec(path)?.[1];
  return ids === undefined ? [] : decodeURIComponent(ids).split(',');
}
