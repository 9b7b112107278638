/** Tells systemd of our state through its own small program: Node has no datagram sockets of the kind it listens on. */

import { execFile } from 'node:child_process';

export interface Notifier {
  /** Up and running. */
  ready(): void;
  /** Still at work. */
  alive(): void;
  stopping(): void;
  status(words: string): void;
  /** Between two signs of life; undefined where nobody waits for one. */
  readonly everyMs: number | undefined;
}

const SILENT: Notifier = {
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

/** Says nothing where systemd does not ask for it. */
export function systemdNotifier(environment: Environment, onFault: (details: string) => void): Notifier {
  if ((environment['NOTIFY_SOCKET'] ?? '') === '') return SILENT;
  const run = (args: readonly string[]): Promise<void> =>
    new Promise((done) => {
      execFile('systemd-notify', [...args], { timeout: NOTIFY_MS }, (error) => {
        if (error !== null) onFault(error.message);
        done();
      });
    });
  // One after the other, so that the last word that was said is the last that is heard.
  let told = Promise.resolve();
  const tell = (...args: readonly string[]): void => {
    told = told.then(() => run(args));
  };
  const watchdogMs = Number(environment['WATCHDOG_USEC'] ?? Number.NaN) / 1_000;
  return {
    ready: () => tell('--ready'),
    alive: () => tell('WATCHDOG=1'),
    stopping: () => tell('STOPPING=1'),
    status: (words) => tell(`--status=${words}`),
    everyMs: watchdogMs > 0 ? watchdogMs / SIGNS : undefined,
  };
}
