/** What a strategy asks for, in plain decimals as its author writes them; checked before it is judged. */

import type { MatchBehavior } from './order.ts';
import type { Side } from './side.ts';

/** What a strategy asks for. `market` and `outcome` are the exchange's ids; `order` is `OrderView.id`. */
export type Intent = PlaceIntent | CancelIntent | CancelAllIntent | ReduceIntent | ReplaceIntent;

/** Asks for a new limit order; `back` and `lay` make it. */
export interface PlaceIntent {
  readonly kind: 'place';
  /** Id of a market that the strategy watches. */
  readonly market: string;
  /** Id of one of its outcomes. */
  readonly outcome: string;
  /** `For` backs the outcome, `Against` lays it. */
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

/** Asks to cancel the unmatched stake of one own order; `cancel` makes it. */
export interface CancelIntent {
  readonly kind: 'cancel';
  /** `OrderView.id` of the order. */
  readonly order: number;
}

/** Cancels the unmatched orders of this strategy: of one outcome in a market, of one market, or all. */
export interface CancelAllIntent {
  readonly kind: 'cancelAll';
  /** Id of the market. Left out: all markets. */
  readonly market?: string;
  /** Id of the outcome, beside its market. Left out: all of the market. */
  readonly outcome?: string;
}

/**
 * Cancels a part of one own order, whose rest keeps its place in the queue; `reduce` makes it. Refused with NOT_SUPPORTED on
 * an exchange that cancels whole orders alone.
 */
export interface ReduceIntent {
  readonly kind: 'reduce';
  /** `OrderView.id` of the order. */
  readonly order: number;
  /** How much is cancelled, at most three decimals; all that is unmatched where that is less. */
  readonly stake: number;
}

/**
 * Cancels an order, waits until the exchange confirms the cancelled stake, then places only that much at the new price.
 */
export interface ReplaceIntent {
  readonly kind: 'replace';
  /** `OrderView.id` of the order that is cancelled. */
  readonly order: number;
  /** Limit of the order that takes its place, decimal odds on the ladder. */
  readonly price: number;
  /** Upper bound for the stake that is placed again; absent: all that was cancelled. */
  readonly stake?: number;
  /** Note of the order that takes its place; absent: that of the order. */
  readonly note?: string | undefined;
}
