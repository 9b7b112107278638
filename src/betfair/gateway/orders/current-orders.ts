/** The account's current orders, page by page: whole, or the reason why not. */

import { map, type Observable } from 'rxjs';
import type { Unreadable } from '../../../codec/lenient.ts';
import type { Frozen } from '../../../codec/notation.ts';
import { failureOf, type ReadFailure } from '../../../exchange-live/connection/call-outcome.ts';
import type { BetfairCaller, CallOptions } from '../../client/call.ts';
import type { Params } from '../../wire/operations.ts';
import { type Page, type Reading, readPages } from '../base/paged-lists.ts';
import type { CurrentOrder } from './order-documents.ts';

export type Current = CurrentOrder | Unreadable<CurrentOrder>;

/** The most orders of one answer (profile section 3). */
export const PAGE = 1_000;

export function currentOrders(
  calls: BetfairCaller,
  wanted: Frozen<Params<'listCurrentOrders'>>,
  options: CallOptions = {},
): Observable<Reading<Current>> {
  return readPages(
    (fromRecord): Observable<Page<Current> | ReadFailure> =>
      calls.call('listCurrentOrders', { ...wanted, fromRecord, recordCount: PAGE }, options).pipe(
        map((outcome) => {
          if (outcome.kind !== 'answered') return failureOf(outcome);
          const { currentOrders: rows, moreAvailable } = outcome.answer;
          return { kind: 'read', rows, moreAvailable };
        }),
      ),
  );
}
