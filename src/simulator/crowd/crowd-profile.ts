/** How a synthetic crowd behaves: the rates, sizes and habits of its traders. */

import { type Money, money } from '../../core/number/units.ts';

/** Which order of a level goes when one of them is cancelled. `uniform`: each with the same chance. */
export type CancelHabit = 'uniform' | 'newest-first' | 'oldest-first';

export interface CrowdProfile {
  /** Orders placed per second over the whole market, pre-play. */
  readonly ordersPerSecond: number;
  /** The factor by which everything is faster in play; fair odds move more by as much. */
  readonly inPlayPace: number;
  /** When trading starts or resumes, this many quotes per outcome come first, this many times faster than usual. */
  readonly rebuildOrders: number;
  readonly rebuildPace: number;
  /** Share of orders by noise takers, who take the best price there is; the others quote around the fair odds. */
  readonly takerShare: number;
  /** Share of takers who leave their unmatched stake resting. */
  readonly takerRestsShare: number;
  /** The largest number of ticks beyond the best price that a taker goes. */
  readonly takerReachTicks: number;
  /** Mean distance of a quote from the fair odds, in ticks beyond the nearest tick. */
  readonly depthTicks: number;
  /** Mean life of an order that is not matched, in ms. */
  readonly lifetimeMs: number;
  /** Smallest stake. Sizes have a heavy tail above it: P(size > x) = (smallest ÷ x)², up to `stakeMax`. */
  readonly stakeMin: Money;
  readonly stakeMax: Money;
  /** Standard deviation of a fair probability's moves in one second, as a share of the probability. */
  readonly volatility: number;
  /** Share of orders that stay when the market goes in play (keepWhenInPlay). */
  readonly keepShare: number;
  readonly cancellations: CancelHabit;
  /**
   * Whether orders that were matched long ago are also cancelled when their life is over. It changes nothing while the
   * crowd trades alone; but where the same orders are replayed with others' orders in between, it cancels what those
   * others kept from being matched.
   */
  readonly blindCancels: boolean;
}

export const CROWD_PROFILE: CrowdProfile = {
  ordersPerSecond: 1,
  inPlayPace: 3,
  rebuildOrders: 12,
  rebuildPace: 20,
  takerShare: 0.25,
  takerRestsShare: 0.2,
  takerReachTicks: 2,
  depthTicks: 2,
  lifetimeMs: 60_000,
  stakeMin: money(5_000_000),
  stakeMax: money(250_000_000),
  volatility: 0.004,
  keepShare: 0.7,
  cancellations: 'uniform',
  blindCancels: false,
};
