/** The length of an indicator's window, as a strategy writes it. */

import { durationGiven } from '../params.ts';

const DAY_MS = 86_400_000;

/** The window's length in ms. @throws RangeError inside the strategy's call for what is no duration from 1 ms to a day */
export function windowLength(helper: string, window: string | number): number {
  const ms = durationGiven(window);
  if (!(ms >= 1 && ms <= DAY_MS)) throw new RangeError(`${helper}: a window lasts from 1 ms to 24 h, not ${window}.`);
  return ms;
}
