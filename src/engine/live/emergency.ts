/** After a failure of the run itself: nothing of it is left live at the exchange, as far as that can be reached. */

import { concat, defer, EMPTY, ignoreElements, mergeMap, type Observable, of, repeat, takeWhile, timer } from 'rxjs';
import { isLive } from '../../core/order.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
import type { Clock } from '../../time/clock.ts';
import type { OwnOrder } from '../ledger/own-order.ts';

export interface EmergencyParts {
  readonly clock: Clock;
  readonly gateway: LiveGateway;
  /** The orders that are live as far as the ledger knows. */
  readonly liveOrders: Iterable<OwnOrder>;
}

/** Between two readings of what is live. */
const PAUSE_MS = 250;

/**
 * Cancels the orders whose ids are known, then reads what the exchange holds, and cancels what it finds of the run: the answer to
 * an order, which has its id, may have been lost with the failure. Emits after each reading how many were live still. Completes
 * when none is, and each order without an answer was seen; one that never came to be is looked for until it is unsubscribed from.
 */
export function emergencyCancel({ clock, gateway, liveOrders }: EmergencyParts): Observable<number> {
  const ids: number[] = [];
  const unseen = new Set<number>();
  for (const { exchangeId, hasLeft, terms } of liveOrders) {
    if (exchangeId !== undefined) ids.push(exchangeId);
    else if (hasLeft) unseen.add(terms.client);
  }
  const cancel = (orders: readonly number[]): Observable<never> =>
    orders.length === 0 ? EMPTY : gateway.cancel(orders).pipe(ignoreElements());
  const round$ = defer(() => gateway.accountSnapshot()).pipe(
    mergeMap((reply) => {
      // It is read again.
      if (reply.kind === 'failed') return EMPTY;
      const own = reply.books.orders.filter(({ client }) => client !== 0);
      for (const { client } of own) unseen.delete(client);
      const live = own.filter(({ status }) => isLive(status)).map(({ order }) => order);
      return concat(of(live.length), cancel(live));
    }),
    repeat({ delay: () => timer(PAUSE_MS, clock) }),
    takeWhile((live) => live > 0 || unseen.size > 0, true),
  );
  return concat(cancel(ids), round$);
}
