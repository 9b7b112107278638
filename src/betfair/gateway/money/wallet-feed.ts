/** Keeps the balance of the account up to date. */

import { defer, map, mergeMap, NEVER, type Observable, of } from 'rxjs';
import type { Money } from '../../../core/number/units.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { type FundsRead, readFunds } from './funds.ts';

/** Orders may be answered again and again while funds are read. */
const TRIES = 3;

/**
 * `answered`: how many placings were answered so far. Funds that were read while one was may be from before it, and what it holds would look
 * free: they are read once more.
 */
export function walletFeed(
  { clock, settings, calls, emit, note }: GatewayContext,
  answered: () => number,
): { readonly run$: Observable<never> } {
  const settled = (left: number): Observable<FundsRead> =>
    defer(() => {
      const before = answered();
      const again = (funds: FundsRead) => answered() !== before && left > 1 && funds.kind === 'read';
      return readFunds(calls).pipe(mergeMap((funds) => (again(funds) ? settled(left - 1) : of(funds))));
    });
  let last: { readonly balance: Money; readonly balanceAvailable: Money } | undefined;
  const read = () =>
    settled(TRIES).pipe(
      map((funds) => {
        if (funds.kind === 'failed') {
          note({ ...funds, kind: 'readFailed', what: 'the account’s funds' });
          return false;
        }
        const { balance, balanceAvailable } = funds;
        const isSame = last?.balance === balance && last.balanceAvailable === balanceAvailable;
        last = { balance, balanceAvailable };
        if (!isSame) emit({ kind: 'wallet', wallet: 0, balance, balanceAvailable });
        return true;
      }),
    );
  return {
    run$: poll({
      ...{ clock, wake$: NEVER, task: read, everyMs: readEveryMs(settings.feeds.wallets) },
      onComplete: (at) => emit({ kind: 'read', feed: 'wallets', at }),
    }),
  };
}
