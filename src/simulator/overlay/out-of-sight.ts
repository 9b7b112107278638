/** What one answer makes of levels that are out of the source's sight: whether they are still there, and which it found gone. */

import { assert } from '../../core/checks/assert.ts';
import { type Instant, type Money, ZERO } from '../../core/number/units.ts';
import type { OutOfSightRule } from './fill-rules.ts';
import { rowOfCell } from './level-cell.ts';
import type { QueuedOrders } from './queued-orders.ts';
import type { RecordedBook } from './recorded-book.ts';
import type { SourceWindow } from './source-window.ts';

const NONE: readonly number[] = [];

interface OutOfSightParts {
  readonly book: RecordedBook;
  readonly queues: QueuedOrders;
  /** The exchange's time, in which ages count. */
  readonly now: (() => Instant) | undefined;
}

/** For how long it must be known when a level left the window: `never` does not ask, `always` has no window. */
export function memoryMsOf(rule: Exclude<OutOfSightRule, 'always'>): number {
  return rule === 'never' ? -1 : rule.maxAgeMs;
}

/** Undefined where nothing is out of sight, or all of it is there for good. */
export function outOfSightOf(rule: OutOfSightRule, parts: OutOfSightParts): OutOfSight | undefined {
  const { window } = parts.book;
  return window === undefined || rule === 'always' ? undefined : new OutOfSight(rule, window, parts);
}

/** A taker at levels that were not there. */
interface Asking {
  readonly row: number;
  /** What of it is unmatched. */
  readonly stake: number;
  readonly at: Instant;
}

/**
 * Only who asks finds out, so that what a strategy sees changes with updates and with its own orders, and never because time passes.
 * A level that was found gone holds nothing until the source shows it again, or until nothing of ours is left in the market.
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
  /** Of `stakeLeftOut`, what is of that taker. */
  #leftOutOfIt = 0;

  constructor(rule: Exclude<OutOfSightRule, 'always'>, window: SourceWindow, { book, queues, now }: OutOfSightParts) {
    if (now === undefined) assert(false, 'an age counts in the time of an exchange');
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

  /** Something of ours comes into the market: with nothing of ours in it, it is the recording again. */
  forgetWhereNeutral(): void {
    if (this.#gone.size > 0 && this.#queues.isEmpty) this.#gone.clear();
  }

  /** A taker wants so much more stake at a level that is not there. */
  leaveOut(cell: number, stake: number): void {
    const row = rowOfCell(cell);
    const at = this.#now();
    const asking = this.#asking;
    // Asked for as much at the same instant, the next level is one of the same taker, which would have matched no more than that in all.
    if (asking?.row !== row || asking.stake !== stake || asking.at !== at) {
      this.#asking = { row, stake, at };
      this.#leftOutOfIt = 0;
    }
    const held = this.#book.stakeAt(cell) - this.#queues.consumedAt(cell);
    const more = Math.min(held, stake - this.#leftOutOfIt);
    this.#leftOutOfIt += more;
    this.stakeLeftOut = (this.stakeLeftOut + more) as Money;
  }

  /** An update has ended: levels that were gone and are shown again. */
  takeShownAgain(): readonly number[] {
    if (this.#gone.size === 0) return NONE;
    const shown = [...this.#gone].filter((cell) => this.#queues.isEmpty || !this.#window.isOutOfSight(cell));
    for (const cell of shown) this.#gone.delete(cell);
    return shown;
  }

  clear(): void {
    this.#gone.clear();
  }
}
