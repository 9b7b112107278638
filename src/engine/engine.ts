/** The stages of the pipeline with the state that they share: ledger, limits and log. */

import { defined } from '../core/checks/assert.ts';
import type { RunState } from '../core/run/run-state.ts';
import { ExposureBook } from '../risk/exposure/exposure-book.ts';
import type { Limits } from '../risk/limits/limits.ts';
import { RiskState } from '../risk/risk-state.ts';
import type { Clock } from '../time/clock.ts';
import { type DecideLinks, decide } from './decide.ts';
import { type FoldParts, fold } from './fold.ts';
import { type DecisionMark, newMark } from './guest/decision-mark.ts';
import { type IntentCounts, type JudgeParts, judgeIntents } from './judge-intents.ts';
import { Ledger } from './ledger/ledger.ts';
import type { OwnOrder } from './ledger/own-order.ts';
import type { RunNames } from './ledger/run-names.ts';
import { type Input, Step } from './ledger/step.ts';
import type { StrategyInMarket, StrategyInstance } from './ledger/strategy-in-market.ts';
import type { NoteLog, RunEvent, RunLog } from './log/run-log.ts';

export interface EngineConfig {
  readonly instances: readonly StrategyInstance[];
  readonly limits: Limits;
  readonly log: RunLog;
  /** Intents of one decision beyond this many are refused. */
  readonly intentsMax: number;
  /** Receives what only a live or paper run reports. */
  readonly notes?: NoteLog;
  /** What an earlier process of the run left, and the names of strategies and wallets that it used. */
  readonly restored?: RunState | undefined;
  readonly names?: RunNames;
  /** Where each call of a strategy is marked, for a thread that watches for one that hangs. */
  readonly mark?: DecisionMark | undefined;
  /** Called with each market when strategies first see it. */
  readonly onListed?: FoldParts['onListed'];
  /** Decides when a live or paper run may trade, and commits its journal; a backtest has none. */
  readonly engineSupervisor?: (ledger: Ledger) => EngineSupervisor;
}

export interface EngineSupervisor {
  /** Whether strategies are called. */
  readonly isTrading: boolean;
  /** Called when the input was folded, before strategies are called. */
  beforeDecisions(input: Input, step: Step): void;
  /** Whether approved orders may still leave: they may have had to wait for the request budget, and things may have changed. */
  mayLeave(orders: readonly OwnOrder[]): boolean;
  /** Makes durable what the step is about to send. If it throws, the run ends and nothing of the step is sent. */
  commit(step: Step): void;
}

/** What an engine is connected to. */
export interface EngineWires {
  readonly clock: Clock;
  /** Takes inputs that do not come from the gateway: timers, commands. */
  readonly enter: (input: Input) => void;
  /** Called with each step that sends something; most do not. */
  readonly send: (step: Step) => void;
}

export class Engine {
  readonly ledger: Ledger;
  readonly #config: EngineConfig;
  readonly #parts: FoldParts & JudgeParts;
  readonly #step = new Step();
  #wires: EngineWires | undefined;
  #links: DecideLinks | undefined;
  readonly #engineSupervisor: EngineSupervisor | undefined;
  #decisions = 0;
  readonly #counts: IntentCounts = { intended: 0, cancellations: 0, cancellationsRepeated: 0 };

  constructor(config: EngineConfig) {
    this.#config = config;
    const { instances, restored, names, log, notes, intentsMax, mark = newMark() } = config;
    this.ledger = new Ledger({
      instances,
      exposure: new ExposureBook(),
      risk: new RiskState(config.limits),
      restored,
      mark,
      onPlotted: (inMarket, name, value) => log.logEvent(plotted(inMarket, name, value)),
      ...(names && { names }),
    });
    const { onListed } = config;
    this.#parts = { ledger: this.ledger, log, notes, intentsMax, counts: this.#counts, onListed };
    this.#engineSupervisor = config.engineSupervisor?.(this.ledger);
  }

  /** How often strategies were called. */
  get decisions(): number {
    return this.#decisions;
  }

  /** How many intents strategies gave, and how many of them asked for cancellations. */
  get counts(): Readonly<IntentCounts> {
    return this.#counts;
  }

  /** A strategy failed outside of any call: it is halted like one that throws in a call. */
  strategyFailed(instance: StrategyInstance, error: unknown): void {
    this.enqueue({ kind: 'strategyFailed', instance, failure: { code: 'STRATEGY_THROW', error } });
  }

  /** Puts an input into the pipeline that does not come from the gateway's feed. */
  enqueue(input: Input): void {
    this.#connected().enter(input);
  }

  connect(wires: EngineWires): void {
    const { clock, enter } = wires;
    const keepsAlarms = this.#engineSupervisor !== undefined;
    this.#wires = wires;
    this.#links = {
      wakeAt(inMarket, due) {
        // A timer of the same instant waits already.
        if (inMarket.wakeAt === due) return;
        // In a market whose recording has ended nothing changes any more: a strategy that wakes itself there would go on to the end of the run.
        if (inMarket.entry.state.isCutOff === true || inMarket.isOver) return;
        // Only the newest one counts.
        inMarket.forgetAlarm();
        inMarket.wakeAt = due;
        const alarm = clock.schedule(() => enter({ kind: 'timer', inMarket, due }), due - clock.now());
        if (keepsAlarms) inMarket.alarm = alarm;
      },
      onEmitted: (inMarket, intents) => enter({ kind: 'intents', inMarket, intents }),
      onFailed: (instance, failure) => enter({ kind: 'strategyFailed', instance, failure }),
    };
  }

  /** Cancels all alarms of strategies, which would keep the process alive. Call it when the run has ended. */
  release(): void {
    for (const { inMarkets } of this.ledger.instances)
      for (const inMarket of inMarkets.values()) inMarket.forgetAlarm();
  }

  /** Passes one input through all stages: fold, decide, judge, send. */
  onInput(input: Input): Step {
    const step = this.#step;
    const { clock, send } = this.#connected();
    const engineSupervisor = this.#engineSupervisor;
    step.begin(clock.now());
    fold(this.#parts, input, step);
    engineSupervisor?.beforeDecisions(input, step);
    if (step.calls.length > 0) this.#decide(step);
    if (step.proposals.length > 0) this.#judge(step);
    engineSupervisor?.commit(step);
    if (step.hasWork) send(step);
    return step;
  }

  #decide(step: Step): void {
    if (this.#engineSupervisor?.isTrading === false) return;
    const links = defined(this.#links, 'the engine is connected before it runs');
    this.#decisions += decide(this.ledger, step, this.#config.log, links);
  }

  #judge(step: Step): void {
    judgeIntents(this.#parts, step);
    // Strategies whose calls waited for what was just judged are called now, and see it.
    if (!step.nextCalls()) return;
    this.#decide(step);
    if (step.proposals.length > 0) this.#judge(step);
  }

  mayLeave(orders: readonly OwnOrder[]): boolean {
    const mayLeave = this.#engineSupervisor?.mayLeave(orders) ?? !this.ledger.risk.halted;
    if (mayLeave) for (const order of orders) order.hasLeft = true;
    return mayLeave;
  }

  /** A method, since a private getter is looked up at each call. */
  #connected(): EngineWires {
    return defined(this.#wires, 'the engine is connected before it runs');
  }
}

function plotted({ instance, entry, now }: StrategyInMarket, name: string, value: number): RunEvent {
  return { kind: 'plotted', at: now, strategy: instance.index, market: entry.state.index, name, value };
}
