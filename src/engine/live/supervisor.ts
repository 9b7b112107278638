/** Watches over a run with real orders: what it waits for, whether it may trade, and how it ends. */

import { map } from 'rxjs';
import { instant } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import type { Journal } from '../../core/run/journal.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { TradingState } from '../../core/run/trading-state.ts';
import type { OrderReport } from '../../exchange/gateway.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
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
import { after, FeedAges } from './feed-ages.ts';
import { Heartbeat, type HeartbeatMove, type HeartbeatWish } from './heartbeat.ts';
import { Reconciler } from './reconciler.ts';
import { watchPrices } from './stale-prices.ts';
import { moveTrading, obeyLimits } from './trading-moves.ts';

export interface SupervisorParts {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly gateway: LiveGateway;
  readonly journal: Journal;
  readonly log: JournalLog;
  readonly settings: BotSettings;
  readonly restored: RunState | undefined;
  readonly startedAt: number;
  /** The run is over: nothing more is sent. */
  readonly onEnded: () => void;
}

/** A clock that steps back by less is one that was set right a little. */
const CLOCK_STEP_MS = 50;
/** What new orders are answered with after a lapse (profile section 4). */
const BLOCKED: ReadonlySet<string> = new Set(['HTTP_403', 'HEARTBEAT_LAPSED']);

export class Supervisor implements EngineSupervisor {
  readonly heartbeat: Heartbeat | undefined;
  readonly feeds: FeedAges;
  readonly reconciler: Reconciler;
  readonly withdrawal: Withdrawal;
  readonly #parts: SupervisorParts;
  #phase: Phase = 'recovering';
  #waitsFor: string | undefined;
  /** Why the clock is not trusted. */
  clockDoubt: string | undefined;
  /** Comparisons asked for earlier prove nothing of now. */
  #resyncRequiredAt: number;
  #lastTickAt: number;
  /** Orders approved before trading last moved, or before all was doubted, were judged by other rules. */
  #trading: TradingState = 'running';
  #movedAt = Number.NEGATIVE_INFINITY;
  /** Since when, while the run ends, no order of ours is live as far as known: the exchange is asked whether that is so. */
  #quietSince: number | undefined;
  /** All orders are done with, and the heartbeat is to be taken away. */
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
    this.withdrawal = new Withdrawal(ledger, log);
    if (settings.heartbeat !== undefined) this.heartbeat = new Heartbeat(settings.heartbeat, restored?.heartbeat);
    ledger.risk.notReady = 'recovering';
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
    switch (input.kind) {
      case 'read':
        this.feeds.read(input.feed, Math.min(input.at, step.at));
        break;
      case 'heartbeat':
        if (!input.active) this.#moved(this.heartbeat?.heardLapse('the exchange told of a lapse', input.at), step);
        break;
      case 'heartbeatReply':
        this.#moved(this.heartbeat?.armed(input.reply, input.sentAt), step);
        this.#lookForOthers(step);
        break;
      case 'heartbeatCleared':
        this.#moved(this.heartbeat?.cleared(input.reply), step);
        break;
      case 'order':
        this.#heardOrder(input.order, input.isRevived === true, step);
        break;
      case 'placeReply':
        if (input.reply.kind === 'notPlaced' && BLOCKED.has(input.reply.code))
          this.#moved(this.heartbeat?.resyncRequired(`orders are refused: ${input.reply.code}`), step);
        break;
      case 'books':
        this.reconciler.read(input.reply, step);
        break;
      case 'settled':
        obeyLimits(this.#parts, step);
        break;
      case 'command':
        this.#obey(input.command, step);
        break;
      case 'tick':
        this.#tick(step);
        break;
    }
    this.#tellRisk(step.at);
  }

  /** What risk approved may have waited for the request budget, a session, a pause: the world may have changed since. */
  mayLeave(orders: readonly OwnOrder[]): boolean {
    const { risk } = this.#parts.ledger;
    const now = instant(this.#parts.clock.now());
    if (!this.isTrading || risk.halted || risk.stateUnknown !== undefined) return false;
    if (this.heartbeat !== undefined && !risk.isHeartbeatActive(now)) return false;
    return orders.every(
      ({ terms }) =>
        terms.sentAt >= this.#movedAt &&
        !risk.marketsOff.has(terms.market) &&
        !risk.haltedStrategies.has(terms.strategy),
    );
  }

  /** All that the turn sends is durable before the first byte leaves. */
  keep(step: Step): void {
    const { log, journal } = this.#parts;
    const { places, cancels } = step.sending;
    if (places.length === 0 && cancels.length === 0) return;
    for (const [request, orders] of [['cancel', cancels] as const, ['place', places] as const]) {
      for (let start = 0; start < orders.length; start += BATCH_MAX) {
        const clients = orders.slice(start, start + BATCH_MAX).map(({ id }) => id);
        log.noted(step.at, { kind: 'requested', request, clients });
      }
    }
    journal.commit();
  }

  #tick(step: Step): void {
    const { at } = step;
    const { log, ledger, journal, settings } = this.#parts;
    if (at < this.#lastTickAt - CLOCK_STEP_MS) this.#clockWentBack(step);
    this.#lastTickAt = at;
    this.#moved(this.heartbeat?.look(at), step);
    for (const change of this.feeds.look(at)) log.noted(at, { kind: 'freshness', ...change });
    watchPrices({ ledger, log, budgetMs: settings.freshness.prices }, step);
    obeyLimits(this.#parts, step);
    this.#followTrading(at);
    this.withdrawal.look(step, this.#ending?.orders === 'cancel');
    this.#advance(step);
    this.#ask(step);
    journal.commit();
  }

  /** What was counted on the clock is counted anew, and what rests on it is doubted. */
  #clockWentBack(step: Step): void {
    this.feeds.clockWentBack(step.at);
    this.reconciler.clockWentBack();
    this.withdrawal.clockWentBack();
    this.#resyncRequiredAt = Math.min(this.#resyncRequiredAt, step.at);
    this.#moved(this.heartbeat?.clockWentBack(step.at), step);
  }

  /** Two runs that keep one heartbeat vouch for each other's orders: ours end, and it is refreshed no more. */
  #lookForOthers(step: Step): void {
    if (this.heartbeat?.isShared !== true || this.#parts.ledger.risk.halted) return;
    const cause = 'another run of this app refreshes its heartbeat';
    moveTrading(this.#parts, step, { kind: 'halt', by: 'heartbeat', cause });
  }

  #moved(move: HeartbeatMove | undefined, step: Step): void {
    if (move === undefined) return;
    const { log, journal } = this.#parts;
    log.noted(step.at, { kind: 'heartbeat', ...move });
    journal.commit();
    // The exchange cancelled what was live, or may have: nothing is known until the books were read again.
    if (move.to === 'lapsed') this.#requireResync(step, 'the heartbeat lapsed');
  }

  /** Nothing that was asked for, approved or proven before holds. */
  #requireResyncOfAll(step: Step, cause: string): void {
    this.feeds.forget(step.at);
    this.#moved(this.heartbeat?.resyncRequired(cause), step);
    this.#requireResync(step, cause);
    this.#resyncRequiredAt = this.#movedAt = after(step.at);
  }

  #requireResync(step: Step, cause: string): void {
    this.#resyncRequiredAt = step.at;
    if (this.#phase === 'arming' || this.#phase === 'trading') this.#enter('recovering', cause, step);
  }

  /**
   * What had ended lives again, so that nothing that was believed of ends holds: no new order before all books were
   * compared. One that the ledger has forgotten is taken in by that comparison.
   */
  #heardOrder(report: OrderReport, isRevived: boolean, step: Step): void {
    const { ledger, log } = this.#parts;
    const { client, order } = report;
    const isForgotten = isLive(report.status) && ledger.order(client) === undefined && !ledger.restored.has(client);
    if (isForgotten) log.noted(step.at, { kind: 'reappeared', client, order, hadEnded: true });
    if (isForgotten || isRevived) this.#requireResync(step, `order ${client}, which had ended, lives again`);
  }

  /** Risk reads what is known now. */
  #tellRisk(now: number): void {
    const { risk } = this.#parts.ledger;
    this.#followTrading(now);
    const { heartbeat } = this;
    if (heartbeat !== undefined) {
      risk.heartbeatActive = heartbeat.state === 'active';
      risk.heartbeatUntil = Number.isFinite(heartbeat.until) ? instant(heartbeat.until) : undefined;
    }
    const late = this.feeds.late.filter((feed) => feed !== 'prices');
    risk.stateUnknown = late.length === 0 ? undefined : `not read in time: ${late.join(', ')}`;
    risk.notReady = this.#phase === 'trading' ? undefined : this.#phase;
  }

  #followTrading(now: number): void {
    const { trading } = this.#parts.ledger.risk;
    if (trading === this.#trading) return;
    this.#movedAt = now;
    this.#trading = trading;
    this.withdrawal.moved(trading);
  }

  #advance(step: Step): void {
    if (this.#phase === 'recovering') {
      this.#waitsFor = this.#missing();
      if (this.#waitsFor === undefined) this.#enter('arming', 'ledger and exchange agree', step);
    }
    if (this.#phase === 'arming') {
      const isArmed = this.heartbeat === undefined || this.heartbeat.state === 'active';
      this.#waitsFor = isArmed ? undefined : 'the heartbeat to be active';
      if (isArmed) this.#begin(step);
    }
    if (this.#phase === 'ending') this.#end(step);
  }

  /** What the bot must know before it trades, and does not yet. */
  #missing(): string | undefined {
    const { ledger } = this.#parts;
    if (this.clockDoubt !== undefined) return `a clock that is right: ${this.clockDoubt}`;
    if (!this.feeds.hasAll) return 'a first whole reading of all feeds';
    const late = this.feeds.late.filter((feed) => feed !== 'prices');
    if (late.length > 0) return `a reading of ${late.join(', ')}`;
    const [market] = ledger.restored.markets;
    if (market !== undefined) return `market ${market}, in which the run has orders`;
    for (const order of ledger.liveOrders()) if (order.unknown) return `the fate of order ${order.id}`;
    if (this.reconciler.provenSince < this.#resyncRequiredAt) return 'a comparison of ledger and exchange';
    return undefined;
  }

  /** Every strategy is asked anew, in every market it watches. */
  #begin(step: Step): void {
    const { ledger } = this.#parts;
    this.#enter('trading', 'all is known', step);
    // Which orders an earlier process wanted to end nobody knows any more: all that are live when trading is reduced.
    if (!this.#hasBegun) this.withdrawal.moved(ledger.risk.trading);
    this.#hasBegun = true;
    for (const entry of ledger.marketEntries()) for (const inMarket of entry.watchers) step.call(inMarket, 'status');
  }

  #enter(to: Phase, cause: string, step: Step): void {
    const from = this.#phase;
    this.#phase = to;
    this.#parts.log.noted(step.at, { kind: 'phase', from, to, cause, ...this.#parts.ledger.unasked });
    this.#parts.journal.commit();
  }

  #ask(step: Step): void {
    if (this.#phase === 'ended') return;
    this.#askHeartbeat(step);
    const isWaited = this.#phase === 'recovering' || (this.#phase === 'ending' && this.#quietSince !== undefined);
    const books$ = this.reconciler.nextComparison(step.at, isWaited);
    if (books$ !== undefined) step.addRequest(books$);
  }

  #askHeartbeat(step: Step): void {
    const { gateway, settings } = this.#parts;
    const { at: sentAt } = step;
    const action = this.heartbeat?.nextAction(sentAt, { polledAt: this.#polledAt(), wants: this.#wantsHeartbeat() });
    if (action === undefined || settings.heartbeat === undefined) return;
    this.heartbeat?.asked(sentAt, action);
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

  #wantsHeartbeat(): HeartbeatWish {
    if (this.#isClearing) return 'cleared';
    return this.#phase === 'arming' || this.#phase === 'trading' ? 'armed' : 'asItIs';
  }

  /** When the pipeline last processed what the heartbeat vouches for: our orders, and the prices they rest on. */
  #polledAt(): number {
    const orders = this.feeds.readAt('orders') ?? Number.NEGATIVE_INFINITY;
    const { value: anyMarket } = this.#parts.ledger.marketEntries()[Symbol.iterator]().next();
    const prices = this.feeds.readAt(anyMarket === undefined ? 'markets' : 'prices') ?? Number.NEGATIVE_INFINITY;
    return Math.min(orders, prices);
  }

  #obey(command: BotCommand, step: Step): void {
    const { ledger, settings } = this.#parts;
    if (command.kind === 'limits') {
      ledger.risk.setLimits(command.limits);
      return obeyLimits(this.#parts, step);
    }
    if (command.kind === 'doubt') return this.#requireResyncOfAll(step, command.cause);
    if (command.kind === 'clock') {
      const before = this.clockDoubt;
      this.clockDoubt = command.cause;
      if (before === undefined || command.cause === undefined)
        this.#requireResyncOfAll(step, command.cause ?? 'the clock is right again');
      return;
    }
    // Ages, days and deadlines were counted on it.
    if (command.kind === 'resume' && this.clockDoubt !== undefined) return;
    if (command.kind !== 'stop') {
      moveTrading(this.#parts, step, command);
      if (command.kind === 'resume') this.heartbeat?.trusted();
      // Asked for again, it is true of what is live by now.
      return this.withdrawal.moved(ledger.risk.trading);
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

  #end(step: Step): void {
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
    // What lives on, or may, is left to the exchange's watch: it cancels when nobody is heard of any more.
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
