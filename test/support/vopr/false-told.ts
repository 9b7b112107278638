/** Orders that were falsely reported to the bot as ended, and from when on it must know better. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';

interface Told {
  /** When that was last reported, and how much of the order had matched by then, 10⁻⁶. */
  at: number;
  readonly matched: number;
  /** Comparisons begun since, whose orders the living process was given as they are. */
  comparisons: number;
}

/**
 * A false reading alone is never believed: the bot cancels the order, and believes the end once that is answered. Where the
 * exchange answered and the order lived on, two answers were false and the bot cannot know. Its own lists, read for a comparison after
 * that, show the order again: it may take as many of them as a difference needs to last, and the one that was under way.
 */
export class FalseTold {
  readonly #enough: number;
  readonly #told = new Map<number, Told>();
  /** Orders whose cancellation the exchange answered, and that lived on. */
  readonly #inVain = new Set<number>();
  /** Machine's numbers of markets in which it ever happened: there orders may be above a limit without any new one. */
  readonly markets = new Set<number>();

  constructor(lastingAfter: number) {
    this.#enough = lastingAfter + 2;
  }

  cancelledInVain(order: number): void {
    this.#inVain.add(order);
  }

  told(order: number, market: number, parts: { readonly now: number; readonly matched: number }): void {
    if (!this.#inVain.has(order)) return;
    // A second false report says nothing of what has matched since the first one.
    const matched = this.#told.get(order)?.matched ?? parts.matched;
    this.#told.set(order, { at: parts.now, matched, comparisons: 0 });
    this.markets.add(market);
  }

  /** The first page of all open orders, oldest first: what a comparison begins with. */
  heard(operation: Operation, { path }: WireRequest, reply: WireReply, madeAt: number): void {
    if (this.#told.size === 0 || reply.kind !== 'reply' || reply.status !== 200) return;
    if (operation !== 'listOrders' || !path.includes('sort=createdAt') || path.includes('&page=')) return;
    for (const [order, told] of this.#told) {
      if (madeAt <= told.at) continue;
      told.comparisons += 1;
      if (told.comparisons >= this.#enough) this.#told.delete(order);
    }
  }

  died(): void {
    for (const told of this.#told.values()) told.comparisons = 0;
  }

  /** How much of the order the bot may take for gone: nothing, what is unmatched, or more than can be determined. */
  hidden(order: number, matched: number): 'nothing' | 'unmatched' | 'more' {
    const told = this.#told.get(order);
    if (told === undefined) return 'nothing';
    return told.matched === matched ? 'unmatched' : 'more';
  }
}
