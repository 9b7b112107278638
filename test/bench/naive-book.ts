/** Draws the flows of the benches, and says what every book must match: price-time priority in the obvious way. */

import { NO_TICK } from '../../src/core/number/ladder.ts';
import { crosses, isBetter, oppositeIndex, type SideIndex } from '../../src/core/side.ts';

export interface NaiveOrder {
  readonly id: number;
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  left: number;
}

export class NaiveBook {
  readonly #levels: Map<number, NaiveOrder[]>[];
  readonly #orders = new Map<number, NaiveOrder>();
  /** Orders that left since the list was last read and emptied: matched in full, or cancelled. */
  readonly gone: number[] = [];
  /** Stake matched, and in how many pieces. */
  matched = 0;
  fills = 0;

  constructor(outcomes: number) {
    this.#levels = Array.from({ length: outcomes * 2 }, () => new Map());
  }

  get size(): number {
    return this.#orders.size;
  }

  place(order: NaiveOrder): void {
    const resting = oppositeIndex(order.side);
    const levels = this.#levelsOf(order.outcome, resting);
    while (order.left > 0) {
      const best = this.bestTick(order.outcome, resting);
      if (best === NO_TICK || !crosses(order.side, order.tick, best)) break;
      const queue = levels.get(best) ?? [];
      this.#consumeStake(queue, order);
      if (queue.length === 0) levels.delete(best);
    }
    if (order.left > 0) this.#rest(order);
  }

  cancel(id: number): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    const levels = this.#levelsOf(order.outcome, order.side);
    const queue = levels.get(order.tick) ?? [];
    queue.splice(queue.indexOf(order), 1);
    if (queue.length === 0) levels.delete(order.tick);
    this.#orders.delete(id);
    this.gone.push(id);
  }

  /** Sum of the stake that rests. */
  restingStake(): number {
    let total = 0;
    for (const { left } of this.#orders.values()) total += left;
    return total;
  }

  has(id: number): boolean {
    return this.#orders.has(id);
  }

  bestTick(outcome: number, side: SideIndex): number {
    let best = NO_TICK;
    for (const tick of this.#levelsOf(outcome, side).keys()) {
      if (best === NO_TICK || isBetter(side, tick, best)) best = tick;
    }
    return best;
  }

  #consumeStake(queue: NaiveOrder[], taker: NaiveOrder): void {
    while (taker.left > 0) {
      const maker = queue[0];
      if (maker === undefined) return;
      const consumed = Math.min(maker.left, taker.left);
      maker.left -= consumed;
      taker.left -= consumed;
      this.matched += consumed;
      this.fills += 1;
      if (maker.left > 0) return;
      queue.shift();
      this.#orders.delete(maker.id);
      this.gone.push(maker.id);
    }
  }

  #rest(order: NaiveOrder): void {
    const levels = this.#levelsOf(order.outcome, order.side);
    const queue = levels.get(order.tick);
    if (queue === undefined) levels.set(order.tick, [order]);
    else queue.push(order);
    this.#orders.set(order.id, order);
  }

  #levelsOf(outcome: number, side: SideIndex): Map<number, NaiveOrder[]> {
    return this.#levels[outcome * 2 + side] as Map<number, NaiveOrder[]>;
  }
}
