/** Lists read to their end, by pages and by ids: all of it, or why there is none. */

import { concatMap, from, type Observable, reduce, takeWhile } from 'rxjs';
import { type CallOutcome, failureOf, type ReadFailure } from '../../exchange-live/connection/call-outcome.ts';
import type { AnswerOf, CallInput } from '../client/call.ts';
import { idListsFor } from './id-lists.ts';
import { type Caller, type ListOperation, pages } from './pages.ts';

/** A list with a hole is no list. */
export type Reading<A> = { readonly kind: 'read'; readonly answers: readonly A[] } | ReadFailure;

/** The answers of all pages. */
export function readPages<O extends ListOperation>(
  calls: Caller,
  operation: O,
  input: CallInput<O>,
): Observable<Reading<AnswerOf<O>>> {
  return pages(calls, operation, input).pipe(gathered());
}

/** The same of as many calls as the ids need; `inputWith` puts some of them into a call. */
export function readByIds<O extends ListOperation>(
  calls: Caller,
  operation: O,
  ids: readonly string[],
  inputWith: (ids: readonly string[]) => CallInput<O>,
): Observable<Reading<AnswerOf<O>>> {
  return from(idListsFor(operation, inputWith([]), ids)).pipe(
    concatMap((list) => pages(calls, operation, inputWith(list))),
    gathered(),
  );
}

/** What fails ends the reading, and nothing is asked any more. */
function gathered<A>() {
  const nothing: Reading<A> = { kind: 'read', answers: [] };
  return (outcomes$: Observable<CallOutcome<A>>): Observable<Reading<A>> =>
    outcomes$.pipe(
      takeWhile(({ kind }) => kind === 'answered', true),
      reduce((all: Reading<A>, outcome) => added(all, outcome), nothing),
    );
}

function added<A>(all: Reading<A>, outcome: CallOutcome<A>): Reading<A> {
  if (all.kind === 'failed') return all;
  if (outcome.kind !== 'answered') return failureOf(outcome);
  return { kind: 'read', answers: [...all.answers, outcome.answer] };
}
