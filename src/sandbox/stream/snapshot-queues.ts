/**
 * Queues of snapshots for each connection. Only as many are sent at once as its network takes, so that a subscription
 * to `*` does not overflow the backlog.
 */

import { numericId } from '../world/ids.ts';
import type { Peer } from './peer.ts';
import type { PriceBooks } from './price-books.ts';
import { ALL, type Subscriptions } from './subscriptions.ts';

export class SnapshotQueues {
  readonly #books: PriceBooks;
  readonly #subscriptions: Subscriptions<Peer>;
  readonly #backlogMax: number;
  /** Markets waiting by connection; a set keeps the order of the requests. */
  readonly #waiting = new Map<Peer, Set<number>>();

  constructor(parts: {
    readonly books: PriceBooks;
    readonly subscriptions: Subscriptions<Peer>;
    readonly backlogMax: number;
  }) {
    this.#books = parts.books;
    this.#subscriptions = parts.subscriptions;
    this.#backlogMax = parts.backlogMax;
  }

  /** Sends the markets' snapshots now, or as soon as the connection's backlog allows. */
  requestSnapshots(peer: Peer, markets: readonly number[]): void {
    if (markets.length === 0) return;
    const waiting = this.#waiting.get(peer) ?? new Set();
    for (const market of markets) waiting.add(market);
    this.#waiting.set(peer, waiting);
    this.#sendWaiting(peer, waiting);
  }

  /** Whether the market's snapshot is still to be sent: until then its increments mean nothing to the connection. */
  isWaiting(peer: Peer, market: number): boolean {
    return this.#waiting.get(peer)?.has(market) ?? false;
  }

  dropPeer(peer: Peer): void {
    this.#waiting.delete(peer);
  }

  /** Drops a market that was removed. */
  dropMarket(market: number): void {
    for (const waiting of this.#waiting.values()) waiting.delete(market);
  }

  /**
   * Sends waiting snapshots. Each call sends at least one, and each one sent triggers the next call, so the queue
   * always advances.
   */
  #sendWaiting(peer: Peer, waiting: Set<number>): void {
    let sent = 0;
    for (const market of waiting) {
      if (peer.hasEnded || (sent > 0 && peer.backlog > this.#backlogMax)) return;
      waiting.delete(market);
      if (!this.#wants(peer, market)) continue;
      sent += 1;
      peer.send(this.#books.snapshot(market), waiting.size > 0 ? () => this.#sendWaiting(peer, waiting) : undefined);
    }
    if (waiting.size === 0 && this.#waiting.get(peer) === waiting) this.#waiting.delete(peer);
  }

  #wants(peer: Peer, market: number): boolean {
    const has = (id: string): boolean => this.#subscriptions.has(peer, 'MarketPriceUpdate', id);
    return has(ALL) || has(numericId(market));
  }
}
