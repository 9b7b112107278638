/** The present pictures of watched markets, and a bounded number of past ones for clients that come back with a clock. */

import type { World } from '../../../sandbox/world/world.ts';
import { factsOfRecord } from '../../state/market-facts.ts';
import { type MarketPicture, type Painted, paint } from './market-picture.ts';

export class MarketPictures {
  readonly #world: World;
  readonly #pastMax: number;
  readonly #now = new Map<number, Painted>();
  /** Past pictures by market, the oldest first. */
  readonly #past = new Map<number, MarketPicture[]>();
  /** The markets of all past pictures, in the order in which they were superseded. */
  readonly #order: number[] = [];
  /** How many subscriptions watch a market. */
  readonly #watchers = new Map<number, number>();
  #isVirtual = false;

  constructor(parts: { readonly world: World; readonly pastMax: number }) {
    this.#world = parts.world;
    this.#pastMax = parts.pastMax;
  }

  /** From now on pictures have virtual offers. */
  showVirtual(): void {
    this.#isVirtual = true;
  }

  isWatched(market: number): boolean {
    return this.#watchers.has(market);
  }

  /** Starts to keep the market's picture up to date. */
  watch(market: number, turn: number): void {
    this.#watchers.set(market, (this.#watchers.get(market) ?? 0) + 1);
    // It may have changed while nobody watched it, and pictures may have no virtual offers yet.
    this.look(market, turn);
  }

  unwatch(market: number): void {
    const left = (this.#watchers.get(market) ?? 1) - 1;
    if (left > 0) this.#watchers.set(market, left);
    else this.#watchers.delete(market);
  }

  /** Takes the market's picture; whether it looks otherwise than before. */
  look(market: number, turn: number): boolean {
    const record = this.#world.catalogue.markets.get(market);
    const facts = record === undefined ? undefined : factsOfRecord(this.#world, record);
    const before = this.#now.get(market);
    if (facts === undefined) {
      this.forget(market);
      return before !== undefined;
    }
    const parts = { world: this.#world, facts, turn, before, isVirtual: this.#isVirtual };
    const now = paint(parts);
    this.#now.set(market, now);
    if (now.picture === before?.picture) return false;
    if (before !== undefined) this.#keep(before.picture);
    return true;
  }

  /** As it is now; undefined where it is not watched, or cannot be seen any more. */
  now(market: number): MarketPicture | undefined {
    return this.#now.get(market)?.picture;
  }

  /** As it was at the end of a turn; undefined where that is not known any more. */
  at(market: number, turn: number): MarketPicture | undefined {
    const now = this.now(market);
    if (now !== undefined && now.turn <= turn) return now;
    return this.#past.get(market)?.findLast((picture) => picture.turn <= turn);
  }

  /** The market was cleared away, or is not published any more. */
  forget(market: number): void {
    this.#now.delete(market);
    this.#past.delete(market);
  }

  #keep(picture: MarketPicture): void {
    const { market } = picture;
    const past = this.#past.get(market) ?? [];
    past.push(picture);
    this.#past.set(market, past);
    this.#order.push(market);
    // The oldest of all is the oldest of its market too; of a forgotten market there is none.
    while (this.#order.length > this.#pastMax) this.#past.get(this.#order.shift() ?? 0)?.shift();
  }
}
