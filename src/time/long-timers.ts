/** Real timers of any length: the system's own fire at once where they are to wait for more than 2³¹ − 1 ms. */

import { asyncScheduler, type SchedulerAction, Subscription } from 'rxjs';

/** The longest that a timer of the system waits. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** As a scheduler does it; what cannot be waited for to its end in any life of a process simply never happens. */
export function scheduleLong<T>(work: Work<T>, delayMs?: number, state?: T): Subscription {
  return new LongAction<T>(work).schedule(state, delayMs);
}

/** Waits in parts, each no longer than the system can. It can schedule itself again, as RxJS's own operators do. */
class LongAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #work: Work<T>;
  #part: Subscription | undefined;

  constructor(work: Work<T>) {
    super();
    this.#work = work;
    this.add(() => this.#part?.unsubscribe());
  }

  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#part?.unsubscribe();
    this.#wait(wholeDelay(delayMs), state);
    return this;
  }

  #wait(leftMs: number, state: T | undefined): void {
    const partMs = Math.min(leftMs, LONGEST_DELAY_MS);
    this.#part = asyncScheduler.schedule(() => {
      if (leftMs > partMs) this.#wait(leftMs - partMs, state);
      else this.#work.call(this, state);
    }, partMs);
  }
}

/** What is past, or no time at all, is due now: simulated clocks say the same. */
export function wholeDelay(delayMs: number): number {
  return delayMs > 0 ? delayMs : 0;
}
