/** The bot's own orders: by number, by market, and which of them may still match. */

import { assert } from '../../core/checks/assert.ts';
import { LinkedList } from '../../core/collections/linked-list.ts';
import { SequenceMap } from '../../core/collections/sequence-map.ts';
import type { OwnOrder } from './own-order.ts';
import type { MarketEntry, StrategyInMarket } from './strategy-in-market.ts';

/** Holds the orders of open markets that are live or have matched stake: no other order can change any more. */
export class LedgerOrders {
  readonly #byClient = new SequenceMap<OwnOrder>();
  readonly #live = new LinkedList<OwnOrder>();

  get(client: number): OwnOrder | undefined {
    return this.#byClient.get(client);
  }

  /** Orders whose stake may still match, as far as known, oldest first. */
  get live(): Iterable<OwnOrder> {
    return this.#live;
  }

  /** Adds an order of a market. If it is live, `follow` it too. */
  add(order: OwnOrder, entry: MarketEntry): void {
    assert(this.#byClient.get(order.id) === undefined, 'an order is added once');
    this.#byClient.add(order.id, order);
    order.market = entry.state;
    order.entryLink = entry.orders.add(order);
  }

  /** Adds an order to the live ones. `inMarket` is undefined for an adopted order, and for one whose strategy is not configured any more. */
  follow(order: OwnOrder, inMarket: StrategyInMarket | undefined): void {
    order.liveLink ??= this.#live.add(order);
    inMarket?.follow(order);
  }

  /** Removes an order from the live ones. It is forgotten unless it matched, or may yet turn out to exist. */
  retire(order: OwnOrder, inMarket: StrategyInMarket | undefined, entry: MarketEntry | undefined): void {
    if (!this.#unlink(order)) return;
    inMarket?.unfollow(order);
    if (order.matchedMoney > 0 || order.isAbsent) return;
    this.#byClient.delete(order.id);
    if (order.entryLink !== undefined) entry?.orders.remove(order.entryLink);
    order.entryLink = undefined;
  }

  /** Forgets the orders of a market that is closed. */
  drop(entry: MarketEntry): void {
    for (const order of entry.orders) {
      this.#byClient.delete(order.id);
      this.#unlink(order);
    }
  }

  /** Whether the reply to a request for an order of the wallet is awaited, or was lost. */
  hasInFlight(wallet: number): boolean {
    for (let link = this.#live.first; link !== undefined; link = link.next) {
      const order = link.member;
      if (order.terms.wallet === wallet && (order.inFlight !== undefined || order.unknown)) return true;
    }
    return false;
  }

  /** Whether it was live until now. */
  #unlink(order: OwnOrder): boolean {
    const { liveLink } = order;
    if (liveLink === undefined) return false;
    order.liveLink = undefined;
    return this.#live.remove(liveLink);
  }
}
