/** The port to an exchange, implemented by the live gateway, the simulated exchange and test doubles. */

import type { Observable } from 'rxjs';
import type { MarketState } from '../core/market-state.ts';
import type { Tick } from '../core/number/ladder.ts';
import type { Instant, Money } from '../core/number/units.ts';
import type { MatchBehavior } from '../core/order.ts';
import type { ReportedOrder } from '../core/run/kept-order.ts';
import type { Side } from '../core/side.ts';

/** The port to an exchange, live and simulated. Its observables are cold, act on subscription, and never emit during subscription. */
export interface Gateway {
  /** Messages about markets, orders and money, in the order in which they arrive. Completes at the end of a recording. */
  readonly feed$: Observable<FeedMessage>;
  /**
   * Places a batch of at most 50 orders; emits one reply, whatever happens. If the request had to wait, `mayLeave` is called just
   * before it is sent; if it returns false, nothing is placed.
   */
  place(batch: readonly OrderRequest[], mayLeave?: () => boolean): Observable<PlaceReply>;
  /** Cancels orders by the ids the exchange gave them; unknown and foreign ids are skipped. */
  cancel(orders: readonly number[]): Observable<CancelReply>;
  /**
   * Cancels `stake` of one order, or all that is unmatched where that is less, by the id the exchange gave it; the rest keeps its place.
   * The reply is that of a cancellation. Absent where the exchange has no such request; no market says `canReduce` then.
   */
  reduce?(order: number, stake: Money): Observable<CancelReply>;
  /** Arms or refreshes the heartbeat: without a refresh within `timeoutMs` the exchange cancels the app's orders. */
  heartbeat(timeoutMs: number): Observable<HeartbeatReply>;
  /**
   * Lifts the block after a lapse, or removes the heartbeat. While orders of the app are live, an active heartbeat stays and the
   * reply says so, because it may be all that protects them. `leavesOrders` removes it all the same.
   */
  clearHeartbeat(leavesOrders?: boolean): Observable<HeartbeatReply>;
}

/**
 * What a gateway reports, by its `kind`. `market`: prices, status or facts changed at `market.updatedAt`, for the reason in `cause`; the object is the same each time and shows the current state.
 * `order` and `wallet` (with `balance` and `balanceAvailable`) are whole states and no changes, so that receiving one twice changes nothing.
 * Wallets are named by their index in the settings, times (`at`) are ms UTC.
 */
export type FeedMessage =
  | { readonly kind: 'market'; readonly market: MarketState; readonly cause: MarketCause }
  /** `isRevived`: the order had ended as far as known, and a reading that was asked for since then shows it live. */
  | { readonly kind: 'order'; readonly order: OrderReport; readonly isRevived?: true }
  /** The order with this number (`client`), which was of unknown fate, is proven never to have been created. If a report of it comes all the same, the report is right. */
  | { readonly kind: 'absent'; readonly client: number; readonly at: Instant }
  /** A market was settled for a `wallet`: what the run's bets in it brought. */
  | {
      readonly kind: 'settled';
      readonly market: MarketState;
      readonly wallet: number;
      /** Net of commission; if the market had a result before, the change. */
      readonly profit: Money;
      /** Commission of the market so far, over all its results. */
      readonly commission: Money;
    }
  | { readonly kind: 'wallet'; readonly wallet: number; readonly balance: Money; readonly balanceAvailable: Money }
  /** The state of the app's heartbeat (`active`) as it was `at` this time. */
  | { readonly kind: 'heartbeat'; readonly active: boolean; readonly at: Instant }
  /**
   * This `feed` was read completely, or a stream that numbers what it tells has proven that nothing is missing, and everything it brought was emitted before this message. Heartbeat and freshness
   * depend on it.
   */
  | {
      readonly kind: 'read';
      readonly feed: FeedName;
      readonly at: Instant;
      /** Of `wallets`: those of the run, of which there are others, that the reading does not show, or not so that it makes sense. Absent: all are known. */
      readonly walletsUnread?: readonly number[];
    };

/** The message of a feed that a market has changed. */
export type MarketMessage = FeedMessage & { readonly kind: 'market' };

/** The feeds of which `read` messages report a complete reading. */
export const FEED_NAMES = ['markets', 'prices', 'orders', 'wallets'] as const;
/** The feeds of which `read` messages report a complete reading. */
export type FeedName = (typeof FEED_NAMES)[number];

/**
 * `listed`: the market is new. `prices`: an ordinary update. `status`: open, suspend, in play, removal, settlement. `windowEnds`: in a
 * backtest, the end of the part of the market in which strategies are asked.
 */
export type MarketCause = 'listed' | 'prices' | 'status' | 'windowEnds';

/** A new order. Market, outcome, strategy and wallet are the port's indexes; the stake is the backer's. */
export interface OrderRequest {
  /** Our own number of the order, which counts up over the run; adapters derive the API's `reference` from it. */
  readonly client: number;
  /** Index of the strategy in the settings' list, which becomes part of the reference. */
  readonly strategy: number;
  /** Index of the wallet in the settings' list. */
  readonly wallet: number;
  /** `MarketState.index` of the market. */
  readonly market: number;
  /** Index in the market's `facts.outcomes`. */
  readonly outcome: number;
  /** `For` backs the outcome, `Against` lays it. */
  readonly side: Side;
  /** The limit, as its place on the price ladder. */
  readonly tick: Tick;
  /** Backer's stake, in 10⁻⁶ of the currency; a multiple of a thousandth. */
  readonly stake: Money;
  /** Keeps unmatched stake at the in-play switch. */
  readonly keepWhenInPlay: boolean;
  /** What becomes of stake that does not match at once. */
  readonly matchBehavior: MatchBehavior;
}

/** The whole state of an order. */
export interface OrderReport extends ReportedOrder {
  /** When the order came into this state at the exchange. */
  readonly at: Instant;
}

/** The reply to a batch of new orders. */
export type PlaceReply =
  /** `items`: one for each request, in the order of the requests. */
  | { readonly kind: 'placed'; readonly items: readonly PlaceReplyItem[] }
  /**
   * Nothing was created, for the reason in `code` and `details`: the exchange itself refused the request as a whole, or it never left. `isBlocked`: it refuses all new orders, as an exchange does
   * whose heartbeat lapsed and was not cleared since.
   */
  | { readonly kind: 'notPlaced'; readonly code: string; readonly details: string; readonly isBlocked?: true }
  /** It is not known whether orders were created, for the reason in `code` and `details`: timeout, cut connection, an answer that is not the API's own. The feed reports each order's fate later, by `order` or by `absent`. */
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

/** The reply to one order of a batch. */
export type PlaceReplyItem =
  /** The order is at the exchange: `report` is its state. */
  | { readonly kind: 'accepted'; readonly report: OrderReport }
  /** The order with this number (`client`) was not created; `code` is one of the specification's that prove it. */
  | { readonly kind: 'refused'; readonly client: number; readonly code: string }
  /** It is not known whether the order with this number (`client`) was created (`code` is INTERRUPTED, or not the specification's). The feed reports its fate later. */
  | { readonly kind: 'unknown'; readonly client: number; readonly code: string };

/** The reply to a cancellation. */
export type CancelReply =
  /**
   * The current state of those of the named orders that are ours (`reports`); the state shows whether an order was cancelled. Orders in
   * their in-play delay are cancelled at its end, and reported then.
   */
  | { readonly kind: 'cancelled'; readonly reports: readonly OrderReport[] }
  /** It is not known what was cancelled, or nothing was, for the reason in `code` and `details`. The feed reports each order again, changed or not. */
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };

/** The state of the heartbeat after a request about it. */
export type HeartbeatReply =
  /** The exchange answered: whether the heartbeat is `active`, and after how long without a refresh it lapses (`timeoutMs`). */
  | {
      readonly kind: 'heartbeat';
      readonly active: boolean;
      readonly timeoutMs: number;
      /** Another run of the app has refreshed the heartbeat since we did. */
      readonly isShared?: boolean;
    }
  /** No answer of the exchange: `code` and `details` say why. The heartbeat may be active or not. */
  | { readonly kind: 'unknown'; readonly code: string; readonly details: string };
