/** The one fold of a journal: what each of its records changes in the state of the run, and the event that it stands for. */

import { instant, type Money, money, ZERO } from '../../core/number/units.ts';
import { type JournalKind, type JournalRecord, PROVEN_ABSENT } from '../../core/run/journal.ts';
import type { ReportedOrder } from '../../core/run/kept-order.ts';
import { isOlder } from '../../exchange/report-age.ts';
import { type DraftOrder, noteClient, putOrder, putResult, type RunDraft } from './run-draft.ts';

type Of<K extends JournalKind> = Extract<JournalRecord, { readonly kind: K }>;
type OfOrder = Extract<JournalRecord, { readonly client: number }>;

/** An event, and the order as it is known after it. */
type OrderEvent<K extends JournalKind, More = unknown> = K extends K
  ? { readonly kind: K; readonly order: DraftOrder } & More
  : never;

/** What a record says that was not known before. Records that are of no order and no result are events as they stand. */
export type HistoryEvent =
  | OrderEvent<'sent', { readonly eventName?: string | undefined }>
  | OrderEvent<'adopted' | 'cancelSent' | 'reappeared'>
  | OrderEvent<'reduceSent', { readonly stake: Money }>
  /** Never older than the reports of the order before it. */
  | OrderEvent<'reported', { readonly report: ReportedOrder }>
  /** `rejected` is never of an order that the exchange has reported. `unknown`: the answer to the order was lost. */
  | OrderEvent<'rejected' | 'unknown', { readonly code: string }>
  /** A settlement, the sum of all results of the market in this wallet, and the commission before this one. */
  | (Of<'settled'> & { readonly net: Money; readonly commissionBefore: Money })
  /** The record repeats what is known, is older than it, or is of an order that is not known. */
  | typeof NOTHING_NEW
  | Exclude<JournalRecord, OfOrder | Of<'settled'>>;

export type EventOf<K extends HistoryEvent['kind']> = Extract<HistoryEvent, { readonly kind: K }>;

const NOTHING_NEW = { kind: 'nothingNew' } as const;

/**
 * Causes that lift the halt of a strategy. A halted strategy stays halted over restarts and new versions of its file
 * until a person lifts it: a `strategyLoaded` record with one of these causes lifts that strategy, a `trading` record
 * to `running` lifts all.
 */
const LIFTING_CAUSES: ReadonlySet<string> = new Set(['resume', 'reload']);

export function liftsHalt(record: Of<'strategyLoaded' | 'trading'>): boolean {
  const isMove = record.kind === 'strategyLoaded' || (isTradingMove(record) && record.to === 'running');
  return isMove && LIFTING_CAUSES.has(record.cause);
}

/** To where it was is no move: an operator cancelled all orders, and each of them says by itself what became of it. */
export function isTradingMove({ from, to }: Of<'trading'>): boolean {
  return from !== to;
}

/**
 * Forgets nothing, and leaves checkpoints to the reader. A record that is folded twice changes nothing the second time,
 * except `settled`, whose profit is a difference.
 */
export function fold(draft: RunDraft, at: number, record: JournalRecord): HistoryEvent {
  if ('client' in record) return foldOfOrder(draft, at, record);
  switch (record.kind) {
    case 'started':
      draft.run = record.run;
      return record;
    case 'requested':
    case 'replied':
      for (const client of record.clients) noteClient(draft, client);
      return record;
    case 'settled':
      return settled(draft, at, record);
    case 'heartbeat':
      draft.heartbeat = record.to;
      return record;
    case 'trading':
      moved(draft, record);
      return record;
    case 'strategyHalted':
      draft.haltedStrategies.set(record.strategy, record.code);
      return record;
    case 'strategyLoaded':
      if (liftsHalt(record)) draft.haltedStrategies.delete(record.strategy);
      return record;
    case 'checkpoint':
    case 'marketDone':
    // No part of the state: kept for people and for `parity`.
    case 'decided':
    case 'refused':
    case 'wallet':
    case 'phase':
    case 'freshness':
    case 'marketRisk':
    case 'difference':
    case 'withdrawal':
    case 'limits':
    case 'ended':
      return record;
  }
}

function foldOfOrder(draft: RunDraft, at: number, record: OfOrder): HistoryEvent {
  noteClient(draft, record.client);
  const order = draft.orders.get(record.client);
  if (record.kind === 'sent') {
    if (order !== undefined) return NOTHING_NEW;
    const { kind, eventName, ...terms } = record;
    return { kind, eventName, order: placed(draft, { terms, sentAt: at, fate: 'open', foreignOrder: undefined }) };
  }
  if (record.kind === 'adopted') {
    if (order !== undefined) return NOTHING_NEW;
    const { kind, order: foreignOrder, foreignReference: _, ...terms } = record;
    // The exchange has the order, although no report of it may have been written yet.
    return { kind, order: placed(draft, { terms, sentAt: at, fate: 'known', foreignOrder }) };
  }
  if (order === undefined) return NOTHING_NEW;
  switch (record.kind) {
    case 'cancelSent':
      return { kind: 'cancelSent', order };
    case 'reduceSent':
      return { kind: 'reduceSent', order, stake: record.stake };
    case 'reported': {
      const { kind: _, ...report } = record;
      return reported(draft, at, { order, report });
    }
    case 'rejected':
      // A refusal does not count for an order that the exchange has reported before, since that order exists.
      if (order.fate === 'known') return NOTHING_NEW;
      if (record.code === PROVEN_ABSENT) order.fate = 'absent';
      return { kind: 'rejected', order, code: record.code };
    case 'unknown':
      if (order.fate !== 'known') order.fate = 'open';
      return { kind: 'unknown', order, code: record.code };
    case 'reappeared':
      order.fate = 'known';
      if (record.hadEnded === true) order.report = undefined;
      return { kind: 'reappeared', order };
  }
}

function placed(draft: RunDraft, order: Omit<DraftOrder, 'report'>): DraftOrder {
  draft.history.sent(instant(order.sentAt));
  return putOrder(draft, { ...order, report: undefined });
}

function reported(draft: RunDraft, at: number, told: Pick<EventOf<'reported'>, 'order' | 'report'>): HistoryEvent {
  const { order, report } = told;
  order.fate = 'known';
  if (order.report !== undefined && isOlder(report, order.report)) return NOTHING_NEW;
  if ((order.report?.stakeMatched ?? 0) === 0 && report.stakeMatched > 0) draft.history.matched(instant(at));
  order.report = report;
  return { kind: 'reported', order, report };
}

function moved(draft: RunDraft, record: Of<'trading'>): void {
  if (!isTradingMove(record)) return;
  const { to, cause, by } = record;
  draft.trading = to;
  draft.tradingCause = cause;
  draft.history.moved(to, by);
  if (liftsHalt(record)) draft.haltedStrategies.clear();
}

/** A later result of the same market gives the difference, so that the sum of all profits is the market's result. */
function settled(draft: RunDraft, at: number, record: Of<'settled'>): HistoryEvent {
  const { market, wallet, profit, commission } = record;
  const before = draft.results.get(market)?.get(wallet);
  const net = money((before?.net ?? 0) + profit);
  putResult(draft, { market, wallet, net, commission });
  draft.history.settled({ at: instant(at), profit, isDifference: before !== undefined });
  return { ...record, net, commissionBefore: before?.commission ?? ZERO };
}
