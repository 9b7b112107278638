/** A call that is reported with what it is for, its outcome and how long it took. */

import { defer, type Observable, tap } from 'rxjs';
import type { RequestKind, TimedCall } from '../../exchange-live/adapter/edge-event.ts';
import type { CallOutcome } from '../../exchange-live/connection/call-outcome.ts';
import type { Clock } from '../../time/clock.ts';
import type { Operation } from '../wire/operations.ts';

const KIND_OF: Partial<Readonly<Record<Operation, RequestKind>>> = {
  placeOrders: 'place',
  cancelOrders: 'cancel',
  heartbeat: 'heartbeat',
  listMarketBook: 'prices',
  listMarketCatalogue: 'markets',
  listCurrentOrders: 'orders',
  listClearedOrders: 'transactions',
  listMarketProfitAndLoss: 'positions',
  getAccountFunds: 'wallets',
};

export interface TimedCallParts {
  readonly operation: Operation;
  readonly clock: Clock;
  readonly onCall: (call: TimedCall) => void;
}

/** Reported when its outcome is there; one that its caller gives up is not. */
export function timedCall<A>(
  call$: Observable<CallOutcome<A>>,
  { operation, clock, onCall }: TimedCallParts,
): Observable<CallOutcome<A>> {
  return defer(() => {
    const startedAt = clock.now();
    return call$.pipe(
      tap((outcome) =>
        onCall({
          kind: 'call',
          request: KIND_OF[operation] ?? 'other',
          outcome: outcome.kind === 'failed' ? outcome.code : outcome.kind,
          ms: clock.now() - startedAt,
        }),
      ),
    );
  });
}
