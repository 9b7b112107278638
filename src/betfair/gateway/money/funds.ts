/** The account's money, as a wallet of this program. */

import { map, type Observable } from 'rxjs';
import { type Money, money } from '../../../core/number/units.ts';
import { failureOf, type ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { BetfairCaller } from '../../client/call.ts';
import { amountOf } from '../base/amounts.ts';

export type FundsRead =
  | { readonly kind: 'read'; readonly balance: Money; readonly balanceAvailable: Money }
  | ReadFailure;

const SENSELESS: ReadFailure = { kind: 'failed', code: 'BAD_ANSWER', details: 'the funds are no amounts of money' };

/** The exposure is sent below zero, and is what open orders and bets may lose: it is ours still. */
export function readFunds(calls: BetfairCaller): Observable<FundsRead> {
  return calls.call('getAccountFunds', {}).pipe(
    map((outcome): FundsRead => {
      if (outcome.kind !== 'answered') return failureOf(outcome);
      const available = amountOf(outcome.answer.availableToBetBalance);
      const exposure = amountOf(outcome.answer.exposure);
      if (available === undefined || exposure === undefined) return SENSELESS;
      return { kind: 'read', balance: money(available + Math.abs(exposure)), balanceAvailable: available };
    }),
  );
}
