/** Stakes in decimals: multiples of a thousandth, or of the larger step of an exchange. */

import { MONEY_SCALE, type Money, STAKE_STEP } from '../core/number/units.ts';

const STEPS = MONEY_SCALE / STAKE_STEP;
/** Tolerance for rounding, in steps: a millionth of a step is far more than the error of adding decimals. */
const NOISE = 1e-6;

/**
 * The stake as money; undefined when it is not a number, not positive, not finite, too large, or has more than three
 * decimals.
 */
export function stakeOfDecimal(stake: unknown): Money | undefined {
  if (typeof stake !== 'number') return undefined;
  const scaled = stake * STEPS;
  const steps = Math.round(scaled);
  const micros = steps * STAKE_STEP;
  if (!(steps > 0) || !Number.isSafeInteger(micros)) return undefined;
  return isNoise(scaled - steps, steps) ? (micros as Money) : undefined;
}

export function isStake(stake: number): boolean {
  return stakeOfDecimal(stake) !== undefined;
}

/** Rounds down to a multiple of `step`, which is one of a thousandth. NaN and stakes that are too large are returned as they are and refused later. */
export function roundStakeDown(stake: number, step = 1 / STEPS): number {
  const scaled = stake * STEPS;
  if (!Number.isSafeInteger(Math.round(scaled))) return stake;
  const nearest = Math.round(scaled);
  const whole = isNoise(scaled - nearest, nearest) ? nearest : Math.floor(scaled);
  return (whole - (whole % Math.round(step * STEPS))) / STEPS;
}

/** Whether a difference is within the rounding error of a double near `near`. */
function isNoise(difference: number, near: number): boolean {
  return Math.abs(difference) <= NOISE + Math.abs(near) * 2 * Number.EPSILON;
}
