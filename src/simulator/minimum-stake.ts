/** The smallest order that an exchange takes: a rule of each exchange, which a recording does not tell. */

import { priceOfTick } from '../core/ladder.ts';
import { type Money, money, profitAt } from '../core/units.ts';
import type { OrderRequest } from '../exchange/gateway.ts';

/** An order passes with a stake of at least `stake`, or where stake × price, what a backer would be paid, is at least `payout`. */
export interface MinimumStake {
  readonly stake: Money;
  /** Absent: no payout makes up for a smaller stake. */
  readonly payout?: Money;
}

/** Betfair's, of pounds (since 2022; 2 before), applied to whatever currency a run has. */
const BETFAIR_MINIMUM: MinimumStake = { stake: money(1e6), payout: money(10e6) };
/** Betfair's own word for it: our exchange's API has none, for it shows no bound on stakes. */
export const TOO_SMALL = 'INVALID_BET_SIZE';

/** `recorded`: that of the exchange whose market was recorded. */
export type MinimumStakeRule = 'recorded' | 'none' | MinimumStake;

/** The minimum of a market; undefined where there is none. `exchange`: absent where the market is not Betfair's. */
export function minimumStakeOf(rule: MinimumStakeRule, exchange: 'betfair' | undefined): MinimumStake | undefined {
  if (rule === 'none') return undefined;
  if (rule !== 'recorded') return rule;
  return exchange === 'betfair' ? BETFAIR_MINIMUM : undefined;
}

export function isTooSmall(minimum: MinimumStake, { stake, tick }: Pick<OrderRequest, 'stake' | 'tick'>): boolean {
  if (stake >= minimum.stake) return false;
  return minimum.payout === undefined || stake + profitAt(stake, priceOfTick(tick)) < minimum.payout;
}
