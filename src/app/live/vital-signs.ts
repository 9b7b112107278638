/** Looks once a second whether the process itself is well: its event loop, its clock, and the sign of life for systemd. */

import { type Subscription, timer } from 'rxjs';
import type { Clock } from '../../time/clock.ts';

export interface VitalHooks {
  /** The run's own: time that nobody can set. */
  readonly clock: Clock;
  /** What the system takes for the date, ms UTC. */
  readonly wallMs: () => number;
  /** The process did nothing for so long beyond a second. */
  readonly onLate: (lateMs: number) => void;
  /** The system's clock was set by so much, or the machine slept so long; negative: set back. */
  readonly onJump: (jumpMs: number) => void;
  /** Between two signs of life; undefined where none is due. */
  readonly aliveEveryMs: number | undefined;
  /** Grows with every poll that the pipeline processed, failed ones included. */
  readonly polled: () => number;
  readonly onAlive: () => void;
}

const LOOK_EVERY_MS = 1_000;
const LATE_MS = 1_000;
const JUMP_MS = 1_000;

/** Until unsubscribed. A pipeline that processes no poll gives no sign of life, however busy the process is. */
export function watchVitalSigns(hooks: VitalHooks): Subscription {
  const { clock, wallMs } = hooks;
  let wall = wallMs();
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
    const jumped = Math.round(wallMs() - wall - passed);
    steady += passed;
    wall += jumped + passed;
    if (Math.abs(jumped) > JUMP_MS) hooks.onJump(jumped);
    if (passed > LOOK_EVERY_MS + LATE_MS) hooks.onLate(Math.round(passed - LOOK_EVERY_MS));
    lookAlive(steady);
  });
}
