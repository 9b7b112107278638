/** Repeats a task, never twice at the same time. */

import { Observable, Subscription, timer } from 'rxjs';
import { type Instant, instant } from '../../core/number/units.ts';
import type { Clock } from '../../time/clock.ts';

/** A task with its interval, ms. */
export interface PollParts {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Requests the task out of turn: at once, or once more right after the run under way. */
  readonly wake$: Observable<unknown>;
  /** The task. If it emits `false`, part of it failed. */
  readonly task: () => Observable<boolean>;
  /** Called when the task has completed and no part failed. `since`: when it began, so that nothing it read is older. */
  readonly onComplete: (since: Instant) => void;
}

/** After a failure the task is repeated after this time, ms, and does not wait for its next turn, which may be far away. */
const RETRY_MS = 2_000;

/**
 * Starts just after subscription; emits nothing. A turn that comes while the task runs is dropped, but a request by `wake$` is
 * not.
 */
export function poll({ clock, everyMs, wake$, task, onComplete }: PollParts): Observable<never> {
  return new Observable<never>((subscriber) => {
    const all = new Subscription();
    let isBusy = false;
    let isWanted = false;
    const error = (fault: unknown): void => subscriber.error(fault);
    // One at a time: each turn fails as well while an outage lasts, and would add another one that never ends.
    let again = Subscription.EMPTY;
    const run = (): void => {
      again.unsubscribe();
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
        else if (hasFailed && everyMs > RETRY_MS) again = clock.schedule(requestRun, RETRY_MS);
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
    all.add(() => again.unsubscribe());
    return all;
  });
}
