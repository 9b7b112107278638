/** The smallest order that an exchange takes. */

import { priceOfTick, type Tick } from './number/ladder.ts';
import { type Money, profitAt } from './number/units.ts';

/** An order passes with a stake of at least `stake`, or where stake × price, what a backer would be paid, is at least `payout`. */
export interface MinimumStake {
  readonly stake: Money;
  /** Absent: no payout makes up for a smaller stake. */
  readonly payout?: Money;
}

export function isTooSmall(minimum: MinimumStake, order: { readonly stake: Money; readonly tick: Tick }): boolean {
  const { stake, tick } = order;
  if (stake >= minimum.stake) return false;
  return minimum.payout === undefined || stake + profitAt(stake, priceOfTick(tick)) < minimum.payout;
}
