/** The clock of live and paper runs and of the sandbox: real time, by timers of any length. */

import { asyncScheduler } from 'rxjs';
import type { Clock } from './clock.ts';
import { scheduleLong } from './long-timers.ts';

export const wallClock: Clock = {
  now: () => asyncScheduler.now(),
  schedule: scheduleLong,
};
