/**
 * Every choice the machine makes where the specification is silent, by name (the marks [C], [O] and [V] are those of
 * the profile).
 */

import type { MarketStatus } from '../../core/market.ts';
import { type Money, type Price, price, STAKE_STEP } from '../../core/number/units.ts';

/**
 * How a removal reduces prices: by a share of the price in a win market, by a share of (price − 1) in a place market.
 */
export type RemovalBasis = 'win' | 'place';
type ByBasis = Readonly<Record<RemovalBasis, number>>;

/**
 * Choices that can be set. Those without an alternative worth its code are fixed, and listed here so that they can be
 * found:
 *
 * - Self-matching is allowed; a taker's own resting orders may also be sources of a cross match [C].
 * - A taker fills at the maker's price; a remainder rests at its own limit [C].
 * - Direct stake goes before synthetic stake at an equal price [C].
 * - An order that does not raise R never fails on funds [O].
 * - The order of an item's checks: market, status, suspension, lockAt, outcome, commission rate, wallet, account,
 *   funds, reference, injected fault [C, the last three O].
 * - Only User wallets of the placing app place orders; any other wallet is WALLET_NOT_FOUND [O].
 * - Deposits, withdrawals, transfers and adjustments touch User and Commission wallets only: escrow and System
 *   balances are the machine's own, INVALID_ARGUMENT [O] (final).
 * - A removal posts by position, the oldest first; a trade whose price stays gives no tradeRepriced [O].
 * - A reference is taken while its order is remembered: forgetting the market frees it [O].
 * - Postings of an item: the taker's wallet first, then the makers' in the order in which their stake was first
 *   consumed [O].
 * - Setting a market or event to what it already is gives no event [O].
 * - A Pending order that is cancelled ends with reason CancelUnmatched [O].
 * - Pending orders are not liquidity: the in-play switch and the lock leave them to their due time [O].
 * - A Voided order's stakeVoided is its unmatched part, as at every other end of an order [C].
 * - The pieces of one cross match that were consumed last are the first to be shortened [O].
 * - The Against taker of a cross match bears its missing units, so its R may end by them above what its limit held:
 *   the only match after which R is higher [O, the profile names the bearer and the bound].
 * - A settlement names no more places than winnersRange.max, INVALID_ARGUMENT: no wallet's funds were held for more
 *   [O].
 * - A removal matches nothing by itself: resting orders that can cross match only since then wait for the next taker
 *   [O].
 * - A level with less than a thousandth is neither shown nor matched: what rests there keeps its place and its funds,
 *   and comes back when more stake rests at its level [O].
 * - A book with synthetic stake is never shown crossed: of two levels that cross, the one that pays out less is left
 *   out. It can still be met within its price [O].
 * - A reduced order rests at the ladder price at or below its reduced price, behind what rests there; one whose price
 *   stays keeps its place [O].
 */
export interface Rules {
  /** The most orders in one place command: the specification's limit. */
  readonly batchMax: number;
  /**
   * `exact`: synthetic stake exists only where its price has at most three decimals [C]; `rounded`: it always exists
   * [O].
   */
  readonly crossPrice: 'exact' | 'rounded';
  /**
   * Cross matching needs at least this many outcomes that can still win [C]; removed outcomes take no part in it [O]
   * (final).
   */
  readonly crossOutcomesMin: number;
  readonly crossOutcomesMax: number;
  /** Synthetic stake is truncated to a multiple of this amount [C]. */
  readonly crossStakeStep: Money;
  /** Whether markets trade before they are published, or while their event is inactive [O]. */
  readonly tradeUnpublished: boolean;
  readonly tradeInactiveEvent: boolean;
  /** Whether an Open market stops taking orders at its lockAt, before it is locked [C]. */
  readonly lockAtStopsOrders: boolean;
  /** The statuses in which resting orders can be cancelled, suspended or not [C]. */
  readonly cancelIn: readonly MarketStatus[];
  /** The statuses from which each move of a market may begin [O from C]. */
  readonly lockFrom: readonly MarketStatus[];
  readonly settleFrom: readonly MarketStatus[];
  readonly voidFrom: readonly MarketStatus[];
  readonly resettleFrom: readonly MarketStatus[];
  readonly closeFrom: readonly MarketStatus[];
  readonly forgetFrom: readonly MarketStatus[];
  readonly removeFrom: readonly MarketStatus[];
  /**
   * The factor (ppm) from which on a removal reprices matched bets. In a place market every factor does (Betfair's
   * rule).
   */
  readonly removalRepricesFromPpm: ByBasis;
  /** The factor (ppm) from which on a removal voids resting Against orders (Betfair's rule). */
  readonly removalVoidsFromPpm: ByBasis;
  /**
   * What a removal does to a resting Against order with keepWhenInPlay: `void` treats it like any other, `reduce`
   * leaves it resting at its reduced price wherever bets are repriced (Betfair's rule for lay orders with persistence
   * KEEP).
   */
  readonly removalOfKept: 'void' | 'reduce';
  /**
   * What a removal that is told while the market is in play reprices: all bets, or those that were matched before it turned in
   * play, and no resting order (Betfair's rule: the runner did not start, and prices in play are without it).
   */
  readonly removalInPlay: 'all' | 'matched before';
  /**
   * How a repriced bet's price is rounded: truncated to three decimals [C], or rounded to two as Betfair's recordings
   * show.
   */
  readonly removalPrice: 'truncated' | 'hundredths';
  /** No removal reprices a bet below this price. */
  readonly removalLeastPrice: Price;
  /** Whether an order may name a commission rate of another app [O]. */
  readonly foreignCommissionRates: boolean;
  /**
   * Whether an app whose heartbeat lapsed places nothing until it has deleted the heartbeat [V]. Where not, the next beat
   * arms it again (Betfair's rule).
   */
  readonly lapseBlocks: boolean;
  /** Bounds of a heartbeat's timeout, in ms [V]. */
  readonly heartbeatTimeoutMinMs: number;
  readonly heartbeatTimeoutMaxMs: number;
}

/** The rules of our own exchange. */
export const DEFAULT_RULES: Rules = {
  batchMax: 50,
  crossPrice: 'rounded',
  crossOutcomesMin: 2,
  crossOutcomesMax: 5,
  crossStakeStep: STAKE_STEP as Money,
  tradeUnpublished: false,
  tradeInactiveEvent: false,
  lockAtStopsOrders: true,
  cancelIn: ['Open'],
  lockFrom: ['Open'],
  settleFrom: ['Locked'],
  voidFrom: ['Open', 'Locked'],
  resettleFrom: ['Settled', 'Voided'],
  closeFrom: ['Settled', 'Voided'],
  forgetFrom: ['Settled', 'Voided', 'Closed'],
  removeFrom: ['Initializing', 'Open', 'Locking', 'Locked'],
  removalRepricesFromPpm: { win: 25_000, place: 0 },
  removalVoidsFromPpm: { win: 25_000, place: 40_000 },
  removalOfKept: 'void',
  removalInPlay: 'all',
  removalPrice: 'truncated',
  removalLeastPrice: price(1010),
  foreignCommissionRates: false,
  lapseBlocks: true,
  heartbeatTimeoutMinMs: 10_000,
  heartbeatTimeoutMaxMs: 300_000,
};

/**
 * The rules in which a replay of Betfair's recordings differs, as Betfair's rules say and its recordings show
 * (docs/backtest.md).
 */
export const RECORDED_RULES: Partial<Rules> = {
  removalOfKept: 'reduce',
  removalInPlay: 'matched before',
  removalPrice: 'hundredths',
  removeFrom: [...DEFAULT_RULES.removeFrom, 'Settled'],
};
