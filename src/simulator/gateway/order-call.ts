/** A request about orders on its way to the built-in exchange. */

import type { CancelReply, OrderRequest, PlaceReply } from '../../exchange/gateway.ts';

/** A request about orders, and how its reply is delivered. */
export type OrderCall = PlaceCall | CancelCall;

export interface PlaceCall {
  readonly kind: 'place';
  readonly batch: readonly OrderRequest[];
  deliver(reply: PlaceReply): void;
}

export interface CancelCall {
  readonly kind: 'cancel';
  /** The exchange's ids of the orders. */
  readonly orders: readonly number[];
  deliver(reply: CancelReply): void;
}

/**
 * A placement. The callback gets the reply together with `context`, the caller's own data, so that no request needs a
 * closure of its own.
 */
export class Placing<Context> implements PlaceCall {
  readonly kind = 'place';
  readonly batch: readonly OrderRequest[];
  readonly #context: Context;
  readonly #then: (context: Context, reply: PlaceReply) => void;

  constructor(batch: readonly OrderRequest[], context: Context, then: (context: Context, reply: PlaceReply) => void) {
    this.batch = batch;
    this.#context = context;
    this.#then = then;
  }

  deliver(reply: PlaceReply): void {
    this.#then(this.#context, reply);
  }
}

/** A cancellation. The callback gets the reply together with `context`, the caller's own data. */
export class Cancelling<Context> implements CancelCall {
  readonly kind = 'cancel';
  readonly orders: readonly number[];
  readonly #context: Context;
  readonly #then: (context: Context, reply: CancelReply) => void;

  constructor(orders: readonly number[], context: Context, then: (context: Context, reply: CancelReply) => void) {
    this.orders = orders;
    this.#context = context;
    this.#then = then;
  }

  deliver(reply: CancelReply): void {
    this.#then(this.#context, reply);
  }
}
