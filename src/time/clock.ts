/** The one source of time: an RxJS scheduler whose `now` is the wall clock live and the recording's time in a backtest. */

import type { SchedulerLike } from 'rxjs';

/** Pass it to every timed RxJS operator. `now()` is an instant, ms UTC. */
export interface Clock extends SchedulerLike {
  now(): number;
}
