/** Finds exits, which are orders that reduce a position of earlier fills: the interval means little for strategies that send them. */

import { priceOfTick, type Tick } from '../../core/number/ladder.ts';
import { type Money, type Price, profitAt } from '../../core/number/units.ts';
import { type Side, signOf } from '../../core/side.ts';
import { grownFloats } from '../../matching/columns/columns.ts';

const FIRST_CAPACITY = 64;

/**
 * By outcome and strategy: how much more it wins if the outcome wins than if it does not, by what was matched so far. An
 * order is an exit if, matched in full, it would bring that figure nearer to zero.
 */
export class NetSwings {
  #net = new Float64Array(FIRST_CAPACITY);

  /** `key` is that of an outcome and strategy. */
  filled(key: number, fill: { readonly side: Side; readonly stake: Money; readonly price: Price }): void {
    if (key >= this.#net.length) this.#net = grownFloats(this.#net, Math.max(key + 1, 2 * this.#net.length));
    this.#net[key] = this.#netOf(key) + swingOf(fill);
  }

  isExit(key: number, order: { readonly side: Side; readonly stake: Money; readonly tick: Tick }): boolean {
    const held = this.#netOf(key);
    const { side, stake, tick } = order;
    return Math.abs(held + swingOf({ side, stake, price: priceOfTick(tick) })) < Math.abs(held);
  }

  /** Zero for what was never filled, also beyond the column's end. */
  #netOf(key: number): number {
    return this.#net[key] ?? 0;
  }
}

function swingOf({ side, stake, price }: { side: Side; stake: Money; price: Price }): number {
  return signOf(side) * (profitAt(stake, price) + stake);
}
