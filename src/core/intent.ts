/** What a strategy asks for, in plain decimals as its author writes them; checked before it is judged. */

import type { MatchBehavior } from './order.ts';
import type { Side } from './side.ts';

/** `market` and `outcome` are the exchange's ids; `order` is `OrderView.id`. */
export type Intent = PlaceIntent | CancelIntent | CancelAllIntent | ReplaceIntent;

export interface PlaceIntent {
  readonly kind: 'place';
  readonly market: string;
  readonly outcome: string;
  readonly side: Side;
  /** Decimal odds on the ladder, such as 2.5. */
  readonly price: number;
  /** Backer's stake in the market's currency, at most three decimals. */
  readonly stake: number;
  /** Survives the in-play switch where the market cancels unmatched stake then. Default false. */
  readonly keepWhenInPlay?: boolean;
  /** Default RetainUnmatched: what does not match rests. CancelUnmatched: it is cancelled. */
  readonly matchBehavior?: MatchBehavior;
}

export interface CancelIntent {
  readonly kind: 'cancel';
  readonly order: number;
}

/** Cancels the strategy's own unmatched orders: of one market, of one outcome in it, or all. */
export interface CancelAllIntent {
  readonly kind: 'cancelAll';
  readonly market?: string;
  readonly outcome?: string;
}

/** Cancels an order, waits until the exchange has confirmed it, then places what was really voided at the new price. */
export interface ReplaceIntent {
  readonly kind: 'replace';
  readonly order: number;
  readonly price: number;
  /** At most this much of the voided remainder is placed again; all of it when absent. */
  readonly stake?: number;
}
