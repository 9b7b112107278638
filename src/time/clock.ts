/** The one source of time: an RxJS scheduler whose `now` is the wall clock live and the recording's time in a backtest. */

import type { SchedulerLike } from 'rxjs';

/** A source of time, as an RxJS scheduler: pass it to every timed RxJS operator. `now()` is an instant, ms UTC. */
export interface Clock extends SchedulerLike {
  /** This instant, ms UTC. */
  now(): number;
}
