/** Every choice the machine makes where the specification is silent, by name (profile, marks [C] and [O]). */

import type { MarketStatus } from '../../core/market.ts';
import { type Money, type Price, price, STAKE_STEP } from '../../core/number/units.ts';

/** A removal reduces the price itself in a win market, the price − 1 in a place market. */
export type RemovalBasis = 'win' | 'place';
type ByBasis = Readonly<Record<RemovalBasis, number>>;

/**
 * Choices with a value. Those without an alternative worth code are fixed, and named here so that they are found:
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
 * - Postings of an item: the taker's wallet first, then the makers' as they were first eaten [O].
 * - Setting a market or event to what it already is gives no event [O].
 * - A Pending order that is cancelled ends with reason CancelUnmatched [O].
 * - Pending orders are not liquidity: the in-play switch and the lock leave them to their due time [O].
 * - A Voided order's stakeVoided is its unmatched part, as at every other end of an order [C].
 * - The pieces of one cross match that were eaten last are the first to be shortened [O].
 * - The Against taker of a cross match bears its missing units, so its R may end by them above what its limit held:
 *   the only match after which R is higher [O, the profile names the bearer and the bound].
 * - A settlement names no more places than winnersRange.max, INVALID_ARGUMENT: nobody's funds were held for them [O].
 * - A removal matches nothing by itself: resting orders that can cross match only since then wait for the next taker,
 *   and until then prices with synthetic stake may look crossed [O].
 * - A reduced order rests at the ladder price at or below its reduced price, behind what rests there; one whose price
 *   stays keeps its place [O].
 */
export interface Rules {
  /** The most orders of one place command: the specification's limit. */
  readonly batchMax: number;
  /** `exact`: synthetic stake exists only where its price has three decimals [C]; `rounded`: always [O]. */
  readonly crossPrice: 'exact' | 'rounded';
  /** Cross matching works among this many outcomes that can win [C]; removed ones are no part of it [O] (final). */
  readonly crossOutcomesMin: number;
  readonly crossOutcomesMax: number;
  /** Synthetic stake is truncated to a multiple of this [C]. */
  readonly crossStakeStep: Money;
  /** Whether markets trade before they are published, or while their event is inactive [O]. */
  readonly tradeUnpublished: boolean;
  readonly tradeInactiveEvent: boolean;
  /** Whether an Open market stops taking orders at its lockAt, before it is locked [C]. */
  readonly lockAtStopsOrders: boolean;
  /** The statuses in which resting orders can be cancelled, suspended or not [C]. */
  readonly cancelIn: readonly MarketStatus[];
  /** Where the moves of a market may begin [O from C]. */
  readonly lockFrom: readonly MarketStatus[];
  readonly settleFrom: readonly MarketStatus[];
  readonly voidFrom: readonly MarketStatus[];
  readonly resettleFrom: readonly MarketStatus[];
  readonly closeFrom: readonly MarketStatus[];
  readonly forgetFrom: readonly MarketStatus[];
  readonly removeFrom: readonly MarketStatus[];
  /** From which factor on a removal reprices matched bets: every factor in a place market (Betfair's rule). */
  readonly removalRepricesFromPpm: ByBasis;
  /** From which factor on it voids resting Against orders (Betfair's rule). */
  readonly removalVoidsFromPpm: ByBasis;
  /**
   * What it does to a resting Against order with keepWhenInPlay: `void` treats it as any other, `reduce` leaves it resting
   * at its reduced price wherever bets are repriced (Betfair's rule for lays with persistence KEEP).
   */
  readonly removalOfKept: 'void' | 'reduce';
  /** A repriced bet's price: cut off after three decimals [C], or rounded to two as Betfair's recordings show. */
  readonly removalPrice: 'truncated' | 'hundredths';
  /** No removal reprices a bet below this. */
  readonly removalLeastPrice: Price;
  /** Whether an order may name a commission rate of another app [O]. */
  readonly foreignCommissionRates: boolean;
  /** Bounds of a heartbeat's timeout [V]. */
  readonly heartbeatTimeoutMinMs: number;
  readonly heartbeatTimeoutMaxMs: number;
}

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
  removalPrice: 'truncated',
  removalLeastPrice: price(1010),
  foreignCommissionRates: false,
  heartbeatTimeoutMinMs: 10_000,
  heartbeatTimeoutMaxMs: 300_000,
};

/** What a replay of Betfair's recordings does otherwise: as its rules say and its recordings show (docs/backtest.md). */
export const RECORDED_RULES: Partial<Rules> = { removalOfKept: 'reduce', removalPrice: 'hundredths' };
