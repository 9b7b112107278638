/** What placing orders has in common on every exchange: which requests are under way, and what becomes of orders without an answer. */

import { finalize, type MonoTypeOperatorFunction, map, type Observable, of, timer } from 'rxjs';
import { defined } from '../../core/checks/assert.ts';
import type { OrderRequest, PlaceReply } from '../../exchange/gateway.ts';
import { type CallOutcome, failureOf } from '../connection/call-outcome.ts';
import type { MarketTable } from '../markets/market-table.ts';
import type { KnownOrders } from './known-orders.ts';
import type { OrderTerms } from './order-facts.ts';
import type { References } from './references.ts';
import type { TradingContext } from './trading-context.ts';
import type { UnknownOrders } from './unknown-orders.ts';

/**
 * Minimum pause before a request that failed is reported, ms. Strategies may ask for the same again at once, and a refused
 * session fails without any delay: the pause prevents a tight loop.
 */
const NOT_PLACED_MS = 1_000;

/** An order without an answer: by when, ms on our clock, the exchange has done what it will do with it. */
export type Lose = (request: OrderRequest, deadline: number) => void;

/** The terms of an order that is placed under a reference of ours. */
export type NamedTerms = OrderTerms & { readonly reference: string };

export interface PlacementParts {
  readonly context: TradingContext;
  readonly table: MarketTable;
  readonly references: References;
  readonly known: KnownOrders;
  readonly unknown: UnknownOrders;
}

export class Placements {
  readonly #parts: PlacementParts;
  /** Number of requests under way, by market id. */
  readonly #underWay = new Map<string, number>();

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  /** Whether a request with an order for this market has no answer yet. */
  isUnderWayIn(marketId: string): boolean {
    return this.#underWay.has(marketId);
  }

  /** Counts a request for these markets as under way, until it ends. */
  counted<T>(marketIds: readonly string[]): MonoTypeOperatorFunction<T> {
    const count = (by: number): void => {
      for (const id of marketIds) {
        const requests = (this.#underWay.get(id) ?? 0) + by;
        if (requests > 0) this.#underWay.set(id, requests);
        else this.#underWay.delete(id);
      }
    };
    count(1);
    return finalize<T>(() => count(-1));
  }

  termsOf(request: OrderRequest, outcomeId: string): NamedTerms {
    const { context, table, references } = this.#parts;
    const { client, strategy, wallet, market, side, tick, stake } = request;
    const walletId = defined(context.settings.wallets[wallet], `there is no wallet ${wallet}`);
    const reference = references.of(client, strategy);
    return { client, strategy, side, tick, stake, walletId, marketId: table.idOf(market), outcomeId, reference };
  }

  /**
   * The orders were not placed, or their fate is unknown and is looked up from then on that `lose` says so. `timeoutMs`: for how
   * long the exchange may process them.
   */
  unanswered(
    batch: readonly OrderRequest[],
    outcome: Exclude<CallOutcome<unknown>, { readonly kind: 'answered' }>,
    timeoutMs: number,
    lose: Lose = (request, deadline) => this.#parts.unknown.add(request, deadline),
  ): PlaceReply & { readonly kind: 'notPlaced' | 'unknown' } {
    const { context, known } = this.#parts;
    const { code, details } = failureOf(outcome);
    if (!outcome.mayHaveActed) {
      for (const { client } of batch) known.dropTerms(client);
      return { kind: 'notPlaced', code, details };
    }
    // A lost connection says nothing about how long the exchange still processes the request: its whole time counts.
    const isOver = outcome.kind === 'failed' && outcome.code === 'TIMEOUT';
    const deadline = context.clock.now() + (isOver ? 0 : timeoutMs);
    for (const request of batch) lose(request, deadline);
    return { kind: 'unknown', code, details };
  }

  /**
   * Delays the reply to a request that was not placed. All other replies come at once, and so does the reply to a request that
   * this program withheld itself, because it is not repeated.
   */
  inTime(reply: PlaceReply): Observable<PlaceReply> {
    if (reply.kind !== 'notPlaced' || reply.code === 'WITHHELD') return of(reply);
    return timer(NOT_PLACED_MS, this.#parts.context.clock).pipe(map(() => reply));
  }
}
