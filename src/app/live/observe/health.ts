/** Looks once a second whether the process itself is well: its event loop, and the sign of life for systemd. */

import { type Subscription, timer } from 'rxjs';
import type { Clock } from '../../../time/clock.ts';

export interface VitalHooks {
  /** The run's own: time that nobody can set. */
  readonly clock: Clock;
  /** The process did nothing for so long beyond a second. */
  readonly onLate: (lateMs: number) => void;
  /** Between two signs of life; undefined where none is due. */
  readonly aliveEveryMs: number | undefined;
  /** Grows with every poll that the pipeline processed, failed ones included. */
  readonly polled: () => number;
  readonly onAlive: () => void;
}

const LOOK_EVERY_MS = 1_000;
const LATE_MS = 1_000;

/** Until unsubscribed. A pipeline that processes no poll gives no sign of life, however busy the process is. */
export function watchVitalSigns(hooks: VitalHooks): Subscription {
  const { clock } = hooks;
  let steady = clock.now();
  let aliveAt = steady;
  let polled = hooks.polled();
  const lookAlive = (now: number): void => {
    if (hooks.aliveEveryMs === undefined || now - aliveAt < hooks.aliveEveryMs) return;
    const newest = hooks.polled();
    if (newest === polled) return;
    polled = newest;
    aliveAt = now;
    hooks.onAlive();
  };
  return timer(LOOK_EVERY_MS, LOOK_EVERY_MS, clock).subscribe(() => {
    const passed = clock.now() - steady;
    steady += passed;
    if (passed > LOOK_EVERY_MS + LATE_MS) hooks.onLate(Math.round(passed - LOOK_EVERY_MS));
    lookAlive(steady);
  });
}
