/** How each input changes the ledger, and whom it concerns: the first stage of the pipeline. */

import type { MarketState } from '../core/market-state.ts';
import { type Instant, instant } from '../core/number/units.ts';
import { PROVEN_ABSENT } from '../core/run/journal.ts';
import type { FeedMessage, MarketMessage, OrderReport } from '../exchange/gateway.ts';
import type { Why } from '../strategy/contract.ts';
import { haltSeat, onThrowIn } from './halt.ts';
import type { Ledger } from './ledger/ledger.ts';
import { OwnOrder } from './ledger/own-order.ts';
import { type Returning, termsOf } from './ledger/restored-orders.ts';
import { strategyName, walletName } from './ledger/run-names.ts';
import type { MarketDesk, Runtime } from './ledger/runtime.ts';
import type { CancelReplied, Input, PlaceReplied, Turn } from './ledger/turn.ts';
import type { NoteLog, RunLog, RunNote } from './log/run-log.ts';

export interface FoldParts {
  readonly ledger: Ledger;
  readonly log: RunLog;
  readonly notes: NoteLog | undefined;
  /** Hears of each new market and who watches it. */
  readonly onListed?: ((market: MarketState, watchers: readonly Runtime[]) => void) | undefined;
}

/** Fills the turn with the calls that the input asks for. */
export function fold(parts: FoldParts, input: Input, turn: Turn): void {
  const { ledger, log, notes } = parts;
  switch (input.kind) {
    case 'market':
      return foldMarket(parts, input, turn);
    case 'order':
      return foldReport(ledger, input.order, turn, log, input.isRevived);
    case 'absent':
      return foldAbsent(ledger, input.client, turn, log);
    case 'settled':
      log.settled(turn.at, input.market, input.wallet, input.profit, input.commission);
      return ledger.settled(input, instant(turn.at));
    case 'wallet':
      notes?.noted(turn.at, walletNote(ledger, input));
      return ledger.walletChanged(input);
    case 'reseat':
      return foldReseat({ ledger, log, notes }, input, turn);
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
      return foldPlaceReply(parts, input, turn);
    case 'cancelReply':
      return foldCancelReply(parts, input, turn);
    case 'timer':
      if (input.runtime.wakeAt !== input.due) return undefined;
      input.runtime.wakeAt = undefined;
      if (input.runtime.desk.state.isCutOff === true) return undefined;
      input.runtime.seat.timerCalls += 1;
      return turn.call(input.runtime, 'timer');
    case 'intents':
      return input.runtime.seat.halted ? undefined : turn.wish(input.runtime, input.intents);
    case 'strategyFailed':
      return foldFailure(parts, input, turn);
    case 'kill':
      return ledger.kill(turn);
  }
}

/** News of a market. */
function foldMarket(parts: FoldParts, message: MarketMessage, turn: Turn): void {
  const { ledger, log, notes } = parts;
  const { market, cause } = message;
  log.update(turn.at, market);
  const desk = ledger.deskAt(market.index) ?? listMarket(parts, market, turn);
  desk.freshAt = market.freshAt ?? instant(turn.at);
  if (cause === 'status') ledger.statusChanged(market);
  // Closed says nothing that Settled or Voided did not, and there is nothing left to decide.
  if (market.status === 'Closed') {
    notes?.noted(turn.at, { kind: 'marketDone', market: market.facts.id });
    return ledger.dropMarket(market);
  }
  callWatchers(desk, cause === 'prices' ? 'prices' : 'status', turn);
}

/** New prices of a market that is known and not closed. */
export function foldPrices(log: RunLog, market: MarketState, desk: MarketDesk, turn: Turn): void {
  log.update(turn.at, market);
  desk.freshAt = turn.at as Instant;
  callWatchers(desk, 'prices', turn);
}

function callWatchers({ watchers }: MarketDesk, why: Why, turn: Turn): void {
  for (let i = 0; i < watchers.length; i += 1) {
    const runtime = watchers[i];
    if (runtime !== undefined) turn.call(runtime, why);
  }
}

/** The first word of a market: its desk is opened, and orders of an earlier process in it come back. */
function listMarket(parts: FoldParts, market: MarketState, turn: Turn): MarketDesk {
  const { ledger, log } = parts;
  const desk = ledger.openDesk(market, onThrowIn({ ledger, log }, turn, market.facts.id));
  // Of one that is over when it is first heard of nobody is asked.
  if (market.status !== 'Closed') parts.onListed?.(market, desk.watchers);
  for (const returning of ledger.restored.take(market.facts.id)) restore(parts, returning, desk, turn);
  return desk;
}

/** An order of an earlier process comes back to the ledger, with what was said of it since. */
function restore({ ledger, log }: FoldParts, { order: kept, news }: Returning, desk: MarketDesk, turn: Turn): void {
  const order = OwnOrder.restored(termsOf(kept.terms, kept.sentAt, desk, ledger.names), kept);
  ledger.takeIn(order);
  for (const each of news) {
    if (each === 'absent') foldAbsent(ledger, order.id, turn, log);
    else foldReport(ledger, each, turn, log);
  }
}

/** Outside of any call there is no market to name. */
function foldFailure({ ledger, log }: FoldParts, input: Input & { kind: 'strategyFailed' }, turn: Turn): void {
  const { seat, failure } = input;
  if (!seat.halted) haltSeat({ ledger, turn, log }, { seat, market: '', ...failure });
}

function foldReseat({ ledger, log, notes }: FoldParts, input: Input & { kind: 'reseat' }, turn: Turn): void {
  const { seat, version, sha256 } = input;
  // Told first: the new version may be halted while markets are offered to it, and what is told last holds after a restart.
  notes?.noted(turn.at, {
    kind: 'strategyLoaded',
    strategy: strategyName(ledger.names, seat.index),
    sha256,
    cause: 'reload',
  });
  ledger.reseat(seat, version, onThrowIn({ ledger, log }, turn));
  for (const runtime of seat.runtimes.values()) turn.call(runtime, 'status');
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
function foldReport(ledger: Ledger, report: OrderReport, turn: Turn, log: RunLog, isRevived = false): void {
  const order = ledger.order(report.client);
  if (order === undefined) {
    ledger.restored.hear(report.client, report);
    return;
  }
  const isBack = isRevived && !order.isLive;
  if (order.isAbsent || isBack) log.reappeared(turn.at, order, report);
  log.reported(turn.at, order, report);
  if (isBack) ledger.revive(order, report, turn);
  else ledger.apply(order, report, turn);
}

/** The proof speaks only of orders whose fate is open: one that was reported meanwhile exists. */
function foldAbsent(ledger: Ledger, client: number, turn: Turn, log: RunLog): void {
  const order = ledger.order(client);
  if (order === undefined) ledger.restored.hear(client, 'absent');
  if (order === undefined || !order.unknown) return;
  log.rejected(turn.at, order, PROVEN_ABSENT);
  ledger.absent(order, turn);
}

/** The exchange's answer to a batch of new orders, or the news that there is none. */
export function foldPlaceReply(parts: FoldParts, input: PlaceReplied, turn: Turn): void {
  const { ledger, log, notes } = parts;
  const { orders, reply } = input;
  notes?.noted(turn.at, replyNote(input));
  for (let index = 0; index < orders.length; index += 1) {
    const order = orders[index];
    if (order === undefined) continue;
    const item = reply.kind === 'placed' ? reply.items[index] : reply;
    if (item?.kind === 'accepted') {
      log.reported(turn.at, order, item.report);
      ledger.apply(order, item.report, turn);
    } else if (order.exchangeId !== undefined) {
      // The feed was first: the order exists, whatever became of the answer.
    } else if (item?.kind === 'unknown') {
      order.becomeUnknown();
      log.unknown(turn.at, order, item.code);
    } else {
      log.rejected(turn.at, order, item?.code ?? 'NO_REPLY');
      ledger.rejected(order, turn);
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
export function foldCancelReply(parts: FoldParts, input: CancelReplied, turn: Turn): void {
  const { ledger, log, notes } = parts;
  notes?.noted(turn.at, replyNote(input));
  for (const order of input.orders) order.cancelAnswered();
  if (input.reply.kind === 'unknown') {
    for (const order of input.orders) {
      log.unknown(turn.at, order, input.reply.code);
      // Wanted still: the report that follows an unknown answer asks again, where the order lives then.
      order.cancelWanted = order.isLive;
    }
    return;
  }
  for (const report of input.reply.reports) {
    foldReport(ledger, report, turn, log);
    if (report.status === 'Pending') ledger.order(report.client)?.cancelTaken();
  }
  for (const order of input.orders) ledger.cancelSettled(order, turn);
}
