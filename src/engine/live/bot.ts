/** A run with real orders, whole: the pipeline with its journal and its supervisor. Paper runs differ in the gateway alone. */

import { finalize, ignoreElements, merge, type Observable, of, Subject, takeUntil, tap, timer } from 'rxjs';
import type { Journal, JournalRecord } from '../../core/run/journal.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { LiveGateway } from '../../exchange/live-gateway.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import { flatLimits } from '../../risk/limits/limits-text.ts';
import type { Clock } from '../../time/clock.ts';
import { Engine } from '../engine.ts';
import type { DecisionMark } from '../guest/decision-mark.ts';
import type { BotCommand } from '../ledger/bot-command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { ADOPTED, type RunNames } from '../ledger/run-names.ts';
import type { StrategyInstance, StrategyVersion } from '../ledger/strategy-in-market.ts';
import { JournalLog } from '../log/journal-log.ts';
import { pipeline } from '../pipeline.ts';
import type { BotSettings } from './bot-settings.ts';
import type { BotStatus } from './bot-status.ts';
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
  /** Of seats and wallets, by index, each once: what the journal keeps. */
  readonly names: RunNames;
  readonly limits: Limits;
  readonly settings: BotSettings;
  /** Of all calls of strategies, for whoever watches from another thread. */
  readonly mark?: DecisionMark | undefined;
  /** Strategies that are halted from the start, by their names, besides those of which the journal says so. */
  readonly halted?: readonly string[];
  /**
   * Called before each input is folded and before each order leaves, so that a machine that slept is doubted before it acts
   * on what it heard meanwhile. It may call `doubt` and `requireResyncOfClock`.
   */
  readonly beforeInput?: () => void;
  /** Hears every record, also of refusals that the journal only counts. It must not throw. */
  tell(at: number, record: JournalRecord): void;
}

export class Bot {
  /**
   * Subscribe once. Emits nothing; completes when the run has ended; fails by a bug of ours or by a journal that cannot
   * be written, after which nothing was sent: see `emergencyCancel`.
   */
  readonly run$: Observable<never>;
  readonly #parts: BotParts;
  readonly #engine: Engine;
  readonly #supervisor: Supervisor;
  readonly #log: JournalLog;
  readonly #startedAt: number;
  readonly #ended = new Subject<void>();

  constructor(parts: BotParts) {
    const { clock, gateway, journal, restored, instances, names, settings, mark } = parts;
    this.#parts = parts;
    this.#startedAt = clock.now();
    const log = new JournalLog({
      ...{ journal, names, tell: (at: number, record: JournalRecord) => parts.tell(at, record) },
    });
    this.#log = log;
    let supervisor: Supervisor | undefined;
    this.#engine = new Engine({
      ...{
        instances,
        limits: this.#limits(parts.limits),
        log,
        notes: log,
        intentsMax: settings.intentsMax,
        restored,
        names,
        mark,
      },
      engineSupervisor: (ledger) => {
        restoreRisk(ledger.risk, parts);
        const onEnded = () => clock.schedule(() => this.#ended.next());
        const startedAt = this.#startedAt;
        supervisor = new Supervisor({ clock, ledger, gateway, journal, log, settings, restored, startedAt, onEnded });
        return supervisor;
      },
    });
    if (supervisor === undefined) throw new Error('the engine asks for its overseer when it is made');
    this.#supervisor = supervisor;
    this.run$ = this.#run();
  }

  /** What it knows it owes; to be read only. */
  get ledger(): Ledger {
    return this.#engine.ledger;
  }

  /**
   * What the run leaves at the exchange: live orders as far as known, and whether the exchange did not say in time what is
   * live. Then its last word counts too.
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

  /** Stops new orders and cancels what is live; survives restarts. `by`: `command`, `file`, `signal`. */
  halt(by: string, cause: string): void {
    this.#command({ kind: 'halt', by, cause });
  }

  /** Cancels what is live; from now on an order passes only if it reduces what can be lost. */
  reduceOnly(by: string, cause: string): void {
    this.#command({ kind: 'reduceOnly', by, cause });
  }

  /** Back to running, halted strategies included. */
  resume(by: string, cause = 'asked to'): void {
    this.#command({ kind: 'resume', by, cause });
  }

  /** The machine slept, or the like: all feeds are read and all books compared anew before anything more is placed. */
  requireResync(cause: string): void {
    this.#command({ kind: 'doubt', cause });
  }

  /**
   * While there is a cause, nothing that is counted on the run's clock is trusted: nothing is placed, and `resume` is not
   * obeyed. Without one all is read and compared anew, and then it goes on.
   */
  requireResyncOfClock(cause: string | undefined): void {
    this.#command({ kind: 'clock', cause });
  }

  /** Ends the run in order; `run$` completes then. */
  stop(by: string, cause: string, orders?: 'cancel' | 'keep'): void {
    this.#command({ kind: 'stop', by, cause, ...(orders && { orders }) });
  }

  setLimits(limits: Limits): void {
    const { clock } = this.#parts;
    const whole = this.#limits(limits);
    this.#log.noted(clock.now(), { kind: 'limits', limits: flatLimits(whole) });
    this.#command({ kind: 'limits', limits: whole });
  }

  /** A strategy failed while nobody was asking it: it is halted, and the others go on. */
  strategyFailed(instance: StrategyInstance, error: unknown): void {
    this.#engine.strategyFailed(instance, error);
  }

  /** Puts another version of a strategy into its seat, if it is flat. `sha256` names the version. */
  replaceStrategy(index: number, version: StrategyVersion, sha256: string): 'replaced' | 'notFlat' {
    const { ledger } = this.#engine;
    const instance = ledger.instances[index];
    if (instance === undefined || ledger.restored.markets.length > 0 || !ledger.isFlat(instance)) return 'notFlat';
    this.#engine.tell({ kind: 'reseat', instance, version, sha256 });
    return 'replaced';
  }

  /** After a failure: asks for the cancellation of all that may be live, past journal and pipeline. Completes. */
  emergencyCancel(): Observable<never> {
    const ids: number[] = [];
    for (const { exchangeId } of this.#engine.ledger.liveOrders()) if (exchangeId !== undefined) ids.push(exchangeId);
    if (ids.length === 0) return of<never>();
    return this.#parts.gateway.cancel(ids).pipe(ignoreElements());
  }

  #run(): Observable<never> {
    const { clock, gateway, settings, beforeInput } = this.#parts;
    const { tickMs } = settings;
    const turns$ = pipeline({ clock, gateway, engine: this.#engine, beforeInput });
    const ticks$ = timer(tickMs, tickMs, clock).pipe(tap(() => this.#engine.tell({ kind: 'tick' })));
    return merge(turns$, ticks$).pipe(
      ignoreElements(),
      takeUntil(this.#ended),
      finalize(() => this.#engine.release()),
    );
  }

  #command(command: BotCommand): void {
    this.#engine.tell({ kind: 'command', command });
  }

  /** What the supervisor vouches for is a limit like any other. */
  #limits(limits: Limits): Limits {
    const { heartbeat, freshness } = this.#parts.settings;
    const staleMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, freshness.prices);
    return { ...limits, staleMs, ...(heartbeat !== undefined && { heartbeat: true }) };
  }
}

/** Risk goes on where the journal left it. */
function restoreRisk(risk: Engine['ledger']['risk'], { restored, halted = [], instances, names }: BotParts): void {
  if (restored !== undefined) risk.restore(restored.riskMemory);
  if (restored !== undefined && restored.trading !== 'running')
    risk.moveTo(restored.trading, restored.tradingCause, 'recovery');
  const before = restored?.haltedStrategies.map(({ strategy }) => strategy) ?? [];
  for (const strategy of [...before, ...halted]) {
    const instance = instances[names.strategies.indexOf(strategy)];
    if (instance === undefined || strategy === ADOPTED) continue;
    instance.halted = true;
    risk.haltedStrategies.add(instance.index);
  }
}
