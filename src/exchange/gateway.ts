/** The port to an exchange: the remote one, the built-in one, and any test double speak these few verbs. */

import type { Observable } from 'rxjs';
import type { MarketState } from '../core/market-state.ts';
import type { Tick } from '../core/number/ladder.ts';
import type { Instant, Money } from '../core/number/units.ts';
import type { MatchBehavior } from '../core/order.ts';
import type { ReportedOrder } from '../core/run/kept-order.ts';
import type { Side } from '../core/side.ts';

/** Observables are cold, act on subscription, and never emit while being subscribed to. */
export interface Gateway {
  /** What becomes known of markets, orders and money, in the order in which it arrives. Ends with the recording. */
  readonly feed$: Observable<FeedMessage>;
  /**
   * One batch of at most 50 orders; one reply, however it ends. `mayLeave` is asked in the moment the bytes would leave,
   * if they had to wait for that: where it says no, nothing was placed.
   */
  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply>;
  /** Cancels orders by the ids the exchange gave them; unknown and foreign ids are skipped. */
  cancel(orders: readonly number[]): Observable<CancelReply>;
  /** Arms or refreshes the heartbeat. */
  heartbeat(timeoutMs: number): Observable<HeartbeatReply>;
  /**
   * Lifts the block after a lapse, or takes the heartbeat away. One that is active stays, and is answered as active, while
   * orders of the app are live: it may be all that watches over them. `leavesOrders`: they are to stay without it.
   */
  clearHeartbeat(leavesOrders?: boolean): Observable<HeartbeatReply>;
}

/**
 * A gateway in the same process, whose requests need no stream of their own: `answer` is called once, in the moment in which
 * the stream would have emitted, and never while the request is being made. It is told what it was asked about, so that one
 * function serves all requests.
 */
export interface InProcessGateway extends Gateway {
  placeWithCallback<Asked>(
    batch: readonly OrderRequest[],
    asked: Asked,
    answer: (asked: Asked, reply: PlaceReply) => void,
  ): void;
  cancelWithCallback<Asked>(
    orders: readonly number[],
    asked: Asked,
    answer: (asked: Asked, reply: CancelReply) => void,
  ): void;
}

/**
 * `market`: prices, status or facts changed; `market.updatedAt` tells when. The object is the same each time and reads
 * live. `order` and `wallet` are absolute, so that hearing them twice changes nothing.
 */
export type FeedMessage =
  | { readonly kind: 'market'; readonly market: MarketState; readonly cause: MarketCause }
  /** `isRevived`: it had ended by all that was known, and a reading asked for since then says that it lives. */
  | { readonly kind: 'order'; readonly order: OrderReport; readonly isRevived?: true }
  /** An order of unknown fate is proven never to have been created. A report that comes all the same is the truth. */
  | { readonly kind: 'absent'; readonly client: number; readonly at: Instant }
  | {
      readonly kind: 'settled';
      readonly market: MarketState;
      readonly wallet: number;
      /** Net of commission; of another result, the difference. */
      readonly profit: Money;
      /** Of the market so far, all its results together. */
      readonly commission: Money;
    }
  | { readonly kind: 'wallet'; readonly wallet: number; readonly balance: Money; readonly balanceAvailable: Money }
  | { readonly kind: 'heartbeat'; readonly active: boolean; readonly at: Instant }
  /** A feed was read over REST, whole; all that it brought was told before. What a heartbeat and freshness rest on. */
  | { readonly kind: 'read'; readonly feed: FeedName; readonly at: Instant };

export type MarketMessage = FeedMessage & { readonly kind: 'market' };

/** Receives a gateway's messages by calls instead of by its stream. The objects may be written over when a call has returned. */
export interface GatewayListener {
  /** Receives market messages whose cause is `prices`, of markets that are not closed: nearly all messages of a backtest. */
  onPrices(message: MarketMessage): unknown;
  /** Receives all other messages. */
  onInput(message: FeedMessage): unknown;
}

export const FEED_NAMES = ['markets', 'prices', 'orders', 'wallets'] as const;
export type FeedName = (typeof FEED_NAMES)[number];

/** `listed`: first heard of. `prices`: an ordinary update. `status`: open, suspend, in play, removal, settlement. */
export type MarketCause = 'listed' | 'prices' | 'status';

export interface OrderRequest {
  /** Ours: counts up over the run; adapters derive the API's `reference` from it. */
  readonly client: number;
  readonly strategy: number;
  readonly wallet: number;
  readonly market: number;
  readonly outcome: number;
  readonly side: Side;
  readonly tick: Tick;
  readonly stake: Money;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
}

/** All there is to know of an order now. */
export interface OrderReport extends ReportedOrder {
  /** When the exchange did it. */
  readonly at: Instant;
}

export type PlaceReply =
  /** One item per request, in request order. */
  | { readonly kind: 'placed'; readonly items: readonly PlaceReplyItem[] }
  /** Nothing was created: the exchange itself refused the request as a whole, or it never left. */
  | { readonly kind: 'notPlaced'; readonly code: string; readonly details: string }
  /** Nobody knows: timeout, cut connection, an answer that is not the API's own. The feed tells each order's fate later: by `order`, or by `absent`. */
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

export type PlaceReplyItem =
  | { readonly kind: 'accepted'; readonly report: OrderReport }
  /** `code`: one of the specification's that prove it. */
  | { readonly kind: 'refused'; readonly client: number; readonly code: string }
  /** Of this one nobody knows (INTERRUPTED, or a code that is not the specification's): as with a reply that is unknown as a whole. */
  | { readonly kind: 'unknown'; readonly client: number; readonly code: string };

export type CancelReply =
  /**
   * The orders named, as far as the exchange knows them as ours, as they are now: those really cancelled say so.
   * Pending ones become CancelUnmatched and report later.
   */
  | { readonly kind: 'cancelled'; readonly reports: readonly OrderReport[] }
  /** Nobody knows, or nothing was done. The feed tells each order again, changed or not. */
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

export type HeartbeatReply =
  | {
      readonly kind: 'heartbeat';
      readonly active: boolean;
      readonly timeoutMs: number;
      /** Somebody else refreshed it since we did: another run of the app is at work. */
      readonly isShared?: boolean;
    }
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };
