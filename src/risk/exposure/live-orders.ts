/** Own orders of one market that may still match, resting, on their way or of unknown fate: how many, and at what prices. */

import { TickRows } from '../../core/book/tick-rows.ts';
import { fail } from '../../core/checks/assert.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import type { SideIndex } from '../../core/side.ts';

/** A count per outcome, side and tick; the best tick is found at once, however many are live. */
export class LiveOrders {
  readonly #counts: Uint32Array;
  readonly #ticks: TickRows;
  #total = 0;

  constructor(outcomes: number) {
    this.#counts = new Uint32Array(2 * outcomes * TICK_COUNT);
    this.#ticks = new TickRows(2 * outcomes);
  }

  get total(): number {
    return this.#total;
  }

  opened(outcome: number, side: SideIndex, tick: number): void {
    const row = 2 * outcome + side;
    const count = this.#counts[row * TICK_COUNT + tick] ?? 0;
    this.#counts[row * TICK_COUNT + tick] = count + 1;
    if (count === 0) this.#ticks.add(row, tick);
    this.#total += 1;
  }

  ended(outcome: number, side: SideIndex, tick: number): void {
    const row = 2 * outcome + side;
    const count = this.#counts[row * TICK_COUNT + tick] ?? 0;
    if (count === 0) fail(`no order of ours is live at tick ${tick}`);
    this.#counts[row * TICK_COUNT + tick] = count - 1;
    if (count === 1) this.#ticks.remove(row, tick);
    this.#total -= 1;
  }

  /** The tick that a taker meets first: the lowest For, the highest Against; NO_TICK where none is live. */
  best(outcome: number, side: SideIndex): number {
    return this.#ticks.best(2 * outcome + side);
  }
}
