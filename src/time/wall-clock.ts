/** The clock of live and paper runs and of the sandbox: real time, by RxJS's own scheduler. */

import { asyncScheduler } from 'rxjs';
import type { Clock } from './clock.ts';

export const wallClock: Clock = asyncScheduler;
