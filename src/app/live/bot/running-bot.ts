/** A running bot with what controls and watches it: control socket, signals, halt file, metrics, clock. */

import { Subscription, timer } from 'rxjs';
import { watchGuests } from '../../../backtest/pieces/guest-watch.ts';
import { instant } from '../../../core/number/units.ts';
import type { JournalRecord } from '../../../core/run/journal.ts';
import { BY_DRAWDOWN } from '../../../core/run/risk-memory.ts';
import { Bot } from '../../../engine/live/bot.ts';
import type { BotStatus } from '../../../engine/live/bot-status.ts';
import type { EdgeEvent } from '../../../exchange-live/adapter/edge-event.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import { packageVersion } from '../../../package/running-package.ts';
import { EXIT, type ExitCode } from '../../cli/cli-error.ts';
import type { AlertCode } from '../../cli/codes/alert.ts';
import type { SignalHandlers } from '../../thread/thread-link.ts';
import type { Dashboard } from '../../web/dashboard/server/dashboard.ts';
import { controlAnswers } from '../control/control-answers.ts';
import type { DaemonEnd, DaemonStatus } from '../control/control-protocol.ts';
import { othersText } from '../control/status-text.ts';
import { nearestLimit } from '../dashboard/limit-bars.ts';
import { openRunDashboard } from '../dashboard/run-dashboard.ts';
import { openRunGateway, type RunGateway } from '../exchange/run-gateway.ts';
import { noticeLine } from '../log/edge-line.ts';
import { recordLine } from '../log/record-line.ts';
import { ClockWatch, watchVitalSigns } from '../observe/health.ts';
import type { Metrics } from '../observe/metrics.ts';
import { SessionWatch } from '../observe/session-watch.ts';
import { exitCodeOfSignal, Opened, onSignals } from '../process/daemon-hooks.ts';
import { DirectoryWatch, HaltFile } from '../process/directory-watch.ts';
import { forgetStuck } from '../process/stuck-file.ts';
import { type Notifier, systemdNotifier } from '../process/systemd-notify.ts';
import { emergencyEnd, faultText, leftText } from './emergency-end.ts';
import { reloadLimits, StrategyReload, watchSignalFiles } from './read-again.ts';
import { openingRecords, stateOf } from './run-journal.ts';
import type { RunEnd, RunningParts } from './running-parts.ts';
import { starting } from './starting.ts';
import { watchStrategies } from './watch-strategies.ts';

/** What moves trading and is no limit; any other name is that of a limit. */
const NO_LIMITS: ReadonlySet<string> = new Set(['command', 'file', 'signal', 'clock', 'heartbeat', 'recovery']);

/** Faster than records come in at the exchange's limit of requests, step for step. */
const COMPACT_EVERY_MS = 250;

export class RunningBot {
  readonly #parts: RunningParts;
  readonly #bot: Bot;
  readonly #gateway: RunGateway;
  readonly #metrics: Metrics;
  readonly #session: SessionWatch;
  readonly #haltFile: HaltFile;
  readonly #clockWatch: ClockWatch;
  readonly #directory: DirectoryWatch;
  readonly #notifier: Notifier;
  readonly #work = new Subscription();
  /** Counts readings that failed, too: a connection that is down is no reason to restart the process. */
  #failedReads = 0;
  #dashboard: Dashboard | undefined;
  #tradingBy: string;
  #keepsOrders: boolean;
  /** The operator asked it to exit at once, also while orders are live. */
  #hasLeft = false;
  #endedBecause = 'ended';
  #isDirectoryLost = false;

  constructor(parts: RunningParts) {
    const { options, hooks, journal, started, exchange, tapes, directory } = parts;
    const { clock, log } = hooks;
    const { run } = journal;
    const restored = stateOf(journal);
    this.#parts = parts;
    this.#keepsOrders = options.settings.end.orders === 'keep';
    this.#tradingBy = restored?.riskMemory.isStopped === true ? BY_DRAWDOWN : 'recovery';
    this.#haltFile = new HaltFile(directory.haltFile);
    this.#clockWatch = this.#newClockWatch();
    this.#directory = new DirectoryWatch([directory.dir, parts.journalFile, `${parts.journalFile}.lock`]);
    this.#notifier = systemdNotifier(hooks.environment, (text) =>
      log.write({ level: 'warn', alert: 'NOTIFY_FAILED', subject: 'systemd', text, throttled: 'notify' }),
    );
    this.#metrics = parts.metrics;
    this.#session = new SessionWatch({
      now: () => clock.now(),
      skewMaxMs: options.skewMaxMs,
      refusedMs: options.refusedMs,
      onSkew: (ms) =>
        this.#onWrongClock(
          'CLOCK_SKEW',
          `our clock is ${Math.abs(ms)} ms ${ms > 0 ? 'ahead of' : 'behind'} the exchange's`,
        ),
      onLost: (details) => this.#loseSession(details),
    });
    const names = { strategies: started.map(({ name }) => name), wallets: options.wallets.map(({ name }) => name) };
    const { strategies } = names;
    this.#gateway = openRunGateway({ options, exchange, clock, log, run, restored, strategies, tapes });
    this.#bot = new Bot({
      clock: this.#gateway.clock,
      gateway: this.#gateway.gateway,
      journal,
      restored,
      run,
      names,
      instances: started.map(({ instance }) => instance),
      limits: options.limits,
      settings: options.settings,
      mark: hooks.thread?.mark,
      halted: parts.stuck === undefined ? [] : [parts.stuck.strategy],
      beforeInput: () => this.#clockWatch.look(),
      fromOutside: this.#gateway.fromOutside,
      onRecord: (at, record) => this.#onRecord(at, record),
      onPlotted: (point) => parts.plots.add(point),
    });
  }

  onEdgeEvent(event: EdgeEvent): void {
    this.#session.onEvent(event);
  }

  status(): DaemonStatus {
    const { options, directory, exchange } = this.#parts;
    const { awaySince, skewMs } = this.#session;
    const daemon = {
      pid: process.pid,
      version: packageVersion(),
      mode: options.mode,
      dir: directory.dir,
      config: options.sha256,
      haltFile: this.#haltFile.isThere,
      awaySince,
      skewMs,
      exchange: exchange.figures?.(),
      rssBytes: process.memoryUsage.rss(),
      dashboard: this.#dashboard?.url,
    };
    return { daemon, bot: this.#bot.status() };
  }

  #newClockWatch(): ClockWatch {
    const { options, hooks } = this.#parts;
    const { clock, log, wallMs } = hooks;
    return new ClockWatch({
      clock,
      wallMs,
      skewMaxMs: options.skewMaxMs,
      onJump: (ms) => {
        if (ms > 0) this.#bot.requireResync(`the clock was set, or the machine slept: ${ms} ms`);
        if (Math.abs(ms) <= options.skewMaxMs) log.alert('CLOCK_JUMPED', `our clock was set by ${ms} ms`);
      },
      onOff: (cause) => {
        this.#bot.requireResyncOfClock(cause);
        this.#onWrongClock('CLOCK_JUMPED', cause);
      },
      onRight: () => this.#bot.requireResyncOfClock(undefined),
    });
  }

  /** Runs until the bot has ended. If the bot fails, it cancels all orders that may be live, and then throws that error. */
  async run(): Promise<RunEnd> {
    const startedAt = this.#parts.hooks.clock.now();
    const opened = new Opened();
    let settle: (end: DaemonEnd) => void = () => undefined;
    const ended = new Promise<DaemonEnd>((resolve) => {
      settle = resolve;
    });
    let leave: (cause: string) => void = () => undefined;
    const left = new Promise<string>((resolve) => {
      leave = (cause) => {
        this.#hasLeft = true;
        resolve(cause);
      };
    });
    let isAtWork = false;
    try {
      await starting(() => this.#serve({ opened, ended, leave }), this.#parts.hooks.log);
      isAtWork = true;
      // Nothing asynchronous happens before the bot is subscribed to, so no command can reach it earlier.
      const cause = await Promise.race([this.#begin(opened), left]);
      const end = this.#end(cause, startedAt);
      settle({ exitCode: end.exitCode, cause: end.cause, liveOrders: end.liveOrders });
      return end;
    } catch (error) {
      const liveOrders = isAtWork ? await this.#fail(error) : this.#bot.status().orders.live;
      settle({ exitCode: EXIT.bug, cause: faultText(error), liveOrders });
      throw error;
    } finally {
      this.#notifier.stopping();
      this.#work.unsubscribe();
      await opened.close();
      this.#gateway.close();
    }
  }

  async #serve(parts: {
    readonly opened: Opened;
    readonly ended: Promise<DaemonEnd>;
    readonly leave: (cause: string) => void;
  }): Promise<void> {
    const { opened, ended, leave } = parts;
    const { options, control, hooks } = this.#parts;
    // A command to resume may come before the next regular check of the clock.
    const status = () => {
      this.#clockWatch.look();
      return this.status();
    };
    const stop = (orders: 'keep' | undefined) => this.#stop('command', 'stopped by command', orders);
    const dashboardLink = () => this.#dashboard?.link();
    const watched = () => {
      const limit = nearestLimit(this.#bot.ledger, instant(Math.floor(hooks.clock.now())));
      return { ...(limit !== undefined && { limit }), alerts: hooks.log.alerts };
    };
    const answer = controlAnswers({ bot: this.#bot, status, watched, dashboardLink, ended, leave, stop });
    this.#dashboard = await openRunDashboard({ options, hooks, status, ledger: this.#bot.ledger, answer });
    opened.add(() => this.#dashboard?.close());
    await control.open(answer);
  }

  /** Resolves to the cause when the run has ended in order; rejects when it failed. */
  #begin(opened: Opened): Promise<string> {
    const { hooks, started, options } = this.#parts;
    const { clock, log, signal } = hooks;
    this.#keepOpening();
    watchStrategies(this.#parts);
    return new Promise((resolve, reject) => {
      opened.add(
        watchGuests({
          instances: started.map(({ instance }) => instance),
          onStrategy: (instance, error) => this.#bot.strategyFailed(instance, error),
          onOther: reject,
        }),
      );
      this.#work.add(this.#gateway.notices$.subscribe((notice) => this.#onNotice(notice)));
      this.#work.add(this.#bot.run$.subscribe({ error: reject, complete: () => resolve(this.#endedBecause) }));
      this.#work.add(
        this.#gateway.gateway.feed$.subscribe({ next: (message) => this.#metrics.onMessage(message), error: reject }),
      );
      this.#parts.exchange.stream?.start();
      const onAbort = (): void => this.#stop('signal', String(signal.reason));
      signal.addEventListener('abort', onAbort, { once: true });
      opened.add(() => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) onAbort();
      opened.add(this.#obeySignals());
      this.#work.add(timer(0, options.settings.tickMs, clock).subscribe(() => this.#lookAround()));
      this.#work.add(timer(0, COMPACT_EVERY_MS, clock).subscribe(() => this.#parts.journal.compact()));
      this.#work.add(watchSignalFiles(started, { clock, log }));
      this.#work.add(this.#watchVitalSigns());
      this.#lookAround();
      this.#notifier.ready();
      if (options.reload.strategies === 'never') return;
      const reload = new StrategyReload({ bot: this.#bot, log, started, clock });
      opened.add(() => reload.close());
    });
  }

  #keepOpening(): void {
    const { options, journal, started, hooks, stuck, directory } = this.#parts;
    const strategies = started.map(({ name, loaded }) => ({ name, sha256: loaded.sha256 }));
    const halted = stuck === undefined ? [] : [{ kind: 'strategyHalted', code: 'STRATEGY_STUCK', ...stuck } as const];
    for (const record of [...openingRecords(options, journal, strategies), ...halted]) {
      const at = Math.floor(hooks.clock.now());
      journal.append(at, record);
      this.#onRecord(at, record);
    }
    journal.commit();
    forgetStuck(directory.stuckFile);
  }

  #onRecord(at: number, record: JournalRecord): void {
    this.#parts.hooks.log.write(recordLine(record));
    this.#metrics.record(at, record);
    if (record.kind === 'trading' && record.from !== record.to) this.#tradingBy = record.by;
    else if (record.kind === 'phase') this.#onPhase(record);
    else if (record.kind === 'ended') this.#endedBecause = record.cause;
  }

  /** Before the first order leaves, it is said which bets of the account are somebody else's. */
  #onPhase({ to, cause }: Extract<JournalRecord, { readonly kind: 'phase' }>): void {
    this.#notifier.status(`${to}: ${cause}`);
    const { othersOrders } = this.#bot.status();
    if (to !== 'trading' || othersOrders === undefined) return;
    const { hooks, options } = this.#parts;
    const warning = '. If this run dies, its heartbeat cancels what of them is not matched, too';
    const isWatched = options.settings.heartbeat !== undefined;
    const text = `bets of others: ${othersText(othersOrders)}${isWatched ? warning : ''}`;
    hooks.log.info('others', text, { ...othersOrders });
  }

  #onNotice(notice: GatewayNotice): void {
    if (notice.kind === 'readFailed') this.#failedReads += 1;
    this.#metrics.notice(notice);
    this.#parts.hooks.log.write(noticeLine(notice));
  }

  #stop(by: string, cause: string, orders?: 'keep'): void {
    if (orders === 'keep') this.#keepsOrders = true;
    this.#bot.stop(by, cause, orders);
  }

  /** Unless the bot is halted, which is stricter. */
  #reduceOnly(by: string, cause: string): void {
    if (this.#bot.status().trading === 'running') this.#bot.reduceOnly(by, cause);
  }

  #obeySignals(): () => void {
    const { hooks, options, early } = this.#parts;
    const handlers: SignalHandlers = {
      SIGUSR1: () => this.#bot.halt('signal', 'SIGUSR1'),
      SIGUSR2: () => this.#reduceOnly('signal', 'SIGUSR2'),
      SIGHUP: () => {
        const limits = reloadLimits(hooks.reload, { running: options, log: hooks.log });
        if (limits !== undefined) this.#bot.setLimits(limits);
      },
    };
    for (const name of early) handlers[name]?.();
    return onSignals(handlers, hooks.thread);
  }

  #lookAround(): void {
    this.#lookForHaltFile();
    this.#clockWatch.look();
    this.#lookForDirectory();
  }

  /** The state directory is gone, and the journal would be lost with the process: the run ends while it still knows its orders. */
  #lookForDirectory(): void {
    const cause = this.#isDirectoryLost ? undefined : this.#directory.look();
    if (cause === undefined) return;
    this.#isDirectoryLost = true;
    this.#keepsOrders = false;
    this.#parts.hooks.log.alert('RUN_DIRECTORY_LOST', cause);
    this.#bot.stop('directory', `RUN_DIRECTORY_LOST: ${cause}`, 'cancel');
  }

  #lookForHaltFile(): void {
    const cause = this.#haltFile.look();
    if (cause !== undefined) this.#bot.halt('file', cause);
  }

  #watchVitalSigns(): Subscription {
    const { clock, log } = this.#parts.hooks;
    const newestRead = () => Math.max(0, ...this.#bot.status().feeds.map(({ readAt }) => readAt ?? 0));
    return watchVitalSigns({
      clock,
      aliveEveryMs: this.#notifier.everyMs,
      polled: () => newestRead() + this.#failedReads,
      onAlive: () => this.#notifier.alive(),
      onLook: (polled) => this.#parts.notifications?.lookAlive(polled),
      onLag: (ms) => this.#metrics.lag(ms),
      onLate: (ms) =>
        log.write({ level: 'warn', alert: 'LOOP_LATE', subject: 'vital', text: `${ms} ms late`, throttled: 'late' }),
    });
  }

  /** Days, ages and times to the start of events may be wrong: only orders that reduce risk pass until the operator resumes. */
  #onWrongClock(code: AlertCode, cause: string): void {
    this.#parts.hooks.log.alert(code, cause);
    this.#reduceOnly('clock', cause);
  }

  #loseSession(details: string): void {
    this.#parts.hooks.log.alert('SESSION_LOST', details);
    this.#stop('session', `the exchange refuses our key: ${details}`);
  }

  #end(cause: string, startedAt: number): RunEnd {
    const { journal, hooks } = this.#parts;
    const status = this.#bot.status();
    const { liveOrders, isUnproven } = this.#bot.left();
    // Orders were to be cancelled, and some are still live, or may be.
    const isIncomplete = !this.#keepsOrders && (liveOrders > 0 || isUnproven);
    if (isIncomplete) hooks.log.alert('END_INCOMPLETE', leftText(liveOrders, isUnproven), { liveOrders });
    const exitCode = this.#exitCode(status, isIncomplete);
    return { run: journal.run, cause, exitCode, liveOrders, startedAt, status };
  }

  /** An operator must look at orders that are left, and systemd must not restart a run that was asked to stop. */
  #exitCode({ trading }: BotStatus, isIncomplete: boolean): ExitCode {
    const { signal } = this.#parts.hooks;
    if (this.#session.isLost) return EXIT.unreachable;
    if (this.#isDirectoryLost) return EXIT.usage;
    if (isIncomplete && !this.#hasLeft) return EXIT.haltedByRisk;
    if (signal.aborted && signal.reason !== 'SIGTERM') return exitCodeOfSignal(signal);
    return trading === 'halted' && !NO_LIMITS.has(this.#tradingBy) ? EXIT.haltedByRisk : EXIT.done;
  }

  #fail(error: unknown): Promise<number> {
    const { hooks, options } = this.#parts;
    this.#work.unsubscribe();
    return emergencyEnd({ mode: options.mode, bot: this.#bot, clock: hooks.clock, log: hooks.log }, error);
  }
}
