/** Decides, in a live or paper run, what the run waits for, whether it may trade, and how it ends. */

import { map } from 'rxjs';
import { instant } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import type { Journal } from '../../core/run/journal.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { TradingState } from '../../core/run/trading-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
import { flatLimits } from '../../risk/limits/limits-text.ts';
import type { Clock } from '../../time/clock.ts';
import type { EngineSupervisor } from '../engine.ts';
import type { BotCommand } from '../ledger/bot-command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OwnOrder } from '../ledger/own-order.ts';
import type { Input, Step } from '../ledger/step.ts';
import type { JournalLog } from '../log/journal-log.ts';
import { BATCH_MAX } from '../pipeline.ts';
import { Withdrawal } from '../withdrawal.ts';
import type { BotSettings } from './bot-settings.ts';
import type { Phase } from './bot-status.ts';
import { DarkMarkets } from './dark-markets.ts';
import { after, FeedAges } from './feed-ages.ts';
import { Heartbeat, type HeartbeatAim, type HeartbeatMove } from './heartbeat.ts';
import { areStillApproved, missingForTrading } from './missing-for-trading.ts';
import { Reconciler } from './reconciler.ts';
import { watchStale, watchWallets } from './stale-parts.ts';
import { applyLossLimits, moveTrading } from './trading-moves.ts';

export interface SupervisorParts {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly gateway: LiveGateway;
  readonly journal: Journal;
  readonly log: JournalLog;
  readonly settings: BotSettings;
  readonly restored: RunState | undefined;
  readonly startedAt: number;
  /** Called when the run has ended; nothing more is sent. */
  readonly onEnded: () => void;
}

/** A clock that steps back by less was corrected a little, which needs no resync. */
const CLOCK_STEP_MS = 50;

export class Supervisor implements EngineSupervisor {
  readonly heartbeat: Heartbeat | undefined;
  readonly feeds: FeedAges;
  readonly reconciler: Reconciler;
  readonly withdrawal: Withdrawal;
  readonly #dark: DarkMarkets;
  readonly #parts: SupervisorParts;
  #phase: Phase = 'recovering';
  #waitsFor: string | undefined;
  /** Why the clock is not trusted; undefined while it is. */
  clockDoubt: string | undefined;
  /** Comparisons of ledger and exchange that were asked for before this prove nothing. */
  #resyncRequiredAt: number;
  #lastTickAt: number;
  /** Orders approved before this were judged by other rules, and do not leave: trading moved, or a resync was required. */
  #trading: TradingState = 'running';
  #movedAt = Number.NEGATIVE_INFINITY;
  /** While the run ends: since when no order of ours is live as far as known. The exchange is asked whether that is so. */
  #quietSince: number | undefined;
  /** All orders have ended, and the heartbeat is to be cleared. */
  #isClearing = false;
  #hasBegun = false;
  #isUnproven = false;
  #ending: { readonly orders: 'cancel' | 'keep'; readonly deadline: number; readonly cause: string } | undefined;

  constructor(parts: SupervisorParts) {
    const { settings, ledger, gateway, log, restored, startedAt } = parts;
    this.#parts = parts;
    this.#resyncRequiredAt = startedAt;
    this.#lastTickAt = startedAt;
    this.feeds = new FeedAges(settings.freshness, startedAt);
    this.reconciler = new Reconciler({ ledger, gateway, settings: settings.reconcile, log });
    this.withdrawal = new Withdrawal(ledger, log, settings.heartbeat !== undefined);
    const { feeds, withdrawal } = this;
    this.#dark = new DarkMarkets({ ledger, log, feeds, withdrawal, settings: settings.dark, startedAt });
    if (settings.heartbeat !== undefined) this.heartbeat = new Heartbeat(settings.heartbeat, restored?.heartbeat);
    ledger.risk.setStatusBudget(settings.freshness.markets);
    ledger.risk.setNotReady('recovering');
  }

  get phase(): Phase {
    return this.#phase;
  }

  get waitsFor(): string | undefined {
    return this.#waitsFor;
  }

  /** The run ended without the exchange having said what is live there. */
  get isUnproven(): boolean {
    return this.#isUnproven;
  }

  get isTrading(): boolean {
    return this.#phase === 'trading';
  }

  beforeDecisions(input: Input, step: Step): void {
    // Not at ticks alone: what is decided now is judged by how old the feeds are now.
    for (const change of this.feeds.changes(step.at)) this.#parts.log.noted(step.at, { kind: 'freshness', ...change });
    switch (input.kind) {
      case 'read':
        this.feeds.noteRead(input.feed, Math.min(input.at, step.at), input.walletsUnread);
        break;
      case 'heartbeat':
        if (!input.active) this.#onHeartbeat(this.heartbeat?.onLapse('the exchange reported a lapse', input.at), step);
        break;
      case 'heartbeatReply':
        this.#onHeartbeat(this.heartbeat?.onArmReply(input.reply, input.sentAt), step);
        this.#haltIfShared(step);
        break;
      case 'heartbeatCleared':
        this.#onHeartbeat(this.heartbeat?.onClearReply(input.reply), step);
        break;
      case 'order':
        this.#onOrderReport(input.order, input.isRevived === true, step);
        break;
      case 'placeReply':
        if (input.reply.kind === 'notPlaced' && input.reply.isBlocked === true)
          this.#onHeartbeat(this.heartbeat?.resyncRequired(`orders are refused: ${input.reply.code}`), step);
        break;
      case 'books':
        this.reconciler.onBooks(input.reply, step);
        break;
      case 'settled':
        applyLossLimits(this.#parts, step);
        break;
      case 'command':
        this.#onCommand(input.command, step);
        break;
      case 'tick':
        this.#onTick(step);
        break;
    }
    watchWallets({ ...this.#parts, feeds: this.feeds }, step);
    this.#updateRisk(step.at);
  }

  /** Orders that risk approved may have waited for the request budget or a session, and their approval may no longer hold. */
  mayLeave(orders: readonly OwnOrder[]): boolean {
    const { ledger, clock } = this.#parts;
    const { risk } = ledger;
    const now = instant(clock.now());
    if (!this.isTrading || risk.halted || this.feeds.isUnknown(now)) return false;
    if (this.heartbeat !== undefined && !risk.isHeartbeatActive(now)) return false;
    return areStillApproved({ ledger, feeds: this.feeds, movedAt: this.#movedAt }, orders, now);
  }

  /** Journals what the step sends, so that it is durable before the first byte leaves. */
  commit(step: Step): void {
    const { log, journal } = this.#parts;
    if (!step.hasOrderWork) return;
    for (const { request, orders } of step.sending) {
      for (let start = 0; start < orders.length; start += BATCH_MAX) {
        const clients = orders.slice(start, start + BATCH_MAX).map(({ id }) => id);
        log.noted(step.at, { kind: 'requested', request, clients });
      }
    }
    journal.commit();
  }

  #onTick(step: Step): void {
    const { at } = step;
    const { log, ledger, journal } = this.#parts;
    if (at < this.#lastTickAt - CLOCK_STEP_MS) this.#onClockSetBack(step);
    this.#lastTickAt = at;
    this.#onHeartbeat(this.heartbeat?.checkDeadlines(at), step);
    watchStale({ ledger, log, feeds: this.feeds }, step);
    applyLossLimits(this.#parts, step);
    this.#followTrading(at);
    this.#dark.watch(step, this.#ending?.orders === 'keep');
    this.withdrawal.cancelDue(step, this.#ending?.orders === 'cancel');
    this.#advance(step);
    this.#sendRequests(step);
    journal.commit();
  }

  /** The clock was set back: all ages and deadlines start again, and the heartbeat counts as late until it is confirmed. */
  #onClockSetBack(step: Step): void {
    this.feeds.onClockSetBack(step.at);
    this.reconciler.onClockSetBack();
    this.withdrawal.onClockSetBack(step.at);
    this.#resyncRequiredAt = Math.min(this.#resyncRequiredAt, step.at);
    this.#onHeartbeat(this.heartbeat?.onClockSetBack(step.at), step);
  }

  /**
   * Where another run refreshes the same heartbeat, the exchange would not cancel our orders if we died: all our orders are
   * cancelled, and we refresh the heartbeat no more.
   */
  #haltIfShared(step: Step): void {
    if (this.heartbeat?.isShared !== true || this.#parts.ledger.risk.halted) return;
    const cause = 'another run of this app refreshes its heartbeat';
    moveTrading(this.#parts, step, { kind: 'halt', by: 'heartbeat', cause });
  }

  /** Journals a change of the heartbeat's state. */
  #onHeartbeat(move: HeartbeatMove | undefined, step: Step): void {
    if (move === undefined) return;
    const { log, journal } = this.#parts;
    log.noted(step.at, { kind: 'heartbeat', ...move });
    journal.commit();
    // The exchange may have cancelled all live orders: nothing is certain until its account snapshot was read again.
    if (move.to === 'lapsed') this.#requireResync(step, 'the heartbeat lapsed');
  }

  /** Forces a resync of everything: readings, approvals and comparisons from before count no more. */
  #requireResyncOfAll(step: Step, cause: string): void {
    this.feeds.forget(step.at);
    this.#onHeartbeat(this.heartbeat?.resyncRequired(cause), step);
    this.#requireResync(step, cause);
    this.#resyncRequiredAt = this.#movedAt = after(step.at);
  }

  #requireResync(step: Step, cause: string): void {
    this.#resyncRequiredAt = step.at;
    if (this.#phase === 'arming' || this.#phase === 'trading') this.#enter('recovering', cause, step);
  }

  /**
   * An order that had ended lives again, so other ends may be false too: no order is placed until ledger and exchange were
   * compared. An order that the ledger has forgotten is added again by that comparison.
   */
  #onOrderReport(report: OrderReport, isRevived: boolean, step: Step): void {
    const { ledger, log } = this.#parts;
    const { client, order } = report;
    const isForgotten = isLive(report.status) && ledger.order(client) === undefined && !ledger.restored.has(client);
    if (isForgotten) log.noted(step.at, { kind: 'reappeared', client, order, hadEnded: true });
    if (isForgotten || isRevived) this.#requireResync(step, `order ${client}, which had ended, lives again`);
  }

  /** Passes to risk what this supervisor knows: heartbeat, feeds, phase. */
  #updateRisk(now: number): void {
    const { risk } = this.#parts.ledger;
    this.#followTrading(now);
    const { heartbeat } = this;
    if (heartbeat !== undefined) {
      const until = Number.isFinite(heartbeat.until) ? instant(heartbeat.until) : undefined;
      risk.setHeartbeat(heartbeat.state === 'active', until);
    }
    const late = this.feeds.late.filter((feed) => feed !== 'prices');
    risk.setStateUnknown(late.length === 0 ? undefined : `not read in time: ${late.join(', ')}`);
    risk.setNotReady(this.#phase === 'trading' ? undefined : this.#phase);
  }

  #followTrading(now: number): void {
    const { trading } = this.#parts.ledger.risk;
    if (trading === this.#trading) return;
    this.#movedAt = now;
    this.#trading = trading;
    this.withdrawal.onTradingMoved(trading);
  }

  #advance(step: Step): void {
    if (this.#phase === 'recovering') {
      this.#waitsFor = missingForTrading(this.#parts.ledger, {
        feeds: this.feeds,
        clockDoubt: this.clockDoubt,
        provenSince: this.reconciler.provenSince,
        resyncRequiredAt: this.#resyncRequiredAt,
      });
      if (this.#waitsFor === undefined) this.#enter('arming', 'ledger and exchange agree', step);
    }
    if (this.#phase === 'arming') {
      const isArmed = this.heartbeat === undefined || this.heartbeat.state === 'active';
      this.#waitsFor = isArmed ? undefined : 'the heartbeat to be active';
      if (isArmed) this.#beginTrading(step);
    }
    if (this.#phase === 'ending') this.#endWhenSafe(step);
  }

  /** Calls every strategy in every market that it watches. */
  #beginTrading(step: Step): void {
    const { ledger } = this.#parts;
    this.#enter('trading', 'all is known', step);
    // The journal does not say which orders an earlier process wanted to end: in reduce-only, all that are live now.
    if (!this.#hasBegun) this.withdrawal.onTradingMoved(ledger.risk.trading);
    this.#hasBegun = true;
    for (const entry of ledger.marketEntries()) for (const inMarket of entry.watchers) step.call(inMarket, 'status');
  }

  #enter(to: Phase, cause: string, step: Step): void {
    const from = this.#phase;
    this.#phase = to;
    this.#parts.log.noted(step.at, { kind: 'phase', from, to, cause, ...this.#parts.ledger.unasked });
    this.#parts.journal.commit();
  }

  /** Requests what is due of the exchange: heartbeat and account snapshot. */
  #sendRequests(step: Step): void {
    if (this.#phase === 'ended') return;
    this.#requestHeartbeat(step);
    const isWaited = this.#phase === 'recovering' || (this.#phase === 'ending' && this.#quietSince !== undefined);
    const books$ = this.reconciler.nextComparison(step.at, isWaited);
    if (books$ !== undefined) step.addRequest(books$);
  }

  #requestHeartbeat(step: Step): void {
    const { gateway, settings, ledger } = this.#parts;
    const { at: sentAt } = step;
    const unproven = this.#dark.unproven();
    if (unproven !== undefined) this.#onHeartbeat(this.heartbeat?.resyncRequired(`not refreshed: ${unproven}`), step);
    const newsAt = this.feeds.newsAt(ledger.marketEntries()[Symbol.iterator]().next().done === true);
    const polledAt = unproven === undefined ? newsAt : Number.NEGATIVE_INFINITY;
    const action = this.heartbeat?.nextAction(sentAt, { polledAt, wants: this.#wantsHeartbeat() });
    if (action === undefined || settings.heartbeat === undefined) return;
    this.heartbeat?.onRequested(sentAt, action);
    step.addRequest(
      action === 'clear'
        ? gateway
            .clearHeartbeat(this.#ending?.orders === 'keep')
            .pipe(map((reply) => ({ kind: 'heartbeatCleared', reply })))
        : gateway
            .heartbeat(settings.heartbeat.timeoutMs)
            .pipe(map((reply) => ({ kind: 'heartbeatReply', reply, sentAt }))),
    );
  }

  #wantsHeartbeat(): HeartbeatAim {
    if (this.#isClearing) return 'cleared';
    return this.#phase === 'arming' || this.#phase === 'trading' ? 'armed' : 'asItIs';
  }

  #onCommand(command: BotCommand, step: Step): void {
    const { ledger, settings, log } = this.#parts;
    if (command.kind === 'limits') {
      log.noted(step.at, { kind: 'limits', limits: flatLimits(command.limits) });
      ledger.risk.setLimits(command.limits);
      return applyLossLimits(this.#parts, step);
    }
    if (command.kind === 'resync') return this.#requireResyncOfAll(step, command.cause);
    if (command.kind === 'clock') {
      const before = this.clockDoubt;
      this.clockDoubt = command.cause;
      if (before === undefined || command.cause === undefined)
        this.#requireResyncOfAll(step, command.cause ?? 'the clock is right again');
      return;
    }
    // Ages, days and deadlines are counted on the clock, so trading does not resume while it is wrong.
    if (command.kind === 'resume' && this.clockDoubt !== undefined) return;
    if (command.kind !== 'stop') {
      moveTrading(this.#parts, step, command);
      if (command.kind === 'resume') this.heartbeat?.resetShared();
      // A command that is repeated applies to the orders that are live by then.
      return this.withdrawal.onTradingMoved(ledger.risk.trading, command.kind === 'cancelAll');
    }
    const { cause, orders = settings.end.orders } = command;
    if (this.#phase === 'ending' || this.#phase === 'ended') return;
    this.#ending = { orders, deadline: step.at + settings.end.deadlineMs, cause };
    this.#enter('ending', cause, step);
    if (orders === 'cancel') ledger.cancelAll(step);
  }

  /** Whether a comparison was asked for after the last order was known to be done with, and read. */
  #isSeenQuiet(now: number): boolean {
    this.#quietSince ??= now;
    return this.reconciler.seenSince >= this.#quietSince;
  }

  /** Ends the run once every order's fate is known, the exchange has confirmed it, and the heartbeat is cleared; or at the deadline. */
  #endWhenSafe(step: Step): void {
    const { ledger, settings, log, journal, onEnded } = this.#parts;
    const ending = this.#ending;
    if (ending === undefined) return;
    const open = [...ledger.liveOrders()].filter(
      (order) => ending.orders === 'cancel' || order.unknown || order.inFlight !== undefined,
    );
    this.#waitsFor = open.length === 0 ? undefined : `the fate of ${open.length} orders`;
    if (open.length > 0 && step.at < ending.deadline) {
      this.#quietSince = undefined;
      return;
    }
    const isSeen = this.#isSeenQuiet(step.at);
    if (!isSeen && step.at < ending.deadline) {
      this.#waitsFor = 'the exchange to say what is live';
      return;
    }
    const isSafe = ending.orders === 'keep' || (isSeen && ledger.liveOrders()[Symbol.iterator]().next().done === true);
    this.#isUnproven = !isSeen;
    // Orders that live on, or may, stay under the heartbeat: the exchange cancels them when it is refreshed no more.
    this.#isClearing = isSafe && settings.heartbeat?.atEnd === 'clear' && !this.heartbeat?.isGone;
    if (this.#isClearing && step.at < ending.deadline) {
      this.#waitsFor = 'the heartbeat to be cleared';
      return;
    }
    this.#enter('ended', ending.cause, step);
    log.noted(step.at, { kind: 'ended', cause: ending.cause, liveOrders: [...ledger.liveOrders()].length });
    journal.commit();
    onEnded();
  }
}
