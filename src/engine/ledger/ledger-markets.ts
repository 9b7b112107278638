/** The markets that a run follows, by the port's index and by the exchange's id. */

import { LinkedList } from '../../core/collections/linked-list.ts';
import type { MarketState } from '../../core/market-state.ts';
import { frozenFacts, indexById } from '../windows/known-facts.ts';
import type { MarketEntry } from './strategy-in-market.ts';

export class LedgerMarkets {
  readonly #byIndex = new Map<number, MarketEntry>();
  readonly #byId = new Map<string, MarketEntry>();
  /** The entry asked for last: the next question is nearly always about the same market. */
  #last: MarketEntry | undefined;

  /** Undefined for a market that the feed has not brought yet, and for one that is closed. */
  at(index: number): MarketEntry | undefined {
    if (this.#last?.state.index === index) return this.#last;
    this.#last = this.#byIndex.get(index);
    return this.#last;
  }

  withId(id: string): MarketEntry | undefined {
    return this.#byId.get(id);
  }

  /** The index of the market with this id; -1 where none is followed. */
  indexOf(id: string): number {
    const last = this.#last?.state;
    return last?.facts.id === id ? last.index : (this.#byId.get(id)?.state.index ?? -1);
  }

  get all(): Iterable<MarketEntry> {
    return this.#byIndex.values();
  }

  get ids(): ReadonlyMap<string, MarketEntry> {
    return this.#byId;
  }

  add(market: MarketState): MarketEntry {
    const { facts } = market;
    const entry: MarketEntry = {
      state: market,
      views: new WeakMap(),
      shownFacts: frozenFacts(facts),
      freshAt: market.freshAt ?? market.updatedAt,
      stale: new Set(),
      dark: undefined,
      changedAt: Number.NEGATIVE_INFINITY,
      watchers: [],
      formerWatchers: [],
      orders: new LinkedList(),
      outcomeById: indexById(facts),
    };
    this.#byIndex.set(market.index, entry);
    this.#byId.set(facts.id, entry);
    return entry;
  }

  drop(market: MarketState): void {
    this.#byIndex.delete(market.index);
    this.#byId.delete(market.facts.id);
    this.#last = undefined;
  }
}
