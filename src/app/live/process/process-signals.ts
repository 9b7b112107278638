/** Signals by which a running daemon is commanded, besides those that end it. */

import type { SignalHandlers, ThreadLink } from '../../thread/thread-link.ts';

/**
 * Returns a function that removes the handlers. Handling SIGUSR1 also keeps Node from opening its debugger. A daemon in a thread of
 * its own receives signals from the main thread, since only that one gets them.
 */
export function onSignals(handlers: SignalHandlers, thread: ThreadLink | undefined): () => void {
  if (thread !== undefined) return thread.onSignals(handlers);
  const entries = Object.entries(handlers);
  for (const [name, handler] of entries) process.on(name, handler);
  return () => {
    for (const [name, handler] of entries) process.off(name, handler);
  };
}
