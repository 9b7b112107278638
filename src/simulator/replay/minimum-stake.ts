/** Which smallest order a market takes: a rule of each exchange, which a recording does not tell. */

import type { MinimumStake } from '../../core/minimum-stake.ts';
import { money } from '../../core/number/units.ts';

/** Betfair's, of pounds (since 2022; 2 before), applied to whatever currency a run has. */
const BETFAIR_MINIMUM: MinimumStake = { stake: money(1e6), payout: money(10e6) };

/** `recorded`: that of the exchange whose market was recorded. */
export type MinimumStakeRule = 'recorded' | 'none' | MinimumStake;

/** The minimum of a market; undefined where there is none. `exchange`: absent where the market is not Betfair's. */
export function minimumStakeOf(rule: MinimumStakeRule, exchange: 'betfair' | undefined): MinimumStake | undefined {
  if (rule === 'none') return undefined;
  if (rule !== 'recorded') return rule;
  return exchange === 'betfair' ? BETFAIR_MINIMUM : undefined;
}
