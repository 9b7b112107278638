/** Rebuilds the state of a run from its records. Every restart relies on this fold. */

import { instant, type Money, money } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import { type JournalRecord, PROVEN_ABSENT } from '../../core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../core/run/kept-order.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { TradingState } from '../../core/run/trading-state.ts';
import { isOlder } from '../../exchange/report-age.ts';
import { draftOf, dropMarket, dropOrder, newDraft, putOrder, putResult, type RunDraft, stateOf } from './run-draft.ts';

/** A record with its time on the run's clock, ms UTC. */
export interface TimedRecord {
  readonly at: number;
  readonly record: JournalRecord;
}

/**
 * Causes that lift the halt of a strategy. A halted strategy stays halted over restarts and new versions of its file
 * until a person lifts it: a `strategyLoaded` record with one of these causes lifts that strategy, a `trading` record
 * to `running` lifts all.
 */
const LIFTING_CAUSES: ReadonlySet<string> = new Set(['resume', 'reload']);

/**
 * The state after all records of a run in order, or after the newest checkpoint and all records behind it: both give
 * the same result.
 */
export function rebuild(run: string, records: Iterable<TimedRecord>): RunState {
  const draft = newDraft(run);
  for (const { at, record } of records) foldRecord(draft, at, record);
  return stateOf(draft);
}

/**
 * Folds one record into the draft. A record that is folded twice changes nothing the second time, except `settled`,
 * whose profit is a difference.
 */
export function foldRecord(draft: RunDraft, at: number, record: JournalRecord): void {
  switch (record.kind) {
    case 'started':
      draft.run = record.run;
      return;
    case 'checkpoint':
      return resume(draft, record.state);
    case 'sent': {
      const { kind: _, eventName: _event, ...terms } = record;
      return sent(draft, at, terms);
    }
    case 'adopted': {
      const { kind: _, order, foreignReference: __, ...terms } = record;
      return adopted(draft, at, terms, order);
    }
    case 'reported': {
      const { kind: _, ...report } = record;
      return reported(draft, at, report);
    }
    case 'rejected':
      return rejected(draft, record.client, record.code);
    case 'unknown':
      return unknown(draft, record.client);
    case 'reappeared':
      return reappeared(draft, record.client, record.hadEnded === true);
    case 'cancelSent':
      return noteClient(draft, record.client);
    case 'requested':
    case 'replied':
      for (const client of record.clients) noteClient(draft, client);
      return;
    case 'settled':
      return settled(draft, at, record);
    case 'marketDone':
      return dropMarket(draft, record.market);
    case 'heartbeat':
      draft.heartbeat = record.to;
      return;
    case 'trading':
      return moved(draft, record);
    case 'strategyHalted':
      draft.haltedStrategies.set(record.strategy, record.code);
      return;
    case 'strategyLoaded':
      if (LIFTING_CAUSES.has(record.cause)) draft.haltedStrategies.delete(record.strategy);
      return;
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
      return;
  }
}

/**
 * A checkpoint replaces the state. Only the highest order number is kept if it was higher, since no number may be used
 * again.
 */
function resume(draft: RunDraft, state: RunState): void {
  const lastClient = Math.max(draft.lastClient, state.lastClient);
  Object.assign(draft, draftOf(state), { lastClient });
}

function noteClient(draft: RunDraft, client: number): void {
  if (client > draft.lastClient) draft.lastClient = client;
}

function sent(draft: RunDraft, sentAt: number, terms: SentOrder): void {
  noteClient(draft, terms.client);
  if (draft.orders.has(terms.client)) return;
  putOrder(draft, { terms, sentAt, report: undefined, fate: 'open', foreignOrder: undefined });
  draft.history.sent(instant(sentAt));
}

/** The exchange has the order, although no report of it may have been written yet. */
function adopted(draft: RunDraft, sentAt: number, terms: SentOrder, foreignOrder: number): void {
  noteClient(draft, terms.client);
  if (draft.orders.has(terms.client)) return;
  putOrder(draft, { terms, sentAt, report: undefined, fate: 'known', foreignOrder });
  draft.history.sent(instant(sentAt));
}

function reported(draft: RunDraft, at: number, report: ReportedOrder): void {
  noteClient(draft, report.client);
  const order = draft.orders.get(report.client);
  if (order === undefined) return;
  order.fate = 'known';
  if (order.report !== undefined && isOlder(report, order.report)) return;
  if ((order.report?.stakeMatched ?? 0) === 0 && report.stakeMatched > 0) draft.history.matched(instant(at));
  order.report = report;
  if (!isLive(report.status) && report.stakeMatched === 0) dropOrder(draft, report.client);
}

/** A refusal does not count for an order that the exchange has reported before, since that order exists. */
function rejected(draft: RunDraft, client: number, code: string): void {
  noteClient(draft, client);
  const order = draft.orders.get(client);
  if (order === undefined || order.fate === 'known') return;
  if (code === PROVEN_ABSENT) order.fate = 'absent';
  else dropOrder(draft, client);
}

function unknown(draft: RunDraft, client: number): void {
  noteClient(draft, client);
  const order = draft.orders.get(client);
  if (order !== undefined && order.fate !== 'known') order.fate = 'open';
}

function reappeared(draft: RunDraft, client: number, hadEnded: boolean): void {
  noteClient(draft, client);
  const order = draft.orders.get(client);
  if (order === undefined) return;
  order.fate = 'known';
  if (hadEnded) order.report = undefined;
}

interface Moved {
  readonly from: TradingState;
  readonly to: TradingState;
  readonly cause: string;
  readonly by: string;
}

/** To where it was is no move: an operator cancelled all orders, and each of them says by itself what became of it. */
function moved(draft: RunDraft, { from, to, cause, by }: Moved): void {
  if (from === to) return;
  draft.trading = to;
  draft.tradingCause = cause;
  draft.history.moved(to, by);
  if (to === 'running' && LIFTING_CAUSES.has(cause)) draft.haltedStrategies.clear();
}

interface Settled {
  readonly market: string;
  readonly wallet: string;
  readonly profit: Money;
  readonly commission: Money;
}

/** A later result of the same market gives the difference, so that the sum of all profits is the market's result. */
function settled(draft: RunDraft, at: number, { market, wallet, profit, commission }: Settled): void {
  const before = draft.results.get(market)?.get(wallet);
  const net = money((before?.net ?? 0) + profit);
  putResult(draft, { market, wallet, net, commission });
  draft.history.settled({ at: instant(at), profit, isDifference: before !== undefined });
}
