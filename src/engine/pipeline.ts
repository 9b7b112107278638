/** The whole bot on one screen: each input becomes a step (`Engine.onInput`: fold, decide, judge), and what the step approved is sent. */

import { map, merge, Observable, Subject, Subscription, tap } from 'rxjs';
import { defined, fail } from '../core/checks/assert.ts';
import { mapExact } from '../core/collections/map-exact.ts';
import type { Gateway, OrderRequest } from '../exchange/gateway.ts';
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
  /** Replies, and what comes from inside. */
  const inbox = new Subject<Input>();
  const asked = new Subscription();
  const mayLeave = (orders: readonly OwnOrder[]): boolean => {
    beforeInput?.();
    return engine.mayLeave(orders);
  };
  const enter = (input: Input): void => inbox.next(input);
  engine.connect({
    clock,
    enter: fromOutside === undefined ? enter : (input) => fromOutside(() => enter(input)),
    send: (step) => send(step, { gateway, mayLeave, inbox, asked }),
  });
  const inputs$ = new Observable<Input>((inputs) => {
    inputs.add(asked);
    return merge(gateway.feed$, inbox).subscribe(inputs);
  });
  const watched$ = beforeInput === undefined ? inputs$ : inputs$.pipe(tap(beforeInput));
  return watched$.pipe(map((input) => engine.onInput(input)));
}

interface Sending {
  readonly gateway: Gateway;
  readonly mayLeave: (orders: readonly OwnOrder[]) => boolean;
  readonly inbox: Subject<Input>;
  /** What is under way, and given up when the bot ends. */
  readonly asked: Subscription;
}

/**
 * Sends the requests of a step. Cancellations go before placements, and never wait for them. Every batch is its own request, since a slow
 * reply to one must not hold back the next; the risk layer's rate bounds how many are under way.
 */
function send(step: Step, sending: Sending): void {
  const { gateway, mayLeave } = sending;
  // All is taken before the first request leaves: its reply may come at once, and the next step is the same object.
  const [others, cancels, places] = [step.takeRequests(), step.takeCancels(), step.takePlaces()];
  const reductions = step.takeReductions();
  for (const input$ of others) ask(input$, (input) => input, sending);
  for (const orders of batches(cancels))
    ask(gateway.cancel(mapExact(orders, exchangeId)), (reply) => ({ kind: 'cancelReply', orders, reply }), sending);
  for (const { order, stake } of reductions) {
    const reply$ = gateway.reduce?.(exchangeId(order), stake);
    if (reply$ === undefined) fail('a market says that orders are reduced, and its gateway does not do it');
    ask(reply$, (reply) => ({ kind: 'reduceReply', order, reply }), sending);
  }
  for (const orders of batches(places)) {
    const reply$ = gateway.place(mapExact(orders, request), () => mayLeave(orders));
    ask(reply$, (reply) => ({ kind: 'placeReply', orders, reply }), sending);
  }
}

/** Makes one request. `mergeMap` and `map` do the same, and take a tenth of the time of a busy backtest. */
function ask<Reply>(reply$: Observable<Reply>, toInput: (reply: Reply) => Input, { inbox, asked }: Sending): void {
  let one: Subscription | undefined;
  one = reply$.subscribe({
    next: (reply) => inbox.next(toInput(reply)),
    error: (error: unknown) => inbox.error(error),
    complete: () => one !== undefined && asked.remove(one),
  });
  asked.add(one);
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
