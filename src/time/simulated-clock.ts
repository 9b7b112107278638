/** The clock of a backtest: an RxJS scheduler on a binary heap of its own, where time is the next event. */

import { type SchedulerAction, Subscription } from 'rxjs';
import { assert } from '../core/checks/assert.ts';
import type { Clock } from './clock.ts';
import { wholeDelay } from './long-timers.ts';

type Task = () => void;

/** Runs what is due in the order of time, ties in the order of scheduling; but only when `runUntil` or `runNext` is called. */
export class SimulatedClock implements Clock {
  /** Starts as a number: V8 allocates a new object for each value of a field that was undefined once. */
  #now = 0;
  #sequence = 0;
  #size = 0;
  #times = new Float64Array(64);
  #sequences = new Float64Array(64);
  #tasks: (Task | undefined)[] = [];

  constructor(startMs: number) {
    assert(Number.isSafeInteger(startMs), 'the clock starts at whole milliseconds');
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  /** How many tasks wait. */
  get pending(): number {
    return this.#size;
  }

  /** When the earliest task is due; Infinity where none waits. */
  get nextDue(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[0] ?? 0);
  }

  /** Puts a task straight on the heap: no subscription, no way to cancel it. A past time means now. */
  at(timeMs: number, task: Task): void {
    this.#push(timeMs < this.#now ? this.#now : timeMs, task);
  }

  /** Runs all that is due up to and including `timeMs`, then stands there. */
  runUntil(timeMs: number): void {
    // Nearly always nothing is due: this method is small enough to be inlined, and the loop is not.
    if (this.#size > 0) this.#runDue(timeMs);
    if (timeMs > this.#now) this.#now = timeMs;
  }

  /** Runs all that is due before `timeMs`, then stands there, before anything that is due then. */
  runBefore(timeMs: number): void {
    while (this.#size > 0 && (this.#times[0] ?? 0) < timeMs) this.runNext();
    if (timeMs > this.#now) this.#now = timeMs;
  }

  #runDue(timeMs: number): void {
    while (this.#size > 0 && (this.#times[0] ?? 0) <= timeMs) this.runNext();
  }

  /** Moves to the earliest task and runs it; false where none waits. */
  runNext(): boolean {
    if (this.#size === 0) return false;
    const due = this.#times[0] ?? 0;
    assert(due >= this.#now, 'simulated time never goes back');
    this.#now = due;
    const task = this.#pop();
    task();
    return true;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delayMs = 0, state?: T): Subscription {
    const action = new ClockAction<T>(this, work);
    return action.schedule(state, delayMs);
  }

  #push(time: number, task: Task): void {
    if (this.#size === this.#times.length) this.#grow();
    let at = this.#size;
    this.#size += 1;
    const sequence = this.#sequence;
    this.#sequence += 1;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isAfter(parent, time, sequence)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, time, sequence, task);
  }

  #pop(): Task {
    const top = this.#tasks[0];
    assert(top !== undefined, 'the heap holds a task at its root');
    this.#size -= 1;
    const last = this.#size;
    const time = this.#times[last] ?? 0;
    const sequence = this.#sequences[last] ?? 0;
    const task = this.#tasks[last];
    this.#tasks[last] = undefined;
    if (last === 0 || task === undefined) return top;
    let at = 0;
    for (let child = 1; child < last; child = 2 * at + 1) {
      const right = child + 1;
      if (right < last && this.#isAfter(child, this.#times[right] ?? 0, this.#sequences[right] ?? 0)) child = right;
      if (this.#isAfter(child, time, sequence)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, time, sequence, task);
    return top;
  }

  /** Whether the entry at an index belongs after the given key. */
  #isAfter(index: number, time: number, sequence: number): boolean {
    const other = this.#times[index] ?? 0;
    return other > time || (other === time && (this.#sequences[index] ?? 0) > sequence);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from] ?? 0, this.#sequences[from] ?? 0, this.#tasks[from]);
  }

  #put(index: number, time: number, sequence: number, task: Task | undefined): void {
    this.#times[index] = time;
    this.#sequences[index] = sequence;
    this.#tasks[index] = task;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
    const sequences = new Float64Array(this.#sequences.length * 2);
    sequences.set(this.#sequences);
    this.#sequences = sequences;
  }
}

/** One scheduled piece of work, as RxJS operators expect it: it can schedule itself again and be unsubscribed. */
class ClockAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #clock: SimulatedClock;
  readonly #work: (this: SchedulerAction<T>, state?: T) => void;
  #scheduled = 0;

  constructor(clock: SimulatedClock, work: (this: SchedulerAction<T>, state?: T) => void) {
    super();
    this.#clock = clock;
    this.#work = work;
  }

  schedule(state?: T, delayMs = 0): Subscription {
    if (this.closed) return this;
    this.#scheduled += 1;
    const turn = this.#scheduled;
    this.#clock.at(this.#clock.now() + wholeDelay(delayMs), () => {
      if (!this.closed && turn === this.#scheduled) this.#work.call(this, state);
    });
    return this;
  }
}
