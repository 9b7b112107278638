/** Real timers of any length: a timer of Node fires at once if its delay is more than 2³¹ − 1 ms. */

import { asyncScheduler, type SchedulerAction, Subscription } from 'rxjs';

/** The longest delay of a timer of Node, ms. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** RxJS's `schedule` for any delay. A delay longer than the life of the process means never. */
export function scheduleLong<T>(work: Work<T>, delayMs?: number, state?: T): Subscription {
  return new LongAction<T>(work).schedule(state, delayMs);
}

/** Waits in parts of at most the longest delay. It can schedule itself again, as RxJS's operators do. */
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

/** A delay that is negative or not a number is none: the work is due now, as on simulated clocks. */
export function wholeDelay(delayMs: number): number {
  return delayMs > 0 ? delayMs : 0;
}
