/** What happens at a start until the exchange has let the daemon in: it is waited for, and says so to whoever asks. */

import { EXIT } from '../../cli/cli-error.ts';
import type { DaemonEnd, DaemonWaiting } from '../control/control-protocol.ts';
import type { ControlServer } from '../control/control-server.ts';
import { waitingAnswers } from '../control/waiting-answers.ts';
import { waitedOut } from '../link/wait-out.ts';
import { type DaemonHooks, exitCodeOfSignal } from '../process/daemon-hooks.ts';
import { systemdNotifier } from '../process/systemd-notify.ts';
import type { RunEnd } from './running-parts.ts';

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
 * Undefined once the exchange has let us in, or the end of a run that was ended before. `check` says false where the signal that it is
 * given came first. @throws what `check` throws, but for EXCHANGE_UNREACHABLE
 */
export async function exchangeReached(
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
