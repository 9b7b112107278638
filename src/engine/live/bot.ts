/** A live or paper run: pipeline, journal and supervisor. The two differ only in the gateway. */

import { finalize, ignoreElements, merge, type Observable, Subject, takeUntil, tap, timer } from 'rxjs';
import type { Journal, JournalRecord } from '../../core/run/journal.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { RiskState } from '../../risk/risk-state.ts';
import type { Clock } from '../../time/clock.ts';
import { Engine } from '../engine.ts';
import type { DecisionMark } from '../guest/decision-mark.ts';
import type { BotCommand } from '../ledger/bot-command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ADOPTED, type RunNames } from '../ledger/run-names.ts';
import type { StrategyInstance, StrategyVersion } from '../ledger/strategy-in-market.ts';
import { JournalLog, type PlottedPoint } from '../log/journal-log.ts';
import { pipeline } from '../pipeline.ts';
import type { BotSettings } from './bot-settings.ts';
import type { BotStatus } from './bot-status.ts';
import { emergencyCancel } from './emergency.ts';
import { statusOf } from './status-of.ts';
import { Supervisor } from './supervisor.ts';

export interface BotParts {
  readonly clock: Clock;
  readonly gateway: LiveGateway;
  readonly journal: Journal;
  /** What an earlier process of the run left, as its journal says. */
  readonly restored: RunState | undefined;
  /** The run's own name. */
  readonly run: string;
  readonly instances: readonly StrategyInstance[];
  /** Names of strategies and wallets, by index, none twice: the journal names things by them. */
  readonly names: RunNames;
  readonly limits: Limits;
  readonly settings: BotSettings;
  /** Where calls of strategies are marked, for a thread that watches for one that hangs. */
  readonly mark?: DecisionMark | undefined;
  /** Names of strategies that are halted from the start, besides those that the journal names. */
  readonly halted?: readonly string[];
  /**
   * Called before each input is folded and before each order leaves, so that after the machine slept a resync is required before
   * anything old is acted on. It may call `requireResync` and `requireResyncOfClock`.
   */
  readonly beforeInput?: () => void;
  /** Runs what enters neither by the feed nor by a timer of `clock`: a command, an intent or a failure of a strategy outside of its calls. Absent: at once. */
  readonly fromOutside?: ((work: () => void) => void) | undefined;
  /** Called with every record, also with refusals that the journal only counts. It must not throw. */
  onRecord(at: number, record: JournalRecord): void;
  /** Called with each value that a strategy plots, within its call. It must not throw, and takes no time. */
  readonly onPlotted?: ((point: PlottedPoint) => void) | undefined;
}

export class Bot {
  /**
   * Runs the bot until unsubscribed; subscribe once. Completes when the run has ended. Fails by a bug of ours, or by a journal that
   * cannot be written, after which nothing is sent any more: see `emergencyCancel`.
   */
  readonly run$: Observable<never>;
  readonly #parts: BotParts;
  readonly #engine: Engine;
  readonly #supervisor: Supervisor;
  readonly #startedAt: number;
  readonly #ended = new Subject<void>();

  constructor(parts: BotParts) {
    const { clock, gateway, journal, restored, instances, names, settings, mark } = parts;
    this.#parts = parts;
    this.#startedAt = clock.now();
    const { onPlotted } = parts;
    const log = new JournalLog({ journal, names, onRecord: (at, record) => parts.onRecord(at, record), onPlotted });
    let supervisor: Supervisor | undefined;
    this.#engine = new Engine({
      instances,
      limits: this.#withRunLimits(parts.limits),
      log,
      notes: log,
      intentsMax: settings.intentsMax,
      restored,
      names,
      mark,
      engineSupervisor: (ledger) => {
        restoreRisk(ledger.risk, parts);
        const onEnded = () => clock.schedule(() => this.#ended.next());
        const startedAt = this.#startedAt;
        supervisor = new Supervisor({ clock, ledger, gateway, journal, log, settings, restored, startedAt, onEnded });
        return supervisor;
      },
    });
    if (supervisor === undefined) throw new Error('the engine makes its supervisor when it is made');
    this.#supervisor = supervisor;
    this.run$ = this.#run();
  }

  /** Others may only read it. */
  get ledger(): Ledger {
    return this.#engine.ledger;
  }

  /**
   * What the run leaves at the exchange: how many live orders as far as known. `isUnproven`: the exchange did not confirm that in
   * time, so the orders that were live in its last account snapshot count too.
   */
  left(): { readonly liveOrders: number; readonly isUnproven: boolean } {
    const { isUnproven, reconciler } = this.#supervisor;
    const known = [...this.#engine.ledger.liveOrders()].length;
    return { liveOrders: isUnproven ? Math.max(known, reconciler.seenLive) : known, isUnproven };
  }

  status(): BotStatus {
    const { ledger } = this.#engine;
    const { run, clock } = this.#parts;
    const facts = { run, at: clock.now(), startedAt: this.#startedAt };
    return statusOf(facts, { ledger, supervisor: this.#supervisor });
  }

  /** Stops new orders and cancels all live ones, also after a restart. `by`: `command`, `file`, `signal`. */
  halt(by: string, cause: string): void {
    this.#command({ kind: 'halt', by, cause });
  }

  /** Cancels all live orders; from now on an order passes only if it reduces what can be lost. */
  reduceOnly(by: string, cause: string): void {
    this.#command({ kind: 'reduceOnly', by, cause });
  }

  /** Goes on trading, with the strategies that were halted. */
  resume(by: string, cause = 'asked to'): void {
    this.#command({ kind: 'resume', by, cause });
  }

  /** Cancels all orders that are live now, and asks until each has ended. Trading goes on, and strategies may place new ones. */
  cancelAll(by: string, cause: string): void {
    this.#command({ kind: 'cancelAll', by, cause });
  }

  /** Forces a resync (after sleep or a clock jump): no order is placed until all feeds and account snapshots were read again. */
  requireResync(cause: string): void {
    this.#command({ kind: 'resync', cause });
  }

  /**
   * The run's clock is wrong for this cause: nothing is placed, and `resume` is refused. Without a cause it is right again: all
   * feeds and account snapshots are read again, and then the run goes on.
   */
  requireResyncOfClock(cause: string | undefined): void {
    this.#command({ kind: 'clock', cause });
  }

  /** Ends the run, cancelling its orders or keeping them; `run$` completes when that is done. */
  stop(by: string, cause: string, orders?: 'cancel' | 'keep'): void {
    this.#command({ kind: 'stop', by, cause, ...(orders && { orders }) });
  }

  setLimits(limits: Limits): void {
    this.#command({ kind: 'limits', limits: this.#withRunLimits(limits) });
  }

  /** A strategy failed outside of any call: it is halted, and the others go on. */
  strategyFailed(instance: StrategyInstance, error: unknown): void {
    this.#engine.strategyFailed(instance, error);
  }

  /** Replaces a strategy by another version, if it is flat. `sha256` names the version. */
  replaceStrategy(index: number, version: StrategyVersion, sha256: string): 'replaced' | 'notFlat' {
    const { ledger } = this.#engine;
    const instance = ledger.instances[index];
    if (instance === undefined || ledger.hasUnseen || !ledger.isFlat(instance)) return 'notFlat';
    this.#engine.enqueue({ kind: 'reload', instance, version, sha256 });
    return 'replaced';
  }

  /** After a failure: cancels all orders of the run, without journal and pipeline. Emits how many were live still, again and again. */
  emergencyCancel(): Observable<number> {
    const { clock, gateway } = this.#parts;
    return emergencyCancel({ clock, gateway, liveOrders: this.#engine.ledger.liveOrders() });
  }

  #run(): Observable<never> {
    const { clock, gateway, settings, beforeInput, fromOutside } = this.#parts;
    const { tickMs } = settings;
    const steps$ = pipeline({ clock, gateway, engine: this.#engine, beforeInput, fromOutside });
    const ticks$ = timer(tickMs, tickMs, clock).pipe(tap(() => this.#engine.enqueue({ kind: 'tick' })));
    return merge(steps$, ticks$).pipe(
      ignoreElements(),
      takeUntil(this.#ended),
      finalize(() => this.#engine.release()),
    );
  }

  #command(command: BotCommand): void {
    this.#engine.enqueue({ kind: 'command', command });
  }

  /** The limits, with those that the run's settings add: age of prices, and heartbeat. */
  #withRunLimits(limits: Limits): Limits {
    const { heartbeat, freshness } = this.#parts.settings;
    const staleMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, freshness.prices);
    return { ...limits, staleMs, ...(heartbeat !== undefined && { heartbeat: true }) };
  }
}

/** Goes on where an earlier process stopped: results, rates, the trading state, and which strategies are halted. */
function restoreRisk(risk: RiskState, { restored, halted = [], names, instances }: BotParts): void {
  if (restored !== undefined) risk.restore(restored.riskMemory);
  if (restored !== undefined && restored.trading !== 'running')
    risk.moveTrading({ to: restored.trading, cause: restored.tradingCause, by: 'recovery' });
  const before = restored?.haltedStrategies.map(({ strategy }) => strategy) ?? [];
  for (const strategy of [...before, ...halted]) {
    const instance = instances[names.strategies.indexOf(strategy)];
    if (instance === undefined || strategy === ADOPTED) continue;
    instance.halted = true;
    risk.haltStrategy(instance.index);
  }
}
