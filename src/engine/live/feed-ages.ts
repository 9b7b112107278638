/** When each feed was last read whole, and whether that is longer ago than allowed. */

import { FEED_NAMES, type FeedName } from '../../exchange/gateway.ts';

export interface FeedChange {
  readonly feed: FeedName;
  readonly isLate: boolean;
  readonly ageMs: number;
  readonly budgetMs: number;
}

const NONE: readonly FeedChange[] = [];

/** Instants are ms UTC. A feed that was never read counts as read at the start. */
export class FeedAges {
  readonly #budgets: Readonly<Record<FeedName, number>>;
  readonly #readAt = new Map<FeedName, number>();
  readonly #late = new Set<FeedName>();
  /** Wallets that the last reading of wallets did not tell, with the time of the last one that did; undefined: none did. */
  readonly #unreadWallets = new Map<number, number | undefined>();
  #startedAt: number;
  /** Readings that were asked for before this are ignored, whenever they arrive. */
  #countsFrom = Number.NEGATIVE_INFINITY;

  constructor(budgets: Readonly<Record<FeedName, number>>, startedAt: number) {
    this.#budgets = budgets;
    this.#startedAt = startedAt;
  }

  /** A feed was read whole, but for these wallets. `at`: when the reading was asked for. */
  noteRead(feed: FeedName, at: number, walletsUnread: readonly number[] = []): void {
    if (at < this.#countsFrom) return;
    if (feed === 'wallets') this.#noteWallets(walletsUnread);
    this.#readAt.set(feed, at);
  }

  #noteWallets(unread: readonly number[]): void {
    for (const wallet of this.#unreadWallets.keys()) if (!unread.includes(wallet)) this.#unreadWallets.delete(wallet);
    for (const wallet of unread)
      if (!this.#unreadWallets.has(wallet)) this.#unreadWallets.set(wallet, this.#readAt.get('wallets'));
  }

  /** How long ago the reading was asked for that last told a wallet. */
  walletAgeMs(wallet: number, now: number): number {
    if (!this.#unreadWallets.has(wallet)) return this.ageMs('wallets', now);
    return now - (this.#unreadWallets.get(wallet) ?? this.#startedAt);
  }

  /** Whether a wallet is not known, or longer ago than allowed, while others of the run are read. */
  isWalletLate(wallet: number, now: number): boolean {
    if (!this.#unreadWallets.has(wallet)) return false;
    return this.#unreadWallets.get(wallet) === undefined || this.walletAgeMs(wallet, now) > this.#budgets.wallets;
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

  /** Whether it is not known at this instant what we hold, or what may be traded. Each market says the age of its prices by itself. */
  isUnknown(now: number): boolean {
    return FEED_NAMES.some((feed) => feed !== 'prices' && this.#isOverdue(feed, now));
  }

  #isOverdue(feed: FeedName, now: number): boolean {
    return this.ageMs(feed, now) > this.#budgets[feed];
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

  /** The feeds that became late, or are late no more, since the last call. It is asked at each input: where nothing changed, it makes no list. */
  changes(now: number): readonly FeedChange[] {
    let changes: FeedChange[] | undefined;
    for (const feed of FEED_NAMES) {
      const isLate = this.#isOverdue(feed, now);
      if (isLate === this.#late.has(feed)) continue;
      if (isLate) this.#late.add(feed);
      else this.#late.delete(feed);
      changes ??= [];
      changes.push({ feed, isLate, ageMs: this.ageMs(feed, now), budgetMs: this.#budgets[feed] });
    }
    return changes ?? NONE;
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
    this.#unreadWallets.clear();
    this.#startedAt = now;
    this.#countsFrom = after(now);
  }

  /** The clock was set back: no reading may lie in the future. */
  onClockSetBack(now: number): void {
    this.#startedAt = Math.min(this.#startedAt, now);
    this.#countsFrom = Math.min(this.#countsFrom, now);
    for (const [feed, at] of this.#readAt) this.#readAt.set(feed, Math.min(at, now));
    for (const [wallet, at = now] of this.#unreadWallets) if (at > now) this.#unreadWallets.set(wallet, now);
  }
}

/** The first instant that is certainly later: within one millisecond the order of events is not known. */
export function after(at: number): number {
  return at + 1;
}
