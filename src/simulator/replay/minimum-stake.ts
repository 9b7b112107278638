/** The smallest order that a market accepts: a rule of each exchange, which a recording does not contain. */

import type { MinimumStake } from '../../core/minimum-stake.ts';
import { money } from '../../core/number/units.ts';

/**
 * Betfair's minimum in pounds (1 since 2022, 2 before), applied to whatever currency a run has. A smaller stake is
 * accepted from this payout on. Stakes are whole hundredths.
 */
const BETFAIR_MINIMUM: MinimumStake = { stake: money(1e6), payout: money(10e6), step: money(1e4) };

/** `recorded`: the minimum of the exchange whose market was recorded. */
export type MinimumStakeRule = 'recorded' | 'none' | MinimumStake;

/**
 * The minimum of a market; undefined where there is none. `exchange` is absent where the market was not imported from Betfair, and `told`
 * where no exchange told the minimum while it was recorded.
 */
export function minimumStakeOf(
  rule: MinimumStakeRule,
  exchange: 'betfair' | undefined,
  told?: MinimumStake,
): MinimumStake | undefined {
  if (rule === 'none') return undefined;
  if (rule !== 'recorded') return rule;
  return told ?? (exchange === 'betfair' ? BETFAIR_MINIMUM : undefined);
}
