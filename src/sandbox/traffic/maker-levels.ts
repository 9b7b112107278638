/** The resting stake of a driver's own orders, by level and in the order of placing. */

import type { Money } from '../../core/number/units.ts';

interface Resting {
  readonly order: number;
  readonly cell: number;
  left: number;
}

export interface Decrease {
  /** Orders to cancel. */
  readonly orders: readonly number[];
  /** Stake of these that must be placed again, behind everything at the level. */
  readonly again: Money;
}

export class MakerLevels {
  readonly #byOrder = new Map<number, Resting>();
  /** Oldest first; orders without stake are dropped when the level is next used. */
  readonly #queues = new Map<number, Resting[]>();
  readonly #stakes = new Map<number, number>();

  add(order: number, cell: number, left: Money): void {
    const resting = { order, cell, left };
    this.#byOrder.set(order, resting);
    const queue = this.#queues.get(cell);
    if (queue === undefined) this.#queues.set(cell, [resting]);
    else queue.push(resting);
    this.#stakes.set(cell, this.stakeAt(cell) + left);
  }

  /** Sets the stake left of an order; returns its level, undefined where the order is not known. */
  setLeft(order: number, left: Money): number | undefined {
    const resting = this.#byOrder.get(order);
    if (resting === undefined) return undefined;
    const stake = this.stakeAt(resting.cell) + left - resting.left;
    resting.left = left;
    this.#stakes.set(resting.cell, stake);
    if (left === 0) this.#byOrder.delete(order);
    if (stake === 0) this.#dropLevel(resting.cell);
    return resting.cell;
  }

  stakeAt(cell: number): number {
    return this.#stakes.get(cell) ?? 0;
  }

  /** The levels with stake. */
  cells(): Iterable<number> {
    return this.#stakes.keys();
  }

  /** The orders to cancel so that a level falls by `excess`: the newest, so that the front of the queue stays. */
  decrease(cell: number, excess: number): Decrease {
    const queue = (this.#queues.get(cell) ?? []).filter(({ left }) => left > 0);
    this.#queues.set(cell, queue);
    const orders: number[] = [];
    let taken = 0;
    for (let at = queue.length - 1; at >= 0 && taken < excess; at -= 1) {
      const resting = queue[at];
      if (resting === undefined) break;
      orders.push(resting.order);
      taken += resting.left;
    }
    return { orders, again: Math.max(0, taken - excess) as Money };
  }

  #dropLevel(cell: number): void {
    this.#stakes.delete(cell);
    this.#queues.delete(cell);
  }
}
