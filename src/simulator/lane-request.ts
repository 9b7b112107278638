/** What an order needs to be placed in one of the answers, and what became of it there. */

import type { OrderErrorCode } from '../core/order.ts';
import type { OrderTrack } from './order-track.ts';

/** The market of an order as the exchange knows it. */
export interface OrderMarket {
  readonly exchangeId: number;
  /** What the recorded market, or the run, says of its commission. */
  readonly commissionPpm: number;
}

export type PlacedItem =
  | { readonly kind: 'accepted'; readonly track: OrderTrack }
  | { readonly kind: 'refused'; readonly code: OrderErrorCode };
