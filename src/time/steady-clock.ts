/** The clock of live and paper runs: it starts with the system's date, and then counts time that cannot be set. */

import type { Clock } from './clock.ts';
import { scheduleLong } from './long-timers.ts';

/**
 * Deadlines and ages inside a process are spans, and must not move when the system clock is set, by hand or by a time daemon. So
 * this clock ignores steps of the system clock, and follows slow corrections, which the system's steady time makes too. While
 * the machine sleeps it stands still. The next process starts with the date of its own start.
 */
export function steadyClock(): Clock {
  const startedAt = Date.now();
  const startedMs = performance.now();
  return {
    now: () => Math.floor(startedAt + performance.now() - startedMs),
    schedule: scheduleLong,
  };
}
