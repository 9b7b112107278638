/**
 * Cancels orders and then reads them, because the answer names the cancelled orders but does not say what had matched before.
 */

import { defer, map, mergeMap, type Observable, of } from 'rxjs';
import type { CancelReply } from '../../exchange/gateway.ts';
import { type CallOutcome, failureOf, type ReadFailure } from '../connection/call-outcome.ts';
import type { KnownOrders } from './known-orders.ts';
import type { CancelCall, OrderReader } from './order-source.ts';
import type { OrdersFeed } from './orders-feed.ts';
import type { TradingContext } from './trading-context.ts';

/** Minimum pause before the orders of a refused cancel are reported again, ms, so that a strategy cannot retry in a tight loop. */
const REFUSED_MS = 1_000;

export interface CancellingParts {
  readonly context: TradingContext;
  readonly known: KnownOrders;
  readonly reading: OrderReader;
  readonly cancel: CancelCall;
  readonly feed: OrdersFeed;
}

export class Cancelling {
  readonly #parts: CancellingParts;

  constructor(parts: CancellingParts) {
    this.#parts = parts;
  }

  cancel(orders: readonly number[]): Observable<CancelReply> {
    return defer(() =>
      this.#parts.cancel(orders).pipe(
        mergeMap((outcome) => {
          if (outcome.kind === 'answered') {
            this.#parts.known.cancelled(orders);
            return this.#read(orders);
          }
          return of(this.#unknown(orders, failureOf(outcome), isSlow(outcome) ? 0 : REFUSED_MS));
        }),
      ),
    );
  }

  #read(orders: readonly number[]): Observable<CancelReply> {
    const { known, reading } = this.#parts;
    return reading.byIds(orders, 'cancel').pipe(
      map((read): CancelReply => {
        if (read.kind === 'failed') return this.#unknown(orders, read, 0);
        known.oweUnreadable(read.unreadable);
        return { kind: 'cancelled', reports: read.orders.flatMap((facts) => known.reply(facts, read.askedAt) ?? []) };
      }),
    );
  }

  /** The orders are read, and reported whatever comes of it. */
  #unknown(orders: readonly number[], { code, details }: ReadFailure, waitMs: number): CancelReply {
    const { known, feed, context } = this.#parts;
    known.owe(orders);
    // The reading starts after the reply, because a report that comes before the reply could not resolve it.
    context.clock.schedule(() => feed.wake(), waitMs);
    return { kind: 'unknown', code, details };
  }
}

/** Whether the failure already took time: a timeout, or a connection that must be made anew. */
function isSlow(outcome: Exclude<CallOutcome<unknown>, { readonly kind: 'answered' }>): boolean {
  return outcome.kind === 'failed' && (outcome.code === 'TIMEOUT' || outcome.code === 'CONNECTION_LOST');
}
