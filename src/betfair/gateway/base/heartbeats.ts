/** The account's heartbeat: unless it is refreshed in time, the exchange cancels the account's limit orders. A lapse blocks nothing. */

import { defer, map, mergeMap, type Observable, of } from 'rxjs';
import { instant } from '../../../core/number/units.ts';
import { isLive } from '../../../core/order.ts';
import type { HeartbeatReply } from '../../../exchange/gateway.ts';
import { failureOf } from '../../../exchange-live/connection/call-outcome.ts';
import type { OrdersRead } from '../../../exchange-live/orders/order-source.ts';
import type { GatewayContext } from './gateway-context.ts';

/** A lapse that was answered explains orders that are read so long after it, ms. */
const EXPLAINS_MS = 60_000;
const SECOND_MS = 1_000;

export interface HeartbeatParts {
  readonly context: GatewayContext;
  /** Reads the run's orders: what of them is live is what its heartbeat protects. */
  readonly live: () => Observable<OrdersRead>;
}

export class Heartbeats {
  readonly #parts: HeartbeatParts;
  #timeoutMs = 0;
  #armedAt = Number.NEGATIVE_INFINITY;
  #lapsedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  /** Whether a heartbeat that we armed may have cancelled orders by now. */
  mayHaveLapsed(): boolean {
    const now = this.#parts.context.clock.now();
    if (now - this.#lapsedAt < EXPLAINS_MS) return true;
    return this.#timeoutMs > 0 && now >= this.#armedAt + this.#timeoutMs;
  }

  /** Arms or refreshes it. What it did since the last time is told by the feed: it is active again all the same. */
  arm(timeoutMs: number): Observable<HeartbeatReply> {
    return this.#send(Math.ceil(timeoutMs / SECOND_MS));
  }

  /**
   * Ends it. While any order of the run is live, it stays, and the reply says that it is active. `leavesOrders`: it ends all the
   * same, and the orders stay without its protection. Left to lapse it would cancel what others have live in the account.
   */
  clear(leavesOrders: boolean): Observable<HeartbeatReply> {
    const end$ = defer(() => this.#send(0));
    if (leavesOrders) return end$;
    return this.#parts.live().pipe(
      mergeMap((read): Observable<HeartbeatReply> => {
        if (read.kind === 'failed') return of({ kind: 'unknown', code: read.code, details: read.details });
        const mayMatch = read.orders.some(({ status }) => status === undefined || isLive(status));
        if ((!mayMatch && read.unreadable.length === 0) || this.#timeoutMs === 0) return end$;
        return of({ kind: 'heartbeat', active: true, timeoutMs: this.#timeoutMs });
      }),
    );
  }

  #send(preferredTimeoutSeconds: number): Observable<HeartbeatReply> {
    const { calls, clock, emit } = this.#parts.context;
    return defer(() => {
      const sentAt = clock.now();
      return calls.call('heartbeat', { preferredTimeoutSeconds }).pipe(
        map((outcome): HeartbeatReply => {
          if (outcome.kind !== 'answered') {
            const { code, details } = failureOf(outcome);
            return { kind: 'unknown', code, details };
          }
          const { actionPerformed, actualTimeoutSeconds } = outcome.answer;
          if (actionPerformed !== 'NONE') {
            this.#lapsedAt = clock.now();
            emit({ kind: 'heartbeat', active: false, at: instant(Math.floor(clock.now())) });
          }
          this.#armedAt = sentAt;
          this.#timeoutMs = actualTimeoutSeconds * SECOND_MS;
          return { kind: 'heartbeat', active: this.#timeoutMs > 0, timeoutMs: this.#timeoutMs };
        }),
      );
    });
  }
}
