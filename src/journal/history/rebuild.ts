/** Rebuilds the state of a run from its records. Every restart relies on it. */

import { isLive } from '../../core/order.ts';
import { type JournalRecord, PROVEN_ABSENT, type TimedRecord } from '../../core/run/journal.ts';
import type { ReportedOrder } from '../../core/run/kept-order.ts';
import type { RunState } from '../../core/run/run-state.ts';
import { fold, type HistoryEvent } from './fold.ts';
import { draftOf, dropMarket, dropOrder, newDraft, type RunDraft, stateOf } from './run-draft.ts';

/**
 * The state after all records of a run in order, or after the newest checkpoint and all records behind it: both give
 * the same result.
 */
export function rebuild(run: string, records: Iterable<TimedRecord>): RunState {
  const draft = newDraft(run);
  for (const { at, record } of records) foldRecord(draft, at, record);
  return stateOf(draft);
}

/** Folds one record into the draft, which then holds only what can still change. */
export function foldRecord(draft: RunDraft, at: number, record: JournalRecord): void {
  forget(draft, fold(draft, at, record));
}

function forget(draft: RunDraft, event: HistoryEvent): void {
  if (event.kind === 'checkpoint') resume(draft, event.state);
  else if (event.kind === 'marketDone') dropMarket(draft, event.market);
  else if (event.kind === 'rejected' && event.code !== PROVEN_ABSENT) dropOrder(draft, event.order.terms.client);
  else if (event.kind === 'reported' && isOver(event.report)) dropOrder(draft, event.report.client);
}

/** A void bet is not over before its market is: that it is void is a result, and may be corrected. */
function isOver({ status, stakeMatched }: ReportedOrder): boolean {
  return !isLive(status) && stakeMatched === 0 && status !== 'Voided';
}

/**
 * A checkpoint replaces the state. Only the highest order number is kept if it was higher, since no number may be used
 * again.
 */
function resume(draft: RunDraft, state: RunState): void {
  const lastClient = Math.max(draft.lastClient, state.lastClient);
  Object.assign(draft, draftOf(state), { lastClient });
}
