/** Reports our state to systemd through the program `systemd-notify`: Node has no datagram sockets of the kind that systemd uses. */

import { execFile } from 'node:child_process';

export interface Notifier {
  /** Says that the run is not up yet and needs this much more time, ms. */
  starting(text: string, moreMs: number): void;
  /** Up and running. */
  ready(): void;
  /** Still at work. */
  alive(): void;
  stopping(): void;
  status(text: string): void;
  /** Pause between two signs of life, ms; undefined if systemd does not expect any. */
  readonly everyMs: number | undefined;
}

const SILENT: Notifier = {
  starting: () => undefined,
  ready: () => undefined,
  alive: () => undefined,
  stopping: () => undefined,
  status: () => undefined,
  everyMs: undefined,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A sign of life that takes longer is none. */
const NOTIFY_MS = 5_000;
/** Signs within the time that systemd waits for one. */
const SIGNS = 3;

/** Does nothing where systemd did not ask for it. */
export function systemdNotifier(environment: Environment, onFault: (details: string) => void): Notifier {
  if ((environment['NOTIFY_SOCKET'] ?? '') === '') return SILENT;
  const run = (args: readonly string[]): Promise<void> =>
    new Promise((done) => {
      execFile('systemd-notify', [...args], { timeout: NOTIFY_MS }, (error) => {
        if (error !== null) onFault(error.message);
        done();
      });
    });
  // One call after the other, so that systemd receives the states in order.
  let sent = Promise.resolve();
  const notify = (...args: readonly string[]): void => {
    sent = sent.then(() => run(args));
  };
  const watchdogMs = Number(environment['WATCHDOG_USEC'] ?? Number.NaN) / 1_000;
  return {
    starting: (text, moreMs) => notify(`--status=${text}`, `EXTEND_TIMEOUT_USEC=${moreMs * 1_000}`),
    ready: () => notify('--ready'),
    alive: () => notify('WATCHDOG=1'),
    stopping: () => notify('STOPPING=1'),
    status: (text) => notify(`--status=${text}`),
    everyMs: watchdogMs > 0 ? watchdogMs / SIGNS : undefined,
  };
}
