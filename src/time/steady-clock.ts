/** The clock of live and paper runs: the date of its making, and from then on time that nobody can set. */

import type { Clock } from './clock.ts';
import { scheduleLong } from './long-timers.ts';

/**
 * A system clock that is set, by a daemon of time or by hand, must not move deadlines, ages and proofs inside a running
 * process: they are spans. So steps are not followed; slow corrections are, since the system's steady time makes them
 * too. While the machine sleeps it stands still. The next process begins with the date of its own start.
 */
export function steadyClock(): Clock {
  const startedAt = Date.now();
  const startedMs = performance.now();
  return {
    now: () => Math.floor(startedAt + performance.now() - startedMs),
    schedule: scheduleLong,
  };
}
