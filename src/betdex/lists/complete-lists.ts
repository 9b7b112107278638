/** Reads lists to their end, by pages and by ids: either all of the list, or the reason why there is none. */

import { concatMap, from, type Observable, reduce, takeWhile } from 'rxjs';
import { type CallOutcome, failureOf, type ReadFailure } from '../../exchange-live/connection/call-outcome.ts';
import type { CallInput, LenientAnswerOf, LenientCaller } from '../client/call.ts';
import { idListsFor } from './id-lists.ts';
import { type ListOperation, pages } from './pages.ts';

/** All answers of a list, or the failure: a list that lacks a part is never returned. */
export type Reading<A> = { readonly kind: 'read'; readonly answers: readonly A[] } | ReadFailure;

/** Reads all pages of a list. Emits one value. */
export function readPages<O extends ListOperation>(
  calls: LenientCaller,
  operation: O,
  input: CallInput<O>,
): Observable<Reading<LenientAnswerOf<O>>> {
  return pages(calls, operation, input).pipe(gathered());
}

/**
 * Reads all pages of a list in as many calls as the ids need. `inputWith` makes the input of a call for some of the ids. Emits
 * one value.
 */
export function readByIds<O extends ListOperation>(
  calls: LenientCaller,
  operation: O,
  ids: readonly string[],
  inputWith: (ids: readonly string[]) => CallInput<O>,
): Observable<Reading<LenientAnswerOf<O>>> {
  return from(idListsFor(operation, inputWith([]), ids)).pipe(
    concatMap((list) => pages(calls, operation, inputWith(list))),
    gathered(),
  );
}

/** Collects the answers. The first failure ends the reading, and no further call is made. */
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
