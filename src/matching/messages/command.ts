/** Everything that can be asked of the exchange machine. Ids are small integers; string ids live at the API edge. */

import type { LiquidityAction, WinnersRange } from '../../core/market.ts';
import type { Tick } from '../../core/number/ladder.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { MatchBehavior, OrderErrorCode } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';
import type { RemovalBasis } from './rules.ts';

/**
 * Every command carries its time, never earlier than the one before. Before it acts, the machine does what fell due up
 * to and including `at`, in order of due time, then of market id and arrival: delays that end, heartbeats that lapse.
 */
export type Command = { readonly at: Instant } & (
  | AccountCommand
  | MarketCommand
  | OrderCommand
  | { readonly kind: 'advance' }
);

/** Ids (app, wallet, commission rate, event, market, order, trade) count up from 0 in the order of creation. */
export type AccountCommand =
  /** Also creates the app's Commission wallet. App 0 and wallet 0 (System) exist from the start. */
  | { readonly kind: 'createApp' }
  | {
      readonly kind: 'createCommissionRate';
      readonly app: number;
      /** Parts per million of net profit: 1 % is 10,000. */
      readonly ratePpm: number;
      readonly isDefault: boolean;
    }
  | { readonly kind: 'createWallet'; readonly app: number }
  /** Opens the wallet's account in that currency where it has none, with balance and overdraft zero. */
  | { readonly kind: 'openAccount'; readonly wallet: number; readonly currency: number }
  | { readonly kind: 'deposit'; readonly wallet: number; readonly currency: number; readonly amount: Money }
  | { readonly kind: 'withdraw'; readonly wallet: number; readonly currency: number; readonly amount: Money }
  | {
      readonly kind: 'transfer';
      readonly from: number;
      readonly to: number;
      readonly currency: number;
      readonly amount: Money;
    }
  | { readonly kind: 'adjust'; readonly wallet: number; readonly currency: number; readonly amount: Money }
  | { readonly kind: 'setOverdraft'; readonly wallet: number; readonly currency: number; readonly overdraft: Money }
  /** Arms or refreshes; after a lapse it changes nothing (only deleteHeartbeat lifts the block). */
  | { readonly kind: 'heartbeat'; readonly app: number; readonly timeoutMs: number }
  | { readonly kind: 'deleteHeartbeat'; readonly app: number };

export type MarketCommand =
  | { readonly kind: 'createEvent'; readonly app: number }
  | { readonly kind: 'setEventActive'; readonly event: number; readonly active: boolean }
  | ({ readonly kind: 'createMarket' } & MarketTerms)
  | { readonly kind: 'publish'; readonly market: number; readonly published: boolean }
  /** Initializing → Open. With `reopen`, also Locked → Open (a recording may do so). */
  | { readonly kind: 'open'; readonly market: number; readonly reopen?: boolean }
  /** Open → Initializing, where a recording takes a market back (Betfair's INACTIVE). */
  | { readonly kind: 'unopen'; readonly market: number }
  | { readonly kind: 'suspend'; readonly market: number; readonly suspended: boolean }
  /** PrePlay → InPlay runs eventStartAction; InPlay → PrePlay is allowed because recordings do it. */
  | { readonly kind: 'setInPlay'; readonly market: number; readonly inPlay: boolean }
  /** What the next switch to in play does to resting orders: a recording may say otherwise than at first. */
  | { readonly kind: 'setEventStartAction'; readonly market: number; readonly action: LiquidityAction }
  /** Voids whatever rests in an Open market (MarketSuspended); Pending orders are left to their due time. */
  | { readonly kind: 'voidResting'; readonly market: number }
  | { readonly kind: 'setInPlayDelay'; readonly market: number; readonly delayMs: number }
  | { readonly kind: 'setLockAt'; readonly market: number; readonly lockAt: Instant | undefined }
  /**
   * The moves with a status on the way (Locking, Settling, Voiding). `begin` stops at that status and does the work
   * of the move, `finish` goes on from it; without a step both happen at once.
   */
  | { readonly kind: 'lock'; readonly market: number; readonly step?: MoveStep }
  /**
   * `winners` are outcome indexes. `places` is how many places the market pays where fewer than winners (dead heat):
   * from 1 to winners.max of the market's terms, which it is where absent; else INVALID_ARGUMENT.
   */
  | {
      readonly kind: 'settle';
      readonly market: number;
      readonly winners: readonly number[];
      readonly places?: number;
      readonly step?: MoveStep;
    }
  | { readonly kind: 'void'; readonly market: number; readonly step?: MoveStep }
  /** Undoes a settlement or void and settles anew (or, without winners, voids); may charge below zero. */
  | {
      readonly kind: 'resettle';
      readonly market: number;
      readonly winners: readonly number[];
      readonly places?: number;
    }
  | { readonly kind: 'close'; readonly market: number }
  /**
   * A non-runner: orders on it are voided, matched bets on the others repriced by the factor (`win`: price × (1 − f),
   * `place`: price − 1 × (1 − f)), and resting Against orders on every other outcome voided or reduced, each from the
   * factor on that the rules name. Below it nothing but the outcome's own orders change.
   */
  | {
      readonly kind: 'removeOutcome';
      readonly market: number;
      readonly outcome: number;
      readonly factorPpm: number;
      readonly basis: RemovalBasis;
    }
  /** Frees the orders, trades and positions of a Settled, Voided or Closed market: their slots are used again. */
  | { readonly kind: 'forget'; readonly market: number };

export type MoveStep = 'begin' | 'finish';

export interface MarketTerms {
  readonly app: number;
  readonly event: number;
  readonly currency: number;
  readonly outcomes: number;
  readonly winners: WinnersRange;
  readonly crossMatching: boolean;
  /** False: inPlayStatus NotApplicable for ever. */
  readonly turnsInPlay: boolean;
  /** Delay of new orders while InPlay, ms; 0 for none. */
  readonly inPlayDelayMs: number;
  readonly lockAt?: Instant;
  readonly eventStartAction: LiquidityAction;
  readonly marketLockAction: LiquidityAction;
}

export type OrderCommand =
  /** Each item is judged and matched before the next. A lapsed heartbeat refuses the whole batch. */
  | { readonly kind: 'place'; readonly app: number; readonly requests: readonly PlaceRequest[] }
  /** Orders of the app that any of the given lists selects; unknown, foreign and settled ones are skipped. */
  | {
      readonly kind: 'cancel';
      readonly app: number;
      readonly orders?: readonly number[];
      readonly markets?: readonly number[];
      readonly events?: readonly number[];
      readonly wallets?: readonly number[];
    };

export interface PlaceRequest {
  readonly wallet: number;
  readonly market: number;
  readonly side: Side;
  readonly outcome: number;
  readonly tick: Tick;
  readonly stake: Money;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
  readonly reference?: string;
  readonly commissionRate?: number;
  /** Acts at once in play too: what a recording shows has waited out its delay before it was recorded. */
  readonly undelayed?: true;
  /** Fault injection: refuse with this code after all checks passed, instead of creating the order. */
  readonly fault?: OrderErrorCode;
}
