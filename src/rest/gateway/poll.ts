/** A task done again and again, never twice at the same time. */

import { Observable, Subscription, timer } from 'rxjs';
import type { Clock } from '../../time/clock.ts';

export interface PollParts {
  readonly clock: Clock;
  readonly everyMs: number;
  /** Asks for the task out of turn: at once, or once more right after the run under way. */
  readonly wake$: Observable<unknown>;
  readonly task: () => Observable<unknown>;
}

/** Starts on subscription, after it; emits nothing. A turn that comes while the task runs is dropped, a wish is not. */
export function poll({ clock, everyMs, wake$, task }: PollParts): Observable<never> {
  return new Observable<never>((subscriber) => {
    const all = new Subscription();
    let isBusy = false;
    let isWanted = false;
    const error = (fault: unknown): void => subscriber.error(fault);
    const run = (): void => {
      isBusy = true;
      isWanted = false;
      const complete = (): void => {
        isBusy = false;
        if (isWanted) run();
      };
      all.add(task().subscribe({ error, complete }));
    };
    const wish = (): void => {
      if (isBusy) isWanted = true;
      else run();
    };
    const turn = (): void => {
      if (!isBusy) run();
    };
    all.add(timer(0, everyMs, clock).subscribe({ next: turn, error }));
    all.add(wake$.subscribe({ next: wish, error }));
    return all;
  });
}
