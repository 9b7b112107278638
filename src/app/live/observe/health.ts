/** Checks the process once a second: whether its event loop is late, and whether systemd is to get a sign of life. */

import { type Subscription, timer } from 'rxjs';
import type { Clock } from '../../../time/clock.ts';

export interface VitalHooks {
  /** The run's own clock, which cannot be set. */
  readonly clock: Clock;
  /** Called when the event loop was held up, with by how much beyond a second, ms. */
  readonly onLate: (lateMs: number) => void;
  /** Between two signs of life; undefined where none is due. */
  readonly aliveEveryMs: number | undefined;
  /** Grows with every poll that the pipeline processed, failed ones included. */
  readonly polled: () => number;
  readonly onAlive: () => void;
}

const LOOK_EVERY_MS = 1_000;
const LATE_MS = 1_000;

/** Runs until unsubscribed. While the pipeline processes no poll there is no sign of life, however busy the process is. */
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
