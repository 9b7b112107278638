/** Reads the records of a run as its history: one event a record, by the fold that recovery relies on. */

import type { TimedRecord } from '../../core/run/journal.ts';
import type { RunState } from '../../core/run/run-state.ts';
import { fold, type HistoryEvent } from './fold.ts';
import { newDraft, putOrder, putResult, type RunDraft } from './run-draft.ts';

export interface TimedEvent {
  readonly at: number;
  readonly event: HistoryEvent;
}

/** Orders that have ended stay known. A checkpoint tells of those whose own records cannot be read any more. */
export function* historyOf(records: Iterable<TimedRecord>): Iterable<TimedEvent> {
  const draft = newDraft('');
  for (const { at, record } of records) {
    if (record.kind === 'checkpoint') for (const event of restored(draft, record.state)) yield { at, event };
    yield { at, event: fold(draft, at, record) };
  }
}

function* restored(draft: RunDraft, { orders, results }: RunState): Iterable<HistoryEvent> {
  for (const { terms, sentAt, report, fate, foreignOrder } of orders) {
    if (draft.orders.has(terms.client)) continue;
    const order = putOrder(draft, { terms, sentAt, report, fate, foreignOrder });
    yield { kind: foreignOrder === undefined ? 'sent' : 'adopted', order };
    if (report !== undefined) yield { kind: 'reported', order, report };
  }
  for (const result of results) if (!draft.results.get(result.market)?.has(result.wallet)) putResult(draft, result);
}
