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
  /** The limit, decimal odds on the ladder, such as 2.5: it matches at this price or a better one. */
  readonly price: number;
  /** Backer's stake in the market's currency, at most three decimals. */
  readonly stake: number;
  /** Keeps the order at the in-play switch, where the market cancels unmatched stake then. Default false. */
  readonly keepWhenInPlay?: boolean;
  /** RetainUnmatched (default): stake that does not match at once rests. CancelUnmatched: it is cancelled. */
  readonly matchBehavior?: MatchBehavior;
  /** Why, in the strategy's own words: at most `NOTE_MAX` characters. It stays with the order and is never sent to the exchange. */
  readonly note?: string | undefined;
}

/** The most characters of a note, as `length` counts them. */
export const NOTE_MAX = 200;

export interface CancelIntent {
  readonly kind: 'cancel';
  readonly order: number;
}

/** Cancels the unmatched orders of this strategy: of one outcome in a market, of one market, or all. */
export interface CancelAllIntent {
  readonly kind: 'cancelAll';
  readonly market?: string;
  readonly outcome?: string;
}

/**
 * Cancels an order, waits until the exchange confirms the cancelled stake, then places only that much at the new price.
 */
export interface ReplaceIntent {
  readonly kind: 'replace';
  readonly order: number;
  readonly price: number;
  /** Upper bound for the stake that is placed again; absent: all that was cancelled. */
  readonly stake?: number;
  /** Note of the order that takes its place; absent: that of the order. */
  readonly note?: string | undefined;
}
