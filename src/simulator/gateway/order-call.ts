/** A request about orders on its way to the built-in exchange. */

import type { CancelReply, OrderRequest, PlaceReply } from '../../exchange/gateway.ts';

export type OrderCall = PlaceCall | CancelCall;

export interface PlaceCall {
  readonly kind: 'place';
  readonly batch: readonly OrderRequest[];
  answer(reply: PlaceReply): void;
}

export interface CancelCall {
  readonly kind: 'cancel';
  /** The exchange's ids of the orders. */
  readonly orders: readonly number[];
  answer(reply: CancelReply): void;
}

/**
 * A placement. The callback gets the reply together with `asked`, the caller's context, so that no request needs a
 * closure of its own.
 */
export class Placing<Asked> implements PlaceCall {
  readonly kind = 'place';
  readonly batch: readonly OrderRequest[];
  readonly #asked: Asked;
  readonly #then: (asked: Asked, reply: PlaceReply) => void;

  constructor(batch: readonly OrderRequest[], asked: Asked, then: (asked: Asked, reply: PlaceReply) => void) {
    this.batch = batch;
    this.#asked = asked;
    this.#then = then;
  }

  answer(reply: PlaceReply): void {
    this.#then(this.#asked, reply);
  }
}

export class Cancelling<Asked> implements CancelCall {
  readonly kind = 'cancel';
  readonly orders: readonly number[];
  readonly #asked: Asked;
  readonly #then: (asked: Asked, reply: CancelReply) => void;

  constructor(orders: readonly number[], asked: Asked, then: (asked: Asked, reply: CancelReply) => void) {
    this.orders = orders;
    this.#asked = asked;
    this.#then = then;
  }

  answer(reply: CancelReply): void {
    this.#then(this.#asked, reply);
  }
}
