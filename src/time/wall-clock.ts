/** The clock of live trading. */

import { asyncScheduler } from 'rxjs';
import type { Clock } from './clock.ts';

export const wallClock: Clock = asyncScheduler;
