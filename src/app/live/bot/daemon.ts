/** A live or paper run from start to exit code: opens what it needs in order, and closes it again. */

import { randomBytes } from 'node:crypto';
import { packageVersion } from '../../../package/running-package.ts';
import { EXIT } from '../../cli/cli-error.ts';
import { identityOf, openExchange } from '../../run/exchange-choice.ts';
import { writeRunFile } from '../../run/run-file.ts';
import { runFileOf } from '../../run/run-file-of.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { startStrategies } from '../../run/strategy-instances.ts';
import { Notifications } from '../alerts/notifications.ts';
import type { DaemonEnd, DaemonStatus, DaemonWaiting } from '../control/control-protocol.ts';
import { ControlServer } from '../control/control-server.ts';
import { waitingAnswers } from '../control/waiting-answers.ts';
import { leaseApp } from '../exchange/app-lease.ts';
import { checkExchange } from '../exchange/exchange-access.ts';
import { waitedOut } from '../link/wait-out.ts';
import { consoleInLog } from '../log/daemon-log.ts';
import { edgeLine } from '../log/edge-line.ts';
import { Metrics } from '../observe/metrics.ts';
import { serveMetrics } from '../observe/metrics-server.ts';
import { type DaemonHooks, exitCodeOfSignal, Opened, onSignals } from '../process/daemon-hooks.ts';
import { claimRunDirectory, openRunDirectory } from '../process/run-directory.ts';
import { readStuck } from '../process/stuck-file.ts';
import { systemdNotifier } from '../process/systemd-notify.ts';
import { PlotFile } from '../record/plot-file.ts';
import { isHeartbeatOurs } from './heartbeat-check.ts';
import { logOpening, openJournal } from './run-journal.ts';
import { RunningBot } from './running-bot.ts';
import type { RunEnd } from './running-parts.ts';
import { starting } from './starting.ts';

/** @throws CliError, JournalFailure, TapeFailure; anything else is a bug, after which cancellation was asked for. */
export async function runDaemon(options: RunOptions, hooks: DaemonHooks): Promise<RunEnd> {
  const opened = new Opened();
  const { clock, log } = hooks;
  const { alerts } = options;
  const notifications = alerts === undefined ? undefined : new Notifications({ options: alerts, clock, log });
  // Closed last: what goes wrong at the end is an alert, too.
  opened.add(() => notifications?.close());
  try {
    const bot = await starting(() => openBot(options, { hooks, opened, notifications }), log);
    return bot instanceof RunningBot ? await bot.run() : bot;
  } finally {
    await opened.close();
  }
}

interface Opening {
  readonly hooks: DaemonHooks;
  readonly opened: Opened;
  readonly notifications: Notifications | undefined;
}

/** The bot before it runs, or the end of a run that a signal ended before that. */
async function openBot(options: RunOptions, { hooks, opened, notifications }: Opening): Promise<RunningBot | RunEnd> {
  const { clock, log, acceptCorrupt, thread } = hooks;
  const early = rememberSignals(thread, opened);
  const directory = openRunDirectory(options);
  const control = new ControlServer(directory.control);
  opened.add(() => control.close());
  const newRun = runName(options, clock.now());
  const { journal, files, close, discard } = openJournal({ directory, options, acceptCorrupt, log, newRun });
  let hasBegun = false;
  opened.add(() => (hasBegun ? close() : discard()));
  const since = Math.floor(clock.now());
  const holder = { pid: process.pid, run: journal.run, dir: directory.dir, since };
  if (options.mode === 'live') {
    const lease = await leaseApp(identityOf(options.exchange), holder);
    opened.add(() => lease.release());
  }
  logOpening(journal, log);
  const stuck = readStuck(directory.stuckFile);
  const wallets = options.wallets.map(({ name }) => name);
  const started = await startStrategies(options.strategies, wallets, consoleInLog(log));
  let running: RunningBot | undefined;
  let cause: string | undefined;
  const waiting = () => ({ ...holder, mode: options.mode, cause });
  const status = () => running?.status();
  const metrics = await openMetrics({ options, hooks, opened, notifications, status, waiting });
  const exchange = openExchange(options, clock);
  opened.add(() => exchange.close());
  exchange.events$.subscribe((event) => {
    if (event.kind !== 'call') log.write(edgeLine(event));
    metrics.edge(event);
    running?.onEdgeEvent(event);
  });
  const check = async (until: AbortSignal) =>
    (await checkExchange(exchange, options, until)) &&
    (await isHeartbeatOurs({ exchange, options, hooks: { ...hooks, signal: until }, journal }));
  const onAway = (why: string): void => {
    cause = why;
  };
  const ended = await exchangeReached(check, { hooks, control, waiting, onAway });
  if (ended !== undefined) return ended;
  hasBegun = true;
  claimRunDirectory(directory, options);
  writeRunFile(files.own, runFileOf(options, started));
  const plots = openPlots(files.plots, { clock, log, opened });
  const parts = {
    options,
    hooks,
    directory,
    control,
    journal,
    started,
    exchange,
    metrics,
    early,
    stuck,
    notifications,
  };
  running = new RunningBot({ ...parts, plots, journalFile: files.journal, tapes: files.tapes });
  return running;
}

function rememberSignals(thread: DaemonHooks['thread'], opened: Opened): ReadonlySet<NodeJS.Signals> {
  const early = new Set<NodeJS.Signals>();
  const remember = (name: NodeJS.Signals) => () => void early.add(name);
  const handlers = { SIGUSR1: remember('SIGUSR1'), SIGUSR2: remember('SIGUSR2'), SIGHUP: remember('SIGHUP') };
  opened.add(onSignals(handlers, thread));
  return early;
}

interface Measured extends Opening {
  readonly options: RunOptions;
  readonly status: () => DaemonStatus | undefined;
  readonly waiting: () => DaemonWaiting;
}

/** Opens the metrics before the exchange is asked: a run that waits for it is watched as one that trades. @throws CliError PORT_IN_USE */
async function openMetrics(parts: Measured): Promise<Metrics> {
  const { options, hooks, opened, notifications, status, waiting } = parts;
  const { clock, log } = hooks;
  const needsHeartbeat = options.settings.heartbeat !== undefined;
  const metrics = new Metrics({ status, version: packageVersion(), clock, needsHeartbeat, notifications });
  const counting = log.alerts$.subscribe(({ alert }) => metrics.alert(alert));
  opened.add(() => counting.unsubscribe());
  if (options.metricsPort === undefined) return metrics;
  const seen = () => status() ?? waiting();
  const server = await serveMetrics(options.metricsPort, { metrics, seen, needsHeartbeat });
  opened.add(() => server.close());
  const address = `http://127.0.0.1:${server.port}`;
  log.info('metrics', `${address}/metrics, /health and /ready`, { port: server.port });
  return metrics;
}

function openPlots(
  path: string,
  { clock, log, opened }: Pick<DaemonHooks, 'clock' | 'log'> & Pick<Opening, 'opened'>,
): PlotFile {
  const onStopped = (why: string) =>
    log.write({ level: 'warn', subject: 'plots', text: `nothing that is plotted is kept any more: ${why}` });
  const plots = new PlotFile({ path, clock, onStopped });
  opened.add(() => plots.close());
  return plots;
}

function runName({ mode }: RunOptions, now: number): string {
  return `${mode}-${Math.floor(now).toString(36)}-${randomBytes(3).toString('hex')}`;
}

interface Arrival {
  readonly hooks: DaemonHooks;
  readonly control: ControlServer;
  /** What is shown of the run until then. */
  readonly waiting: () => DaemonWaiting;
  readonly onAway: (cause: string) => void;
}

/** Beyond the pause: what is tried takes its time, and so may a heartbeat that is watched until it lapses. */
const TRIED_WITHIN_MS = 360_000;
const BY_COMMAND = 'stopped by command';

/**
 * Waits at a start until the exchange has let the daemon in, and says so to whoever asks meanwhile. Undefined once it has, or the end of a
 * run that was ended before. `check` says false where the signal that it is given came first. @throws what `check` throws, but for
 * EXCHANGE_UNREACHABLE
 */
async function exchangeReached(
  check: (signal: AbortSignal) => Promise<boolean>,
  { hooks, control, waiting, onAway }: Arrival,
): Promise<RunEnd | undefined> {
  const { clock, log, environment } = hooks;
  const stopped = new AbortController();
  const signal = AbortSignal.any([hooks.signal, stopped.signal]);
  const notifier = systemdNotifier(environment, () => undefined);
  const end = Promise.withResolvers<DaemonEnd | undefined>();
  const sayAway = (cause: string, pauseMs: number): void => {
    onAway(cause);
    const text = `the exchange cannot be reached: ${cause}; next try in ${pauseMs / 1_000} s`;
    log.write({ level: 'warn', alert: 'EXCHANGE_AWAY', subject: 'daemon', text, throttled: 'away' });
    notifier.starting('waiting for the exchange', pauseMs + TRIED_WITHIN_MS);
  };
  let early: RunEnd | undefined;
  try {
    await control.open(waitingAnswers({ waiting, ended: end.promise, stop: () => stopped.abort(BY_COMMAND) }));
    if (!(await waitedOut(() => check(signal), { clock, signal, onAway: sayAway })))
      early = endedEarly(waiting().run, signal);
    return early;
  } finally {
    end.resolve(early && { exitCode: early.exitCode, cause: early.cause, liveOrders: early.liveOrders });
  }
}

function endedEarly(run: string, signal: AbortSignal): RunEnd {
  const cause = `${String(signal.reason)} before the start`;
  const exitCode = signal.reason === BY_COMMAND ? EXIT.done : exitCodeOfSignal(signal);
  return { run, cause, exitCode, liveOrders: 0, startedAt: undefined, status: undefined };
}
