/**
 * How one fill model treats levels outside the source's window: whether they are still there, and which it found gone.
 */

import { fail } from '../../core/checks/assert.ts';
import { type Instant, type Money, ZERO } from '../../core/number/units.ts';
import type { FillRules, OutOfSightRule } from './fill-rules.ts';
import { rowOfCell } from './level-cell.ts';
import type { QueuedOrders } from './queued-orders.ts';
import type { RecordedBook } from './recorded-book.ts';
import type { SourceWindow } from './source-window.ts';

const NO_CELLS: readonly number[] = [];

interface OutOfSightParts {
  readonly book: RecordedBook;
  readonly queues: QueuedOrders;
  /** The exchange's time, by which ages are measured. */
  readonly now: (() => Instant) | undefined;
}

/** How long (ms) it must be known when a level left the window, for the fill model that asks longest; below zero: none asks. */
export function windowMemoryMs(rules: readonly Pick<FillRules, 'levelsOutOfSight'>[]): number {
  const ages = rules.map(({ levelsOutOfSight: rule }) => (typeof rule === 'object' ? rule.maxAgeMs : -1));
  return Math.max(-1, ...ages);
}

/** Undefined where nothing is out of sight, or all of it is there for good. */
export function outOfSightOf(rule: OutOfSightRule, parts: OutOfSightParts): OutOfSight | undefined {
  const { window } = parts.book;
  return window === undefined || rule === 'always' ? undefined : new OutOfSight(rule, window, parts);
}

/** A taker that reached levels which were not there. */
interface Asking {
  readonly row: number;
  /** The taker's unmatched stake. */
  readonly stake: number;
  readonly at: Instant;
}

/**
 * Only a taker finds out that a level is gone, so that what a strategy sees changes with updates and with its own
 * orders, and never because time passes. A level found gone holds nothing until the source shows it again, or until no
 * order or consumed stake of ours is left in the market.
 */
export class OutOfSight {
  readonly #rule: Exclude<OutOfSightRule, 'always'>;
  readonly #window: SourceWindow;
  readonly #book: RecordedBook;
  readonly #queues: QueuedOrders;
  readonly #now: () => Instant;
  /** Levels found gone, until the source shows them again. */
  readonly #gone = new Set<number>();
  /** Stake that takers would have matched with levels that were not there. */
  stakeLeftOut: Money = ZERO;
  #asking: Asking | undefined;
  /** The current taker's part of `stakeLeftOut`. */
  #leftOutOfIt = 0;

  constructor(rule: Exclude<OutOfSightRule, 'always'>, window: SourceWindow, { book, queues, now }: OutOfSightParts) {
    if (now === undefined) fail('an age counts in the time of an exchange');
    this.#rule = rule;
    this.#window = window;
    this.#book = book;
    this.#queues = queues;
    this.#now = now;
  }

  /** Whether the recorded stake of a level may be matched now. */
  isThere(cell: number): boolean {
    this.forgetWhereNeutral();
    if (!this.#window.isOutOfSight(cell)) return true;
    if (this.#rule !== 'never' && this.#window.hasLeftSince(cell, this.#now() - this.#rule.maxAgeMs)) return true;
    this.#gone.add(cell);
    return false;
  }

  isGone(cell: number): boolean {
    return this.#gone.size > 0 && !this.#queues.isEmpty && this.#gone.has(cell);
  }

  /**
   * Forgets which levels were found gone, if nothing of ours is in the market: then the market is exactly the recording
   * again.
   */
  forgetWhereNeutral(): void {
    if (this.#gone.size > 0 && this.#queues.isEmpty) this.#gone.clear();
  }

  /** Counts stake that a taker wanted at a level that is not there. */
  leaveOut(cell: number, stake: number): void {
    const row = rowOfCell(cell);
    const at = this.#now();
    const asking = this.#asking;
    // If the same stake was asked for at the same instant, it is the same taker at its next level: in all it would have
    // matched no more than its stake.
    if (asking?.row !== row || asking.stake !== stake || asking.at !== at) {
      this.#asking = { row, stake, at };
      this.#leftOutOfIt = 0;
    }
    const held = this.#book.stakeAt(cell) - this.#queues.consumedAt(cell);
    const more = Math.min(held, stake - this.#leftOutOfIt);
    this.#leftOutOfIt += more;
    this.stakeLeftOut = (this.stakeLeftOut + more) as Money;
  }

  /** After an update: the levels that had been found gone and are shown again. They are forgotten here. */
  takeShownAgain(): readonly number[] {
    if (this.#gone.size === 0) return NO_CELLS;
    const shown = [...this.#gone].filter((cell) => this.#queues.isEmpty || !this.#window.isOutOfSight(cell));
    for (const cell of shown) this.#gone.delete(cell);
    return shown;
  }

  clear(): void {
    this.#gone.clear();
  }
}
