/** Catches errors that are thrown outside of any call of a strategy, and passes each to its owner: a strategy, or our own code. */

import type { GuestWatch } from '../options/backtest-options.ts';

/** Returns a function that stops watching. While it watches, no such error ends the process by itself. */
export function watchGuests({ instances, onStrategy, onOther }: GuestWatch): () => void {
  const onError = (error: unknown, promise?: unknown): void => {
    const instance = instances.find(({ guest }) => guest.isFrom(error, promise));
    if (instance === undefined) onOther(error);
    else onStrategy(instance, error);
  };
  const onRejection = (reason: unknown, promise: Promise<unknown>): void => onError(reason, promise);
  const onException = (error: unknown): void => onError(error);
  process.on('unhandledRejection', onRejection); // edge: what is thrown outside of calls reaches the process alone
  process.on('uncaughtException', onException); // edge: the same
  return () => {
    process.off('unhandledRejection', onRejection); // edge: the same
    process.off('uncaughtException', onException); // edge: the same
  };
}
