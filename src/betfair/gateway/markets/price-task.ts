/** The task that reads the prices of the followed markets, in the way that the settings choose. */

import { concatMap, from, ignoreElements, merge, type Observable, Subject, tap } from 'rxjs';
import { defined } from '../../../core/checks/assert.ts';
import type { MarketTable } from '../../../exchange-live/markets/market-table.ts';
import { AdaptivePrices } from '../../../exchange-live/polling/adaptive-prices.ts';
import { poll } from '../../../exchange-live/polling/poll.ts';
import type { PollBudget } from '../../../exchange-live/polling/poll-budget.ts';
import { readEveryMs } from '../../../exchange-live/settings.ts';
import type { WatchContext } from '../base/gateway-context.ts';
import { partsOf } from '../base/paged-lists.ts';
import { BOOKS_A_CALL, type BookReading } from './book-reading.ts';

export interface PriceTaskParts {
  readonly context: WatchContext;
  readonly table: MarketTable;
  readonly reading: BookReading;
  readonly budget: PollBudget | undefined;
  /** Whether orders of this run in the market are live, being placed or of unknown fate, so that prices are read more often. */
  isBusy(marketId: string): boolean;
}

/** `adaptive` needs a budget; the other choices read all markets together. */
export function priceTask({ context, table, reading, budget, isBusy }: PriceTaskParts): {
  readonly run$: Observable<never>;
} {
  const choice = context.settings.feeds.prices;
  if (choice.kind === 'adaptive') {
    const limits = { idsMax: BOOKS_A_CALL, room: Number.POSITIVE_INFINITY };
    const adaptive = {
      context,
      table,
      reading,
      limits,
      choice,
      budget: defined(budget, 'adaptive polling needs a budget'),
    };
    return new AdaptivePrices({ ...adaptive, isBusy });
  }
  const wake$ = new Subject<void>();
  const reads$ = poll({
    clock: context.clock,
    everyMs: readEveryMs(choice),
    wake$,
    // A group that fails does not hold up the others.
    task: () =>
      from(
        partsOf(
          table.priced().map(({ facts }) => facts.id),
          BOOKS_A_CALL,
        ),
      ).pipe(concatMap((ids) => reading.read(ids))),
    onComplete: (at) => context.emit({ kind: 'read', feed: 'prices', at }),
  });
  return { run$: merge(table.added$.pipe(tap(() => wake$.next())), reads$).pipe(ignoreElements()) };
}
