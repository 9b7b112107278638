/** How much of the stake that rests at a level is there for others. */

import { type Money, STAKE_STEP, ZERO } from '../number/units.ts';

/**
 * The stake of a level, as it is shown and can be matched. Fills are rounded, so that less than a thousandth may be left of an order, which
 * no order can take whole: such dust keeps its place and its funds, and is neither shown nor matched until more stake rests at its level.
 * Every book that holds resting stake answers by this rule.
 */
export function shownStake(resting: number): Money {
  return isShown(resting) ? (resting as Money) : ZERO;
}

export function isShown(resting: number): boolean {
  return resting >= STAKE_STEP;
}
