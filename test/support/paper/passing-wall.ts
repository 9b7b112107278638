/** Made real time that passes while work is done, as it does while a disk writes: a call sees a later time than the one before it. */

import type { SchedulerAction, Subscription } from 'rxjs';
import type { Clock } from '../../../src/time/clock.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';

export class PassingWall implements Clock {
  /** Run these to let time pass between the pieces of work. */
  readonly timers: SimulatedClock;
  #passedMs = 0;

  constructor(startMs: number) {
    this.timers = new SimulatedClock(startMs);
  }

  now(): number {
    return this.timers.now() + this.#passedMs;
  }

  /** Time passes within a piece of work; timers that fall due meanwhile are late. */
  pass(ms: number): void {
    this.#passedMs += ms;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs?: number, state?: T): Subscription {
    return this.timers.schedule(work, delayMs, state);
  }

  every(ms: number, work: () => void): void {
    this.timers.at(this.timers.now() + ms, () => {
      work();
      this.every(ms, work);
    });
  }
}
