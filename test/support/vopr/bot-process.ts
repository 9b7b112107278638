/** One life of the bot's process: its clock, which may be wrong, stand still, and ends with the process. */

import type { SchedulerAction, Subscription } from 'rxjs';
import type { Clock } from '../../../src/time/clock.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';

/**
 * Killed in the midst of its own doing, the process goes on to the end of the task at hand like a ghost: nothing it
 * does has any effect, because journal, wire and clock ask `isAlive` first.
 */
export class BotProcess {
  readonly number: number;
  readonly clock: Clock;
  isAlive = true;
  /** By how much its clock is wrong, ms; sleep sets it back (src/time/steady-clock.ts). */
  #skewMs: number;
  /** For how long the machine slept: its timers stood still as well. */
  #sleptMs = 0;
  /** Nothing of it runs before this instant of the simulation: the machine slept, or was busy. */
  stalledUntil = 0;
  readonly #time: SimulatedClock;

  constructor(parts: { readonly number: number; readonly time: SimulatedClock; readonly skewMs: number }) {
    this.number = parts.number;
    this.#time = parts.time;
    this.#skewMs = parts.skewMs;
    this.clock = {
      now: () => this.#time.now() + this.#skewMs,
      schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs?: number, state?: T) =>
        this.#schedule(work, delayMs, state),
    };
  }

  kill(): void {
    this.isAlive = false;
  }

  get sleptMs(): number {
    return this.#sleptMs;
  }

  /** Does nothing for a while, its clock going on. */
  stall(ms: number): void {
    this.stalledUntil = Math.max(this.stalledUntil, this.#time.now() + ms);
  }

  /** The machine sleeps: its steady clock and its timers stand still until it wakes. */
  sleep(ms: number): void {
    if (this.#time.now() < this.stalledUntil) return;
    this.stall(ms);
    this.#sleptMs += ms;
    this.#skewMs -= ms;
  }

  /** Runs as part of the process, if it lives by then; never before a stall is over. */
  later(delayMs: number, task: () => void): void {
    const run = (): void => {
      if (!this.isAlive) return;
      if (this.#time.now() < this.stalledUntil) this.#time.at(this.stalledUntil, run);
      else task();
    };
    this.#time.at(this.#time.now() + delayMs, run);
  }

  #schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T): Subscription {
    const process = this;
    const time = this.#time;
    let sleptMs = process.#sleptMs;
    return time.schedule<T>(
      function guarded(this: SchedulerAction<T>, given?: T) {
        if (!process.isAlive) return;
        const waitMs = Math.max(process.stalledUntil - time.now(), process.#sleptMs - sleptMs);
        sleptMs = process.#sleptMs;
        if (waitMs > 0) this.schedule(given, waitMs);
        else work.call(this, given);
      },
      delayMs,
      state,
    );
  }
}
