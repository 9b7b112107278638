/** How each input changes the ledger, and whom it concerns: the first stage of the pipeline. */

import type { MarketState } from '../core/market-state.ts';
import { type Instant, instant } from '../core/number/units.ts';
import { PROVEN_ABSENT } from '../core/run/journal.ts';
import type { FeedMessage, MarketMessage, OrderReport } from '../exchange/gateway.ts';
import type { Why } from '../strategy/contract.ts';
import { haltInstance, onThrowIn } from './halt.ts';
import type { Ledger } from './ledger/ledger.ts';
import { OwnOrder } from './ledger/own-order.ts';
import { type Returning, termsOf } from './ledger/restored-orders.ts';
import { strategyName, walletName } from './ledger/run-names.ts';
import type { CancelReplied, Input, PlaceReplied, Step } from './ledger/step.ts';
import type { MarketEntry, StrategyInMarket } from './ledger/strategy-in-market.ts';
import type { NoteLog, RunLog, RunNote } from './log/run-log.ts';

export interface FoldParts {
  readonly ledger: Ledger;
  readonly log: RunLog;
  readonly notes: NoteLog | undefined;
  /** Hears of each new market and who watches it. */
  readonly onListed?: ((market: MarketState, watchers: readonly StrategyInMarket[]) => void) | undefined;
}

/** Fills the turn with the calls that the input asks for. */
export function fold(parts: FoldParts, input: Input, step: Step): void {
  const { ledger, log, notes } = parts;
  switch (input.kind) {
    case 'market':
      return foldMarket(parts, input, step);
    case 'order':
      return foldReport(ledger, input.order, step, log, input.isRevived);
    case 'absent':
      return foldAbsent(ledger, input.client, step, log);
    case 'settled':
      log.settled(step.at, input.market, input.wallet, input.profit, input.commission);
      return ledger.settled(input, instant(step.at));
    case 'wallet':
      notes?.noted(step.at, walletNote(ledger, input));
      return ledger.walletChanged(input);
    case 'reseat':
      return foldReload({ ledger, log, notes }, input, step);
    case 'read':
    case 'tick':
    case 'command':
    case 'books':
    case 'heartbeatCleared':
      // The overseer's.
      return;
    case 'heartbeat':
      ledger.risk.heartbeatActive &&= input.active;
      return;
    case 'heartbeatReply':
      return foldHeartbeat(ledger, input);
    case 'placeReply':
      return foldPlaceReply(parts, input, step);
    case 'cancelReply':
      return foldCancelReply(parts, input, step);
    case 'timer':
      if (input.inMarket.wakeAt !== input.due) return undefined;
      input.inMarket.wakeAt = undefined;
      if (input.inMarket.entry.state.isCutOff === true) return undefined;
      input.inMarket.instance.timerCalls += 1;
      return step.call(input.inMarket, 'timer');
    case 'intents':
      return input.inMarket.instance.halted ? undefined : step.propose(input.inMarket, input.intents);
    case 'strategyFailed':
      return foldFailure(parts, input, step);
    case 'kill':
      return ledger.kill(step);
  }
}

/** News of a market. */
function foldMarket(parts: FoldParts, message: MarketMessage, step: Step): void {
  const { ledger, log, notes } = parts;
  const { market, cause } = message;
  log.update(step.at, market);
  const entry = ledger.entryAt(market.index) ?? listMarket(parts, market, step);
  entry.freshAt = market.freshAt ?? instant(step.at);
  if (cause === 'status') ledger.statusChanged(market);
  // Closed says nothing that Settled or Voided did not, and there is nothing left to decide.
  if (market.status === 'Closed') {
    notes?.noted(step.at, { kind: 'marketDone', market: market.facts.id });
    return ledger.dropMarket(market);
  }
  callWatchers(entry, cause === 'prices' ? 'prices' : 'status', step);
}

/** New prices of a market that is known and not closed. */
export function foldPrices(log: RunLog, market: MarketState, entry: MarketEntry, step: Step): void {
  log.update(step.at, market);
  entry.freshAt = step.at as Instant;
  callWatchers(entry, 'prices', step);
}

function callWatchers({ watchers }: MarketEntry, why: Why, step: Step): void {
  for (let i = 0; i < watchers.length; i += 1) {
    const inMarket = watchers[i];
    if (inMarket !== undefined) step.call(inMarket, why);
  }
}

/** The first word of a market: its desk is opened, and orders of an earlier process in it come back. */
function listMarket(parts: FoldParts, market: MarketState, step: Step): MarketEntry {
  const { ledger, log } = parts;
  const entry = ledger.openEntry(market, onThrowIn({ ledger, log }, step, market.facts.id));
  // Of one that is over when it is first heard of nobody is asked.
  if (market.status !== 'Closed') parts.onListed?.(market, entry.watchers);
  for (const returning of ledger.restored.take(market.facts.id)) restore(parts, returning, entry, step);
  return entry;
}

/** An order of an earlier process comes back to the ledger, with what was said of it since. */
function restore({ ledger, log }: FoldParts, { order: kept, news }: Returning, entry: MarketEntry, step: Step): void {
  const order = OwnOrder.restored(termsOf(kept.terms, kept.sentAt, entry, ledger.names), kept);
  ledger.takeIn(order);
  for (const each of news) {
    if (each === 'absent') foldAbsent(ledger, order.id, step, log);
    else foldReport(ledger, each, step, log);
  }
}

/** Outside of any call there is no market to name. */
function foldFailure({ ledger, log }: FoldParts, input: Input & { kind: 'strategyFailed' }, step: Step): void {
  const { instance, failure } = input;
  if (!instance.halted) haltInstance({ ledger, step, log }, { instance, market: '', ...failure });
}

function foldReload({ ledger, log, notes }: FoldParts, input: Input & { kind: 'reseat' }, step: Step): void {
  const { instance, version, sha256 } = input;
  // Told first: the new version may be halted while markets are offered to it, and what is told last holds after a restart.
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

function replyNote(input: Input & { kind: 'placeReply' | 'cancelReply' }): RunNote {
  const { orders, reply } = input;
  const request = input.kind === 'placeReply' ? 'place' : 'cancel';
  const clients = orders.map(({ id }) => id);
  if (!('code' in reply)) return { kind: 'replied', request, clients, outcome: reply.kind };
  return { kind: 'replied', request, clients, outcome: reply.code, details: reply.details };
}

/** Of a forgotten order that lives again nothing is left to fold it into: the overseer has the books compared. */
function foldReport(ledger: Ledger, report: OrderReport, step: Step, log: RunLog, isRevived = false): void {
  const order = ledger.order(report.client);
  if (order === undefined) {
    ledger.restored.hear(report.client, report);
    return;
  }
  const isBack = isRevived && !order.isLive;
  if (order.isAbsent || isBack) log.reappeared(step.at, order, report);
  log.reported(step.at, order, report);
  if (isBack) ledger.revive(order, report, step);
  else ledger.apply(order, report, step);
}

/** The proof speaks only of orders whose fate is open: one that was reported meanwhile exists. */
function foldAbsent(ledger: Ledger, client: number, step: Step, log: RunLog): void {
  const order = ledger.order(client);
  if (order === undefined) ledger.restored.hear(client, 'absent');
  if (order === undefined || !order.unknown) return;
  log.rejected(step.at, order, PROVEN_ABSENT);
  ledger.absent(order, step);
}

/** The exchange's answer to a batch of new orders, or the news that there is none. */
export function foldPlaceReply(parts: FoldParts, input: PlaceReplied, step: Step): void {
  const { ledger, log, notes } = parts;
  const { orders, reply } = input;
  notes?.noted(step.at, replyNote(input));
  for (let index = 0; index < orders.length; index += 1) {
    const order = orders[index];
    if (order === undefined) continue;
    const item = reply.kind === 'placed' ? reply.items[index] : reply;
    if (item?.kind === 'accepted') {
      log.reported(step.at, order, item.report);
      ledger.apply(order, item.report, step);
    } else if (order.exchangeId !== undefined) {
      // The feed was first: the order exists, whatever became of the answer.
    } else if (item?.kind === 'unknown') {
      order.becomeUnknown();
      log.unknown(step.at, order, item.code);
    } else {
      log.rejected(step.at, order, item?.code ?? 'NO_REPLY');
      ledger.rejected(order, step);
    }
  }
}

/** Counted from the sending: the exchange's own deadline cannot come earlier. */
function foldHeartbeat(ledger: Ledger, input: Input & { kind: 'heartbeatReply' }): void {
  const { reply, sentAt } = input;
  ledger.risk.heartbeatActive = reply.kind === 'heartbeat' && reply.active;
  if (reply.kind === 'heartbeat') ledger.risk.heartbeatUntil = instant(sentAt + reply.timeoutMs);
}

/** The same of cancellations. */
export function foldCancelReply(parts: FoldParts, input: CancelReplied, step: Step): void {
  const { ledger, log, notes } = parts;
  notes?.noted(step.at, replyNote(input));
  for (const order of input.orders) order.cancelAnswered();
  if (input.reply.kind === 'unknown') {
    for (const order of input.orders) {
      log.unknown(step.at, order, input.reply.code);
      // Wanted still: the report that follows an unknown answer asks again, where the order lives then.
      order.cancelWanted = order.isLive;
    }
    return;
  }
  for (const report of input.reply.reports) {
    foldReport(ledger, report, step, log);
    if (report.status === 'Pending') ledger.order(report.client)?.cancelTaken();
  }
  for (const order of input.orders) ledger.cancelSettled(order, step);
}
