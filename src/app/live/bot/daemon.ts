/** A live or paper run from start to exit code: opens what it needs in order, and closes it again. */

import { randomBytes } from 'node:crypto';
import { writeRunFile } from '../../run/run-file.ts';
import { runFileOf } from '../../run/run-file-of.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { consoleInLog, startStrategies } from '../../run/strategy-instances.ts';
import { Notifications } from '../alerts/notifications.ts';
import { ControlServer } from '../control/control-server.ts';
import { leaseApp } from '../exchange/app-lease.ts';
import { checkExchange } from '../exchange/exchange-access.ts';
import { openExchangeLink } from '../link/exchange-link.ts';
import { clientLine } from '../log/edge-line.ts';
import { type DaemonHooks, Opened } from '../process/daemon-hooks.ts';
import { onSignals } from '../process/process-signals.ts';
import { claimRunDirectory, openRunDirectory } from '../process/run-directory.ts';
import { readStuck } from '../process/stuck-file.ts';
import { PlotFile } from '../record/plot-file.ts';
import { exchangeReached } from './exchange-reached.ts';
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
  const early = new Set<NodeJS.Signals>();
  const remember = (name: NodeJS.Signals) => () => void early.add(name);
  const handlers = { SIGUSR1: remember('SIGUSR1'), SIGUSR2: remember('SIGUSR2'), SIGHUP: remember('SIGHUP') };
  const forget = onSignals(handlers, thread);
  opened.add(forget);
  const directory = openRunDirectory(options);
  const control = new ControlServer(directory.control);
  opened.add(() => control.close());
  const newRun = runName(options, clock.now());
  const { journal, files, close, discard } = openJournal({ directory, options, acceptCorrupt, log, newRun });
  let hasBegun = false;
  opened.add(() => (hasBegun ? close() : discard()));
  if (options.mode === 'live') {
    const { url, appId } = options.exchange;
    const holder = { pid: process.pid, run: journal.run, dir: directory.dir, since: Math.floor(clock.now()) };
    const lease = await leaseApp({ url, appId }, holder);
    opened.add(() => lease.release());
  }
  logOpening(journal, log);
  const stuck = readStuck(directory.stuckFile);
  const wallets = options.wallets.map(({ name }) => name);
  const started = await startStrategies(options.strategies, wallets, consoleInLog(log));
  let running: RunningBot | undefined;
  const link = openExchangeLink(options, {
    clock,
    onEvent(event) {
      log.write(clientLine(event));
      running?.onClientEvent(event);
    },
  });
  opened.add(() => link.close());
  const check = async (until: AbortSignal) =>
    (await checkExchange(link.client, options, until)) &&
    (await isHeartbeatOurs({ client: link.client, options, hooks: { ...hooks, signal: until }, journal }));
  const ended = await exchangeReached(check, { options, hooks, control, run: journal.run, dir: directory.dir });
  if (ended !== undefined) return ended;
  hasBegun = true;
  claimRunDirectory(directory, options);
  writeRunFile(files.own, runFileOf(options, started));
  const plots = openPlots(files.plots, { clock, log, opened });
  running = new RunningBot({
    plots,
    options,
    hooks,
    directory,
    control,
    journal,
    started,
    link,
    journalFile: files.journal,
    tapes: files.tapes,
    early,
    stuck,
    notifications,
  });
  return running;
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
