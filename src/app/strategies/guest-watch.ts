/** Hears what is thrown outside of every call, and tells whose it is: a strategy's, which is halted for it, or our own. */

import type { GuestWatch } from '../run/backtest-options.ts';

/** Answers how to stop. As long as it hears, no such error ends the process by itself. */
export function watchGuests({ instances, onStrategy, onOther }: GuestWatch): () => void {
  const hear = (error: unknown, promise?: unknown): void => {
    const instance = instances.find(({ guest }) => guest.isFrom(error, promise));
    if (instance === undefined) onOther(error);
    else onStrategy(instance, error);
  };
  const onRejection = (reason: unknown, promise: Promise<unknown>): void => hear(reason, promise);
  const onException = (error: unknown): void => hear(error);
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}
