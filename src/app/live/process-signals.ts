/** Signals by which a running daemon is told something, besides those that end it. */

export type SignalHandlers = Readonly<Partial<Record<NodeJS.Signals, () => void>>>;

/** Gives what takes the handlers back. A handler of its own also keeps SIGUSR1 from opening Node's debugger. */
export function onSignals(handlers: SignalHandlers): () => void {
  const entries = Object.entries(handlers);
  for (const [name, handler] of entries) process.on(name, handler);
  return () => {
    for (const [name, handler] of entries) process.off(name, handler);
  };
}
