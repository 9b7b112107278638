/** An order on its way into one of the answers, and what became of it there. */

import type { OrderErrorCode } from '../core/order.ts';
import type { OrderRequest } from '../exchange/gateway.ts';
import type { OrderTrack } from './order-track.ts';

/** A request with what the recorded market says of its commission, and the exchange's id of that market. */
export interface LaneRequest {
  readonly request: OrderRequest;
  readonly market: number;
  readonly commissionPpm: number;
}

export type PlacedItem =
  | { readonly kind: 'accepted'; readonly track: OrderTrack }
  | { readonly kind: 'refused'; readonly code: OrderErrorCode };
