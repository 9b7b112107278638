/**
 * The trades of one run that reach something of ours, separated from the rest as they come, and sorted best price
 * first.
 */

import { isBetter, type SideIndex } from '../../core/side.ts';
import { grownFloats, grownInts } from '../../matching/columns/columns.ts';

/** The trades of one run: add them, sort them for a side, read them by place, then clear. */
export class ReachingTrades {
  #outcome = new Int32Array(32);
  #tick = new Int32Array(32);
  #stake = new Float64Array(32);
  /** Indexes of the trades, in the order made last. */
  #order = new Int32Array(32);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  add(outcome: number, tick: number, stake: number): void {
    const at = this.#count;
    if (at === this.#order.length) this.#grow(2 * at);
    this.#outcome[at] = outcome;
    this.#tick[at] = tick;
    this.#stake[at] = stake;
    this.#order[at] = at;
    this.#count = at + 1;
  }

  /** The index of the trade at a place of the order made last. */
  at(place: number): number {
    return this.#order[place] ?? 0;
  }

  outcome(index: number): number {
    return this.#outcome[index] ?? 0;
  }

  tick(index: number): number {
    return this.#tick[index] ?? 0;
  }

  stake(index: number): number {
    return this.#stake[index] ?? 0;
  }

  /**
   * Insertion sort, because a message has a handful of trades. Trades at one price stay in the order of the message,
   * whichever side they were sorted for before.
   */
  sortBestFirst(side: SideIndex): void {
    const order = this.#order;
    for (let i = 1; i < this.#count; i += 1) {
      const index = order[i] ?? 0;
      const own = this.tick(index);
      let at = i;
      for (; at > 0; at -= 1) {
        const before = order[at - 1] ?? 0;
        const other = this.tick(before);
        if (!isBetter(side, own, other) && (own !== other || before < index)) break;
        order[at] = before;
      }
      order[at] = index;
    }
  }

  #grow(length: number): void {
    this.#outcome = grownInts(this.#outcome, length);
    this.#tick = grownInts(this.#tick, length);
    this.#stake = grownFloats(this.#stake, length);
    this.#order = grownInts(this.#order, length);
  }
}
