/** The system clock, which may be set back. Used by the sandbox, the recorder and log lines; live and paper runs use `steadyClock`. */

import { asyncScheduler } from 'rxjs';
import type { Clock } from './clock.ts';
import { scheduleLong } from './long-timers.ts';

/** The machine's own clock and timers, which live runs use. */
export const wallClock: Clock = {
  now: () => asyncScheduler.now(),
  schedule: scheduleLong,
};
