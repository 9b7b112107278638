/** The rule for the smallest order that an exchange accepts. */

import { priceOfTick, type Tick } from './number/ladder.ts';
import { type Money, profitAt, STAKE_STEP } from './number/units.ts';

/**
 * An order is accepted if its stake is at least `stake`, or if stake × price (what a backer would be paid) is at least
 * `payout`.
 */
export interface MinimumStake {
  /** The smallest stake that is accepted whatever its price. */
  readonly stake: Money;
  /** The payout from which a smaller stake is accepted. Absent: a smaller stake is never accepted. */
  readonly payout?: Money;
  /** Stakes are multiples of this. Absent: of a thousandth. */
  readonly step?: Money;
}

/** The step of stakes where this rule holds, or where there is none. */
export function stakeStepOf(minimum: MinimumStake | undefined): Money {
  return minimum?.step ?? (STAKE_STEP as Money);
}

/** Whether the exchange would refuse the order as too small. */
export function isTooSmall(minimum: MinimumStake, order: { readonly stake: Money; readonly tick: Tick }): boolean {
  const { stake, tick } = order;
  if (stake >= minimum.stake) return false;
  return minimum.payout === undefined || stake + profitAt(stake, priceOfTick(tick)) < minimum.payout;
}

/** The least that an order which may not rest matches at once, or else it matches nothing: Betfair's rule. */
export function leastFillOf(minimum: MinimumStake, stake: Money): Money {
  return stake < minimum.stake ? stake : minimum.stake;
}
