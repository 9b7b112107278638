/** A task done again and again, never twice at the same time. */

import { Observable, Subscription, timer } from 'rxjs';
import { type Instant, instant } from '../../core/number/units.ts';
import type { Clock } from '../../time/clock.ts';

export interface PollParts {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Asks for the task out of turn: at once, or once more right after the run under way. */
  readonly wake$: Observable<unknown>;
  /** `false` among what it emits: something of it failed. */
  readonly task: () => Observable<boolean>;
  /** The task is done and nothing of it failed; `since`: when it began, so that nothing of what it read is older. */
  readonly onComplete: (since: Instant) => void;
}

/** After a failure the task is not left until its next turn, which may be far. */
const RETRY_MS = 2_000;

/** Starts on subscription, after it; emits nothing. A turn that comes while the task runs is dropped, a wish is not. */
export function poll({ clock, everyMs, wake$, task, onComplete }: PollParts): Observable<never> {
  return new Observable<never>((subscriber) => {
    const all = new Subscription();
    let isBusy = false;
    let isWanted = false;
    const error = (fault: unknown): void => subscriber.error(fault);
    const run = (): void => {
      isBusy = true;
      isWanted = false;
      let hasFailed = false;
      const since = instant(Math.floor(clock.now()));
      const next = (isDone: boolean): void => {
        hasFailed ||= !isDone;
      };
      const complete = (): void => {
        isBusy = false;
        if (!hasFailed) onComplete(since);
        if (isWanted) run();
        else if (hasFailed && everyMs > RETRY_MS) all.add(clock.schedule(requestRun, RETRY_MS));
      };
      all.add(task().subscribe({ next, error, complete }));
    };
    const requestRun = (): void => {
      if (isBusy) isWanted = true;
      else run();
    };
    const turn = (): void => {
      if (!isBusy) run();
    };
    all.add(timer(0, everyMs, clock).subscribe({ next: turn, error }));
    all.add(wake$.subscribe({ next: requestRun, error }));
    return all;
  });
}
