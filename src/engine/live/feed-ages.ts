/** When each feed was last read whole, against how old it may be. */

import { FEED_NAMES, type FeedName } from '../../exchange/gateway.ts';

export interface FeedChange {
  readonly feed: FeedName;
  readonly isLate: boolean;
  readonly ageMs: number;
  readonly budgetMs: number;
}

/** Instants are ms UTC. A feed never read is late from its budget after the start on. */
export class FeedAges {
  readonly #budgets: Readonly<Record<FeedName, number>>;
  readonly #readAt = new Map<FeedName, number>();
  readonly #late = new Set<FeedName>();
  #startedAt: number;
  /** Readings that were asked for earlier count no more, whenever they arrive. */
  #countsFrom = Number.NEGATIVE_INFINITY;

  constructor(budgets: Readonly<Record<FeedName, number>>, startedAt: number) {
    this.#budgets = budgets;
    this.#startedAt = startedAt;
  }

  /** `at`: when it was asked for. */
  read(feed: FeedName, at: number): void {
    if (at < this.#countsFrom) return;
    this.#readAt.set(feed, at);
  }

  /** Undefined where it never was. */
  readAt(feed: FeedName): number | undefined {
    return this.#readAt.get(feed);
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

  /** What became late or fresh since the last look. */
  look(now: number): readonly FeedChange[] {
    const changes: FeedChange[] = [];
    for (const feed of FEED_NAMES) {
      const ageMs = now - (this.#readAt.get(feed) ?? this.#startedAt);
      const budgetMs = this.#budgets[feed];
      const isLate = ageMs > budgetMs;
      if (isLate === this.#late.has(feed)) continue;
      if (isLate) this.#late.add(feed);
      else this.#late.delete(feed);
      changes.push({ feed, isLate, ageMs, budgetMs });
    }
    return changes;
  }

  /** What was read, or asked for before now, counts no more. */
  forget(now: number): void {
    this.#readAt.clear();
    this.#startedAt = now;
    this.#countsFrom = after(now);
  }

  /** The clock went back: ages are counted anew, none younger than it was. */
  clockWentBack(now: number): void {
    this.#startedAt = Math.min(this.#startedAt, now);
    this.#countsFrom = Math.min(this.#countsFrom, now);
    for (const [feed, at] of this.#readAt) this.#readAt.set(feed, Math.min(at, now));
  }
}

/** The first instant that is certainly later: within one millisecond nobody knows what came first. */
export function after(at: number): number {
  return at + 1;
}
