/** How many requests may go out: a token bucket and a number of connections, shared by strict priority. */

import type { Subscription } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import type { Clock } from '../../time/clock.ts';
import { PRIORITIES, type Priority } from './priority.ts';

export interface BudgetSettings {
  /** Requests a second in the long run. */
  readonly perSecond: number;
  /** Requests that may go at once after a rest. */
  readonly burst: number;
  /** Calls of one priority that may wait. */
  readonly waitingMax: number;
}

/** A request's place: waiting, then under way. Leaving is due once, whatever became of it. */
export interface Place {
  leave(): void;
}

interface Entry {
  readonly enter: () => void;
  isUnderWay: boolean;
  hasLeft: boolean;
}

const SECOND_MS = 1_000;
/** Sums of fractions of a token may miss a whole one by this much. */
const DUST = 1e-9;

/**
 * Cancels go before heartbeats, these before orders, these before polls; within a priority the first come goes first.
 * The last few connections are kept for the priorities above, so that slow polls never hold up a cancel.
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

  /** Calls `enter` when the request may go, at once where it may already; undefined where too many wait. */
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

  /** The exchange said that it was too much: nothing goes for so long. A longer pause stands. */
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

  /** Who waits behind someone who may not go yet waits too. */
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

  /** A clock that was set back gives nothing and takes nothing. */
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
