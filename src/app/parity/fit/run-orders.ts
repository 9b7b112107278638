/** What the journal of a run knows of each of its orders: when it arrived, when it came to rest, what was filled, how it ended. */

import { type Money, ZERO } from '../../../core/number/units.ts';
import type { ReportedOrder, SentOrder } from '../../../core/run/kept-order.ts';
import type { RunRecord } from '../steps/step-sequence.ts';

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

/** Orders that the exchange accepted, in the order of their sending. */
export function runOrders(records: Iterable<RunRecord>): readonly RunOrder[] {
  const drafts = new Map<number, Draft>();
  for (const { at, record } of records) {
    if (record.kind === 'sent') drafts.set(record.client, new Draft(at, record));
    else if (record.kind === 'reported') drafts.get(record.client)?.report(at, record);
    else if (record.kind === 'cancelSent') drafts.get(record.client)?.cancel(at);
    else if (record.kind === 'unknown' || record.kind === 'reappeared') drafts.get(record.client)?.markUnsure();
  }
  return [...drafts.values()].filter(({ wasAccepted }) => wasAccepted);
}

/**
 * A run receives fills, ends and prices a little after they happened: each counts at the time at which it was received. The time of
 * arrival is the exchange's own, if that lies between the order's sending and its answer.
 */
class Draft implements RunOrder {
  readonly terms: SentOrder;
  readonly sentAt: number;
  readonly fills: RunFill[] = [];
  readonly resting: RunRest[] = [];
  arrivedAt = 0;
  restedAt: number | undefined;
  taken = ZERO;
  endedAt: number | undefined;
  isFilled = false;
  cancelSentAt: number | undefined;
  isUnsure = false;
  wasAccepted = false;

  constructor(at: number, terms: SentOrder) {
    this.terms = terms;
    this.sentAt = at;
  }

  report(reportedAt: number, report: ReportedOrder): void {
    const at = Math.min(reportedAt, Math.max(this.sentAt, report.at));
    if (!this.wasAccepted) this.arrivedAt = at;
    this.wasAccepted = true;
    if (this.endedAt !== undefined || report.status === 'Pending') return;
    const isFirst = this.restedAt === undefined;
    if (isFirst) this.#come(at, report);
    else this.#change(reportedAt, report);
    if (report.stakeUnmatched > 0) return;
    this.endedAt = isFirst ? at : reportedAt;
    this.isFilled = report.stakeVoided === 0 && report.stakeMatched > 0;
  }

  cancel(at: number): void {
    this.cancelSentAt ??= at;
  }

  markUnsure(): void {
    this.isUnsure = true;
  }

  /** The first report after the delay: what it says to be matched was there when the order came. */
  #come(at: number, { stakeMatched, stakeUnmatched }: ReportedOrder): void {
    this.taken = stakeMatched;
    if (stakeUnmatched === 0) return;
    this.restedAt = at;
    this.resting.push({ at, stake: stakeUnmatched });
  }

  #change(at: number, { stakeMatched, stakeUnmatched }: ReportedOrder): void {
    if (stakeMatched > (this.fills.at(-1)?.matched ?? this.taken)) this.fills.push({ at, matched: stakeMatched });
    this.resting.push({ at, stake: stakeUnmatched });
  }
}
