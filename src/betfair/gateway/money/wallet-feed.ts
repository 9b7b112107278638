/** Keeps the balance of the account up to date. */

import { map, NEVER, type Observable } from 'rxjs';
import type { Money } from '../../../core/number/units.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { readFunds } from './funds.ts';

export function walletFeed({ clock, settings, calls, emit, note }: GatewayContext): {
  readonly run$: Observable<never>;
} {
  let last: { readonly balance: Money; readonly balanceAvailable: Money } | undefined;
  const read = () =>
    readFunds(calls).pipe(
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
