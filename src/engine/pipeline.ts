/** The whole bot on one screen: each input becomes a step (`Engine.onInput`: fold, decide, judge), and what the step approved is sent. */

import { map, merge, mergeMap, type Observable, Subject, tap } from 'rxjs';
import { defined } from '../core/checks/assert.ts';
import { mapExact } from '../core/collections/map-exact.ts';
import type { CancelReply, Gateway, OrderRequest, PlaceReply } from '../exchange/gateway.ts';
import type { Clock } from '../time/clock.ts';
import type { Engine } from './engine.ts';
import type { OwnOrder } from './ledger/own-order.ts';
import type { Input, Step } from './ledger/step.ts';

/** The API's limit of one batch. */
export const BATCH_MAX = 50;

/**
 * Live, paper and backtest differ in `clock` and `gateway` alone. Emits each finished step (one object, used again); an error in a step is
 * the stream's. Approved orders are in the ledger before the next intent is judged, long before their reply; what a journal must keep of
 * them is durable before the first of their bytes leaves.
 */
export function pipeline(parts: {
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly engine: Engine;
  /** Called before each input is folded, and before each request to place leaves. */
  readonly beforeInput?: (() => void) | undefined;
  /** Runs what makes an input that does not come from the gateway: a paper run brings its time to that moment first. Absent: at once. */
  readonly fromOutside?: ((work: () => void) => void) | undefined;
}): Observable<Step> {
  const { clock, gateway, engine, beforeInput, fromOutside } = parts;
  const inbox = new Subject<Input>();
  const work = new Subject<Step>();
  const enter = (input: Input): void => inbox.next(input);
  engine.connect({
    clock,
    enter: fromOutside === undefined ? enter : (input) => fromOutside(() => enter(input)),
    send: (step) => work.next(step),
  });

  const mayLeave = (orders: readonly OwnOrder[]): boolean => {
    beforeInput?.();
    return engine.mayLeave(orders);
  };
  // Every batch is its own request: a slow reply to one must not hold back the next, so concurrency is unlimited here and
  // bounded by the risk layer's rate.
  const replies$ = work.pipe(mergeMap((step) => together(requests(step, { gateway, mayLeave }))));
  const inputs$ = merge(replies$, gateway.feed$, inbox);
  const watched$ = beforeInput === undefined ? inputs$ : inputs$.pipe(tap(beforeInput));
  return watched$.pipe(map((input) => engine.onInput(input)));
}

interface Sending {
  readonly gateway: Gateway;
  readonly mayLeave: (orders: readonly OwnOrder[]) => boolean;
}

/** The requests of a step. Cancellations go before placements, and never wait for them. */
function requests(step: Step, { gateway, mayLeave }: Sending): Observable<Input>[] {
  const sent$ = [...step.takeRequests()];
  for (const orders of batches(step.takeCancels()))
    sent$.push(gateway.cancel(mapExact(orders, exchangeId)).pipe(map((reply) => cancelReply(orders, reply))));
  for (const orders of batches(step.takePlaces()))
    sent$.push(
      gateway.place(mapExact(orders, request), () => mayLeave(orders)).pipe(map((reply) => placeReply(orders, reply))),
    );
  return sent$;
}

/** Runs a step's requests at the same time; nearly always there is one. */
function together(sent$: readonly Observable<Input>[]): Observable<Input> {
  const [only$] = sent$;
  return only$ !== undefined && sent$.length === 1 ? only$ : merge(...sent$);
}

function batches(orders: readonly OwnOrder[]): readonly (readonly OwnOrder[])[] {
  if (orders.length === 0) return NO_BATCHES;
  if (orders.length <= BATCH_MAX) return [orders];
  const parts: (readonly OwnOrder[])[] = [];
  for (let start = 0; start < orders.length; start += BATCH_MAX) parts.push(orders.slice(start, start + BATCH_MAX));
  return parts;
}

const NO_BATCHES: readonly (readonly OwnOrder[])[] = [];

function exchangeId(order: OwnOrder): number {
  return defined(order.exchangeId, 'only an order that the exchange has named is cancelled');
}

/** An order's terms hold all that a request asks for. */
function request({ terms }: OwnOrder): OrderRequest {
  return terms;
}

function placeReply(orders: readonly OwnOrder[], reply: PlaceReply): Input {
  return { kind: 'placeReply', orders, reply };
}

function cancelReply(orders: readonly OwnOrder[], reply: CancelReply): Input {
  return { kind: 'cancelReply', orders, reply };
}
