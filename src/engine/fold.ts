/** How each input changes the ledger, and which strategies are called for it: the first stage of the pipeline. */

import { defined } from '../core/checks/assert.ts';
import type { MarketState } from '../core/market-state.ts';
import { instant } from '../core/number/units.ts';
import { PROVEN_ABSENT } from '../core/run/journal.ts';
import type { FeedMessage, MarketMessage, OrderReport } from '../exchange/gateway.ts';
import type { Why } from '../strategy/contract.ts';
import { haltInstance, onThrowIn } from './halt.ts';
import type { Ledger } from './ledger/ledger.ts';
import { OwnOrder } from './ledger/own-order.ts';
import { type ReturningOrder, termsOf } from './ledger/restored-orders.ts';
import { strategyName, walletName } from './ledger/run-names.ts';
import type { CancelReplied, Input, PlaceReplied, ReduceReplied, Step } from './ledger/step.ts';
import type { MarketEntry, StrategyInMarket } from './ledger/strategy-in-market.ts';
import type { NoteLog, RunLog, RunNote } from './log/run-log.ts';

export interface FoldParts {
  readonly ledger: Ledger;
  readonly log: RunLog;
  readonly notes: NoteLog | undefined;
  /** Called with each new market and the strategies that watch it. */
  readonly onListed?: ((market: MarketState, watchers: readonly StrategyInMarket[]) => void) | undefined;
}

type OrderParts = Pick<FoldParts, 'ledger' | 'log'>;

/** Changes the ledger as the input says, and notes in `step` which strategies are to be called. */
export function fold(parts: FoldParts, input: Input, step: Step): void {
  switch (input.kind) {
    case 'market':
      return foldMarket(parts, input, step);
    case 'order':
      return foldOrderReport(parts, input.order, step, input.isRevived);
    case 'placeReply':
      return foldPlaceReply(parts, input, step);
    case 'cancelReply':
      return foldCancelReply(parts, input, step);
    case 'reduceReply':
      return foldReduceReply(parts, input, step);
    case 'wallet':
      parts.notes?.noted(step.at, walletNote(parts.ledger, input));
      return parts.ledger.walletChanged(input);
    case 'timer':
      return foldTimer(input, step);
    case 'intents':
      return foldIntents(input, step);
    case 'settled':
      return foldSettled(parts, input, step);
    case 'absent':
      return foldAbsent(parts, input.client, step);
    case 'reload':
      return foldReload(parts, input, step);
    case 'heartbeat':
      return parts.ledger.risk.heartbeatReported(input.active);
    case 'heartbeatReply':
      return foldHeartbeatReply(parts.ledger, input);
    case 'strategyFailed':
      return foldFailure(parts, input, step);
    case 'read':
    case 'tick':
    case 'command':
    case 'books':
    case 'heartbeatCleared':
      // Handled by the supervisor, in `beforeDecisions`.
      return;
  }
}

/** A market is new, or its prices, status or facts changed. */
function foldMarket(parts: FoldParts, message: MarketMessage, step: Step): void {
  const { ledger, log, notes } = parts;
  const { market, cause } = message;
  log.logUpdate(step.at, market);
  const entry = ledger.entryAt(market.index) ?? listMarket(parts, market, step);
  entry.freshAt = market.freshAt ?? instant(step.at);
  if (cause === 'status') ledger.statusChanged(market);
  // Strategies are not called for Closed: Settled or Voided came before it, and nothing is left to decide.
  if (market.status === 'Closed') {
    notes?.noted(step.at, { kind: 'marketDone', market: market.facts.id });
    return ledger.dropMarket(market);
  }
  if (cause === 'windowEnds') return endWindow(entry, step);
  callWatchers(entry, cause === 'prices' ? 'prices' : 'status', step);
}

/** The watchers are called once more in this market, and then for nothing that happens to it or to their orders there. */
function endWindow(entry: MarketEntry, step: Step): void {
  callWatchers(entry, 'windowEnd', step);
  for (const inMarket of entry.watchers) {
    inMarket.isOver = true;
    inMarket.forgetAlarm();
  }
  entry.formerWatchers.push(...entry.watchers.splice(0));
}

function callWatchers({ watchers }: MarketEntry, why: Why, step: Step): void {
  for (let i = 0; i < watchers.length; i += 1) {
    const inMarket = watchers[i];
    if (inMarket !== undefined) step.call(inMarket, why);
  }
}

/** A market is reported for the first time: strategies are asked whether they watch it, and its restored orders come back. */
function listMarket(parts: FoldParts, market: MarketState, step: Step): MarketEntry {
  const { ledger, log } = parts;
  const left = ledger.dropUnseen(market.facts.id);
  const entry = ledger.openEntry(market, onThrowIn({ ledger, log }, step, market.facts.id));
  // A market that is closed when it is first reported is not shown to strategies.
  if (market.status !== 'Closed') parts.onListed?.(market, entry.watchers);
  for (const returning of ledger.restored.takeOrdersOf(market.facts.id)) restore(parts, returning, entry, step);
  for (const order of left) {
    const outcome = defined(entry.outcomeById.get(order.outcomeId), `market ${order.marketId} has its outcomes`);
    ledger.addRestored(order.movedTo({ market: market.index, outcome }));
  }
  return entry;
}

/** The feed does not bring a market in which the run has orders: they come back all the same, so that they count and can be cancelled. */
export function foldUnseen(parts: OrderParts, id: string, step: Step): void {
  const { ledger } = parts;
  const returning = ledger.restored.takeOrdersOf(id);
  const terms = returning.map(({ order }) => order.terms);
  const entry = ledger.openUnseen(terms);
  for (const each of returning) restore(parts, each, entry, step);
}

/** An order of an earlier process comes back to the ledger, with what was reported of it since. */
function restore(parts: OrderParts, { order: kept, reports }: ReturningOrder, entry: MarketEntry, step: Step): void {
  const { ledger } = parts;
  const order = OwnOrder.restored(termsOf(kept.terms, kept.sentAt, entry, ledger.names), kept);
  ledger.addRestored(order);
  for (const report of reports) {
    if (report === 'absent') foldAbsent(parts, order.id, step);
    else foldOrderReport(parts, report, step);
  }
}

/** Only the newest alarm of a strategy counts, and none in a market whose recording has ended. */
function foldTimer({ inMarket, due }: Input & { kind: 'timer' }, step: Step): void {
  if (inMarket.wakeAt !== due) return;
  inMarket.forgetAlarm();
  if (inMarket.entry.state.isCutOff === true) return;
  inMarket.instance.timerCalls += 1;
  step.call(inMarket, 'timer');
}

/** What a strategy of the stream form emitted between its calls. */
function foldIntents({ inMarket, intents }: Input & { kind: 'intents' }, step: Step): void {
  if (!inMarket.instance.halted && !inMarket.isOver) step.propose(inMarket, intents);
}

function foldSettled({ ledger, log }: FoldParts, input: FeedMessage & { kind: 'settled' }, step: Step): void {
  const { at } = step;
  const { market, wallet, profit, commission } = input;
  log.logEvent({ kind: 'settled', at, market, wallet, profit, commission });
  ledger.settled(input, instant(at));
}

/** The strategy failed outside of any call, so the halt names no market. */
function foldFailure({ ledger, log }: FoldParts, input: Input & { kind: 'strategyFailed' }, step: Step): void {
  const { instance, failure } = input;
  if (!instance.halted) haltInstance({ ledger, step, log }, { instance, market: '', ...failure });
}

function foldReload({ ledger, log, notes }: FoldParts, input: Input & { kind: 'reload' }, step: Step): void {
  const { instance, version, sha256 } = input;
  // Noted before markets are offered, since the new version may be halted by that, and the last note counts after a restart.
  notes?.noted(step.at, {
    kind: 'strategyLoaded',
    strategy: strategyName(ledger.names, instance.index),
    sha256,
    cause: 'reload',
  });
  ledger.reloadStrategy(instance, version, onThrowIn({ ledger, log }, step));
  for (const inMarket of instance.inMarkets.values()) step.call(inMarket, 'status');
}

function walletNote(ledger: Ledger, { wallet, balance, balanceAvailable }: FeedMessage & { kind: 'wallet' }): RunNote {
  return { kind: 'wallet', wallet: walletName(ledger.names, wallet), balance, balanceAvailable };
}

function replyNote(input: PlaceReplied | CancelReplied): RunNote {
  const { orders, reply } = input;
  const request = input.kind === 'placeReply' ? 'place' : 'cancel';
  const clients = orders.map(({ id }) => id);
  if (!('code' in reply)) return { kind: 'replied', request, clients, outcome: reply.kind };
  return { kind: 'replied', request, clients, outcome: reply.code, details: reply.details };
}

/** A report of an order that the ledger has forgotten changes nothing here: the supervisor has the exchange's orders compared. */
function foldOrderReport({ ledger, log }: OrderParts, report: OrderReport, step: Step, isRevived = false): void {
  const { at } = step;
  const order = ledger.order(report.client);
  if (order === undefined) return ledger.restored.keepReport(report.client, report);
  const isBack = isRevived && !order.isLive;
  if (!isBack && order.hasEndedAs(report)) return;
  if (order.isAbsent || isBack) log.logEvent({ kind: 'reappeared', at, order, report });
  log.logEvent({ kind: 'reported', at, order, report });
  if (isBack) ledger.revive(order, report, step);
  else ledger.applyReport(order, report, step);
}

/** An order of unknown fate is proven never to have been created. One that was reported meanwhile exists all the same. */
function foldAbsent({ ledger, log }: OrderParts, client: number, step: Step): void {
  const order = ledger.order(client);
  if (order === undefined) return ledger.restored.keepReport(client, 'absent');
  if (!order.unknown) return;
  log.logEvent({ kind: 'rejected', at: step.at, order, code: PROVEN_ABSENT });
  ledger.absent(order, step);
}

/** The reply to a batch of new orders, which may be that there is no reply. */
function foldPlaceReply(parts: FoldParts, input: PlaceReplied, step: Step): void {
  const { ledger, log, notes } = parts;
  const { orders, reply } = input;
  notes?.noted(step.at, replyNote(input));
  for (let index = 0; index < orders.length; index += 1) {
    const order = orders[index];
    if (order === undefined) continue;
    const item = reply.kind === 'placed' ? reply.items[index] : reply;
    if (item?.kind === 'accepted') {
      log.logEvent({ kind: 'reported', at: step.at, order, report: item.report });
      ledger.applyReport(order, item.report, step);
    } else if (order.exchangeId !== undefined) {
      // The feed reported the order before this reply came: it exists, whatever the reply says.
    } else if (item?.kind === 'unknown') {
      order.becomeUnknown();
      log.logEvent({ kind: 'unknown', at: step.at, order, code: item.code });
    } else {
      log.logEvent({ kind: 'rejected', at: step.at, order, code: item?.code ?? 'NO_REPLY' });
      ledger.rejected(order, step);
    }
  }
}

/** The reply to a batch of cancellations, which may be that there is no reply. */
function foldCancelReply(parts: FoldParts, input: CancelReplied, step: Step): void {
  const { ledger, log, notes } = parts;
  notes?.noted(step.at, replyNote(input));
  for (const order of input.orders) order.cancelAnswered();
  if (input.reply.kind === 'unknown') {
    for (const order of input.orders) {
      log.logEvent({ kind: 'unknown', at: step.at, order, code: input.reply.code });
      // Still wanted: the next report that shows the order live asks for its cancellation again.
      order.cancelWanted = order.isLive;
    }
    return;
  }
  for (const report of input.reply.reports) {
    foldOrderReport(parts, report, step);
    if (report.status === 'Pending') ledger.order(report.client)?.cancelAccepted();
  }
  for (const order of input.orders) ledger.cancelSettled(order, step);
}

/** The reply to a reduction. After a lost one the order counts as being reduced until the exchange reports it. */
function foldReduceReply(parts: FoldParts, { order, reply }: ReduceReplied, step: Step): void {
  const { log, notes } = parts;
  const { kind } = reply;
  const answer = kind === 'unknown' ? { outcome: reply.code, details: reply.details } : { outcome: kind };
  notes?.noted(step.at, { kind: 'replied', request: 'reduce', clients: [order.id], ...answer });
  order.reduceAnswered(kind !== 'unknown');
  if (kind === 'unknown') return log.logEvent({ kind: 'unknown', at: step.at, order, code: reply.code });
  for (const report of reply.reports) foldOrderReport(parts, report, step);
}

/** The timeout is counted from when the request was sent, so that the exchange's own deadline cannot come earlier. */
function foldHeartbeatReply({ risk }: Ledger, { reply, sentAt }: Input & { kind: 'heartbeatReply' }): void {
  if (reply.kind === 'unknown') return risk.heartbeatReported(false);
  risk.setHeartbeat(reply.active, instant(sentAt + reply.timeoutMs));
}
