/** When each feed was last read whole, and whether that is longer ago than allowed. */

import { FEED_NAMES, type FeedName } from '../../exchange/gateway.ts';

export interface FeedChange {
  readonly feed: FeedName;
  readonly isLate: boolean;
  readonly ageMs: number;
  readonly budgetMs: number;
}

/** Instants are ms UTC. A feed that was never read counts as read at the start. */
export class FeedAges {
  readonly #budgets: Readonly<Record<FeedName, number>>;
  readonly #readAt = new Map<FeedName, number>();
  readonly #late = new Set<FeedName>();
  #startedAt: number;
  /** Readings that were asked for before this are ignored, whenever they arrive. */
  #countsFrom = Number.NEGATIVE_INFINITY;

  constructor(budgets: Readonly<Record<FeedName, number>>, startedAt: number) {
    this.#budgets = budgets;
    this.#startedAt = startedAt;
  }

  /** A feed was read whole. `at`: when the reading was asked for. */
  noteRead(feed: FeedName, at: number): void {
    if (at < this.#countsFrom) return;
    this.#readAt.set(feed, at);
  }

  /** When the feed was last read whole; undefined if it never was. */
  readAt(feed: FeedName): number | undefined {
    return this.#readAt.get(feed);
  }

  /** How long ago the reading was asked for that the feed was last read whole by. */
  ageMs(feed: FeedName, now: number): number {
    return now - (this.#readAt.get(feed) ?? this.#startedAt);
  }

  isLate(feed: FeedName): boolean {
    return this.#late.has(feed);
  }

  budgetMs(feed: FeedName): number {
    return this.#budgets[feed];
  }

  get hasAll(): boolean {
    return FEED_NAMES.every((feed) => this.#readAt.has(feed));
  }

  get late(): readonly FeedName[] {
    return [...this.#late];
  }

  /** The feeds that became late, or are late no more, since the last call. */
  changes(now: number): readonly FeedChange[] {
    const changes: FeedChange[] = [];
    for (const feed of FEED_NAMES) {
      const ageMs = this.ageMs(feed, now);
      const budgetMs = this.#budgets[feed];
      const isLate = ageMs > budgetMs;
      if (isLate === this.#late.has(feed)) continue;
      if (isLate) this.#late.add(feed);
      else this.#late.delete(feed);
      changes.push({ feed, isLate, ageMs, budgetMs });
    }
    return changes;
  }

  /**
   * When the last whole readings of orders and prices were asked for, without which the heartbeat is not refreshed. Without a
   * market there are no prices to read.
   */
  newsAt(hasNoMarket: boolean): number {
    const orders = this.#readAt.get('orders') ?? Number.NEGATIVE_INFINITY;
    return Math.min(orders, this.#readAt.get(hasNoMarket ? 'markets' : 'prices') ?? Number.NEGATIVE_INFINITY);
  }

  /** All feeds count as never read, and readings that were asked for before now are ignored. */
  forget(now: number): void {
    this.#readAt.clear();
    this.#startedAt = now;
    this.#countsFrom = after(now);
  }

  /** The clock was set back: no reading may lie in the future. */
  onClockSetBack(now: number): void {
    this.#startedAt = Math.min(this.#startedAt, now);
    this.#countsFrom = Math.min(this.#countsFrom, now);
    for (const [feed, at] of this.#readAt) this.#readAt.set(feed, Math.min(at, now));
  }
}

/** The first instant that is certainly later: within one millisecond the order of events is not known. */
export function after(at: number): number {
  return at + 1;
}
