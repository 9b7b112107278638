/** The stages of the pipeline with the state they share: the ledger, the limits, the log. */

import { map, type Subject, type Subscription } from 'rxjs';
import { defined } from '../core/checks/assert.ts';
import type { RunState } from '../core/run/run-state.ts';
import type { Gateway, MarketMessage, WalletMessage } from '../exchange/gateway.ts';
import { ExposureBook } from '../risk/exposure/exposure-book.ts';
import type { Limits } from '../risk/limits/limits.ts';
import { RiskState } from '../risk/risk-state.ts';
import type { Clock } from '../time/clock.ts';
import { type DecideLinks, decide } from './decide.ts';
import { type FoldParts, fold, foldCancelReply, foldPlaceReply, foldPrices } from './fold.ts';
import { type DecisionMark, newMark } from './guest/decision-mark.ts';
import { type JudgeParts, judgeIntents, type WishCounts } from './judge-intents.ts';
import { Ledger } from './ledger/ledger.ts';
import type { OwnOrder } from './ledger/own-order.ts';
import type { RunNames } from './ledger/run-names.ts';
import { type CancelReplied, type Input, type PlaceReplied, Step } from './ledger/step.ts';
import type { StrategyInMarket, StrategyInstance } from './ledger/strategy-in-market.ts';
import type { NoteLog, RunLog } from './log/run-log.ts';

export interface EngineConfig {
  readonly instances: readonly StrategyInstance[];
  readonly limits: Limits;
  readonly log: RunLog;
  /** Intents of one decision beyond this many are refused. */
  readonly intentsMax: number;
  /** Keeps the exchange's heartbeat alive with this timeout; absent: none is armed. An overseer has its own. */
  readonly heartbeatMs?: number;
  /** Hears what only a run with real orders tells. */
  readonly notes?: NoteLog;
  /** What an earlier process of the run left, and the names by which it did. */
  readonly restored?: RunState | undefined;
  readonly names?: RunNames;
  /** Where each call of a strategy is marked, for whoever watches from another thread. */
  readonly mark?: DecisionMark | undefined;
  /** Hears of each market when it is told to the strategies for the first time. */
  readonly onListed?: FoldParts['onListed'];
  /** Watches over a run with real orders; a backtest has none. */
  readonly engineSupervisor?: (ledger: Ledger) => EngineSupervisor;
}

export interface EngineSupervisor {
  /** Whether strategies are asked. */
  readonly isTrading: boolean;
  /** After the input was folded, before strategies are asked. */
  beforeDecisions(input: Input, step: Step): void;
  /** Whether what was approved may still leave: a request may have had to wait for that. */
  mayLeave(orders: readonly OwnOrder[]): boolean;
  /** Before anything of the turn is sent. What it throws ends the run, and nothing is sent. */
  keep(step: Step): void;
}

/** What an engine is connected to. */
export interface EngineWires {
  readonly clock: Clock;
  readonly gateway: Gateway;
  /** What comes from neither exchange nor strategy, and replies. */
  readonly inbox: Subject<Input>;
  /** Takes turns that send something: few do, and the others need not pass through what sends. */
  readonly send: (step: Step) => void;
}

export class Engine {
  readonly ledger: Ledger;
  readonly #config: EngineConfig;
  readonly #parts: FoldParts & JudgeParts;
  readonly #step = new Step();
  /** Nothing but strategies acts on an input: nobody watches over the run, and no heartbeat is kept alive. */
  readonly #isPlain: boolean;
  #wires: EngineWires | undefined;
  #links: DecideLinks | undefined;
  readonly #engineSupervisor: EngineSupervisor | undefined;
  #decisions = 0;
  readonly #counts: WishCounts = { intended: 0, cancellations: 0 };
  #beatAt = Number.NEGATIVE_INFINITY;
  /** The newest alarm that each strategy set in each market. */
  readonly #alarms = new Map<StrategyInMarket, Subscription>();

  constructor(config: EngineConfig) {
    this.#config = config;
    const risk = new RiskState(config.limits);
    const { instances, restored, names, log, notes, intentsMax, mark = newMark() } = config;
    this.ledger = new Ledger({
      instances,
      exposure: new ExposureBook(),
      risk,
      restored,
      mark,
      ...(names && { names }),
    });
    this.#parts = { ledger: this.ledger, log, notes, intentsMax, counts: this.#counts, onListed: config.onListed };
    this.#engineSupervisor = config.engineSupervisor?.(this.ledger);
    this.#isPlain = this.#engineSupervisor === undefined && config.heartbeatMs === undefined;
  }

  /** How often a strategy was asked, how much it wished for, and how many of the wishes became cancellations. */
  get decisions(): number {
    return this.#decisions;
  }

  get intended(): number {
    return this.#counts.intended;
  }

  get cancellations(): number {
    return this.#counts.cancellations;
  }

  /** The kill switch: from now on nothing is placed, and all that is live is cancelled. */
  kill(): void {
    this.tell({ kind: 'kill' });
  }

  /** A strategy failed while nobody was asking it: it is halted like one that throws in a call. */
  strategyFailed(instance: StrategyInstance, error: unknown): void {
    this.tell({ kind: 'strategyFailed', instance, failure: { code: 'STRATEGY_THROW', error } });
  }

  /** Something for the pipeline that comes from neither exchange nor strategy. */
  tell(input: Input): void {
    this.#connected().inbox.next(input);
  }

  connect(wires: EngineWires): void {
    const { clock, inbox } = wires;
    // A replay's alarms go away with its clock.
    const alarms = this.#engineSupervisor === undefined ? undefined : this.#alarms;
    this.#wires = wires;
    this.#links = {
      wakeAt(inMarket, due) {
        // A timer of the same instant waits already.
        if (inMarket.wakeAt === due) return;
        // Nothing comes of a market that is cut off: a strategy that wakes itself there would go on for the rest of the run.
        if (inMarket.entry.state.isCutOff === true) return;
        inMarket.wakeAt = due;
        const alarm = clock.schedule(() => inbox.next({ kind: 'timer', inMarket, due }), due - clock.now());
        // Only the newest one counts.
        alarms?.get(inMarket)?.unsubscribe();
        alarms?.set(inMarket, alarm);
      },
      emitted: (inMarket, intents) => inbox.next({ kind: 'intents', inMarket, intents }),
      failed: (instance, failure) => inbox.next({ kind: 'strategyFailed', instance, failure }),
    };
  }

  /** When the run has ended: no alarm of a strategy keeps the process alive. */
  release(): void {
    for (const alarm of this.#alarms.values()) alarm.unsubscribe();
    this.#alarms.clear();
  }

  /** All stages of one input. The pipeline's stream does no more with each; a replay may as well call it itself. */
  take(input: Input): Step {
    const step = this.#begin();
    fold(this.#parts, input, step);
    return this.#finish(input, step);
  }

  /**
   * The same for the inputs of which a replay has many: to ask what kind of input it is would cost more than to fold new
   * prices.
   */
  takePrices(message: MarketMessage): Step {
    const { market } = message;
    const entry = this.ledger.entryAt(market.index);
    if (entry === undefined) return this.take(message);
    const step = this.#begin();
    foldPrices(this.#parts.log, market, entry, step);
    return this.#finish(message, step);
  }

  /** Where nobody is told of a wallet, and nothing else is done in a turn, its money is booked and that is all. */
  takeWallet(message: WalletMessage): void {
    const { notes, heartbeatMs } = this.#config;
    if (this.#engineSupervisor === undefined && notes === undefined && heartbeatMs === undefined) {
      this.ledger.walletChanged(message);
    } else this.take({ ...message });
  }

  takePlaceReply(input: PlaceReplied): void {
    const step = this.#begin();
    foldPlaceReply(this.#parts, input, step);
    this.#finish(input, step);
  }

  takeCancelReply(input: CancelReplied): void {
    const step = this.#begin();
    foldCancelReply(this.#parts, input, step);
    this.#finish(input, step);
  }

  #begin(): Step {
    const step = this.#step;
    step.begin(this.#connected().clock.now());
    return step;
  }

  #finish(input: Input, step: Step): Step {
    if (this.#isPlain) this.#act(step);
    else this.#actWatched(input, step);
    if (step.hasWork) this.#connected().send(step);
    return step;
  }

  #act(step: Step): void {
    if (step.callCount > 0) this.#decide(step);
    if (step.proposalCount > 0) this.#judge(step);
  }

  #actWatched(input: Input, step: Step): void {
    const engineSupervisor = this.#engineSupervisor;
    engineSupervisor?.beforeDecisions(input, step);
    this.#act(step);
    if (this.#config.heartbeatMs !== undefined) this.#beat(step, this.#config.heartbeatMs);
    engineSupervisor?.keep(step);
  }

  #decide(step: Step): void {
    if (this.#engineSupervisor?.isTrading === false) return;
    const links = defined(this.#links, 'the engine is connected before it runs');
    this.#decisions += decide(this.ledger, step, this.#config.log, links);
  }

  #judge(step: Step): void {
    judgeIntents(this.#parts, step);
    // Whoever waits for what was just judged is asked now, and sees it.
    if (!step.nextCalls()) return;
    this.#decide(step);
    if (step.proposalCount > 0) this.#judge(step);
  }

  mayLeave(orders: readonly OwnOrder[]): boolean {
    return this.#engineSupervisor?.mayLeave(orders) ?? !this.ledger.risk.halted;
  }

  /** A method, since a private getter is looked up at each call. */
  #connected(): EngineWires {
    return defined(this.#wires, 'the engine is connected before it runs');
  }

  /** Refreshed by turns that were really processed: a stuck pipeline lets the exchange cancel for us. */
  #beat(step: Step, heartbeatMs: number): void {
    if (step.at < this.#beatAt + heartbeatMs / 3) return;
    const sentAt = step.at;
    this.#beatAt = sentAt;
    const { gateway } = this.#connected();
    step.addRequest(gateway.heartbeat(heartbeatMs).pipe(map((reply) => ({ kind: 'heartbeatReply', reply, sentAt }))));
  }
}
