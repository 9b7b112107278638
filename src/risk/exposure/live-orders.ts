/** Own orders of one market that may still match, resting, on their way or of unknown fate: how many, and at what prices. */

import { TickRows } from '../../core/book/tick-rows.ts';
import { fail } from '../../core/checks/assert.ts';
import { TICK_COUNT } from '../../core/number/ladder.ts';
import type { SideIndex } from '../../core/side.ts';

/** A count per outcome, side and tick of those that show stake; the best tick is found at once, however many are live. */
export class LiveOrders {
  readonly #counts: Uint32Array;
  readonly #ticks: TickRows;
  /** How many are live. */
  total = 0;

  constructor(outcomes: number) {
    this.#counts = new Uint32Array(2 * outcomes * TICK_COUNT);
    this.#ticks = new TickRows(2 * outcomes);
  }

  /** An order begins to show stake at its price, or ends to: dust of it is no quote, since nobody can meet it. */
  shows(outcome: number, side: SideIndex, tick: number, isShown: boolean): void {
    const row = 2 * outcome + side;
    const count = (this.#counts[row * TICK_COUNT + tick] ?? 0) + (isShown ? 1 : -1);
    if (count < 0) fail(`no order of ours shows stake at tick ${tick}`);
    this.#counts[row * TICK_COUNT + tick] = count;
    if (count === 0) this.#ticks.remove(row, tick);
    else this.#ticks.add(row, tick);
  }

  /** The tick that a taker meets first: the lowest For, the highest Against; NO_TICK where none is live. */
  best(outcome: number, side: SideIndex): number {
    return this.#ticks.best(2 * outcome + side);
  }
}
