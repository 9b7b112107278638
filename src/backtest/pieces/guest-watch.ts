/** Catches errors that are thrown outside of any call of a strategy, and passes each to its owner: a strategy, or our own code. */

import { thrownText } from '../../core/checks/thrown.ts';
import { guestOrigin, originOf } from '../../loader/realm/origin.ts';
import { isInStrategy } from '../../loader/strategy-loader-place.ts';
import type { GuestWatch } from '../options/backtest-options.ts';

/** The runs that are watched now in this thread. */
const watches = new Set<GuestWatch>();
/** Hears what strategies leave behind; absent where the process is not ours for good. */
let onLeftBehind: ((text: string) => void) | undefined;
let hasLeft = false;

/** Returns a function that stops watching. While it watches, no such error ends the process by itself. */
export function watchGuests(watch: GuestWatch): () => void {
  if (watches.size === 0 && onLeftBehind === undefined) listen('on');
  watches.add(watch);
  return () => {
    if (watches.delete(watch) && watches.size === 0 && onLeftBehind === undefined) listen('off');
  };
}

/**
 * Keeps this thread alive over what a strategy throws before or after its run, for as long as the thread lives; `say`
 * hears of the first such error. The language has more timers than those that a realm goes without, and a realm cannot
 * be ended.
 */
export function outliveGuests(say: (text: string) => void): void {
  if (watches.size === 0 && onLeftBehind === undefined) listen('on');
  onLeftBehind = say;
  hasLeft = false;
}

function listen(how: 'on' | 'off'): void {
  process[how]('unhandledRejection', onError); // edge: what is thrown outside of calls reaches the process alone
  process[how]('uncaughtException', onException); // edge: the same
}

/** Its second argument is a word. */
function onException(error: unknown): void {
  onError(error, undefined);
}

function onError(error: unknown, promise: unknown): void {
  for (const { instances, onStrategy } of watches) {
    const instance = instances.find(({ guest }) => guest.isFrom(error, promise));
    if (instance !== undefined) return onStrategy(instance, error);
  }
  if (isGuests(error, promise)) return tellLeft(error);
  const [watch] = watches;
  // Nobody else can: the process ends with it, as it would if nothing watched.
  if (watch === undefined) throw error;
  watch.onOther(error);
}

/** Whether it is of any strategy, also of one whose run is over. Our own code throws errors alone. */
function isGuests(error: unknown, promise: unknown): boolean {
  if (guestOrigin(promise, error) !== undefined || isInStrategy(error)) return true;
  return originOf(promise ?? error) === undefined;
}

function tellLeft(error: unknown): void {
  if (hasLeft) return;
  hasLeft = true;
  const [text = ''] = thrownText(error).split('\n');
  onLeftBehind?.(`a strategy threw outside of its run, which changes nothing of it: ${text}`);
}
