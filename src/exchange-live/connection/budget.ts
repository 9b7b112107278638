/** Limits how many requests are sent: a token bucket and a number of connections, given out by strict priority. */

import type { Subscription } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import type { Clock } from '../../time/clock.ts';
import { PRIORITIES, type Priority } from './priority.ts';

/** The request budget of a client: a token bucket, with a queue for each priority. */
export interface BudgetSettings {
  /** Requests a second in the long run. */
  readonly perSecond: number;
  /** Requests that may be sent at once after a pause. */
  readonly burst: number;
  /** The number of calls of each priority that may wait. */
  readonly waitingMax: number;
}

/**
 * The place of a request, which waits at first and then is under way. It must be given back by `leave` exactly once, whatever
 * happened to the request.
 */
export interface Place {
  leave(): void;
}

interface Entry {
  readonly enter: () => void;
  isUnderWay: boolean;
  hasLeft: boolean;
}

const SECOND_MS = 1_000;
/** Sums of fractions of a token may fall short of a whole one by this much. */
const DUST = 1e-9;

/**
 * Cancels go before heartbeats, heartbeats before orders, orders before polls; within a priority the oldest goes first. The
 * last few connections are kept for the higher priorities, so that slow polls never hold up a cancel.
 */
export class Budget {
  readonly #clock: Clock;
  readonly #settings: BudgetSettings;
  readonly #underWayMax: readonly number[];
  readonly #waiting: readonly Set<Entry>[] = PRIORITIES.map(() => new Set<Entry>());
  #tokens: number;
  #countedAt: number;
  #underWay = 0;
  #pause: Subscription | undefined;
  #pausedUntil = 0;
  #wake: Subscription | undefined;

  constructor(clock: Clock, settings: BudgetSettings, connections: number) {
    const { perSecond, burst, waitingMax } = settings;
    assert(Number.isFinite(perSecond) && perSecond > 0, 'the budget has a positive rate');
    assert(Number.isFinite(burst) && burst >= 1, 'the budget lets at least one request go at once');
    assert(waitingMax >= 1 && connections >= 1, 'the budget has room for one call at least');
    this.#clock = clock;
    this.#settings = settings;
    this.#underWayMax = PRIORITIES.map((_, rank) => Math.max(1, connections - rank));
    this.#tokens = burst;
    this.#countedAt = clock.now();
  }

  /** Calls `enter` when the request may be sent, at once if it already may. Returns undefined if too many requests wait. */
  join(priority: Priority, enter: () => void): Place | undefined {
    const rank = PRIORITIES.indexOf(priority);
    const queue = this.#waiting[rank];
    assert(queue !== undefined, 'each priority has a queue');
    if (queue.size >= this.#settings.waitingMax) return undefined;
    const entry: Entry = { enter, isUnderWay: false, hasLeft: false };
    queue.add(entry);
    this.#admit();
    return { leave: () => this.#leave(queue, entry) };
  }

  /** Sends nothing for `delayMs`, because the exchange asked for it. A longer pause that already runs stays. */
  pause(delayMs: number): void {
    const until = this.#clock.now() + delayMs;
    if (this.#pause !== undefined && until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#pause?.unsubscribe();
    this.#pause = this.#clock.schedule(() => {
      this.#pause = undefined;
      this.#admit();
    }, delayMs);
  }

  close(): void {
    this.#pause?.unsubscribe();
    this.#wake?.unsubscribe();
    for (const queue of this.#waiting) queue.clear();
  }

  #leave(queue: Set<Entry>, entry: Entry): void {
    if (entry.hasLeft) return;
    entry.hasLeft = true;
    if (!entry.isUnderWay) queue.delete(entry);
    else this.#underWay -= 1;
    this.#admit();
  }

  /** Admits the waiting requests in order. If one may not be sent yet, all requests behind it wait too. */
  #admit(): void {
    this.#refill();
    for (let rank = 0; rank < this.#waiting.length; rank += 1) {
      const queue = this.#waiting[rank];
      if (queue === undefined || queue.size === 0) continue;
      for (const entry of queue) {
        if (this.#underWay >= (this.#underWayMax[rank] ?? 1)) return;
        if (this.#pause !== undefined) return;
        if (this.#tokens < 1 - DUST) return this.#wakeLater();
        queue.delete(entry);
        entry.isUnderWay = true;
        this.#tokens -= 1;
        this.#underWay += 1;
        entry.enter();
      }
    }
  }

  /** Adds tokens for the time that has passed. A clock that was set back adds and removes none. */
  #refill(): void {
    const now = this.#clock.now();
    const passed = Math.max(0, now - this.#countedAt);
    this.#countedAt = now;
    this.#tokens = Math.min(this.#settings.burst, this.#tokens + (passed * this.#settings.perSecond) / SECOND_MS);
  }

  #wakeLater(): void {
    if (this.#wake !== undefined) return;
    const delayMs = Math.max(1, Math.ceil(((1 - this.#tokens) * SECOND_MS) / this.#settings.perSecond));
    this.#wake = this.#clock.schedule(() => {
      this.#wake = undefined;
      this.#admit();
    }, delayMs);
  }
}
