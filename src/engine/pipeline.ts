/** The whole bot on one screen: inputs become turns (folded, decided, judged: `Engine.take`), approved orders and cancels go out. */

import { ignoreElements, map, merge, mergeMap, type Observable, Subject, tap } from 'rxjs';
import { defined } from '../core/checks/assert.ts';
import { mapExact } from '../core/collections/map-exact.ts';
import type { CancelReply, Gateway, InProcessGateway, OrderRequest, PlaceReply } from '../exchange/gateway.ts';
import type { Clock } from '../time/clock.ts';
import type { Engine } from './engine.ts';
import type { OwnOrder } from './ledger/own-order.ts';
import type { Input, Step } from './ledger/step.ts';

/** The API's limit of one batch. */
export const BATCH_MAX = 50;

/**
 * Live, paper and backtest differ in `clock` and `gateway` alone. Emits each finished turn (one object, reused).
 * Approved orders are in the ledger before the next intent is judged, long before their reply; what a journal must
 * keep of them is durable before the first of their bytes leaves.
 */
export function pipeline(parts: {
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly engine: Engine;
  /** The same gateway, where requests and their answers are to go past the stream, as a replay's do. */
  readonly prompt?: InProcessGateway | undefined;
  /** Called before each input is taken, and before each request to place leaves. */
  readonly beforeInput?: (() => void) | undefined;
}): Observable<Step> {
  const { clock, gateway, engine, prompt, beforeInput } = parts;
  const inbox = new Subject<Input>();
  const work = new Subject<Step>();
  const send = prompt === undefined ? (step: Step) => work.next(step) : sendingTo(prompt, engine);
  engine.connect({ clock, inbox, gateway, send });

  const inputs$ = merge(gateway.feed$, inbox);
  const looked$ = beforeInput === undefined ? inputs$ : inputs$.pipe(tap(beforeInput));
  const turns$ = looked$.pipe(map((input) => engine.take(input)));
  const mayLeave = (orders: readonly OwnOrder[]): boolean => {
    beforeInput?.();
    return engine.mayLeave(orders);
  };
  // Every batch is its own request: a slow reply to one must not hold back the next, so concurrency is unlimited here and
  // bounded by the risk layer's rate.
  const replies$ = work.pipe(
    mergeMap((step) => together(requests(step, { gateway, mayLeave }))),
    tap((reply) => inbox.next(reply)),
    ignoreElements(),
  );
  return merge(replies$, turns$);
}

interface Sending {
  readonly gateway: Gateway;
  readonly mayLeave: (orders: readonly OwnOrder[]) => boolean;
}

/** What a turn sends. Cancels go before places, and never wait for them. */
function requests(step: Step, { gateway, mayLeave }: Sending): Observable<Input>[] {
  const sent$ = [...step.takeRequests()];
  for (const orders of batches(step.takeCancels()))
    sent$.push(gateway.cancel(orders.map(exchangeId)).pipe(map((reply) => cancelReply(orders, reply))));
  for (const orders of batches(step.takePlaces()))
    sent$.push(
      gateway.place(orders.map(request), () => mayLeave(orders)).pipe(map((reply) => placeReply(orders, reply))),
    );
  return sent$;
}

/** The same requests in the same order; each answer is an input at once. */
function sendingTo(gateway: InProcessGateway, engine: Engine): (step: Step) => void {
  const placed = (orders: readonly OwnOrder[], reply: PlaceReply): void =>
    engine.takePlaceReply({ kind: 'placeReply', orders, reply });
  const cancelled = (orders: readonly OwnOrder[], reply: CancelReply): void =>
    engine.takeCancelReply({ kind: 'cancelReply', orders, reply });
  return (step) => {
    const otherRequests = step.takeRequests();
    const cancels = batches(step.takeCancels());
    const places = batches(step.takePlaces());
    for (let i = 0; i < otherRequests.length; i += 1) otherRequests[i]?.subscribe((input) => void engine.take(input));
    for (let i = 0; i < cancels.length; i += 1) {
      const orders = cancels[i] ?? [];
      gateway.cancelWithCallback(mapExact(orders, exchangeId), orders, cancelled);
    }
    for (let i = 0; i < places.length; i += 1) {
      const orders = places[i] ?? [];
      gateway.placeWithCallback(mapExact(orders, request), orders, placed);
    }
  };
}

/** Nearly always there is one. */
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

/** Its terms hold all that is asked. */
function request({ terms }: OwnOrder): OrderRequest {
  return terms;
}

function placeReply(orders: readonly OwnOrder[], reply: PlaceReply): Input {
  return { kind: 'placeReply', orders, reply };
}

function cancelReply(orders: readonly OwnOrder[], reply: CancelReply): Input {
  return { kind: 'cancelReply', orders, reply };
}
