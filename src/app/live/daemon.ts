/** A run from its first file to its exit code: all that it needs is opened in order and closed again. */

import { randomBytes } from 'node:crypto';
import { writeRunFile } from '../parity/run-file.ts';
import { ControlServer } from './control-server.ts';
import { type DaemonHooks, exitCodeOfSignal, Opened } from './daemon-hooks.ts';
import { clientLine } from './edge-line.ts';
import { checkExchange } from './exchange-access.ts';
import { openExchangeLink } from './exchange-link.ts';
import { onSignals } from './process-signals.ts';
import { claimRunDirectory, openRunDirectory } from './run-directory.ts';
import { runFileOf } from './run-file-of.ts';
import { openJournal, tellOpening } from './run-journal.ts';
import type { RunOptions } from './run-options.ts';
import { seatStrategies } from './run-seats.ts';
import { type RunEnd, RunningBot } from './running-bot.ts';

/** @throws CliError, JournalFailure, TapeFailure; anything else is a bug, after which cancellation was asked for. */
export async function runDaemon(options: RunOptions, hooks: DaemonHooks): Promise<RunEnd> {
  const opened = new Opened();
  try {
    return await openAndRun(options, hooks, opened);
  } finally {
    await opened.close();
  }
}

async function openAndRun(options: RunOptions, hooks: DaemonHooks, opened: Opened): Promise<RunEnd> {
  const { clock, log, signal, acceptCorrupt } = hooks;
  const early = new Set<NodeJS.Signals>();
  const remember = (name: NodeJS.Signals) => () => void early.add(name);
  const forget = onSignals({
    ...{ SIGUSR1: remember('SIGUSR1'), SIGUSR2: remember('SIGUSR2'), SIGHUP: remember('SIGHUP') },
  });
  opened.add(forget);
  const directory = openRunDirectory(options);
  const control = new ControlServer(directory.control);
  opened.add(() => control.close());
  const newRun = runName(options, clock.now());
  const { journal, files, close } = openJournal({ directory, options, acceptCorrupt, newRun });
  opened.add(close);
  tellOpening(journal, log);
  const wallets = options.wallets.map(({ name }) => name);
  const seated = await seatStrategies(options.strategies, wallets);
  let running: RunningBot | undefined;
  const link = openExchangeLink(options, {
    clock,
    onEvent(event) {
      log.say(clientLine(event));
      running?.heardClient(event);
    },
  });
  opened.add(() => link.close());
  if (signal.aborted || !(await checkExchange(link.client, options, signal))) return endedEarly(journal.run, signal);
  claimRunDirectory(directory, options);
  writeRunFile(files.own, runFileOf(options, seated));
  running = new RunningBot({ options, hooks, directory, control, journal, seated, link, tapes: files.tapes, early });
  return await running.run();
}

function runName({ mode }: RunOptions, now: number): string {
  return `${mode}-${Math.floor(now).toString(36)}-${randomBytes(3).toString('hex')}`;
}

function endedEarly(run: string, signal: AbortSignal): RunEnd {
  const cause = `${String(signal.reason)} before the start`;
  return { run, cause, exitCode: exitCodeOfSignal(signal), liveOrders: 0, startedAt: undefined, status: undefined };
}
