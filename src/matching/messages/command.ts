/** Everything that can be asked of the exchange machine. Ids are small integers; string ids live at the API edge. */

import type { LiquidityAction, WinnersRange } from '../../core/market.ts';
import type { Tick } from '../../core/number/ladder.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { MatchBehavior, OrderErrorCode } from '../../core/order.ts';
import type { Side } from '../../core/side.ts';
import type { RemovalBasis } from './rules.ts';

/**
 * All commands. Each carries its time, which is never earlier than that of the command before. Before a command acts,
 * the machine does everything that fell due up to and including `at` (delays that end, heartbeats that lapse), in order
 * of due time, then of market id, then of arrival.
 */
export type Command = { readonly at: Instant } & (
  | AccountCommand
  | MarketCommand
  | OrderCommand
  | { readonly kind: 'advance' }
);

/**
 * Commands about apps, wallets and money. Ids (app, wallet, commission rate, event, market, order, trade) count up from
 * 0 in the order of creation.
 */
export type AccountCommand =
  /** Creates an app with its Commission wallet. App 0 and wallet 0 (System) exist from the start. */
  | { readonly kind: 'createApp' }
  | {
      readonly kind: 'createCommissionRate';
      readonly app: number;
      /** Commission rate in parts per million of net profit: 10,000 is 1 %. */
      readonly ratePpm: number;
      readonly isDefault: boolean;
    }
  /**
   * `moneyStep` is the smallest amount that settlements pay the wallet: with one above 10⁻⁶ its bets are settled one by one,
   * each rounded in the exchange's favour (Betfair's rule).
   */
  | { readonly kind: 'createWallet'; readonly app: number; readonly moneyStep?: number }
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
  /** Arms or refreshes an app's heartbeat. After a lapse that blocks (see the rules) only deleteHeartbeat lifts the block. */
  | { readonly kind: 'heartbeat'; readonly app: number; readonly timeoutMs: number }
  | { readonly kind: 'deleteHeartbeat'; readonly app: number };

/** Commands about events and markets. */
export type MarketCommand =
  | { readonly kind: 'createEvent'; readonly app: number }
  | { readonly kind: 'setEventActive'; readonly event: number; readonly active: boolean }
  | ({ readonly kind: 'createMarket' } & MarketTerms)
  | { readonly kind: 'publish'; readonly market: number; readonly published: boolean }
  /** Moves a market from Initializing to Open. With `reopen` also from Locked to Open, which a recording may do. */
  | { readonly kind: 'open'; readonly market: number; readonly reopen?: boolean }
  /** Moves a market from Open back to Initializing, as a recording does with Betfair's INACTIVE. */
  | { readonly kind: 'unopen'; readonly market: number }
  | { readonly kind: 'suspend'; readonly market: number; readonly suspended: boolean }
  /**
   * Changes the in-play status. PrePlay → InPlay runs eventStartAction; InPlay → PrePlay is allowed because recordings
   * do it.
   */
  | { readonly kind: 'setInPlay'; readonly market: number; readonly inPlay: boolean }
  /**
   * Sets what the next switch to in play does to resting orders: a recording's later definition may differ from its
   * first.
   */
  | { readonly kind: 'setEventStartAction'; readonly market: number; readonly action: LiquidityAction }
  /** Voids all resting stake of an Open market (reason MarketSuspended). Pending orders stay until they are due. */
  | { readonly kind: 'voidResting'; readonly market: number }
  /** Changes the in-play delay, and which orders it is for (absent: as before). */
  | {
      readonly kind: 'setInPlayDelay';
      readonly market: number;
      readonly delayMs: number;
      readonly delaysTakersOnly?: boolean;
    }
  /** Says at which price an outcome traded last: a recording shows trades that are not made again. */
  | { readonly kind: 'setLastPrice'; readonly market: number; readonly outcome: number; readonly tick: Tick }
  | { readonly kind: 'setLockAt'; readonly market: number; readonly lockAt: Instant | undefined }
  /**
   * A move that passes through an intermediate status (Locking, Settling, Voiding). `begin` stops at that status and
   * does the move's work, `finish` goes on from it; without a step both happen at once.
   */
  | { readonly kind: 'lock'; readonly market: number; readonly step?: MoveStep }
  /**
   * `winners` are outcome indexes. `places` is how many places are paid in full value where that is fewer than the
   * winners (a dead heat): from 1 to winners.max of the market's terms, which is also the default; anything else is
   * INVALID_ARGUMENT. Without any winner `places` is 0, and all bets on outcomes are lost.
   */
  | {
      readonly kind: 'settle';
      readonly market: number;
      readonly winners: readonly number[];
      readonly places?: number;
      readonly step?: MoveStep;
    }
  | { readonly kind: 'void'; readonly market: number; readonly step?: MoveStep }
  /**
   * Undoes a settlement or void and settles again, or voids without winners and `places`. May take a balance below zero.
   */
  | {
      readonly kind: 'resettle';
      readonly market: number;
      readonly winners: readonly number[];
      readonly places?: number;
    }
  | { readonly kind: 'close'; readonly market: number }
  /**
   * Removes an outcome (a non-runner). Orders on it are voided, matched bets on the other outcomes are repriced by the
   * factor f (`win`: price × (1 − f), `place`: (price − 1) × (1 − f)), and resting Against orders on every other
   * outcome are voided or reduced, each from the factor on that the rules name. Below that factor only the outcome's
   * own orders change. Where the rules allow it in a Settled market, its settlement is undone, and it is settled again
   * without the outcome.
   */
  | {
      readonly kind: 'removeOutcome';
      readonly market: number;
      readonly outcome: number;
      readonly factorPpm: number;
      readonly basis: RemovalBasis;
    }
  /**
   * Makes every trade void that the market had from one time to another, both included: after an error of the exchange.
   * Both sides of a match have one time, so that both are void. What rests stays, and amounts that were traded are not
   * changed, as by a removal. A wallet whose other bets relied on a void one may fall below zero. INVALID_ARGUMENT where
   * `from` is after `to`, INVALID_MOVE once the market's result is being paid.
   */
  | { readonly kind: 'voidTrades'; readonly market: number; readonly from: Instant; readonly to: Instant }
  /**
   * Frees the orders, trades and positions of a Settled, Voided or Closed market, so that their slots can be used
   * again.
   */
  | { readonly kind: 'forget'; readonly market: number };

/** The two halves of a move with an intermediate status. */
export type MoveStep = 'begin' | 'finish';

/** What a market is created with. */
export interface MarketTerms {
  readonly app: number;
  readonly event: number;
  readonly currency: number;
  readonly outcomes: number;
  readonly winners: WinnersRange;
  readonly crossMatching: boolean;
  /** False: the market's inPlayStatus is NotApplicable for good. */
  readonly turnsInPlay: boolean;
  /** Delay of new orders while the market is InPlay, in ms; 0 for none. */
  readonly inPlayDelayMs: number;
  /** Whether the delay is for orders that would match when they are placed, and not for those that would rest. Absent: for all. */
  readonly delaysTakersOnly?: boolean;
  readonly lockAt?: Instant;
  readonly eventStartAction: LiquidityAction;
  readonly marketLockAction: LiquidityAction;
}

/** Commands about orders. */
export type OrderCommand =
  /**
   * Places a batch. Each item is judged and matched before the next one. A block by a lapsed heartbeat refuses the whole batch.
   */
  | {
      readonly kind: 'place';
      readonly app: number;
      readonly requests: readonly PlaceRequest[];
      /**
       * Creates none where one of them would be refused: each is judged with all before it, and each refused one gives
       * its event. All are for one market and one wallet.
       */
      readonly allOrNone?: true;
    }
  /**
   * Cancels the app's orders that any of the given lists selects. Unknown orders, orders of other apps and settled ones
   * are skipped.
   */
  | {
      readonly kind: 'cancel';
      readonly app: number;
      readonly orders?: readonly number[];
      readonly markets?: readonly number[];
      readonly events?: readonly number[];
      readonly wallets?: readonly number[];
    }
  /**
   * Cancels a part of one resting order: `stake`, or all that rests where that is less. The rest keeps its place in the
   * queue. Gives one `orderChanged`, with the order's status as before unless nothing is left.
   */
  | { readonly kind: 'reduce'; readonly app: number; readonly order: number; readonly stake: Money }
  /**
   * Changes whether a resting order stays when the market turns in play. Gives one `orderChanged` with the figures as
   * before; none where nothing changes.
   */
  | { readonly kind: 'setKeep'; readonly app: number; readonly order: number; readonly keepWhenInPlay: boolean }
  /**
   * Cancels resting orders, then places what was unmatched of each at another price. All are cancelled before the first
   * is placed, and a refused order undoes no cancellation. An order that does not rest is skipped, with no event.
   */
  | { readonly kind: 'replace'; readonly app: number; readonly replacements: readonly Replacement[] };

/** A resting order and the price at which what is left of it is placed again; all else stays. */
export interface Replacement {
  readonly order: number;
  readonly tick: Tick;
  /** Of the new order; absent: it has none. */
  readonly reference?: string;
}

/** One order of a batch. `stake` is in 10⁻⁶ and `tick` an index on the ladder. */
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
  /**
   * Only with CancelUnmatched: the order matches nothing where less than this can be matched at once (after its delay,
   * where it has one).
   */
  readonly minFill?: Money | undefined;
  /** The order acts at once, even in play: recorded stake waited out its delay before it was recorded. */
  readonly undelayed?: true;
  /**
   * Fault injection for tests: the order passes all checks and is then refused with this code instead of being created.
   */
  readonly fault?: OrderErrorCode;
}
