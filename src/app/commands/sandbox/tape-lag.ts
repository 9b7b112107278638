/** Says how far the tapes of a sandbox are behind, while it grows and at the end. */

import { wallClock } from '../../../time/wall-clock.ts';
import { amount } from '../../../words/numbers.ts';

export interface TapeLag {
  /** In real time: how long the tapes have waited, for clients that had not read or for the exchange itself. */
  readonly lagMs: number;
  readonly speed: number;
}

/** Less is not worth a line. */
const LAG_MIN_MS = 1_000;
const LOOK_EVERY_MS = 1_000;

/** Notes a lag when it becomes as long as this for the first time, and each time it has doubled. */
export function watchLag(lag: () => TapeLag, note: (text: string) => void): { stop(): void } {
  let nextMs = LAG_MIN_MS;
  const watching = wallClock.schedule(function look() {
    const now = lag();
    if (now.lagMs >= nextMs) note(lagText(now));
    while (now.lagMs >= nextMs) nextMs *= 2;
    this.schedule(undefined, LOOK_EVERY_MS);
  }, LOOK_EVERY_MS);
  return { stop: () => watching.unsubscribe() };
}

/** A line; nothing where the lag is too short to matter. */
export function lagText({ lagMs, speed }: TapeLag): string {
  if (lagMs < LAG_MIN_MS) return '';
  const [waited, recorded] = [lagMs, lagMs * speed].map((ms) => amount(ms / 1_000, 1));
  return `The tape has waited for ${waited} s, which are ${recorded} s of the recording, because clients or this machine are slower than --speed ${speed}.\n`;
}
