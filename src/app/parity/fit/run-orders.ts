/** What the journal of a run knows of each of its orders: when it arrived, when it came to rest, what was filled, how it ended. */

import { type Money, ZERO } from '../../../core/number/units.ts';
import type { TimedRecord } from '../../../core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../core/run/kept-order.ts';
import { historyOf } from '../../../journal/history/read-history.ts';
import type { DraftOrder } from '../../../journal/history/run-draft.ts';

export interface RunOrder {
  readonly terms: SentOrder;
  readonly sentAt: number;
  /** When it reached the exchange. */
  readonly arrivedAt: number;
  /** When it came to rest: on its arrival, or at the end of an in-play delay; undefined where it never did. */
  readonly restedAt: number | undefined;
  /** Stake it had matched when it came to rest. */
  readonly taken: Money;
  /** Total matched stake, each time it had grown after the order came to rest. */
  readonly fills: readonly RunFill[];
  /** When its last stake was matched, or the rest of it was voided; undefined if its last report shows it open. */
  readonly endedAt: number | undefined;
  /** Whether it ended because it was matched in full. */
  readonly isFilled: boolean;
  /** When the run asked for its cancellation; undefined where it did not. */
  readonly cancelSentAt: number | undefined;
  /** Unmatched stake at rest at the exchange, from each of these times on. */
  readonly resting: readonly RunRest[];
  /** Whether the exchange's answer was lost, or a later report contradicts it: its times are not known. */
  readonly isUnsure: boolean;
}

interface RunFill {
  readonly at: number;
  readonly matched: Money;
}

interface RunRest {
  readonly at: number;
  readonly stake: Money;
}

type Draft = { -readonly [Key in keyof RunOrder]: RunOrder[Key] } & {
  readonly fills: RunFill[];
  readonly resting: RunRest[];
  wasAccepted: boolean;
};

/** Orders that the exchange accepted, in the order of their sending. */
export function runOrders(records: Iterable<TimedRecord>): readonly RunOrder[] {
  const drafts = new Map<DraftOrder, Draft>();
  for (const { at, event } of historyOf(records)) {
    if (event.kind === 'sent') drafts.set(event.order, draftOf(at, event.order));
    const draft = 'order' in event ? drafts.get(event.order) : undefined;
    if (draft === undefined) continue;
    if (event.kind === 'reported') reported(draft, at, event.report);
    else if (event.kind === 'cancelSent') draft.cancelSentAt ??= at;
    else if (event.kind === 'unknown' || event.kind === 'reappeared') draft.isUnsure = true;
  }
  return [...drafts.values()].filter(({ wasAccepted }) => wasAccepted);
}

/** An order that a checkpoint tells of was sent before what the journal still has. */
function draftOf(at: number, { terms, sentAt }: DraftOrder): Draft {
  const open = {
    restedAt: undefined,
    endedAt: undefined,
    cancelSentAt: undefined,
    isFilled: false,
    wasAccepted: false,
  };
  return { ...open, terms, sentAt, arrivedAt: 0, taken: ZERO, fills: [], resting: [], isUnsure: sentAt < at };
}

/**
 * A run receives fills, ends and prices a little after they happened: each counts at the time at which it was received. The time of
 * arrival is the exchange's own, if that lies between the order's sending and its answer.
 */
function reported(draft: Draft, reportedAt: number, report: ReportedOrder): void {
  const at = Math.min(reportedAt, Math.max(draft.sentAt, report.at));
  if (!draft.wasAccepted) draft.arrivedAt = at;
  draft.wasAccepted = true;
  if (draft.endedAt !== undefined || report.status === 'Pending') return;
  const isFirst = draft.restedAt === undefined;
  if (isFirst) cameToRest(draft, at, report);
  else changed(draft, reportedAt, report);
  if (report.stakeUnmatched > 0) return;
  draft.endedAt = isFirst ? at : reportedAt;
  draft.isFilled = report.stakeVoided === 0 && report.stakeMatched > 0;
}

/** The first report after the delay: what it says to be matched was there when the order came. */
function cameToRest(draft: Draft, at: number, { stakeMatched, stakeUnmatched }: ReportedOrder): void {
  draft.taken = stakeMatched;
  if (stakeUnmatched === 0) return;
  draft.restedAt = at;
  draft.resting.push({ at, stake: stakeUnmatched });
}

function changed({ fills, taken, resting }: Draft, at: number, { stakeMatched, stakeUnmatched }: ReportedOrder): void {
  if (stakeMatched > (fills.at(-1)?.matched ?? taken)) fills.push({ at, matched: stakeMatched });
  resting.push({ at, stake: stakeUnmatched });
}
