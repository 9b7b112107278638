/** Checks the exchange's minimum stake, in a strategy's decimals. */

import type { OutcomeView } from '../views/views.ts';

/**
 * Tolerance for rounding. Stakes and prices have three decimals, so a product has six: far coarser than this, and this
 * is far above the rounding error of a double.
 */
const NOISE = 1e-9;

/** Whether the exchange would refuse the order as too small. */
export function isBelowMinimum(
  { stakeMin, payoutMin = Number.POSITIVE_INFINITY }: Pick<OutcomeView, 'stakeMin' | 'payoutMin'>,
  { stake, price }: { readonly stake: number; readonly price: number },
): boolean {
  return stakeMin !== undefined && stake < stakeMin && stake * price < payoutMin - NOISE;
}
