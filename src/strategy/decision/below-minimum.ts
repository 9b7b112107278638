/** Whether the exchange takes an order for too small, in a strategy's decimals. */

import type { OutcomeView } from '../views/views.ts';

/** Stakes and prices have three decimals, and so a product six: far above what a double cannot hold of it. */
const NOISE = 1e-9;

export function isBelowMinimum(
  { stakeMin, payoutMin = Number.POSITIVE_INFINITY }: Pick<OutcomeView, 'stakeMin' | 'payoutMin'>,
  { stake, price }: { readonly stake: number; readonly price: number },
): boolean {
  return stakeMin !== undefined && stake < stakeMin && stake * price < payoutMin - NOISE;
}
