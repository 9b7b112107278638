/** Snapshots on their way to each connection: no more at once than its network takes, so that `*` cuts nobody off. */

import { numericId } from '../world/ids.ts';
import type { Peer } from './peer.ts';
import type { PriceBooks } from './price-books.ts';
import { ALL, type Subscriptions } from './subscriptions.ts';

export class SnapshotQueues {
  readonly #books: PriceBooks;
  readonly #subscriptions: Subscriptions<Peer>;
  readonly #backlogMax: number;
  /** A set keeps the order of asking. */
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

  /** Sends the markets' snapshots now, or as soon as the connection's network has room. */
  ask(peer: Peer, markets: readonly number[]): void {
    if (markets.length === 0) return;
    const waiting = this.#waiting.get(peer) ?? new Set();
    for (const market of markets) waiting.add(market);
    this.#waiting.set(peer, waiting);
    this.#pump(peer, waiting);
  }

  /** Until its snapshot is sent, increments of a market say nothing to the connection. */
  isWaiting(peer: Peer, market: number): boolean {
    return this.#waiting.get(peer)?.has(market) ?? false;
  }

  dropPeer(peer: Peer): void {
    this.#waiting.delete(peer);
  }

  /** The market is gone. */
  dropMarket(market: number): void {
    for (const waiting of this.#waiting.values()) waiting.delete(market);
  }

  /** Each turn sends at least one, and each one sent calls the next turn: the queue cannot stand still. */
  #pump(peer: Peer, waiting: Set<number>): void {
    let sent = 0;
    for (const market of waiting) {
      if (peer.hasEnded || (sent > 0 && peer.backlog > this.#backlogMax)) return;
      waiting.delete(market);
      if (!this.#wants(peer, market)) continue;
      sent += 1;
      peer.send(this.#books.snapshot(market), waiting.size > 0 ? () => this.#pump(peer, waiting) : undefined);
    }
    if (waiting.size === 0 && this.#waiting.get(peer) === waiting) this.#waiting.delete(peer);
  }

  #wants(peer: Peer, market: number): boolean {
    const has = (id: string): boolean => this.#subscriptions.has(peer, 'MarketPriceUpdate', id);
    return has(ALL) || has(numericId(market));
  }
}
