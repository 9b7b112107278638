/** What a daemon uses of its process: clock, signals, log, environment. */

import type { Clock } from '../../../time/clock.ts';
import { EXIT, type ExitCode } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import type { SignalHandlers, ThreadLink } from '../../thread/thread-link.ts';
import type { LastWord } from '../../thread/thread-messages.ts';
import type { DaemonLog } from '../log/daemon-log.ts';

export interface DaemonHooks {
  readonly clock: Clock;
  /** Milliseconds of a clock that cannot be set. */
  readonly wallMs: () => number;
  /** Aborted by the first SIGINT or SIGTERM; its reason is the signal's name. */
  readonly signal: AbortSignal;
  readonly log: DaemonLog;
  readonly acceptCorrupt: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The link to the main thread, which watches the daemon; absent if it runs in no thread of its own. */
  readonly thread?: ThreadLink | undefined;
  /** The configuration as it was read at the start; absent where there was no file. */
  readonly source?: LastWord;
  /** Reads the configuration again. @throws CliError */
  readonly reload: () => RunOptions;
}

export function exitCodeOfSignal({ reason }: AbortSignal): ExitCode {
  return reason === 'SIGTERM' ? EXIT.done : EXIT.interrupted;
}

/** Things that were opened, to be closed in reverse order. */
export class Opened {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/**
 * Handles the signals by which a running daemon is commanded, besides those that end it, and returns a function that removes the handlers.
 * Handling SIGUSR1 also keeps Node from opening its debugger. A daemon in a thread of its own receives signals from the main thread, since
 * only that one gets them.
 */
export function onSignals(handlers: SignalHandlers, thread: ThreadLink | undefined): () => void {
  if (thread !== undefined) return thread.onSignals(handlers);
  const entries = Object.entries(handlers);
  for (const [name, handler] of entries) process.on(name, handler);
  return () => {
    for (const [name, handler] of entries) process.off(name, handler);
  };
}
