/** A request about orders on its way to the built-in exchange. */

import type { CancelReply, OrderRequest, PlaceReply } from '../../exchange/gateway.ts';

/** Receives the reply to a request. */
export interface Asker<Reply> {
  next(reply: Reply): void;
  complete(): void;
}

/** A request about orders, and who asked. */
export type OrderCall = PlaceCall | CancelCall;

export interface PlaceCall {
  readonly kind: 'place';
  readonly batch: readonly OrderRequest[];
  readonly asker: Asker<PlaceReply>;
}

export interface CancelCall {
  readonly kind: 'cancel';
  /** The exchange's ids of the orders. */
  readonly orders: readonly number[];
  readonly asker: Asker<CancelReply>;
}
