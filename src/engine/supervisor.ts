/** Watches over a run with real orders: what it waits for, whether it may trade, and how it ends. */

import { map } from 'rxjs';
import type { Journal } from '../core/journal.ts';
import type { RunState } from '../core/run-state.ts';
import type { TradingState } from '../core/trading-state.ts';
import { instant } from '../core/units.ts';
import type { LiveGateway } from '../exchange/live-gateway.ts';
import type { Clock } from '../time/clock.ts';
import type { BotCommand } from './bot-command.ts';
import type { BotSettings } from './bot-settings.ts';
import type { Phase } from './bot-status.ts';
import type { Overseer } from './engine.ts';
import { FeedAges } from './feed-ages.ts';
import { Heartbeat, type HeartbeatMove, type HeartbeatWish } from './heartbeat.ts';
import type { JournalLog } from './journal-log.ts';
import type { Ledger } from './ledger.ts';
import type { OwnOrder } from './own-order.ts';
import { BATCH_MAX } from './pipeline.ts';
import { Reconciler } from './reconciler.ts';
import { watchPrices } from './stale-prices.ts';
import { moveTrading, obeyLimits } from './trading-moves.ts';
import type { Input, Turn } from './turn.ts';

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

export class Supervisor implements Overseer {
  readonly heartbeat: Heartbeat | undefined;
  readonly feeds: FeedAges;
  readonly reconciler: Reconciler;
  readonly #parts: SupervisorParts;
  #phase: Phase = 'recovering';
  #waitsFor: string | undefined;
  /** Comparisons asked for earlier prove nothing of now. */
  #doubtedAt: number;
  #lastTickAt: number;
  /** Orders approved before trading last moved were judged by other rules. */
  #trading: TradingState = 'running';
  #movedAt = Number.NEGATIVE_INFINITY;
  /** All orders are done with, and the heartbeat is to be taken away. */
  #isClearing = false;
  #ending: { readonly orders: 'cancel' | 'keep'; readonly deadline: number; readonly cause: string } | undefined;

  constructor(parts: SupervisorParts) {
    const { settings, ledger, gateway, log, restored, startedAt } = parts;
    this.#parts = parts;
    this.#doubtedAt = startedAt;
    this.#lastTickAt = startedAt;
    this.feeds = new FeedAges(settings.freshness, startedAt);
    this.reconciler = new Reconciler({ ledger, gateway, settings: settings.reconcile, log });
    if (settings.heartbeat !== undefined) this.heartbeat = new Heartbeat(settings.heartbeat, restored?.heartbeat);
    ledger.risk.notReady = 'recovering';
  }

  get phase(): Phase {
    return this.#phase;
  }

  get waitsFor(): string | undefined {
    return this.#waitsFor;
  }

  get isTrading(): boolean {
    return this.#phase === 'trading';
  }

  oversee(input: Input, turn: Turn): void {
    switch (input.kind) {
      case 'read':
        this.feeds.read(input.feed, Math.min(input.at, turn.at));
        break;
      case 'heartbeat':
        if (!input.active) this.#moved(this.heartbeat?.heardLapse('the exchange told of a lapse', input.at), turn);
        break;
      case 'heartbeatReply':
        this.#moved(this.heartbeat?.armed(input.reply, input.sentAt), turn);
        break;
      case 'heartbeatCleared':
        this.#moved(this.heartbeat?.cleared(input.reply), turn);
        break;
      case 'placeReply':
        if (input.reply.kind === 'notPlaced' && BLOCKED.has(input.reply.code))
          this.#moved(this.heartbeat?.doubted(`orders are refused: ${input.reply.code}`), turn);
        break;
      case 'books':
        this.reconciler.read(input.reply, turn);
        break;
      case 'settled':
        obeyLimits(this.#parts, turn);
        break;
      case 'command':
        this.#obey(input.command, turn);
        break;
      case 'tick':
        this.#tick(turn);
        break;
    }
    this.#tellRisk(turn.at);
  }

  /** What risk approved may have waited for the request budget, a session, a pause: the world may have changed since. */
  mayLeave(orders: readonly OwnOrder[]): boolean {
    const { ledger, clock } = this.#parts;
    const { risk } = ledger;
    const now = instant(clock.now());
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
  keep(turn: Turn): void {
    const { log, journal } = this.#parts;
    const { places, cancels } = turn.sending;
    if (places.length === 0 && cancels.length === 0) return;
    for (const [request, orders] of [['cancel', cancels] as const, ['place', places] as const]) {
      for (let start = 0; start < orders.length; start += BATCH_MAX) {
        const clients = orders.slice(start, start + BATCH_MAX).map(({ id }) => id);
        log.noted(turn.at, { kind: 'requested', request, clients });
      }
    }
    journal.commit();
  }

  #tick(turn: Turn): void {
    const { at } = turn;
    const { log, ledger, journal, settings } = this.#parts;
    if (at < this.#lastTickAt - CLOCK_STEP_MS) this.#clockWentBack(turn);
    this.#lastTickAt = at;
    this.#moved(this.heartbeat?.look(at), turn);
    for (const change of this.feeds.look(at)) log.noted(at, { kind: 'freshness', ...change });
    watchPrices({ ledger, log, budgetMs: settings.freshness.prices }, turn);
    obeyLimits(this.#parts, turn);
    this.#advance(turn);
    this.#ask(turn);
    journal.commit();
  }

  /** What was counted on the clock is counted anew, and what rests on it is doubted. */
  #clockWentBack(turn: Turn): void {
    const { at } = turn;
    this.feeds.clockWentBack(at);
    this.reconciler.clockWentBack();
    this.#doubtedAt = Math.min(this.#doubtedAt, at);
    this.#moved(this.heartbeat?.clockWentBack(at), turn);
  }

  #moved(move: HeartbeatMove | undefined, turn: Turn): void {
    if (move === undefined) return;
    const { log, journal } = this.#parts;
    log.noted(turn.at, { kind: 'heartbeat', ...move });
    journal.commit();
    // The exchange cancelled what was live, or may have: nothing is known until the books were read again.
    if (move.to === 'lapsed') this.#doubt(turn, 'the heartbeat lapsed');
  }

  #doubt(turn: Turn, cause: string): void {
    this.#doubtedAt = turn.at;
    if (this.#phase === 'arming' || this.#phase === 'trading') this.#enter('recovering', cause, turn);
  }

  /** Risk reads what is known now. */
  #tellRisk(now: number): void {
    const { risk } = this.#parts.ledger;
    if (risk.trading !== this.#trading) this.#movedAt = now;
    this.#trading = risk.trading;
    const { heartbeat } = this;
    if (heartbeat !== undefined) {
      risk.heartbeatActive = heartbeat.state === 'active';
      risk.heartbeatUntil = Number.isFinite(heartbeat.until) ? instant(heartbeat.until) : undefined;
    }
    const late = this.feeds.late.filter((feed) => feed !== 'prices');
    risk.stateUnknown = late.length === 0 ? undefined : `not read in time: ${late.join(', ')}`;
    risk.notReady = this.#phase === 'trading' ? undefined : this.#phase;
  }

  #advance(turn: Turn): void {
    if (this.#phase === 'recovering') {
      this.#waitsFor = this.#missing();
      if (this.#waitsFor === undefined) this.#enter('arming', 'ledger and exchange agree', turn);
    }
    if (this.#phase === 'arming') {
      const isArmed = this.heartbeat === undefined || this.heartbeat.state === 'active';
      this.#waitsFor = isArmed ? undefined : 'the heartbeat to be active';
      if (isArmed) this.#begin(turn);
    }
    if (this.#phase === 'ending') this.#end(turn);
  }

  /** What the bot must know before it trades, and does not yet. */
  #missing(): string | undefined {
    const { ledger } = this.#parts;
    if (!this.feeds.hasAll) return 'a first whole reading of all feeds';
    const late = this.feeds.late.filter((feed) => feed !== 'prices');
    if (late.length > 0) return `a reading of ${late.join(', ')}`;
    const [market] = ledger.restored.markets;
    if (market !== undefined) return `market ${market}, in which the run has orders`;
    for (const order of ledger.liveOrders()) if (order.unknown) return `the fate of order ${order.id}`;
    if (this.reconciler.provenSince < this.#doubtedAt) return 'a comparison of ledger and exchange';
    return undefined;
  }

  /** Every strategy is asked anew, in every market it watches. */
  #begin(turn: Turn): void {
    const { ledger } = this.#parts;
    this.#enter('trading', 'all is known', turn);
    const { halted, haltedStrategies } = ledger.risk;
    for (const order of ledger.liveOrders())
      if (halted || haltedStrategies.has(order.terms.strategy)) ledger.cancel(order, turn);
    for (const desk of ledger.desks()) for (const runtime of desk.watchers) turn.call(runtime, 'status');
  }

  #enter(to: Phase, cause: string, turn: Turn): void {
    const from = this.#phase;
    this.#phase = to;
    this.#parts.log.noted(turn.at, { kind: 'phase', from, to, cause });
    this.#parts.journal.commit();
  }

  #ask(turn: Turn): void {
    if (this.#phase === 'ended') return;
    this.#askHeartbeat(turn);
    const books$ = this.reconciler.errand(turn.at, this.#phase === 'recovering');
    if (books$ !== undefined) turn.errand(books$);
  }

  #askHeartbeat(turn: Turn): void {
    const { gateway, settings } = this.#parts;
    const { at: sentAt } = turn;
    const errand = this.heartbeat?.errand(sentAt, { polledAt: this.#polledAt(), wants: this.#wantsHeartbeat() });
    if (errand === undefined || settings.heartbeat === undefined) return;
    this.heartbeat?.asked(sentAt);
    turn.errand(
      errand === 'clear'
        ? gateway.clearHeartbeat().pipe(map((reply) => ({ kind: 'heartbeatCleared', reply })))
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
    const { value: anyMarket } = this.#parts.ledger.desks()[Symbol.iterator]().next();
    const prices = this.feeds.readAt(anyMarket === undefined ? 'markets' : 'prices') ?? Number.NEGATIVE_INFINITY;
    return Math.min(orders, prices);
  }

  #obey(command: BotCommand, turn: Turn): void {
    const { ledger, settings } = this.#parts;
    if (command.kind === 'limits') {
      ledger.risk.setLimits(command.limits);
      return obeyLimits(this.#parts, turn);
    }
    if (command.kind === 'doubt') {
      this.feeds.forget(turn.at);
      this.#moved(this.heartbeat?.doubted(command.cause), turn);
      return this.#doubt(turn, command.cause);
    }
    if (command.kind !== 'stop') return moveTrading(this.#parts, turn, command);
    const { cause, orders = settings.end.orders } = command;
    if (this.#phase === 'ending' || this.#phase === 'ended') return;
    this.#ending = { orders, deadline: turn.at + settings.end.deadlineMs, cause };
    this.#enter('ending', cause, turn);
    if (orders === 'cancel') ledger.cancelAll(turn);
  }

  /** In a market that is not open nothing is cancelled any more (profile section 6): what rests there stays. */
  #isCancellable({ terms }: OwnOrder): boolean {
    return this.#parts.ledger.deskById(terms.marketId)?.state.status === 'Open';
  }

  #end(turn: Turn): void {
    const { ledger, settings, log, journal, onEnded } = this.#parts;
    const ending = this.#ending;
    if (ending === undefined) return;
    const open = [...ledger.liveOrders()].filter(
      (order) =>
        order.unknown || order.inFlight !== undefined || (ending.orders === 'cancel' && this.#isCancellable(order)),
    );
    this.#waitsFor = open.length === 0 ? undefined : `the fate of ${open.length} orders`;
    if (open.length > 0 && turn.at < ending.deadline) {
      if (ending.orders === 'cancel') for (const order of open) ledger.cancel(order, turn);
      return;
    }
    this.#isClearing = settings.heartbeat?.atEnd === 'clear' && !this.heartbeat?.isGone;
    if (this.#isClearing && turn.at < ending.deadline) {
      this.#waitsFor = 'the heartbeat to be cleared';
      return;
    }
    this.#enter('ended', ending.cause, turn);
    log.noted(turn.at, { kind: 'ended', cause: ending.cause, liveOrders: [...ledger.liveOrders()].length });
    journal.commit();
    onEnded();
  }
}
