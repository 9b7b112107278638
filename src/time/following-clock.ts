/** A simulated clock that follows real time and only stops at whole milliseconds. */

import type { SchedulerAction, Subscription } from 'rxjs';
import { assert } from '../core/checks/assert.ts';
import { type Instant, instant } from '../core/number/units.ts';
import type { Clock } from './clock.ts';
import { wholeDelay } from './long-timers.ts';
import { SimulatedClock } from './simulated-clock.ts';

/** Timers of the system accept no delay above 2³¹ ms; waking once an hour for nothing costs nothing. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Code that runs in a step sees the simulated time, which a replay sees too; all other code sees real time. Real time
 * is read in whole milliseconds and never goes back: where the system's clock is set back, this one goes on from where
 * it was and stays ahead by as much, because a run that waited for the lost hour would trade on nothing.
 */
export class FollowingClock implements Clock {
  readonly simulated: SimulatedClock;
  readonly #wall: Clock;
  readonly #onWake: () => void;
  readonly #onFault: (error: unknown) => void;
  #wallMs: number;
  #aheadMs = 0;
  #isStepping = false;
  /** The millisecond that work from outside began, while nothing else has run in it. */
  #begunAt: number | undefined;
  #isStopped = false;
  #wake: Subscription | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;

  /**
   * `onWake` runs when something is due, and calls `step`. If it throws, the error goes to `onFault` and the clock
   * stops.
   */
  constructor(parts: { wall: Clock; onWake: () => void; onFault: (error: unknown) => void }) {
    this.#wall = parts.wall;
    this.#onWake = parts.onWake;
    this.#onFault = parts.onFault;
    this.#wallMs = Math.floor(parts.wall.now());
    this.simulated = new SimulatedClock(this.#wallMs);
  }

  now(): number {
    return this.#isStepping ? this.simulated.now() : this.reading();
  }

  /** Whether a step can begin: none runs, and the clock has not stopped. */
  get canStep(): boolean {
    return !this.#isStepping && !this.#isStopped;
  }

  /** Real time, in whole ms; the simulated time where work from outside has brought that on to a millisecond that is about to begin. */
  reading(): Instant {
    const wallMs = Math.floor(this.#wall.now());
    if (wallMs < this.#wallMs) this.#aheadMs += this.#wallMs - wallMs;
    this.#wallMs = wallMs;
    return instant(Math.max(wallMs + this.#aheadMs, this.simulated.now()));
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T): Subscription {
    const sinceMs = this.now() - this.simulated.now();
    const scheduled = this.simulated.schedule(work, sinceMs + Math.ceil(wholeDelay(delayMs)), state);
    this.arm();
    return scheduled;
  }

  /** The present millisecond, or the next one where something has run in it already. Work from outside may share one. */
  get unbegun(): number {
    const simulated = this.simulated.now();
    return Math.max(this.reading(), simulated === this.#begunAt ? simulated : simulated + 1);
  }

  /** Runs work as the first of all that happens in a millisecond, which is `unbegun`, after all that is due before. */
  begin<T>(at: number, work: () => T): T {
    const result = this.step(() => {
      this.simulated.runBefore(at);
      return work();
    });
    this.#begunAt = at;
    return result;
  }

  /** Runs work in simulated time. Steps cannot be nested. */
  step<T>(work: () => T): T {
    assert(!this.#isStepping, 'a step of the clock ends before the next begins');
    this.#isStepping = true;
    this.#begunAt = undefined;
    try {
      return work();
    } finally {
      this.#isStepping = false;
    }
  }

  /** Schedules a wake-up for what is due next, or for the given instant (ms) if that is earlier. */
  arm(at: number = Number.POSITIVE_INFINITY): void {
    if (this.#isStepping || this.#isStopped) return;
    const due = Math.min(at, this.simulated.nextDue);
    if (due >= this.#wakeAt) return;
    this.#wake?.unsubscribe();
    this.#wakeAt = due;
    const delayMs = Math.min(LONGEST_WAIT_MS, Math.max(0, due - this.reading()));
    this.#wake = this.#wall.schedule(() => this.#woken(), delayMs);
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.unsubscribe();
  }

  #woken(): void {
    this.#wakeAt = Number.POSITIVE_INFINITY;
    try {
      this.#onWake();
      this.arm();
    } catch (error) {
      this.stop();
      this.#onFault(error);
    }
  }
}
