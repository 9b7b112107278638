/** Signals by which a running daemon is commanded, besides those that end it. */

import type { SignalHandlers, ThreadLink } from '../../thread/thread-link.ts';

/**
 * Gives what takes the handlers back. A handler of its own also keeps SIGUSR1 from opening Node's debugger. In a thread of its
 * own a daemon hears of signals through the main thread, since no other hears them.
 */
export function onSignals(handlers: SignalHandlers, thread: ThreadLink | undefined): () => void {
  if (thread !== undefined) return thread.onSignals(handlers);
  const entries = Object.entries(handlers);
  for (const [name, handler] of entries) process.on(name, handler);
  return () => {
    for (const [name, handler] of entries) process.off(name, handler);
  };
}
