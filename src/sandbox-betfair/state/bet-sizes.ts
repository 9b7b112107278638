/** A bet's size and its parts as they are told: in hundredths of the account's currency. */

import { sizeLeftOf } from '../names/amounts.ts';
import type { Bet } from './bets.ts';

export interface BetSizes {
  readonly sizeMatched: number;
  readonly sizeRemaining: number;
  readonly sizeLapsed: number;
  readonly sizeCancelled: number;
  readonly sizeVoided: number;
}

export function sizeOfBet({ order, penny }: Bet): number {
  return sizeLeftOf(order.stake, penny);
}

/**
 * The parts of a bet's size, which sum up to it always. What was matched may end in a part of a penny, by cross matching and
 * with accounts in other currencies: it is told with what was not matched.
 */
export function sizesOf(bet: Bet): BetSizes {
  const { order, matched, lapsed, cancelled, voided, penny } = bet;
  const sizeRemaining = sizeLeftOf(order.stakeUnmatched, penny);
  const sizeLapsed = sizeLeftOf(lapsed, penny);
  const sizeCancelled = sizeLeftOf(cancelled, penny);
  const pennies = Math.round((sizeOfBet(bet) - sizeRemaining - sizeLapsed - sizeCancelled) * 100);
  const isVoid = voided > 0 && matched === 0;
  const voidPennies = isVoid ? pennies : Math.round(sizeLeftOf(voided, penny) * 100);
  const [sizeMatched, sizeVoided] = [(pennies - voidPennies) / 100, voidPennies / 100];
  return { sizeMatched, sizeRemaining, sizeLapsed, sizeCancelled, sizeVoided };
}
