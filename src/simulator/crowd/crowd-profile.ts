/** How a synthetic crowd behaves: rates, sizes and habits of its traders. */

import { type Money, money } from '../../core/number/units.ts';

/** Which order of a level goes when one is cancelled. `uniform`: any of them alike. */
export type CancelHabit = 'uniform' | 'newest-first' | 'oldest-first';

export interface CrowdProfile {
  /** Orders placed per second over the whole market, pre-play. */
  readonly ordersPerSecond: number;
  /** In play everything goes this many times faster, and fair odds move as much more. */
  readonly inPlayPace: number;
  /** When trading starts or goes on, so many quotes per outcome come first, and this many times faster. */
  readonly rebuildOrders: number;
  readonly rebuildPace: number;
  /** Share of orders by noise takers, who take the best price there is; the rest quote around fair odds. */
  readonly takerShare: number;
  /** Share of takers who leave what is not matched resting. */
  readonly takerRestsShare: number;
  /** How many ticks beyond the best price a taker goes, at most. */
  readonly takerReachTicks: number;
  /** Mean distance of a quote from fair odds, ticks, beyond the nearest tick. */
  readonly depthTicks: number;
  /** Mean life of an order that nobody takes, ms. */
  readonly lifetimeMs: number;
  /** Least stake; sizes have a heavy tail above it: P(size > x) = (least ÷ x)², up to `stakeMax`. */
  readonly stakeMin: Money;
  readonly stakeMax: Money;
  /** Standard deviation of a fair probability's moves in a second, as a share of it. */
  readonly volatility: number;
  /** Share of orders that stay when the market goes in play. */
  readonly keepShare: number;
  readonly cancellations: CancelHabit;
  /**
   * Also cancel, when its life is over, what was matched long ago. It changes nothing while the crowd is alone; frozen
   * and replayed with others' orders in between, it takes away what they kept from being matched.
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
