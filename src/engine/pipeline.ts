/** The whole bot on one screen: inputs are folded, strategies decide, risk judges, approved orders and cancels go out. */

import { filter, from, ignoreElements, map, merge, mergeMap, type Observable, Subject, share, tap } from 'rxjs';
import { present } from '../core/assert.ts';
import type { CancelReply, Gateway, OrderRequest, PlaceReply } from '../exchange/gateway.ts';
import type { Clock } from '../time/clock.ts';
import type { Engine } from './engine.ts';
import type { OwnOrder } from './own-order.ts';
import type { Input, Turn } from './turn.ts';

/** The API's limit of one batch. */
export const BATCH_MAX = 50;

/**
 * Live, paper and backtest differ in `clock` and `gateway` alone. Emits each finished turn (one object, reused).
 * Approved orders are in the ledger before the next intent is judged, long before their reply; what a journal must
 * keep of them is durable before the first of their bytes leaves.
 */
export function pipeline(parts: { clock: Clock; gateway: Gateway; engine: Engine }): Observable<Turn> {
  const { clock, gateway, engine } = parts;
  const inbox = new Subject<Input>();
  engine.connect({ clock, inbox, gateway });

  const turns$ = merge(gateway.feed$, inbox).pipe(
    map((input) => engine.fold(input, clock.now())),
    map((turn) => engine.decide(turn)),
    map((turn) => engine.judge(turn)),
    map((turn) => engine.keep(turn)),
    share(),
  );
  // Cancels have a lane of their own and never wait for places. Every batch is its own request: a slow reply to one
  // must not hold back the next, so concurrency is unlimited here and bounded by the risk layer's rate.
  const cancelReplies$ = turns$.pipe(
    filter((turn) => turn.hasCancels),
    mergeMap((turn) => batches(turn.takeCancels())),
    mergeMap((orders) => gateway.cancel(orders.map(exchangeId)).pipe(map((reply) => cancelReply(orders, reply)))),
  );
  const placeReplies$ = turns$.pipe(
    filter((turn) => turn.hasPlaces),
    mergeMap((turn) => batches(turn.takePlaces())),
    mergeMap((orders) =>
      gateway.place(orders.map(request), () => engine.mayLeave(orders)).pipe(map((reply) => placeReply(orders, reply))),
    ),
  );
  const errandReplies$ = turns$.pipe(
    filter((turn) => turn.hasErrands),
    mergeMap((turn) => merge(...turn.takeErrands())),
  );
  const replies$ = merge(errandReplies$, cancelReplies$, placeReplies$).pipe(
    tap((reply) => inbox.next(reply)),
    ignoreElements(),
  );
  return merge(replies$, turns$);
}

function batches(orders: readonly OwnOrder[]): Observable<readonly OwnOrder[]> {
  const parts: (readonly OwnOrder[])[] = [];
  for (let start = 0; start < orders.length; start += BATCH_MAX) parts.push(orders.slice(start, start + BATCH_MAX));
  return from(parts);
}

function exchangeId(order: OwnOrder): number {
  return present(order.exchangeId, 'only an order that the exchange has named is cancelled');
}

function request(order: OwnOrder): OrderRequest {
  const { stakeMoney: stake, ...terms } = order.terms;
  return { ...terms, stake };
}

function placeReply(orders: readonly OwnOrder[], reply: PlaceReply): Input {
  return { kind: 'placeReply', orders, reply };
}

function cancelReply(orders: readonly OwnOrder[], reply: CancelReply): Input {
  return { kind: 'cancelReply', orders, reply };
}
